import { resolve } from "node:path";
import { CensusError } from "./cnefe/census_error.ts";
import { openSource } from "./dne/source.ts";
import { DirectoryError } from "./files/directory_error.ts";
import { openPath } from "./files/folder.ts";

/** Adds to an error of the DNE that its path contains the CNEFE. */
export async function orIsCensus(
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
export async function orIsDne(
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
