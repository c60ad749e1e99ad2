/**
 * The DNE as operators have it: a folder, a zip file, or a zip file of two.
 */
import { basename, dirname, resolve } from "node:path";
import type { Container, SourceFile } from "../files/zip.ts";
import { DirectoryError } from "../errors.ts";
import { openPath } from "../files/folder.ts";
import { type DneFile, FILES, isOptional, REQUIRED_FILES } from "./layout.ts";
import { reasonOf } from "../../util/reason_of.ts";
import { findForeignEncoding } from "./lines.ts";

export type { SourceFile } from "../files/zip.ts";

/** Kind of text files: the complete DNE, or its changes. */
export type SourceKind = "base" | "delta";

/** Folder of text files, on disk or in a zip file. */
export interface Source {
  /** Path for messages. Within a zip file, it begins with that of the zip. */
  readonly path: string;
  /** Every file in it, in no particular order. */
  readonly files: readonly SourceFile[];
  /** Version of the DNE, e.g. `25041`; `""` if unknown. */
  readonly version: string;
}

/**
 * Finds the text files of the DNE: in a folder, in its subfolder `Delimitado`,
 * in a zip file, or in the zip file of base and changes. The path may also be a
 * folder with such a zip file.
 *
 * @throws {DirectoryError} If no text file is found, or if a zip file cannot be
 * used.
 */
export async function openSource(
  path: string,
  kind: SourceKind,
): Promise<Source> {
  const folders = await findText([await openPath(resolve(path))], kind);
  const folder = folders.at(-1)!;
  return {
    path: folder.path,
    files: folder.names.map((name) => folder.file(name)),
    version: await readVersion(await withParent(folders)),
  };
}

/**
 * Descends from the last folder to that of the text files.
 *
 * @returns The folders of the release, from the outermost one.
 */
async function findText(
  folders: readonly Container[],
  kind: SourceKind,
): Promise<readonly Container[]> {
  const folder = folders.at(-1)!;
  if (folder.names.some(IS_TEXT[kind])) return folders;
  const name = folder.names.find(isDelimited);
  const inner = name === undefined ? undefined : await folder.openFolder(name);
  if (inner?.names.some(IS_TEXT[kind])) return [...folders, inner];
  const zip = findZip(folder, kind);
  if (zip === undefined) {
    const { path, names } = inner ?? folder;
    throw new DirectoryError(path, [describeWrong(names, kind)]);
  }
  // A folder with zip files may contain many things beside the release.
  const outer = isZip(basename(folder.path)) ? folders : [];
  return await findText([...outer, await folder.openZip(zip)], kind);
}

/** Finds the zip file of a kind, or the only one. */
function findZip(
  { path, names: all }: Container,
  kind: SourceKind,
): string | undefined {
  const zips = all.filter(isZip);
  const ofKind = zips
    .filter((name) => /delta/i.test(name) === (kind === "delta"));
  const found = (ofKind.length > 0 ? ofKind : zips).toSorted();
  if (found.length <= 1) return found[0];
  const names = found.join(", ");
  throw new DirectoryError(path, [
    `it contains several zip files: ${names}; set DB_RAW_PATH to one`,
  ]);
}

/** Adds the folder above `Delimitado`, whose LEIAME.TXT has the version. */
async function withParent(
  folders: readonly Container[],
): Promise<readonly Container[]> {
  const { path } = folders[0]!;
  if (!isDelimited(basename(path))) return folders;
  try {
    return [await openPath(dirname(path)), ...folders];
  } catch {
    return folders; // LEIAME.TXT is optional.
  }
}

const REQUIRED_NAMES: ReadonlySet<string> = new Set(
  REQUIRED_FILES.map(({ name }) => name),
);

const IS_TEXT: Readonly<Record<SourceKind, (name: string) => boolean>> = {
  base: (name) => REQUIRED_NAMES.has(name.toUpperCase()),
  delta: (name) => /^DELTA_LOG_.*\.TXT$/i.test(name),
};

function isDelimited(name: string): boolean {
  return name.toLowerCase() === "delimitado";
}

/** True for a zip file that is not hidden, as are attributes of macOS. */
function isZip(name: string): boolean {
  return /^[^.].*\.zip$/i.test(name);
}

/** Describes a folder without text files of a kind. */
function describeWrong(names: readonly string[], kind: SourceKind): string {
  if (kind === "delta") {
    return names.some(IS_TEXT.base)
      ? "it contains the complete DNE, not delta files (DELTA_LOG_*.TXT); " +
        "import it with MODE=seed"
      : "it contains no delta file (DELTA_LOG_*.TXT)";
  }
  return names.some(IS_TEXT.delta)
    ? "it contains delta files (DELTA_LOG_*.TXT); import the complete DNE"
    : "it contains no text file of the DNE, such as " + REQUIRED_FILES[0]!.name;
}

