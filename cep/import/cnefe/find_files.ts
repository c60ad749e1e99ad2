/**
 * Files of the CNEFE as operators have them: CSV files, zip files of states or
 * municipalities, and folders of both.
 */
import { open, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Container, SourceFile, ZipLimits } from "../files/zip.ts";
import { CensusError, DirectoryError } from "../errors.ts";
import { openPath } from "../files/folder.ts";
import { reasonOf } from "../../util/reason_of.ts";

/**
 * Limits of a zip file: all municipalities have 5,570 files, all files of the
 * country 18.2 GB.
 */
const LIMITS: ZipLimits = { members: 10_000, totalBytes: 32 * 2 ** 30 };

/** Maximum depth of folders and zip files: Arquivos_CNEFE/CSV/Municipio/35_SP. */
const MAX_DEPTH = 4;

/** Place of a file, which every thread can open. */
export interface FilePlace {
  /** Absolute path of a folder or zip file on disk. */
  readonly root: string;
  /** Folders and zip files in it, then the name of the file. */
  readonly steps: readonly string[];
}

/** File of the CNEFE. */
export interface CensusFile {
  /** Name of the file, e.g. `35_SP.csv`. */
  readonly name: string;
  /** Path for messages. Within a zip file, it begins with that of the zip. */
  readonly path: string;
  readonly place: FilePlace;
  /** Size in bytes, decompressed. */
  readonly size: number;
}

/**
 * Finds the files below paths, in order of their own paths.
 *
 * @throws {CensusError} If a path has none, or if one cannot be read.
 */
export async function findFiles(
  paths: readonly string[],
): Promise<CensusFile[]> {
  const found = new Map<string, CensusFile>();
  for (const path of new Set(paths.map((path) => resolve(path)))) {
    const files = await findBelow(path);
    if (files.length === 0) {
      throw new CensusError(path, [
        "it contains no CSV file, such as 35_SP.csv or 35_SP.zip",
      ]);
    }
    for (const file of files) found.set(file.path, file);
  }
  return [...found.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}

/**
 * Opens a file.
 *
 * @throws {Error} If it cannot be opened.
 */
export async function openFile(
  { root, steps }: FilePlace,
): Promise<SourceFile> {
  let container = await openPath(root, LIMITS);
  for (const step of steps.slice(0, -1)) {
    container = await openStep(container, step);
  }
  return container.file(steps.at(-1)!);
}

function openStep(container: Container, name: string): Promise<Container> {
  return isZip(name) ? container.openZip(name) : container.openFolder(name);
}

async function findBelow(path: string): Promise<CensusFile[]> {
  try {
    if (await isPlainFile(path)) {
      const root = dirname(path);
      const name = basename(path);
      const { size } = await stat(path);
      // The path that the file has if its folder is given.
      return [{
        name,
        path: `${root}/${name}`,
        place: { root, steps: [name] },
        size,
      }];
    }
    const container = await openPath(path, LIMITS);
    const found: Found = { files: [], problems: [] };
    await walk(container, { root: path, steps: [] }, found);
    refuse(path, found.problems);
    return found.files;
  } catch (cause) {
    if (cause instanceof DirectoryError) {
      throw new CensusError(cause.path, cause.problems, { cause });
    }
    throw cause instanceof CensusError
      ? cause
      : new CensusError(path, [reasonOf(cause)], { cause });
  }
}

/** True for a file that is not a zip file, whatever its name. */
async function isPlainFile(path: string): Promise<boolean> {
  if (isZip(path)) return false;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return false;
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(2));
    return !(bytesRead === 2 && buffer[0] === 0x50 && buffer[1] === 0x4B);
  } finally {
    await handle.close();
  }
}

/** Files below a path, and reasons why some cannot be used. */
interface Found {
  readonly files: CensusFile[];
  readonly problems: CensusError[];
}

/** Throws the only problem, or lists all of them. */
function refuse(path: string, problems: readonly CensusError[]): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  throw new CensusError(
    path,
    problems.map((it) => `"${it.path}": ${it.problems.join(", ")}`),
    { cause: first },
  );
}

async function walk(
  container: Container,
  { root, steps }: FilePlace,
  found: Found,
): Promise<void> {
  for (const name of container.names) {
    // Hidden, or attributes of files that macOS adds.
    if (/^\.|^__MACOSX$/.test(name)) continue;
    const place = { root, steps: [...steps, name] };
    try {
      if (isCsv(name)) {
        found.files.push(await measure(container, name, place));
        continue;
      }
      const inner = await openInner(container, name);
      if (inner === undefined) continue;
      if (steps.length < MAX_DEPTH) await walk(inner, place, found);
      else refuseDeep(inner);
    } catch (error) {
      found.problems.push(toCensusError(error, container, name));
    }
  }
}

/** Refuses a folder or zip file whose files would be left out. */
function refuseDeep({ path, names }: Container): void {
  if (!names.some((name) => isCsv(name) || isZip(name))) return;
  throw new CensusError(path, [
    `it is below ${MAX_DEPTH} other folders or zip files; ` +
    "set CNEFE_PATH to it",
  ]);
}

function toCensusError(
  error: unknown,
  container: Container,
  name: string,
): CensusError {
  if (error instanceof CensusError) return error;
  if (error instanceof DirectoryError) {
    return new CensusError(error.path, error.problems, { cause: error });
  }
  return new CensusError(`${container.path}/${name}`, [reasonOf(error)], {
    cause: error,
  });
}

async function measure(
  container: Container,
  name: string,
  place: FilePlace,
): Promise<CensusFile> {
  const path = `${container.path}/${name}`;
  try {
    const size = await container.file(name).measure();
    await requireReadable(path);
    return { name, path, place, size };
  } catch (cause) {
    throw new CensusError(path, [reasonOf(cause)], { cause });
  }
}

/**
 * Refuses a file on disk that must not be read, before others are read for
 * minutes. One within a zip file has no such path.
 */
async function requireReadable(path: string): Promise<void> {
  try {
    // `access` would ask Deno for the permission to read the user's id.
    await (await open(path)).close();
  } catch (error) {
    if (isDenied(error)) throw error;
  }
}

/** True for an error of permissions or of the disk. */
function isDenied(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "EACCES" || code === "EPERM" || code === "EIO";
}

/**
 * Opens a folder or zip file. Other files are not of the CNEFE.
 *
 * @throws {DirectoryError} If a folder or a zip file cannot be read.
 */
async function openInner(
  container: Container,
  name: string,
): Promise<Container | undefined> {
  if (isZip(name)) return await container.openZip(name);
  try {
    return await container.openFolder(name);
  } catch (error) {
    const isOther = error instanceof DirectoryError && !isDenied(error.cause);
    if (isOther) return undefined;
    throw error;
  }
}

function isCsv(name: string): boolean {
  return /\.csv$/i.test(name);
}

function isZip(name: string): boolean {
  return /\.zip$/i.test(name);
}
