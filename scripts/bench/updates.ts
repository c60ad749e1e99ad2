/**
 * Updates: time compared with an import of the next release, which has the same
 * records.
 */
import { openStore } from "@carteiro/cep/store";
import { assertEquals } from "@std/assert";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { type Bench, format, timed } from "./harness.ts";
import { countCodes } from "./rows.ts";

/** Applies a delta to a copy of the database. */
export async function benchUpdate(bench: Bench): Promise<void> {
  const release = await bench.release();
  const [delta, next] = await Promise.all([
    bench.generateRelease("--release", "1", "--since", "0"),
    bench.generateRelease("--release", "1"),
  ]);
  const updated = `${bench.folder}/updated`;
  const imported = `${bench.folder}/imported`;
  const codes = format(await countCodes(bench, release));
  bench.title(`Update of ${codes} CEPs to the next release`);
  await bench.measure([{
    name: "import",
    unit: "s",
    run: () => timed(() => bench.seed(next, imported)),
  }, {
    name: "update",
    unit: "s",
    run: async () => {
      await rm(updated, { recursive: true, force: true });
      await mkdir(updated);
      await copyFile(release, `${updated}/cep.db`);
      const options = { env: { MODE: "update" } };
      return await timed(() => bench.seed(delta, updated, options));
    },
  }]);
  await checkEqual(imported, updated);
  bench.note("every record of the update is equal to that of the import");
}

async function checkEqual(...paths: [string, string]): Promise<void> {
  const [left, right] = await Promise.all(paths.map(async (path) => {
    const store = await openStore({ path, snapshot: false });
    return { store, batches: store.scan()[Symbol.asyncIterator]() };
  }));
  try {
    for (;;) {
      const expected = await left!.batches.next();
      const actual = await right!.batches.next();
      assertEquals(actual.value, expected.value);
      if (expected.done) break;
    }
  } finally {
    await Promise.all([left!.store.close(), right!.store.close()]);
  }
}
