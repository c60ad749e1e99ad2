/** Piece of one file of the DNE. */
export interface Chunk {
  /** Name of the file, such as `LOG_BAIRRO.TXT`. */
  readonly name: string;
  /** Next bytes of the file. */
  readonly chunk: Uint8Array<ArrayBuffer>;
}

const CHUNK_SIZE = 1 << 20;

/** DNE text file in memory: ISO-8859-1, CRLF, columns separated by `@`. */
export class TextFile {
  readonly name: string;
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #buffer = new Uint8Array(CHUNK_SIZE);
  #length = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Appends a row. */
  row(columns: readonly (string | number)[]): void {
    const line = columns.join("@");
    if (this.#length + line.length + 2 > CHUNK_SIZE) {
      this.#full.push(this.#buffer.subarray(0, this.#length));
      this.#buffer = new Uint8Array(CHUNK_SIZE);
      this.#length = 0;
    }
    for (let i = 0; i < line.length; i++) {
      const code = line.charCodeAt(i);
      if (code > 0xff || code < 0x20 || (code > 0x7e && code < 0xa0)) {
        throw new RangeError(
          `Cannot write "${line}" to ${this.name}: no ISO-8859-1 text`,
        );
      }
      this.#buffer[this.#length++] = code;
    }
    this.#buffer[this.#length++] = 0x0d;
    this.#buffer[this.#length++] = 0x0a;
  }

  /** Returns the whole file; a file without rows is one empty chunk. */
  *chunks(): Iterable<Chunk> {
    for (const chunk of this.#full) yield { name: this.name, chunk };
    yield { name: this.name, chunk: this.#buffer.slice(0, this.#length) };
  }
}
