/**
 * Rows of a table in text: lines of NDJSON, or records of CSV (RFC 4180), whose
 * quoted cells may contain line ends.
 */
/** Maximum length of a row in characters. */
export const MAX_ROW = 1 << 20;

/** Characters of a row above the limit that are kept, to recognize it. */
const KEPT = 100;

/** Fault of a row that cannot be parsed. */
type RowFault = "quotes" | "length";

/** Row of a table. */
export interface Row {
  /** Text with its line end. */
  readonly raw: string;
  /** Fault, if the row cannot be parsed. It is then one line. */
  readonly fault?: RowFault;
  /** True if bytes of it are not of the encoding of the table. */
  readonly isMisread?: boolean;
}

/** Returns the line end of a row, `""` without one. */
export function lineEndOf({ raw }: Row): string {
  return /\r?\n$/.exec(raw)?.[0] ?? "";
}

/** Returns the text of a row without its line end, which may be cut off. */
export function textOf({ raw }: Row): string {
  return raw.replace(/\r?\n?$/, "");
}

/** True if a row contains only spaces. */
export function isBlank({ raw }: Row): boolean {
  return !/\S/.test(raw);
}

/** Position after a row whose end has not arrived. */
const INCOMPLETE = -1;
/** Position after a row with a fault in its quotes. */
const BROKEN = -2;

/**
 * Splits text that arrives in chunks into rows. A row with a fault ends at its
 * first line end, so that the next ones are read.
 */
export class RowReader {
  readonly #delimiter: string | undefined;
  #buffer = "";
  /** True within a row above the limit. */
  #skipping = false;

  /** @param delimiter Delimiter of cells, `undefined` for lines. */
  constructor(delimiter: string | undefined) {
    this.#delimiter = delimiter;
  }

  /** Reads a chunk, and yields the rows that are complete. */
  *push(text: string): Generator<Row> {
    this.#buffer += text;
    yield* this.#read(false);
  }

  /** Yields the last rows, of which the last one may lack its line end. */
  *end(): Generator<Row> {
    yield* this.#read(true);
  }

  *#read(isEnd: boolean): Generator<Row> {
    const buffer = this.#buffer;
    let start = 0;
    let quote = -1;
    while (start < buffer.length) {
      const newline = buffer.indexOf("\n", start);
      const lineEnd = newline < 0 ? buffer.length : newline + 1;
      if (this.#skipping) {
        this.#skipping = newline < 0;
        start = lineEnd;
        continue;
      }
      if (lineEnd - start > MAX_ROW) {
        yield { raw: buffer.slice(start, start + KEPT), fault: "length" };
        this.#skipping = newline < 0;
        start = lineEnd;
        continue;
      }
      if (newline < 0 && !isEnd) break;
      if (quote < start) quote = indexOrEnd(buffer, '"', start);
      let end = lineEnd;
      if (quote < lineEnd && this.#delimiter !== undefined) {
        end = endOfRow(buffer, start, this.#delimiter, isEnd);
        if (end === INCOMPLETE && buffer.length - start <= MAX_ROW) break;
      }
      if (end < 0) {
        yield { raw: buffer.slice(start, lineEnd), fault: "quotes" };
        start = lineEnd;
        continue;
      }
      yield { raw: buffer.slice(start, end) };
      start = end;
    }
    this.#buffer = buffer.slice(start);
  }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}

/** Returns the position after a row with quotes, or the fault of the row. */
function endOfRow(
  buffer: string,
  start: number,
  delimiter: string,
  isEnd: boolean,
): number {
  // A byte order mark is not a part of the first cell.
  let i = buffer[start] === "\uFEFF" ? start + 1 : start;
  while (true) {
    if (buffer[i] !== '"') {
      const newline = indexOrEnd(buffer, "\n", i);
      const next = indexOrEnd(buffer, delimiter, i);
      if (next < newline) {
        i = next + 1;
        continue;
      }
      if (newline < buffer.length) return newline + 1;
      return isEnd ? buffer.length : INCOMPLETE;
    }
    i = closingQuote(buffer, i) + 1;
    if (i === 0) return isEnd ? BROKEN : INCOMPLETE;
    if (i === buffer.length) return isEnd ? i : INCOMPLETE;
    if (buffer[i] === delimiter) {
      i++;
      continue;
    }
    if (buffer[i] === "\r") i++;
    if (i === buffer.length) return isEnd ? i : INCOMPLETE;
    return buffer[i] === "\n" ? i + 1 : BROKEN;
  }
}

/** Returns the position of the quote that closes a cell, -1 without one. */
function closingQuote(text: string, opening: number): number {
  let i = text.indexOf('"', opening + 1);
  while (i >= 0 && text[i + 1] === '"') i = text.indexOf('"', i + 2);
  return i;
}
