/**
 * The folder of the DNE text files.
 *
 * @module
 */
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { reasonOf } from "../reason_of.ts";
import { REQUIRED_FILES, type RequiredFile } from "./layout.ts";
import { findForeignEncoding } from "./lines.ts";

/** Bytes per read. */
const READ_BYTES = 1 << 19;

/**
 * Bytes per chunk: small, so that V8 frees its lines in the young generation.
 */
const CHUNK_BYTES = 1 << 16;

/** Required file that exists and is readable. */
export interface DirectoryFile extends RequiredFile {
  /** Size in bytes. */
  readonly size: number;
  /** Reads the content. A chunk is valid until the next one is read. */
  read(): AsyncIterable<Uint8Array>;
}

/** Folder that can be imported. */
export interface Directory {
  /** The required files, in the order of import. */
  readonly files: readonly DirectoryFile[];
  /** Version of the DNE in LEIAME.TXT, `""` without one. */
  readonly version: string;
}

/** Error that lists every reason why a folder cannot be imported. */
export class DirectoryError extends Error {
  /** Always `DirectoryError`. */
  override readonly name = "DirectoryError";

  /** Created by {@linkcode openDirectory}. */
  constructor(
    path: string,
    /** One message per reason. */
    readonly problems: readonly string[],
  ) {
    super(`Cannot import the DNE from "${path}": ${problems.join("; ")}`);
  }
}

/**
 * Finds the required files in a folder or its subfolder `Delimitado`, in any
 * letter case, and checks that each is readable and ISO-8859-1.
 *
 * @throws {DirectoryError} If files are missing, unreadable or not ISO-8859-1,
 * or if the path is not a folder of the DNE. The message lists every such file.
 */
export async function openDirectory(path: string): Promise<Directory> {
  const folder = await findFolder(resolve(path));
  const names = await list(folder);
  if (!names.some(isRequired)) {
    throw new DirectoryError(folder, [describeWrongFolder(names)]);
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

/** Finds the folder of the text files: the path, or `Delimitado` in it. */
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
        ? `it is a zip file; extract it and ${SET_PATH}`
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

const SET_PATH = "set DB_RAW_PATH to the folder of its text files";

/** Describes a folder without any required file. */
function describeWrongFolder(names: readonly string[]): string {
  if (names.some((name) => /^DELTA_LOG_.*\.TXT$/i.test(name))) {
    return "it contains delta files (DELTA_LOG_*.TXT); import the complete DNE";
  }
  if (names.some(isZip)) {
    return `it contains zip files; extract the DNE and ${SET_PATH}`;
  }
  return "it contains no text file of the DNE, such as " +
    REQUIRED_FILES[0]!.name;
}

function isZip(name: string): boolean {
  return name.toLowerCase().endsWith(".zip");
}

/** Checks a required file. Returns the file or its problem. */
async function check(
  path: string,
  file: RequiredFile,
  names: readonly string[],
): Promise<DirectoryFile | string> {
  const matches = names.filter((name) => name.toUpperCase() === file.name);
  const [name, other] = matches;
  if (name === undefined) return `${file.name} is missing`;
  if (other !== undefined) {
    return `${file.name} exists more than once: ${matches.join(", ")}`;
  }
  const read = () => readChunks(join(path, name));
  try {
    const size = await sizeOf(join(path, name));
    const encoding = await findForeignEncoding(read());
    if (encoding) return `${name} is not ISO-8859-1: ${encoding}`;
    return { ...file, size, read };
  } catch (cause) {
    return `${name} cannot be read: ${reasonOf(cause)}`;
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error("it is not a file");
  return found.size;
}

/** Reads a file in chunks that share one buffer, to save memory. */
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

/** LEIAME.TXT is beside the text files or beside their folder `Delimitado`. */
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
      // LEIAME.TXT is optional.
    }
  }
  return "";
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}
