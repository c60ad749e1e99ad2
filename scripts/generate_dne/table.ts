import { type Chunk, TextFile } from "./text_file.ts";

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
