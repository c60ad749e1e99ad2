import { findDelimiter } from "./csv.ts";
import { TableError } from "./columns.ts";
import { isBlank, type Row, RowReader } from "./row_reader.ts";

/** Encoding of a table. */
export type Encoding = "utf-8" | "iso-8859-1";

/** Delimiter of cells; `auto` is the most frequent one of the first row. */
export type Delimiter = string | "auto" | undefined;

/** Rows of a chunk. */
export interface RowBatch {
  /** Rows that are not blank. */
  readonly rows: readonly Row[];
  /** Delimiter of their cells, `""` for lines. */
  readonly delimiter: string;
  /** Bytes read so far, of the whole table. */
  readonly bytes: number;
  /** Byte order mark before the first row, `""` without one. */
  readonly mark: string;
}

/** Options of {@linkcode rowBatches}. */
interface RowBatchesOptions {
  readonly encoding: Encoding;
  /** Delimiter of cells, `undefined` for lines. */
  readonly delimiter: Delimiter;
}

/**
 * Reads the rows of a table, one batch per chunk.
 *
 * @throws {TableError} If it is UTF-16 or a workbook.
 */
export async function* rowBatches(
  input: AsyncIterable<Uint8Array>,
  { encoding, delimiter: given }: RowBatchesOptions,
): AsyncGenerator<RowBatch> {
  // "S\uFFFDo Paulo" may well be what the table says.
  const strict = new TextDecoder(encoding, { fatal: true });
  let isMisread = false;
  let reader: RowReader | undefined;
  let [delimiter, beginning, bytes, mark] = ["", "", 0, ""];

  function read(text: string, isEnd: boolean): Row[] {
    if (reader === undefined) {
      beginning += text;
      if (beginning.startsWith(BYTE_ORDER_MARK)) {
        mark = BYTE_ORDER_MARK;
        beginning = beginning.slice(1);
      }
      if (beginning === "") return [];
      const found = given === "auto" ? findDelimiter(beginning, isEnd) : given;
      if (found === undefined && given !== undefined) return [];
      delimiter = found ?? "";
      reader = new RowReader(found);
      text = beginning;
      beginning = "";
    }
    const rows = [...reader.push(text), ...isEnd ? reader.end() : []];
    return rows.filter((row) => !isBlank(row)).map((row) =>
      isMisread && row.raw.includes(REPLACEMENT) ? { ...row, isMisread } : row
    );
  }

  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of input) {
    if (bytes === 0) refuseOther(chunk);
    bytes += chunk.length;
    isMisread ||= !isDecodable(strict, chunk);
    const rows = read(decoder.decode(chunk, { stream: true }), false);
    yield { rows, delimiter, bytes, mark };
  }
  isMisread ||= !isDecodable(strict);
  yield { rows: read(decoder.decode(), true), delimiter, bytes, mark };
}

/** Character in place of bytes that are not of the encoding. */
const REPLACEMENT = "\uFFFD";

/** True if a chunk, or the end of the text, is of the encoding of a decoder. */
function isDecodable(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Files that are no text, by their first bytes. */
const OTHERS: readonly (readonly [start: readonly number[], advice: string])[] =
  [
    [[0xFF, 0xFE], "it is UTF-16; save it as UTF-8"],
    [[0xFE, 0xFF], "it is UTF-16; save it as UTF-8"],
    [[0x50, 0x4B, 0x03, 0x04], "it is an Excel workbook; save it as CSV UTF-8"],
    [[0xD0, 0xCF, 0x11, 0xE0], "it is an Excel workbook; save it as CSV UTF-8"],
  ];

function refuseOther(chunk: Uint8Array): void {
  for (const [start, advice] of OTHERS) {
    if (start.every((byte, i) => chunk[i] === byte)) {
      throw new TableError(`Cannot read the table: ${advice}`);
    }
  }
}
