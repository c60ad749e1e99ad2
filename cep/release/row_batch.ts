/** Value of a row. */
export type Literal = string | number | null;

/** Rows after which a batch is full. */
const ROWS = 1000;

/** Bytes of texts after which a batch is full. */
const LETTERS = 500_000;

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Kinds of values; a wide text has characters of two bytes. */
const NULL = 0;
const NUMBER = 1;
const TEXT = 2;
const WIDE_TEXT = 3;

/** Decoder of ISO-8859-1, without the bytes where the Encoding Standard differs. */
const LATIN1 = new TextDecoder("iso-8859-1");

/**
 * Rows of a batch. It has no arrays: Deno visits each of their items, if they
 * are sent to a thread.
 */
export interface RowBytes {
  readonly columns: number;
  /** Number of values. */
  readonly count: number;
  /** Kind of each value, in a byte. */
  readonly kinds: ArrayBufferLike;
  /** Numbers and lengths of texts, in eight bytes each. */
  readonly numbers: ArrayBufferLike;
  /** Characters of all texts, one after another. */
  readonly letters: ArrayBufferLike;
  /** Number of bytes of these characters. */
  readonly used: number;
}

/** Allocates memory of a number of bytes. */
export type Allocate = (bytes: number) => ArrayBufferLike;

/** Allocates memory of one thread. */
export const allocatePrivate: Allocate = (bytes) => new ArrayBuffer(bytes);

/** Collects rows of a table. */
export class RowBatch {
  readonly #columns: number;
  readonly #allocate: Allocate;
  #kinds: Uint8Array;
  #numbers: Float64Array;
  #letters: Uint8Array;
  #values = 0;
  #used = 0;

  constructor(columns: number, allocate: Allocate) {
    this.#columns = columns;
    this.#allocate = allocate;
    const values = ROWS * columns;
    this.#kinds = new Uint8Array(allocate(values));
    this.#numbers = new Float64Array(allocate(values * NUMBER_BYTES));
    this.#letters = new Uint8Array(allocate(1 << 14));
  }

  /** Removes all rows. */
  clear(): void {
    this.#values = 0;
    this.#used = 0;
  }

  /** True without any row. */
  get isEmpty(): boolean {
    return this.#values === 0;
  }

  /** True if there are enough rows for a statement. */
  get isFull(): boolean {
    return this.#values >= ROWS * this.#columns || this.#used >= LETTERS;
  }

  /**
   * Adds a row.
   *
   * @throws {RangeError} If a text contains a NUL, where SQLite would cut it.
   */
  add(row: readonly Literal[]): void {
    for (const value of row) {
      if (typeof value === "string") this.#addText(value);
      else if (value !== null) this.#put(NUMBER, value);
      else this.#put(NULL, 0);
    }
  }

  #put(kind: number, number: number): void {
    if (this.#values === this.#kinds.length) this.#grow();
    this.#kinds[this.#values] = kind;
    this.#numbers[this.#values++] = number;
  }

  #grow(): void {
    const values = 2 * this.#values;
    const kinds = new Uint8Array(this.#allocate(values));
    const numbers = new Float64Array(this.#allocate(values * NUMBER_BYTES));
    kinds.set(this.#kinds);
    numbers.set(this.#numbers);
    this.#kinds = kinds;
    this.#numbers = numbers;
  }

  #addText(text: string): void {
    this.#reserve(2 * text.length);
    const letters = this.#letters;
    let used = this.#used;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (isWide(code)) return this.#addWideText(text);
      if (code === 0) {
        throw new RangeError("Cannot write a text with a NUL character");
      }
      letters[used++] = code;
    }
    this.#used = used;
    this.#put(TEXT, text.length);
  }

  #addWideText(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0) {
        throw new RangeError("Cannot write a text with a NUL character");
      }
      this.#letters[this.#used++] = code & 0xFF;
      this.#letters[this.#used++] = code >>> 8;
    }
    this.#put(WIDE_TEXT, text.length);
  }

  #reserve(size: number): void {
    const least = this.#used + size;
    if (least <= this.#letters.length) return;
    const letters = new Uint8Array(this.#allocate(2 * least));
    letters.set(this.#letters);
    this.#letters = letters;
  }

  /** Rows, which the next call of {@linkcode clear} or `add` changes. */
  get bytes(): RowBytes {
    return {
      columns: this.#columns,
      count: this.#values,
      kinds: this.#kinds.buffer,
      numbers: this.#numbers.buffer,
      letters: this.#letters.buffer,
      used: this.#used,
    };
  }
}

/** True for a character that a decoder of ISO-8859-1 would not return. */
function isWide(code: number): boolean {
  return code > 0xFF || code >= 0x80 && code < 0xA0;
}

/** Returns the values of all rows, one after another. */
export function valuesOf(bytes: RowBytes): Literal[] {
  const kinds = new Uint8Array(bytes.kinds, 0, bytes.count);
  const numbers = new Float64Array(bytes.numbers, 0, bytes.count);
  // Not every runtime decodes shared memory, so a copy is decoded.
  const letters = new Uint8Array(bytes.letters, 0, bytes.used).slice();
  const text = LATIN1.decode(letters);
  const values: Literal[] = [];
  let start = 0;
  for (let i = 0; i < kinds.length; i++) {
    const number = numbers[i]!;
    const end = start + number;
    switch (kinds[i]) {
      case NUMBER:
        values.push(number);
        break;
      case TEXT:
        values.push(text.slice(start, end));
        start = end;
        break;
      case WIDE_TEXT:
        values.push(wideText(letters.subarray(start, end + number)));
        start = end + number;
        break;
      default:
        values.push(null);
    }
  }
  return values;
}

function wideText(letters: Uint8Array): string {
  let text = "";
  for (let i = 0; i < letters.length; i += 2) {
    text += String.fromCharCode(letters[i]! + 0x100 * letters[i + 1]!);
  }
  return text;
}

/** Part of a connection to which rows are written. */
interface RowTarget {
  readonly table: (name: string) => string;
  readonly allocate: Allocate;
  insert(into: string, rows: RowBytes): Promise<void>;
}

/** Collects rows of a table and inserts them together. */
export class RowBuffer {
  readonly #connection: RowTarget;
  readonly #into: string;
  /** Two batches, so that one can be inserted while the next one fills. */
  #batch: RowBatch | undefined;
  #spare: RowBatch | undefined;

  /**
   * @param table Name in the schema.
   * @param verb `INSERT OR IGNORE` skips rows whose key is in the table.
   */
  constructor(
    connection: RowTarget,
    table: string,
    verb: "INSERT" | "INSERT OR IGNORE" = "INSERT",
  ) {
    this.#connection = connection;
    this.#into = `${verb} INTO ${connection.table(table)}`;
  }

  /** Adds a row. Returns true if there are enough rows to insert. */
  add(row: readonly Literal[]): boolean {
    this.#batch ??= new RowBatch(row.length, this.#connection.allocate);
    this.#batch.add(row);
    return this.#batch.isFull;
  }

  /**
   * Inserts the rows. Others can be added meanwhile, but none inserted.
   */
  async insert(): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined || batch.isEmpty) return;
    this.#batch = this.#spare;
    this.#spare = undefined;
    await this.#connection.insert(this.#into, batch.bytes);
    batch.clear();
    this.#spare = batch;
  }
}
