import { CHUNK_BYTES } from "../files/bytes.ts";

/** Maximum length of a row in bytes. The longest of IBGE's have about 400. */
export const MAX_ROW_BYTES = 1 << 14;

/** Maximum number of fields of a row that are told apart. */
export const MAX_FIELDS = 256;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SEPARATOR = 0x3B;

/** Reason why a row is not split into fields. */
export type ScanFault = "overlong row" | "NUL byte";

/** Receiver of rows. */
export interface RowVisitor {
  /**
   * Called for each row that is not blank.
   *
   * @param bytes Bytes that are valid during the call.
   * @param starts Start of each field, and after the last one the end of the
   * row plus one. Field `i` ends before `starts[i + 1] - 1`.
   * @param count Number of fields, which may exceed {@linkcode MAX_FIELDS}.
   * @param line Number of the line, from 1.
   * @param isWhole False for the last row, if it has no line end.
   */
  row(
    bytes: Uint8Array,
    starts: Int32Array,
    count: number,
    line: number,
    isWhole: boolean,
  ): void;
  /** Called for a row that cannot be read. */
  fault(fault: ScanFault, line: number): void;
  /** Called after the fault of the last row, if it has no line end. */
  cut(line: number): void;
}

/** Splits chunks of bytes into rows and fields. A quote is a character. */
export class RowScanner {
  readonly #visitor: RowVisitor;
  /** Start of a row, then the next chunk. */
  readonly #buffer = new Uint8Array(MAX_ROW_BYTES + 2 + CHUNK_BYTES);
  readonly #starts = new Int32Array(MAX_FIELDS + 1);
  /** Number of bytes of the unfinished row. */
  #rest = 0;
  #line = 0;
  /** True within a row that is too long. */
  #skips = false;

  constructor(visitor: RowVisitor) {
    this.#visitor = visitor;
  }

  /** Visits the rows that end in a chunk. */
  push(chunk: Uint8Array): void {
    for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
      this.#pushPart(chunk.subarray(start, start + CHUNK_BYTES));
    }
  }

  /** Visits the last row, if it has no line end. */
  finish(): void {
    if (this.#skips) return this.#visitor.cut(this.#line);
    if (this.#rest === 0) return;
    this.#buffer[this.#rest] = LINE_FEED;
    this.#scan(this.#rest + 1, false);
  }

  #pushPart(part: Uint8Array): void {
    let from = 0;
    if (this.#skips) {
      from = part.indexOf(LINE_FEED) + 1;
      if (from === 0) return;
      this.#skips = false;
    }
    const kept = from === 0 ? part : part.subarray(from);
    this.#buffer.set(kept, this.#rest);
    const length = this.#rest + kept.length;
    const scanned = this.#scan(length, true);
    this.#rest = length - scanned;
    if (this.#rest > MAX_ROW_BYTES + 1) {
      this.#line++;
      this.#visitor.fault("overlong row", this.#line);
      this.#skips = true;
      this.#rest = 0;
    } else {
      this.#buffer.copyWithin(0, scanned, length);
    }
  }

  /** Visits the rows up to a position. Returns the end of the last one. */
  #scan(length: number, isWhole: boolean): number {
    const bytes = this.#buffer;
    const starts = this.#starts;
    let start = 0;
    let count = 1;
    let hasNul = false;
    starts[0] = 0;
    for (let i = 0; i < length; i++) {
      const byte = bytes[i]!;
      // Most bytes are letters or digits.
      if (byte > SEPARATOR) continue;
      if (byte === SEPARATOR) {
        if (count < MAX_FIELDS) starts[count] = i + 1;
        count++;
      } else if (byte === LINE_FEED) {
        this.#line++;
        const end = i > start && bytes[i - 1] === CARRIAGE_RETURN ? i - 1 : i;
        if (end - start > MAX_ROW_BYTES) {
          this.#fault("overlong row", isWhole);
        } else if (hasNul) {
          this.#fault("NUL byte", isWhole);
        } else if (end > start) {
          starts[Math.min(count, MAX_FIELDS)] = end + 1;
          this.#visitor.row(bytes, starts, count, this.#line, isWhole);
        }
        start = i + 1;
        count = 1;
        hasNul = false;
        starts[0] = start;
      } else if (byte === 0) {
        hasNul = true;
      }
    }
    return start;
  }

  #fault(fault: ScanFault, isWhole: boolean): void {
    this.#visitor.fault(fault, this.#line);
    if (!isWhole) this.#visitor.cut(this.#line);
  }
}
