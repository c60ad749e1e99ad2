import { mkdirSync, readdirSync, writeFileSync } from "node:fs";

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

/** Columns of a row, as written. */
export type Row = readonly string[];

/** File of a DNE in rows. */
export interface Table {
  /** Name of the file, such as `LOG_BAIRRO.TXT`. */
  readonly name: string;
  readonly rows: readonly Row[];
}

/** Reads the rows of each file, one file at a time. */
export function* toTables(chunks: Iterable<Chunk>): Iterable<Table> {
  let name: string | undefined;
  let text = "";
  const finish = (): Table => {
    const lines = text.split("\r\n").slice(0, -1);
    return { name: name!, rows: lines.map((line) => line.split("@")) };
  };
  // Bytes 80 to 9F, which windows-1252 decodes differently, never occur.
  const decoder = new TextDecoder("windows-1252");
  for (const { name: next, chunk } of chunks) {
    if (name !== undefined && name !== next) {
      yield finish();
      text = "";
    }
    name = next;
    text += decoder.decode(chunk);
  }
  if (name !== undefined) yield finish();
}

/** Writes a file again. */
export function toTextFile({ name, rows }: Table): TextFile {
  const file = new TextFile(name);
  for (const row of rows) file.row(row);
  return file;
}

const STREETS = "LOG_LOGRADOURO";

/** Returns the name without extension, and without the state of a street file. */
export function familyOf(name: string): string {
  return name.startsWith(STREETS) ? STREETS : name.replace(".TXT", "");
}

/** Options of {@linkcode writeFiles}. */
export interface WriteFilesOptions {
  /** Names of the files that the folder may contain. */
  readonly own: RegExp;
  /** Description of them. */
  readonly allowed: string;
}

/** Writes files to a folder. Returns the number of bytes of each, by name. */
export function writeFiles(
  out: string,
  chunks: Iterable<Chunk>,
  { own, allowed }: WriteFilesOptions,
): Map<string, number> {
  mkdirSync(out, { recursive: true });
  const foreign = readdirSync(out).find((name) => !own.test(name));
  if (foreign !== undefined) {
    throw new Error(
      `Cannot write to "${out}": it contains "${foreign}", and only ` +
        `${allowed} are allowed`,
    );
  }
  const sizes = new Map<string, number>();
  for (const { name, chunk } of chunks) {
    const written = sizes.get(name);
    const flag = written === undefined ? "w" : "a";
    writeFileSync(`${out}/${name}`, chunk, { flag });
    sizes.set(name, (written ?? 0) + chunk.length);
  }
  return sizes;
}
