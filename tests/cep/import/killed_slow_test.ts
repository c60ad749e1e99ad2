/** Imports of both sources in processes, one of which is killed. */
import { assertEquals, assertMatch } from "@std/assert";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import type { Values } from "./cnefe/_census.ts";
import { run } from "../_process.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { BLOCKED, startBlocked } from "./_blocked_seed.ts";
import { CENSUS, repeat, seedBoth, writeSources } from "./_both.ts";

/** The rows with long values: files of over 16 MiB are read in threads. */
const LARGE = Object.fromEntries(
  Object.entries(CENSUS).map(([name, rows]) => {
    const [first] = rows as readonly Values[];
    const DSC_ESTABELECIMENTO = "X".repeat(15_000);
    return [name, [
      ...rows as readonly Values[],
      ...repeat(600, { ...first, DSC_ESTABELECIMENTO }),
    ]];
  }),
);

for (const source of ["cnefe", "dne"] as const) {
  Deno.test(`seed keeps the release if it is killed after a file of ${source}`, async () => {
    using folder = new TemporaryFolder();
    const database = join(folder.path, "data");
    const { directory = "", cnefe = "" } = writeSources(folder.path, {
      dne: {},
      cnefe: LARGE,
    });
    const content = async () => {
      await using opened = await OpenedStore.open({ path: database });
      return await contentOf(opened.store);
    };
    {
      await using opened = await OpenedStore.open({ path: database });
      await seedBoth(opened.store, { dne: {}, cnefe: CENSUS });
    }
    const before = await content();
    {
      await using killed = startBlocked({ database, directory, cnefe, source });
      await killed.logged(BLOCKED);
      killed.kill("SIGKILL");
      await killed.end();
    }
    assertEquals(await content(), before);
    const { code, lines } = await run({
      MODE: "seed",
      DB_PATH: database,
      DB_RAW_PATH: directory,
      CNEFE_PATH: [cnefe].flat().join(),
      SEED_MAX_SHRINK_PERCENT: "100",
    });
    assertEquals(code, 0, JSON.stringify(lines.at(-1)));
    assertEquals(lines.at(-1)?.message, "Imported DNE and CNEFE");
    const counted = lines.find(({ message }) =>
      message === "Counted addresses of CNEFE"
    );
    assertEquals(counted?.threads, Math.min(2, availableParallelism()));
    const { release } = await content();
    assertEquals(release?.sources, ["dne", "cnefe"]);
    const [file, lock, ...others] = readdirSync(database).sort();
    assertMatch(file!, /^cep(-\d+)?\.db$/);
    assertEquals([lock, others], ["seed.lock", []]);
  });
}
