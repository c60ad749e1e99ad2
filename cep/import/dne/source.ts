/**
 * The DNE as operators have it: a folder, a zip file, or a zip file of two.
 */
import { basename, dirname, resolve } from "node:path";
import type { Container, SourceFile } from "../files/container.ts";
import { DirectoryError } from "../files/directory_error.ts";
import { openPath } from "../files/folder.ts";
import { REQUIRED_FILES } from "./layout.ts";
import { readVersion } from "./version.ts";

export type { SourceFile } from "../files/container.ts";

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
