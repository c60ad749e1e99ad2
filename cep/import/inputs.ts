import { CensusError, DirectoryError, InputsError } from "./errors.ts";
import { type CensusFile, findFiles } from "./cnefe/find_files.ts";
import { type Directory, openDirectory, openSource } from "./dne/source.ts";
import type { DataSource } from "../store/store.ts";
import type { SeedOptions } from "./options.ts";
import { resolve } from "node:path";
import { openPath } from "./files/folder.ts";

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

/** Adds to an error of the DNE that its path contains the CNEFE. */
async function orIsCensus(
  { path, problems, cause }: DirectoryError,
  directory: string,
): Promise<DirectoryError> {
  const isCensus = await succeeds(async () => {
    // Only this folder: it may be a large one of other things.
    const { names } = await openPath(resolve(directory));
    if (!names.some(isOfCensus)) throw new Error("it has no such file");
  });
  const hint = isCensus ? ["it contains the CNEFE: set CNEFE_PATH to it"] : [];
  return new DirectoryError(path, [...problems, ...hint], { cause });
}

/** Adds to an error of the CNEFE that its path contains the DNE. */
async function orIsDne(
  { path, problems, cause }: CensusError,
  given: string,
): Promise<CensusError> {
  const isDne = await succeeds(() => openSource(given, "base"));
  const hint = isDne ? ["it contains the DNE: set DB_RAW_PATH to it"] : [];
  return new CensusError(path, [...problems, ...hint], { cause });
}

/** True for the name of a state's or a municipality's file. */
function isOfCensus(name: string): boolean {
  return /^\d\d(\d{5})?_.+\.(csv|zip)$/i.test(name);
}

async function succeeds(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}
