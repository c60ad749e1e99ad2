import { type Matcher, MAX_ADDRESS } from "../search/matcher.ts";
import { DatabaseError } from "../store/store.ts";
import { type ColumnNames, type RowAddress, TableError } from "./columns.ts";
import {
  type Continuation,
  type EarlierAnswers,
  findContinuation,
} from "./continuation.ts";
import { csvFormat } from "./csv_format.ts";
import { RowError, type TableFormat } from "./format.ts";
import { jsonFormat } from "./json_format.ts";
import { type Encoding, rowBatches } from "./row_batches.ts";
import type { Row } from "./row_reader.ts";

/** Characters of answers that are written at once. */
const WRITTEN_AT_ONCE = 1 << 16;

/** Rows that are searched for at once, where searches have threads. */
const SEARCHED_AT_ONCE = 64;

/** Options of {@linkcode matchTable}. */
export interface MatchTableOptions {
  /** Table as bytes. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Encoding of the table. */
  readonly encoding: Encoding;
  /** Format of the table. */
  readonly format: "csv" | "ndjson";
  /** Delimiter of CSV; `auto` is the most frequent one of the header. */
  readonly delimiter: string;
  /** Names of the columns with addresses. */
  readonly columns: ColumnNames;
  /** Finds the records. */
  readonly matcher: Pick<Matcher, "match">;
  /** Writes text as UTF-8, and waits until it is taken. */
  readonly write: (text: string) => Promise<void>;
  /** Output of an earlier run, which this one continues. */
  readonly earlier?: EarlierAnswers;
  /** Called after each chunk of the input. */
  readonly onProgress?: (progress: MatchProgress) => void;
}

/** Progress of {@linkcode matchTable}. */
export interface MatchProgress {
  /** Bytes of the input read so far. */
  readonly bytes: number;
  /** Rows answered by this run. */
  readonly rows: number;
  /** True in the last call. */
  readonly done: boolean;
}

/** Counts of {@linkcode matchTable}. */
interface MatchReport {
  /** Rows with a record. */
  readonly found: number;
  /** Rows without one. */
  readonly missing: number;
  /** Rows with an error in place of an answer. */
  readonly errors: number;
  /** Rows that an earlier run answered. */
  readonly skipped: number;
  /** Columns of CSV that were read, or those given. */
  readonly columns: ColumnNames;
}

/**
 * Answers every row of a table, in order and in constant memory. A row that
 * cannot be read gets an error in place of an answer.
 *
 * @throws {TableError} If the header is unusable, or the earlier answers are of
 * another table.
 * @throws {DatabaseError} If the database is empty or cannot be read.
 */
export async function matchTable(
  options: MatchTableOptions,
): Promise<MatchReport> {
  const { input, encoding, columns, write, onProgress = () => {} } = options;
  let chosen = columns;
  const isCsv = options.format === "csv";
  const answers = new Answers(options);
  let format: TableFormat | undefined = isCsv ? undefined : jsonFormat(columns);
  let continuation: Continuation | undefined;
  let [text, skipped, read] = ["", 0, 0];
  const searches: Promise<string>[] = [];

  /** Takes answers, in order, until only so many are missing. */
  async function take(missing: number): Promise<void> {
    while (searches.length > missing) {
      text += await searches.shift()!;
      if (text.length < WRITTEN_AT_ONCE) continue;
      await write(text);
      text = "";
    }
  }

  const batches = rowBatches(input, {
    encoding,
    delimiter: isCsv ? options.delimiter : undefined,
  });
  for await (const { rows, delimiter, bytes, mark } of batches) {
    for (const row of rows) {
      if (format === undefined) {
        const csv = csvFormat(row, { delimiter, mark, columns });
        chosen = csv.columns;
        format = csv;
        continuation = await begin(format, options);
        if (continuation === NOTHING) text = format.header;
        continue;
      }
      continuation ??= await begin(format, options);
      if (skipped < continuation.rows) {
        skipped++;
        if (skipped === continuation.rows) {
          requireAnswer(format, row, continuation);
          await continuation.removeRemainder();
        }
        continue;
      }
      const search = answers.answer(format, row);
      // It is awaited later, or not at all if an earlier one fails.
      search.catch(() => {});
      searches.push(search);
      await take(SEARCHED_AT_ONCE);
    }
    await take(0);
    // The header is written with the first answer.
    if (text !== "" && answers.count > 0) {
      await write(text);
      text = "";
    }
    read = bytes;
    onProgress({ bytes, rows: answers.count, done: false });
  }
  if (format === undefined) {
    throw new TableError("Cannot read the table: it is empty");
  }
  continuation ??= await begin(format, options);
  if (text !== "") await write(text);
  if (skipped < continuation.rows) {
    throw new TableError(
      `Cannot continue: the output has ${continuation.rows} answers, ` +
        `the table ${skipped} rows`,
    );
  }
  onProgress({ bytes: read, rows: answers.count, done: true });
  return { ...answers.report, skipped, columns: chosen };
}

const NOTHING: Continuation = {
  rows: 0,
  last: undefined,
  removeRemainder: () => Promise.resolve(),
};

/** Finds the end of the earlier answers, or {@linkcode NOTHING}. */
async function begin(
  format: TableFormat,
  { earlier }: MatchTableOptions,
): Promise<Continuation> {
  const found = earlier && await findContinuation(earlier, format);
  if (found !== undefined) {
    // Otherwise, the last answer is compared with its row first.
    if (found.rows === 0) await found.removeRemainder();
    return found;
  }
  return NOTHING;
}

function requireAnswer(
  format: TableFormat,
  row: Row,
  { rows, last }: Continuation,
): void {
  if (last !== undefined && format.isAnswer(row, last)) return;
  throw new TableError(
    `Cannot continue: answer ${rows} of the output is not to row ${rows} of ` +
      "the table",
  );
}

/** Answers to rows, and their counts. */
class Answers {
  readonly #matcher: MatchTableOptions["matcher"];
  #found = 0;
  #missing = 0;
  #errors = 0;

  constructor({ matcher }: Pick<MatchTableOptions, "matcher">) {
    this.#matcher = matcher;
  }

  /** Number of rows answered. */
  get count(): number {
    return this.#found + this.#missing + this.#errors;
  }

  get report(): Omit<MatchReport, "skipped" | "columns"> {
    return {
      found: this.#found,
      missing: this.#missing,
      errors: this.#errors,
    };
  }

  /** Returns the answer to a row, with its line end. */
  async answer(format: TableFormat, row: Row): Promise<string> {
    let address: RowAddress;
    try {
      address = format.read(row);
      requireLength(address);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      this.#errors++;
      return format.writeError(row, error.message);
    }
    const options = { inBulk: true };
    const { text, known } = address;
    const match = await this.#matcher.match(text, known, options);
    if (match === undefined) {
      throw new DatabaseError("Cannot match addresses: the database is empty");
    }
    if (match.registro === null) this.#missing++;
    else this.#found++;
    return format.write(row, match);
  }
}

/** Refuses a text or a part that the API would refuse. */
function requireLength({ text, known }: RowAddress): void {
  if ([text, ...Object.values(known)].some((it) => it.length > MAX_ADDRESS)) {
    throw new RowError(`endereço com mais de ${MAX_ADDRESS} caracteres`);
  }
}
