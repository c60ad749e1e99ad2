/** Imports into a store in a folder. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { DatabaseError, type Store } from "../../../cep/store/mod.ts";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import { SCHEMA_VERSION } from "../../../cep/release/schema.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { cepsIn, cepsOf, contentOf, OpenedStore } from "../_stores.ts";
import {
  addPlaces,
  alter,
  entries,
  entry,
  FACTS,
  fill,
  publish,
} from "./_release.ts";
import { NOTICED } from "./_watched.ts";

Deno.test("Staging.publish stores the rows of the DNE and the report", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const staging = await opened.store.stage("test");
  await staging.addLocalities([{
    number: 3,
    uf: "SP",
    name: "Ponte Alta",
    cep: "01310100",
    situation: "0",
    type: "D",
    parent: 2,
    ibge: "",
    abbreviation: "Pte Alta",
  }]);
  await staging.addNeighbourhoods([
    {
      number: 4,
      uf: "SP",
      locality: 3,
      name: "São João",
      abbreviation: "S João",
    },
  ]);
  const stored = entry("01310100", {
    number: 5,
    locality: 3,
    neighbourhood: 4,
  });
  await staging.addEntries([stored]);
  const losers = ["unid_oper", "grande_usuario"] as const;
  await staging.addDuplicates(
    losers.map((origin, i) =>
      entry("01310100", { origin, number: 10 - i, name: origin })
    ),
  );
  const report = { files: ["d'água"] };
  const totalByFile = { [stored.file]: 1 };
  await staging.publish({ ...FACTS, totalByFile }, report);
  assertEquals(folder.query("SELECT * FROM localidade"), [{
    loc_nu: 3,
    uf: "SP",
    nome: "Ponte Alta",
    cep: "01310100",
    situacao: "0",
    tipo: "D",
    loc_nu_sub: 2,
    mun_nu: "",
    nome_abrev: "Pte Alta",
    ordem: 0,
  }]);
  assertEquals(folder.query("SELECT * FROM bairro"), [
    { bai_nu: 4, uf: "SP", loc_nu: 3, nome: "São João", nome_abrev: "S João" },
  ]);
  assertEquals(folder.query("SELECT cep, numero, loc_nu, bai_nu FROM cep"), [
    { cep: 1310100, numero: 5, loc_nu: 3, bai_nu: 4 },
  ]);
  assertEquals(
    folder.query(`SELECT cep, numero, nome, tipo_origem FROM duplicado
      JOIN origem ON origem.id = origem ORDER BY duplicado.id`),
    losers.map((origin, i) => ({
      cep: 1310100,
      numero: 10 - i,
      nome: origin,
      tipo_origem: origin,
    })),
  );
  assertEquals(folder.query("SELECT total_ceps, report FROM release"), [
    { total_ceps: 1, report: JSON.stringify(report) },
  ]);
  assertEquals((await opened.store.release())?.totalByFile, totalByFile);
});

Deno.test("Staging.publish writes a file with an application id and no unused pages", async () => {
  using folder = new ReleaseFolder();
  for (let time = 0; time < 3; time++) await folder.fill(entries("01310100"));
  assertEquals(folder.query("PRAGMA application_id"), [
    { application_id: 0x43455031 },
  ]);
  assertEquals(folder.query("PRAGMA user_version"), [
    { user_version: SCHEMA_VERSION },
  ]);
  assertEquals(folder.query("PRAGMA freelist_count"), [{ freelist_count: 0 }]);
  assertEquals(folder.query("PRAGMA integrity_check"), [
    { integrity_check: "ok" },
  ]);
});

Deno.test("Staging.publish copies the history of the last release", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  const rows = Array.from({ length: 1200 }, (_, i) => ({
    id: i + 1,
    cep: 1_310_000 + i,
    cep_novo: i % 3 === 0 ? null : 1_310_100,
    dne_version: i % 2 === 0 ? "25041" : "d'água",
    seeded_at: FACTS.seededAt,
  }));
  const insert = rows.map((row) =>
    `(${row.id}, ${row.cep}, ${row.cep_novo},
      '${row.dne_version.replace("'", "''")}', '${row.seeded_at}')`
  );
  alter(folder.file, `INSERT INTO historico VALUES ${insert}`);
  for (let time = 0; time < 2; time++) {
    await folder.fill(entries("01310100"));
    assertEquals(folder.query("SELECT * FROM historico ORDER BY id"), rows);
  }
});

Deno.test("Staging.discard removes its file at any step", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  await using opened = await OpenedStore.open({ path: folder.path });
  const many = Array.from({ length: 3000 }, (_, i) => entry(`0${2e6 + i}`));
  for (let steps = 0; steps < 4; steps++) {
    const staging = await opened.store.stage("test");
    assertEquals(folder.names().length, 3);
    if (steps > 0) await addPlaces(staging);
    if (steps > 1) await staging.addEntries(many);
    if (steps > 2) {
      await assertRejects(() => publish(staging, []), DatabaseError);
    }
    await staging.discard();
    assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  }
});

/** Directory without a lock. */
class NoLock extends ReleaseDirectory {
  override lock(): Promise<() => Promise<void>> {
    return Promise.resolve(() => Promise.resolve());
  }
}

