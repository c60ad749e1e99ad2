import { Buffer } from "node:buffer";
import { TableError } from "./columns.ts";
import type { TableFormat } from "./format.ts";
import { MAX_ROW, type Row, RowReader } from "./row_reader.ts";

/** Output of an earlier run. */
export interface EarlierAnswers {
  /** Reads its bytes. */
  read(): AsyncIterable<Uint8Array>;
  /** Shortens it to a number of bytes. */
  truncate(bytes: number): Promise<void>;
}

/** Position at which a run continues an earlier one. */
export interface Continuation {
  /** Rows that are answered. */
  readonly rows: number;
  /** The last answer, `undefined` without one. */
  readonly last: Row | undefined;
  /** Removes an incomplete answer from the end. */
  removeRemainder(): Promise<void>;
}

/** Maximum size of an incomplete row that is removed. */
const MAX_REMAINDER = 8 * MAX_ROW;

/**
 * Counts the answers of an earlier run, of which the last may be incomplete.
 *
 * @returns `undefined` if the output is empty.
 * @throws {TableError} If they are not answers to this table.
 */
export async function findContinuation(
  earlier: EarlierAnswers,
  { header, delimiter }: TableFormat,
): Promise<Continuation | undefined> {
  const reader = new RowReader(delimiter);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let [rows, complete, size] = [0, 0, 0];
  let last: Row | undefined;
  let isHeader = header !== "";
  let isBroken = false;

  function count(found: Iterable<Row>): void {
    for (const row of found) {
      isBroken ||= row.fault !== undefined || !row.raw.endsWith("\n");
      if (isBroken) return;
      complete += Buffer.byteLength(row.raw);
      if (isHeader) {
        requireHeader(row, header);
        isHeader = false;
      } else {
        rows++;
        last = row;
      }
    }
  }

  for await (const chunk of earlier.read()) {
    size += chunk.length;
    const text = decoder.decode(chunk, { stream: true });
    if (!isBroken) count(reader.push(text));
  }
  if (!isBroken) count(reader.push(decoder.decode()));
  if (!isBroken) count(reader.end());
  if (size === 0) return undefined;
  if (complete === 0 || size - complete > MAX_REMAINDER) {
    throw new TableError(
      `Cannot continue: line ${rows + 1} of the output is incomplete; ` +
        "remove the file to begin again",
    );
  }
  return {
    rows,
    last,
    async removeRemainder() {
      if (complete < size) await earlier.truncate(complete);
    },
  };
}

function requireHeader({ raw }: Row, header: string): void {
  if (raw.trim() === header.trim()) return;
  throw new TableError(
    "Cannot continue: the columns of the output are not those of this table",
  );
}
