import { reasonOf } from "../../util/reason_of.ts";
import { DirectoryError } from "../files/directory_error.ts";
import { findForeignEncoding } from "./lines.ts";
import type { Source, SourceFile } from "./source.ts";

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