/** Directory whose lock is lost immediately. */
class LostLock extends ReleaseDirectory {
  override async lock(holder: string): Promise<() => Promise<void>> {
    const unlock = await super.lock(holder);
    await unlock();
    return () => Promise.resolve();
  }
}

for (const Directory of [NoLock, LostLock]) {
  Deno.test(`Staging.publish never mixes two concurrent imports (${Directory.name})`, async () => {
    using folder = new ReleaseFolder();
    await using one = await OpenedStore.openIn(new Directory(folder.path));
    await using two = await OpenedStore.openIn(new Directory(folder.path));
    const sets = [entries("01310100", "01310101"), entries("02000000")];
    const stagings = [await one.store.stage("1"), await two.store.stage("2")];
    const published = await Promise.allSettled(
      stagings.map(async (staging, i) => {
        await addPlaces(staging);
        for (const it of sets[i]!) {
          await staging.addEntries([it]);
          await setImmediate();
        }
        await publish(staging, sets[i]!, { dneVersion: String(i) });
      }),
    );
    for (const [i, { status }] of published.entries()) {
      if (status === "rejected") await stagings[i]!.discard();
    }
    assert(published.some(({ status }) => status === "fulfilled"));
    await using reader = await OpenedStore.open({ path: folder.path });
    const { release, records } = await contentOf(reader.store);
    const winner = Number(release?.dneVersion);
    assertEquals(published[winner]?.status, "fulfilled");
    assertEquals(cepsIn(records), sets[winner]!.map(({ cep }) => cep));
    assertEquals(release?.totalCeps, sets[winner]!.length);
    await (await one.store.stage("next")).discard();
    assertEquals(folder.names().filter((name) => name !== "seed.lock"), [
      "cep.db",
    ]);
  });
}

/** CEPs, of which each generation of the data lacks a third. */
const CODES = Array.from({ length: 150 }, (_, i) => `0131${1000 + i * 7}`);

function isIn(generation: number, cep: string): boolean {
  return Number(cep) % 3 !== generation % 3;
}

function entriesOf(generation: number) {
  return CODES.filter((cep) => isIn(generation, cep)).map((cep) =>
    entry(cep, { street: `Geração ${generation}`, typeInName: false })
  );
}

/** Looks up CEPs, and compares each record with the release that it is from. */
class Asker {
  lookups = 0;
  readonly generations = new Set<number>();
  #last = 0;

  constructor(readonly store: Store) {}

  async askUntil(isDone: () => boolean): Promise<void> {
    let isLast = false;
    while (!isLast) {
      isLast = isDone();
      for (let i = 0; i < 20; i++) await this.#askOnce();
      await this.#list();
      // Imports continue in between.
      await setImmediate();
    }
  }

  async #askOnce(): Promise<void> {
    const cep = CODES[this.lookups++ * 7 % CODES.length]!;
    const before = await this.#generation();
    const found = await this.store.findJson(cep);
    const after = await this.#generation();
    if (found === undefined) {
      assert(!isIn(before, cep) || !isIn(after, cep), `${cep} is lost`);
      return;
    }
    const generation = Number(found.release.dneVersion);
    assert(isIn(generation, cep), `${cep} is not in ${generation}`);
    assertEquals(JSON.parse(found.json).logradouro, `Geração ${generation}`);
    assert(before <= generation && generation <= after);
  }

  /** Checks that all records of a list are from one release. */
  async #list(): Promise<void> {
    const { total, data } = await this.store.list("0131", 150);
    const streets = new Set(data.map(({ logradouro }) => logradouro));
    assertEquals(streets.size, 1);
    assertEquals(total, data.length);
    const [street] = streets;
    const generation = Number(street!.replace("Geração ", ""));
    assertEquals(
      cepsIn(data),
      CODES.filter((cep) => isIn(generation, cep)),
    );
  }

  /** Current generation, which must not decrease. */
  async #generation(): Promise<number> {
    const generation = Number((await this.store.release())?.dneVersion);
    assert(generation >= this.#last);
    this.generations.add(generation);
    return this.#last = generation;
  }
}

