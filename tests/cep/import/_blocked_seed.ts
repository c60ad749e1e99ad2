/** Import in a separate process that blocks after a file. */
import { writeSync } from "node:fs";
import { seed } from "../../../cep/import/seed.ts";
import type { SeedOptions } from "../../../cep/import/options.ts";
import { openStoreIn } from "../../../cep/store/file_store.ts";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import { Process } from "../_process.ts";

/** Line that the process prints before it blocks. */
export const BLOCKED = "blocked";

/** Options of {@linkcode startBlocked}. */
export interface BlockedSeed
  extends Required<Pick<SeedOptions, "directory" | "cnefe">> {
  /** Folder of the database. */
  readonly database: string;
  /** Source after whose first file the process blocks. */
  readonly source: "dne" | "cnefe";
}

/** Starts a process that imports, and blocks after the first file of a source. */
export function startBlocked(options: BlockedSeed): Process {
  return Process.script(`
    import { runBlocked } from ${JSON.stringify(import.meta.url)};
    await runBlocked(${JSON.stringify(options)});
  `);
}

/** Imports until the process blocks. Its threads go on. */
export async function runBlocked(
  { database, source, ...paths }: BlockedSeed,
): Promise<void> {
  const block = () => {
    writeSync(1, `${BLOCKED}\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  const directory = new ReleaseDirectory(database);
  const store = await openStoreIn(directory, { snapshot: false });
  await seed({
    ...paths,
    holder: "the blocked import",
    store,
    ...(source === "dne" ? { onFile: block } : { onCensusFile: block }),
  });
}
