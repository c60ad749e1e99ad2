/** Upgrades of releases that an older version of this program wrote. */
import { assertEquals, assertRejects } from "@std/assert";
import { truncateSync } from "node:fs";
import { SeedError } from "../../../../cep/import/seed.ts";
import { upgrade } from "../../../../cep/import/update/upgrade.ts";
import { SCHEMA_VERSION } from "../../../../cep/release/schema.ts";
import {
  DatabaseError,
  OutdatedError,
  type Store,
} from "../../../../cep/store/mod.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { contentOf, OpenedStore } from "../../_stores.ts";
import { LocalClient } from "../../store/_local_client.ts";
import { alter } from "../../store/_release.ts";
import { CENSUS, SAO_PAULO, seedBoth, type Sources } from "../_both.ts";

const OF_SP = "LOG_LOGRADOURO_SP.TXT";

/** Streets of the small DNE, in which a CEP was replaced. */
const MOVED = [
  "2@SP@1@1@@das Flores@- de 1 a 99 - lado ímpar@01900009@Rua@S@R das Flores",
  "3@SP@1@2@@QC 2 Conjunto Q@@01900002@Quadra@N@QC 2 Cj Q",
];

/** Statements that take away what version 4 added. */
const TO_VERSION_3 = (table: (name: string) => string) => [
  `ALTER TABLE ${table("release")} DROP COLUMN sources`,
  `ALTER TABLE ${table("release")} DROP COLUMN total_censo`,
  `ALTER TABLE ${table("release")} DROP COLUMN pontos`,
  `DROP TABLE ${table("censo")}`,
  `DROP TABLE ${table("censo_logradouro")}`,
  `DROP TABLE ${table("pontos")}`,
];

async function seedTwice(store: Store): Promise<void> {
  await seedBoth(store, { dne: {} });
  await seedBoth(store, { dne: { [OF_SP]: MOVED } }, { maxShrinkPercent: 100 });
}

function run(store: Store) {
  return upgrade({ store, holder: "test" });
}

/** Returns what an upgrade must keep. */
async function keptOf(store: Store) {
  const { release, records } = await contentOf(store);
  const { id: _, ...facts } = release!;
  return {
    facts,
    records,
    change: await store.lastChange("01900001"),
  };
}

Deno.test("upgrade rewrites a release of version 3 in a folder", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  await seedTwice(opened.store);
  const before = await keptOf(opened.store);
  for (const sql of TO_VERSION_3((name) => name)) alter(folder.file, sql);
  alter(folder.file, "PRAGMA user_version = 3");
  await using older = await OpenedStore.open({ path: folder.path });
  await assertRejects(
    () => older.store.release(),
    OutdatedError,
    "MODE=upgrade",
  );
  assertEquals(await run(older.store), {
    changed: true,
    ceps: before.facts.totalCeps,
    dneVersion: before.facts.dneVersion,
    seededAt: before.facts.seededAt,
  });
  assertEquals(await keptOf(older.store), before);
  assertEquals(before.change?.successor, "01900009");
  assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  assertEquals((await run(older.store)).changed, false);
});

Deno.test("upgrade rewrites a release of version 3 on a server", async () => {
  const client = new LocalClient();
  await using writer = await OpenedStore.onServer({ client });
  await seedTwice(writer.store);
  const before = await keptOf(writer.store);
  const [[suffix] = []] = await client.run(
    "SELECT suffix FROM carteiro_release",
  );
  for (const sql of TO_VERSION_3((name) => `${name}_${suffix}`)) {
    await client.run(sql);
  }
  await client.run("UPDATE carteiro_release SET schema_version = 3");
  await using older = await OpenedStore.onServer({ client });
  assertEquals((await run(older.store)).changed, true);
  assertEquals(await keptOf(older.store), before);
});

const SOURCES: Record<string, Sources> = {
  "both sources": { dne: {}, cnefe: CENSUS },
  "the CNEFE alone": { cnefe: SAO_PAULO },
};

for (const [name, sources] of Object.entries(SOURCES)) {
  Deno.test(`upgrade keeps the coordinates of ${name}`, async () => {
    using folder = new ReleaseFolder();
    await using opened = await OpenedStore.open({ path: folder.path });
    await seedBoth(opened.store, sources);
    const before = await keptOf(opened.store);
    alter(folder.file, `PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
    await using older = await OpenedStore.open({ path: folder.path });
    assertEquals((await run(older.store)).changed, true);
    assertEquals(await keptOf(older.store), before);
  });
}

Deno.test("upgrade leaves a release that it cannot read", async () => {
  using folder = new ReleaseFolder();
  await folder.fill([]);
  alter(folder.file, "DROP TABLE bairro");
  alter(folder.file, "PRAGMA user_version = 3");
  await using opened = await OpenedStore.open({ path: folder.path });
  await assertRejects(() => run(opened.store), SeedError, "no such table");
  assertEquals(folder.names(), ["cep.db", "seed.lock"]);
});

Deno.test("upgrade refuses a database without a readable release", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  await assertRejects(() => run(opened.store), DatabaseError, "Cannot upgrade");
  await folder.fill([]);
  truncateSync(folder.file, 2000);
  await using damaged = await OpenedStore.open({ path: folder.path });
  await assertRejects(
    () => run(damaged.store),
    DatabaseError,
    "Cannot upgrade",
  );
});

Deno.test("upgrade keeps the release if it is aborted", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  await seedTwice(opened.store);
  alter(folder.file, `PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
  await using older = await OpenedStore.open({ path: folder.path });
  const stop = new AbortController();
  await assertRejects(
    () =>
      upgrade({
        store: older.store,
        holder: "test",
        signal: stop.signal,
        onProgress: () => stop.abort(new Error("stopped")),
      }),
    Error,
    "stopped",
  );
  assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  assertEquals((await run(older.store)).changed, true);
});
