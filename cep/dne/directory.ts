/**
 * The directory that holds the DNE text files.
 *
 * @module
 */
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { REQUIRED_FILES, type RequiredFile } from "./layout.ts";
import { findForeignEncoding } from "./lines.ts";

/** Bytes that are read at once. */
const CHUNK_BYTES = 1 << 18;

/** A required file that was found and can be read. */
export interface DirectoryFile extends RequiredFile {
  /** Its size in bytes. */
  readonly size: number;
  /** Its content. A chunk is good until the next one is asked for. */
  read(): AsyncIterable<Uint8Array>;
}

/** A directory that can be imported. */
export interface Directory {
  /** The required files, in the order of import. */
  readonly files: readonly DirectoryFile[];
  /** The version that LEIAME.TXT tells, `""` without one. */
  readonly version: string;
}

/** A directory that cannot be imported, with all that is wrong with it. */
export class DirectoryError extends Error {
  /** Always `DirectoryError`. */
  override readonly name = "DirectoryError";

  /** Made by {@linkcode openDirectory}. */
  constructor(
    path: string,
    /** One sentence a file. */
    readonly problems: readonly string[],
  ) {
    super(`Cannot import directory "${path}": ${problems.join("; ")}`);
  }
}

/**
 * Finds the required files directly inside a directory, in any letter case,
 * and checks that each can be read and is ISO-8859-1.
 *
 * @throws {DirectoryError} Naming every file that is missing, unreadable or
 * not ISO-8859-1.
 */
export async function openDirectory(path: string): Promise<Directory> {
  const names = await list(path);
  const files: DirectoryFile[] = [];
  const problems: string[] = [];
  for (const file of REQUIRED_FILES) {
    const checked = await check(path, file, names);
    if (typeof checked === "string") problems.push(checked);
    else files.push(checked);
  }
  if (problems.length > 0) throw new DirectoryError(path, problems);
  return { files, version: await readVersion(path) };
}

async function list(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (cause) {
    throw new DirectoryError(path, [
      codeOf(cause) === "ENOENT" ? "it does not exist" : reasonOf(cause),
    ]);
  }
}

/** The file, or what is wrong with it. */
async function check(
  path: string,
  file: RequiredFile,
  names: readonly string[],
): Promise<DirectoryFile | string> {
  const matches = names.filter((name) => name.toUpperCase() === file.name);
  const [name, other] = matches;
  if (name === undefined) return `${file.name} is missing`;
  if (other !== undefined) return `${file.name} is there twice: ${matches}`;
  const read = () => readChunks(join(path, name));
  try {
    const size = await sizeOf(join(path, name));
    const encoding = await findForeignEncoding(read());
    if (encoding) return `${name} is not ISO-8859-1, ${encoding}`;
    return { ...file, size, read };
  } catch (cause) {
    return `${name} cannot be read, ${reasonOf(cause)}`;
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error("it is not a file");
  return found.size;
}

/** All chunks share one buffer, or each would stay until it is collected. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    while (true) {
      const { bytesRead } = await handle.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** LEIAME.TXT lies beside the text files or beside their folder `Delimitado`. */
async function readVersion(path: string): Promise<string> {
  const inRelease = basename(path).toLowerCase() === "delimitado";
  for (const folder of inRelease ? [path, dirname(path)] : [path]) {
    try {
      const names = await readdir(folder);
      const name = names.find((it) => it.toUpperCase() === "LEIAME.TXT");
      if (name === undefined) continue;
      const text = await readFile(join(folder, name), "latin1");
      const [, version] = /vers[aã]o:?\s+(\d+)/i.exec(text) ?? [];
      if (version !== undefined) return version;
    } catch {
      // It is only a courtesy of the directory.
    }
  }
  return "";
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