/** Bytes of LEIAME.TXT that are searched. */
const MAX_BYTES = 65_536;

/**
 * Name of a release: `eDNE_Basico_25041.zip` is the first one of April 2025,
 * `eDNE_Basico_2504.zip` that of a month. A browser may have numbered it.
 */
const NAME = /^eDNE_(?:.+_)?(\d{4,5})(?: ?\(\d+\))?(?:\.zip)?$/i;

/**
 * Finds the version in LEIAME.TXT or in the name of a folder or zip file, from
 * the innermost one outwards.
 *
 * @param folders Folders and zip files of a release, the outermost one first.
 * @returns The version, `""` if unknown.
 */
async function readVersion(
  folders: readonly Container[],
): Promise<string> {
  for (const folder of folders.toReversed()) {
    const version = await findInReadme(folder) ??
      NAME.exec(basename(folder.path))?.[1];
    if (version !== undefined) return version;
  }
  return "";
}

async function findInReadme(folder: Container): Promise<string | undefined> {
  const name = folder.names.find((it) => it.toUpperCase() === "LEIAME.TXT");
  if (name === undefined) return undefined;
  try {
    const text = await readStart(folder.file(name));
    return /vers[aã]o:?\s+(\d{4,})\b/i.exec(text)?.[1];
  } catch {
    return undefined; // LEIAME.TXT is optional.
  }
}

async function readStart(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder("iso-8859-1");
  let text = "";
  for await (const chunk of file.read()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_BYTES) break;
  }
  return text;
}

/** File that exists and is readable. */
export interface OpenFile {
  /** Size in bytes, of a compressed file the uncompressed one. */
  readonly size: number;
  /**
   * Reads the content. A chunk is valid until the next one is read.
   *
   * @throws {DirectoryError} While reading, if the file has been changed or
   * removed since it was checked.
   */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Finds files by their names, in any letter case, and checks that each is
 * readable and ISO-8859-1. For that, it reads them.
 *
 * @param isOptional Returns true for a file that may be missing.
 * @returns The files that exist, in the given order.
 * @throws {DirectoryError} If files are missing, unreadable or not ISO-8859-1.
 * The message lists every such file.
 */
export async function openFiles<F extends { readonly name: string }>(
  source: Source,
  files: readonly F[],
  isOptional: (file: F) => boolean,
): Promise<(F & OpenFile)[]> {
  const opened: (F & OpenFile)[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const matches = source.files
      .filter(({ name }) => name.toUpperCase() === file.name);
    if (matches.length === 0 && isOptional(file)) continue;
    const checked = await check(source, file.name, matches);
    if (typeof checked === "string") problems.push(checked);
    else opened.push({ ...file, ...checked });
  }
  if (problems.length > 0) throw new DirectoryError(source.path, problems);
  return opened;
}

/** Checks a file. Returns the file or its problem. */
async function check(
  source: Source,
  wanted: string,
  matches: readonly SourceFile[],
): Promise<OpenFile | string> {
  const [file, other] = matches;
  if (file === undefined) return `${wanted} is missing`;
  if (other !== undefined) {
    const names = matches.map(({ name }) => name).join(", ");
    return `${wanted} exists more than once: ${names}`;
  }
  try {
    const size = await file.measure();
    const encoding = await findForeignEncoding(file.read());
    if (encoding) return `${file.name} is not ISO-8859-1: ${encoding}`;
    return { size, read: () => readAgain(source, file) };
  } catch (cause) {
    return describeUnreadable(file, cause);
  }
}

async function* readAgain(
  { path }: Source,
  file: SourceFile,
): AsyncGenerator<Uint8Array> {
  try {
    yield* file.read();
  } catch (cause) {
    throw new DirectoryError(path, [describeUnreadable(file, cause)], {
      cause,
    });
  }
}

function describeUnreadable({ name }: SourceFile, cause: unknown): string {
  return `${name} cannot be read: ${reasonOf(cause)}`;
}

export interface DirectoryFile extends DneFile, OpenFile {}

/** Text files that can be imported. */
export interface Directory {
  /**
   * The required files and those optional ones that exist, in the order of
   * import.
   */
  readonly files: readonly DirectoryFile[];
  /** Version of the DNE, `""` if unknown. */
  readonly version: string;
}

/**
 * Finds the required files in a folder, its subfolder `Delimitado` or a zip
 * file, in any letter case, and checks that each is readable and ISO-8859-1.
 *
 * @throws {DirectoryError} If files are missing, unreadable or not ISO-8859-1,
 * or if the path is not that of a DNE. The message lists every such file.
 */
export async function openDirectory(path: string): Promise<Directory> {
  const source = await openSource(path, "base");
  const files = await openFiles(source, FILES, isOptional);
  return { files, version: source.version };
}
