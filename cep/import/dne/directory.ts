import { type DneFile, FILES, isOptional } from "./layout.ts";
import { type OpenFile, openFiles } from "./open_files.ts";
import { openSource } from "./source.ts";

/** Text file of the DNE. */
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
