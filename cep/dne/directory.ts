/**
 * The directory that holds the DNE text files.
 *
 * @module
 */
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { reasonOf } from "../reason_of.ts";
import { REQUIRED_FILES, type RequiredFile } from "./layout.ts";
import { findForeignEncoding } from "./lines.ts";

/** Bytes that are read at once. */
const READ_BYTES = 1 << 19;

/** Bytes of a chunk: what is made of it before the next is garbage soon. */
const CHUNK_BYTES = 1 << 16;

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
 * Finds the required files in a directory or in its folder `Delimitado`, in any
 * letter case, and checks that each can be read and is ISO-8859-1.
 *
 * @throws {DirectoryError} Naming every file that is missing, unreadable or
 * not ISO-8859-1; or what the directory is instead.
 */
export async function openDirectory(path: string): Promise<Directory> {
  const folder = await findFolder(resolve(path));
  const names = await list(folder);
  if (!names.some(isRequired)) {
    throw new DirectoryError(folder, [describeStranger(names)]);
  }
  const files: DirectoryFile[] = [];
  const problems: string[] = [];
  for (const file of REQUIRED_FILES) {
    const checked = await check(folder, file, names);
    if (typeof checked === "string") problems.push(checked);
    else files.push(checked);
  }
  if (problems.length > 0) throw new DirectoryError(folder, problems);
  return { files, version: await readVersion(folder) };
}

/** The folder of the text files, which a release of Correios has beside others. */
async function findFolder(path: string): Promise<string> {
  const names = await list(path);
  if (names.some(isRequired)) return path;
  const inner = names.find((name) => name.toLowerCase() === "delimitado");
  return inner === undefined ? path : join(path, inner);
}

async function list(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (cause) {
    throw new DirectoryError(path, [describeUnreadable(path, cause)]);
  }
}

function describeUnreadable(path: string, cause: unknown): string {
  switch (codeOf(cause)) {
    case "ENOENT":
      return "it does not exist";
    case "ENOTDIR":
      return isZip(path)
        ? "it is a zip file; extract it and name the folder of its text files"
        : "it is not a folder";
    default:
      return reasonOf(cause);
  }
}

const REQUIRED_NAMES: ReadonlySet<string> = new Set(
  REQUIRED_FILES.map(({ name }) => name),
);

function isRequired(name: string): boolean {
  return REQUIRED_NAMES.has(name.toUpperCase());
}

/** Description of a folder that holds none of the files. */
function describeStranger(names: readonly string[]): string {
  if (names.some((name) => /^DELTA_LOG_.*\.TXT$/i.test(name))) {
    return "it holds changes (DELTA_LOG_*.TXT); a whole directory is needed";
  }
  if (names.some(isZip)) {
    return "it holds zip files; extract them and name the folder of the text " +
      "files";
  }
  return `it holds no text file of the DNE, such as ${REQUIRED_FILES[0]!.name}`;
}

function isZip(name: string): boolean {
  return name.toLowerCase().endsWith(".zip");
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
    const buffer = new Uint8Array(READ_BYTES);
    while (true) {
      const { bytesRead } = await handle.read(buffer);
      if (bytesRead === 0) return;
      for (let start = 0; start < bytesRead; start += CHUNK_BYTES) {
        const end = Math.min(start + CHUNK_BYTES, bytesRead);
        yield buffer.subarray(start, end);
      }
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
      const [, version] = /vers[aã]o:?\s+(\d{4,})\b/i.exec(text) ?? [];
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
