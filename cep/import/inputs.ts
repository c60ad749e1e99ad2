import { CensusError } from "./cnefe/census_error.ts";
import { type CensusFile, findFiles } from "./cnefe/find_files.ts";
import { type Directory, openDirectory } from "./dne/directory.ts";
import { DirectoryError } from "./files/directory_error.ts";
import type { DataSource } from "../store/store.ts";
import { InputsError } from "./inputs_error.ts";
import type { SeedOptions } from "./options.ts";
import { orIsCensus, orIsDne } from "./swapped_paths.ts";

/** Files of an import. */
export interface Inputs {
  /** Files of the DNE, `undefined` without it. */
  readonly dne: Directory | undefined;
  /** Paths of the CNEFE, none without it. */
  readonly cnefe: readonly string[];
  /** Sources that are given. */
  readonly sources: readonly DataSource[];
  /** Size of all files, decompressed. */
  readonly totalBytes: number;
}

/**
 * Finds the files of both sources.
 *
 * @throws {TypeError} If neither source is given.
 * @throws {DirectoryError} If the DNE cannot be used.
 * @throws {CensusError} If a path of the CNEFE cannot be used.
 * @throws {InputsError} If several of them cannot be used.
 */
export async function openInputs(
  { directory, cnefe = [] }: Pick<SeedOptions, "directory" | "cnefe">,
): Promise<Inputs> {
  const paths = typeof cnefe === "string" ? [cnefe] : cnefe;
  if (directory === undefined && paths.length === 0) {
    throw new TypeError(
      "Cannot import: neither the option directory (DNE) nor cnefe is given",
    );
  }
  const problems: Error[] = [];
  const dne = directory === undefined
    ? undefined
    : await openDirectory(directory).catch(async (error) => {
      if (!(error instanceof DirectoryError)) throw error;
      problems.push(await orIsCensus(error, directory));
    }) ?? undefined;
  const files = new Map<string, CensusFile>();
  for (const path of paths) {
    const found = await findFiles([path]).catch(async (error) => {
      if (!(error instanceof CensusError)) throw error;
      problems.push(await orIsDne(error, path));
    });
    for (const file of found ?? []) files.set(file.path, file);
  }
  const [first, ...others] = problems;
  if (first !== undefined) {
    throw others.length === 0 ? first : new InputsError(problems);
  }
  const sizes = [...dne?.files ?? [], ...files.values()]
    .map(({ size }) => size);
  return {
    dne,
    cnefe: paths,
    sources: [
      ...(dne === undefined ? [] : ["dne"] as const),
      ...(paths.length === 0 ? [] : ["cnefe"] as const),
    ],
    totalBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
