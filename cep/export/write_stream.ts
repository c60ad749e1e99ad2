import type { Writable } from "node:stream";
import { type Address, type FieldName, FIELDS } from "../record/address.ts";
import type { Dump } from "../store/store.ts";
import { joinCells } from "../tables/csv.ts";
import { OutputClosed, streamWriter } from "../util/stream_writer.ts";

const NAMES = Object.keys(FIELDS) as FieldName[];

/**
 * Header of CSV (RFC 4180): the names of the fields, in the order of the JSON. Those of the CNEFE
 * are always there, so that each release fits into the same table.
 */
export const CSV_HEADER: string = toLine(NAMES);

/** Formats a record as a line of CSV. */
export function toCsvLine(record: Address): string {
  return toLine(NAMES.map((name) => `${record[name] ?? ""}`));
}

function toLine(values: readonly string[]): string {
  return `${joinCells(values, ",")}\r\n`;
}

/** Format of a stream, and the texts of its parts. */
interface StreamFormat {
  readonly header: string;
  readonly toText: (page: readonly string[]) => string;
}

/** Formats by the value of `EXPORT_FORMAT`. */
const FORMATS = {
  ndjson: {
    header: "",
    toText: (page) => `${page.join("\n")}\n`,
  },
  csv: {
    header: CSV_HEADER,
    toText: (page) => page.map((json) => toCsvLine(JSON.parse(json))).join(""),
  },
} as const satisfies Record<string, StreamFormat>;

/** Options of {@linkcode writeStream}. */
interface WriteStreamOptions {
  /** Records to write. */
  readonly dump: Pick<Dump, "pages">;
  /** Format of the text. */
  readonly format: keyof typeof FORMATS;
  /** Receives the text as UTF-8, at the speed of its reader. */
  readonly output: Pick<Writable, "write">;
}

/**
 * Writes all records of a release to a stream.
 *
 * @returns The number of records written, and the completeness of the output:
 * it is incomplete if the reader of a pipe has closed it.
 * @throws {Error} If the output cannot be written.
 */
export async function writeStream(
  { dump, format, output }: WriteStreamOptions,
): Promise<{ records: number; complete: boolean }> {
  const { header, toText } = FORMATS[format];
  const write = streamWriter(output);
  let records = 0;
  try {
    await write(header);
    for await (const page of dump.pages) {
      await write(toText(page));
      records += page.length;
    }
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
    return { records, complete: false };
  }
  return { records, complete: true };
}