Deno.test("Store.findJson returns each of 3,000 records from one release during five imports", async () => {
  using folder = new ReleaseFolder();
  const { path } = folder;
  await using writer = await OpenedStore.open({ path });
  const importOf = (generation: number) =>
    fill(writer.store, entriesOf(generation), {
      dneVersion: String(generation),
    });
  await importOf(0);
  await using memory = await OpenedStore.open({ path });
  await using queries = await OpenedStore.open({ path, snapshot: false });
  const readers = [memory, queries];
  const askers = [writer, ...readers].map(({ store }) => new Asker(store));
  const total = () => askers.reduce((sum, { lookups }) => sum + lookups, 0);
  let isImported = false;
  const asked = askers.map((asker) =>
    asker.askUntil(() => isImported && total() >= 3000)
  );
  const imported = (async () => {
    for (let generation = 1; generation <= 5; generation++) {
      await importOf(generation);
      for (const { log } of readers) await log.logged(NOTICED, generation);
    }
  })().finally(() => isImported = true);
  await Promise.all([imported, ...asked]);
  assert(total() >= 3000);
  for (const { generations } of askers) assertEquals(generations.size, 6);
});

Deno.test("Store.stage warns about an unreadable history and replaces the release", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  using file = new DatabaseSync(folder.file);
  file.exec("DROP TABLE historico");
  await using opened = await OpenedStore.open({ path: folder.path });
  await fill(opened.store, entries("01310200"));
  assertEquals(await cepsOf(opened.store), ["01310200"]);
  assertEquals(opened.log.entries.map(({ message }) => message), [
    "Cannot read the history of replaced CEPs, it is lost",
  ]);
});

Deno.test("Store.stage warns that a damaged file is not compared with the import", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  truncateSync(folder.file, 2_000);
  await using opened = await OpenedStore.open({ path: folder.path });
  await fill(opened.store, entries("01310200"));
  assertEquals(opened.log.entries.map(({ message }) => message), [
    "Cannot read the current release, the import is not compared with it",
  ]);
});

for (const memory of [true, false]) {
  const where = memory ? "memory" : "a file";

  Deno.test(`Staging in ${where} refuses every call after publish`, async () => {
    using folder = new ReleaseFolder();
    const path = memory ? ":memory:" : folder.path;
    await using opened = await OpenedStore.open({ path });
    const staging = await opened.store.stage("test");
    await staging.addEntries(entries("01310100"));
    await publish(staging, entries("01310100"));
    for (
      const call of [
        () => staging.addEntries(entries("01310200")),
        () => staging.addLocalities([]),
        () => publish(staging, entries("01310200")),
      ]
    ) await assertRejects(call, DatabaseError, "the import has ended");
    await staging.discard();
    assertEquals(await cepsOf(opened.store), ["01310100"]);
  });
}

Deno.test("Staging refuses a CEP that is not eight digits", async () => {
  await using opened = await OpenedStore.open({ path: ":memory:" });
  const staging = await opened.store.stage("test");
  for (const cep of ["", "123", "01310-100", "0131010000"]) {
    await assertRejects(
      () => staging.addEntries(entries(cep)),
      DatabaseError,
      `"${cep}" is not eight digits`,
    );
  }
  await staging.discard();
});

Deno.test("Staging refuses localities after entries", async () => {
  await using opened = await OpenedStore.open({ path: ":memory:" });
  const staging = await opened.store.stage("test");
  await staging.addEntries(entries("01310100"));
  await assertRejects(
    () => staging.addLocalities([]),
    DatabaseError,
    "Cannot add localities: they must precede all entries",
  );
  await staging.discard();
});

/** Directory that cannot remove the file of an import. */
class ReadOnlyDirectory extends ReleaseDirectory {
  override discard(): Promise<void> {
    return Promise.reject(new Error("read-only"));
  }
}

Deno.test("Staging.discard releases the lock if it cannot remove the file", async () => {
  using folder = new ReleaseFolder();
  const directory = new ReadOnlyDirectory(folder.path);
  await using opened = await OpenedStore.openIn(directory);
  const staging = await opened.store.stage("first");
  await assertRejects(() => staging.discard(), DatabaseError, "read-only");
  await fill(opened.store, entries("01310100"));
  assertEquals(await cepsOf(opened.store), ["01310100"]);
});

Deno.test("Staging.publish refuses to replace a foreign file written during the import", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const staging = await opened.store.stage("test");
  await staging.addEntries(entries("01310100"));
  writeFileSync(folder.file, "foreign");
  await assertRejects(
    () => publish(staging, entries("01310100")),
    DatabaseError,
    "is not a database of this program",
  );
  await staging.discard();
  assertEquals(readFileSync(folder.file, "utf8"), "foreign");
});
