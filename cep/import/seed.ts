/**
 * Import of the DNE, of the CNEFE or of both into a database.
 *
 * @module
 */
import { openInputs } from "./inputs.ts";
import type { SeedOptions, SeedReport } from "./options.ts";
import { writeRelease } from "./write_release.ts";

export {
  CensusError,
  DirectoryError,
  InputsError,
  SeedError,
} from "./errors.ts";
export type {
  CensusCounts,
  CensusImportReport,
  ImportOptions,
  SeedOptions,
  SeedProgress,
  SeedReport,
} from "./options.ts";
export type { Warning } from "./dne/join.ts";
export type { FileReport } from "./dne/report.ts";
export type { Logger } from "../util/logger.ts";
export type {
  ColumnName as CensusColumn,
  OPTIONAL_COLUMNS,
  REQUIRED_COLUMNS,
  ScanFault as CensusFault,
} from "./cnefe/rows.ts";
export type {
  CensusFileReport,
  CensusReport,
  CensusWarning,
  IgnoredValue,
  Rejection as CensusRejection,
  RepeatedMunicipality,
  RowNote,
} from "./cnefe/report.ts";
export type {
  Address,
  DetailRow,
  DetailTable,
  Entry,
  Listing,
  Locality,
  Neighbourhood,
  Origin,
  Reader,
  Release,
  ReleaseFacts,
  Rendered,
  Staging,
  Store,
  Writer,
} from "../store/mod.ts";

/**
 * Replaces the content of a database with the DNE, the CNEFE or both. A record
 * of the DNE always wins; the CNEFE adds coordinates to it, and the CEPs that
 * the DNE lacks. If that fails, the current release stays in use.
 *
 * @returns The counts of every file.
 * @throws {TypeError} If neither source is given.
 * @throws {DirectoryError} If files of the DNE are missing, unreadable or of
 * another kind.
 * @throws {CensusError} If those of the CNEFE are.
 * @throws {InputsError} If files of both are, or several paths.
 * @throws {SeedError} If a source seems damaged: too many lines are rejected or
 * have dangling references, too many CEPs of the current release or a source of
 * it are missing, or a line is too long.
 * @throws {DatabaseError} If the database cannot be written or another import
 * is running.
 *
 * @example The DNE
 * ```ts
 * import { openStore } from "@carteiro/cep/store";
 * import { seed } from "@carteiro/cep/seed";
 *
 * const store = await openStore({ path: ":memory:" });
 * const report = await seed({ directory: "./samples/dne", store });
 * console.assert(report.ceps > 1500);
 * await store.close();
 * ```
 *
 * @example The DNE, with the coordinates of the CNEFE
 * ```ts
 * import { openStore } from "@carteiro/cep/store";
 * import { seed } from "@carteiro/cep/seed";
 *
 * const store = await openStore({ path: ":memory:" });
 * await seed({
 *   directory: "./samples/dne",
 *   cnefe: "./samples/cnefe",
 *   store,
 * });
 * console.assert((await store.find("01310-100"))?.latitude === -23.56457);
 * await store.close();
 * ```
 */
export async function seed(options: SeedOptions): Promise<SeedReport> {
  const { store, holder = "unnamed" } = options;
  const inputs = await openInputs(options);
  const staging = await store.stage(holder);
  try {
    return await writeRelease(options, inputs, staging);
  } catch (error) {
    // If this fails, too, the next import removes the leftovers.
    await staging.discard().catch(() => {});
    throw error;
  }
}
