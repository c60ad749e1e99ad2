/** Imports into a store, with their reports. */
import {
  type FileReport,
  seed,
  type SeedOptions,
  type SeedReport,
} from "../../cep/import/seed.ts";
import type { Writer } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { SAMPLE } from "../_sample.ts";
import { type Files, writeDirectory } from "./_directory.ts";
import { CapturingLogger } from "./_logger.ts";

/** Imports the small DNE with some files replaced. */
export async function seedFiles(
  store: Writer,
  files: Files = {},
  options: Partial<SeedOptions> = {},
): Promise<SeedReport> {
  using folder = new TemporaryFolder();
  writeDirectory(folder.path, files);
  return await seed({
    logger: new CapturingLogger(),
    ...options,
    directory: folder.path,
    store,
  });
}

/** Imports the bundled sample. */
export function seedSample(store: Writer): Promise<SeedReport> {
  return seed({ store, directory: SAMPLE, logger: new CapturingLogger() });
}

/** Returns the report of a file. */
export function reportOf(report: SeedReport, file: string): FileReport {
  const found = report.files.find((it) => it.file === file);
  if (found === undefined) throw new Error(`Cannot find a report of ${file}`);
  return found;
}

/** Returns `lines`, `stored`, `duplicates` and `rejected` of a file. */
export function countsOf(report: SeedReport, file: string): number[] {
  const { lines, stored, duplicates, rejected } = reportOf(report, file);
  return [lines, stored, duplicates, rejected];
}
