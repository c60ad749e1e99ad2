/** The store in a directory: its file, other processes, and what may be wrong. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { openStoreIn } from "../../../cep/store/embedded.ts";
import { DatabaseError, type Store } from "../../../cep/store/mod.ts";
import {
  ReleaseDirectory,
  type ReleaseFile,
} from "../../../cep/store/release_directory.ts";
import { contentOf, TempDirectory } from "../_fixtures.ts";
import {
  addPlaces,
  alter,
  cepsIn,
  cepsOf,
  entries,
  entry,
  FACTS,
  fill,
  Opened,
  publish,
  soon,
  writeRelease,
} from "./_release.ts";

/** A directory that is removed with the block, and its release file. */
class Folder extends TempDirectory {
  readonly file: string = join(this.path, "cep.db");

  names(): string[] {
    return readdirSync(this.path).sort();
  }

  /** Imports entries by a store that is closed again. */
  async fill(
    ...args: Parameters<typeof fill> extends [unknown, ...infer A] ? A
      : never
  ): Promise<void> {
    await using writer = await Opened.open({ path: this.path });
    await fill(writer.store, ...args);
  }

  /** Puts another file in the place of the release. */
  replace(write: (path: string) => void): void {
    const path = `${this.file}.new`;
    write(path);
    renameSync(path, this.file);
  }

  /** What the file says. */
  query(sql: string): unknown[] {
    const database = new DatabaseSync(this.file, { readOnly: true });
    try {
      return database.prepare(sql).all().map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  }
}

const NOTICED = "Opened a new release";

Deno.test("openStore finds what an earlier process imported, in one file", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  await using second = await Opened.open({ path: folder.path });
  assertEquals(await cepsOf(second.store), ["01310100"]);
  // A server tells of it by itself.
  assertEquals(second.log.entries, []);
});

// deno-fmt-ignore
const NAMES = [
  "with blanks", "100%41", "a?b", "a#b", "a&mode=rw", "d'água", "ção", "file:x",
];

for (const name of NAMES) {
  Deno.test({
    name: `openStore takes a directory "${name}"`,
    ignore: process.platform === "win32" && /[?:]/.test(name),
    async fn() {
      using folder = new Folder();
      const path = join(folder.path, name);
      await using opened = await Opened.open({ path });
      await fill(opened.store, entries("01310100"));
      assertEquals(await cepsOf(opened.store), ["01310100"]);
      assertEquals(readdirSync(path).sort(), ["cep.db", "seed.lock"]);
      assertEquals(readdirSync(folder.path), [name]);
    },
  });
}

Deno.test("openStore writes nothing", async () => {
  using folder = new Folder();
  const path = join(folder.path, "data");
  await using opened = await Opened.open({ path });
  assertEquals(await opened.store.release(), undefined);
  assertEquals(folder.names(), []);
});

Deno.test("Staging.publish keeps the rows of the directory and the report", async () => {
  using folder = new Folder();
  await using opened = await Opened.open({ path: folder.path });
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
  }]);
  await staging.addNeighbourhoods([
    { number: 4, uf: "SP", locality: 3, name: "São João" },
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
  }]);
  assertEquals(folder.query("SELECT * FROM bairro"), [
    { bai_nu: 4, uf: "SP", loc_nu: 3, nome: "São João" },
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

Deno.test("Staging.publish makes a file that is marked and of its tables' size", async () => {
  using folder = new Folder();
  for (let time = 0; time < 3; time++) await folder.fill(entries("01310100"));
  assertEquals(folder.query("PRAGMA application_id"), [
    { application_id: 0x43455031 },
  ]);
  assertEquals(folder.query("PRAGMA user_version"), [{ user_version: 2 }]);
  assertEquals(folder.query("PRAGMA freelist_count"), [{ freelist_count: 0 }]);
  assertEquals(folder.query("PRAGMA integrity_check"), [
    { integrity_check: "ok" },
  ]);
});

Deno.test("Staging.publish carries the history over from release to release", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const rows = Array.from({ length: 1200 }, (_, i) => ({
    cep: 1_310_000 + i,
    cep_novo: i % 3 === 0 ? null : 1_310_100,
    dne_version: i % 2 === 0 ? "25041" : "d'água",
  }));
  const insert = rows.map(({ cep, cep_novo, dne_version }) =>
    `(${cep}, ${cep_novo}, '${dne_version.replace("'", "''")}')`
  );
  alter(folder.file, `INSERT INTO historico VALUES ${insert}`);
  for (let time = 0; time < 2; time++) {
    await folder.fill(entries("01310200"));
    assertEquals(folder.query("SELECT * FROM historico ORDER BY cep"), rows);
  }
});

Deno.test("Store.find has a renamed neighbourhood by one row", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100", "01310200"));
  alter(folder.file, "UPDATE bairro SET nome = 'Água Nova' WHERE bai_nu = 1");
  await using opened = await Opened.open({
    path: folder.path,
    snapshot: false,
  });
  for await (const page of opened.store.scan()) {
    assertEquals(page.map(({ bairro }) => bairro), ["Água Nova", "Água Nova"]);
  }
  assertEquals((await opened.store.find("01310200"))?.bairro, "Água Nova");
});

Deno.test("openStore notices another store's import within a second", async () => {
  using folder = new Folder();
  await using reader = await Opened.open({ path: folder.path });
  await using writer = await Opened.open({ path: folder.path });
  for (const [i, cep] of ["01310100", "01310200"].entries()) {
    await fill(writer.store, entries(cep));
    const { properties } = await reader.log.hears(NOTICED, i + 1);
    const release = await writer.store.release();
    assertEquals(properties, {
      release: release?.id.toString(16).padStart(8, "0"),
      dne_version: FACTS.dneVersion,
      seeded_at: FACTS.seededAt,
      total_ceps: 1,
    });
    assertEquals(await reader.store.release(), release);
    assertEquals(await cepsOf(reader.store), [cep]);
    assert((await reader.store.findJson(cep))?.fromMemory);
  }
  // Its own import is no news.
  assertEquals(writer.log.entries, []);
});

Deno.test("openStore notices a release whatever clocks and times of files tell", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  await using reader = await Opened.open({ path: folder.path });
  await using writer = await Opened.open({ path: folder.path });
  await fill(writer.store, entries("01310200"), {
    seededAt: "2025-04-15T11:00:00.000Z",
  });
  utimesSync(folder.file, 1, 1);
  await reader.log.hears(NOTICED);
  assertEquals(await cepsOf(reader.store), ["01310200"]);
});

Deno.test("openStore notices a release that was copied into its place", async () => {
  using source = new Folder();
  using folder = new Folder();
  await source.fill(entries("01310200"));
  await folder.fill(entries("01310100"));
  await using reader = await Opened.open({ path: folder.path });
  folder.replace((path) => copyFileSync(source.file, path));
  await reader.log.hears(NOTICED);
  assertEquals(await cepsOf(reader.store), ["01310200"]);
});

Deno.test("openStore notices a directory that was deleted and seeded anew", async () => {
  using folder = new Folder();
  const path = join(folder.path, "data");
  await using reader = await Opened.open({ path });
  for (const [i, cep] of ["01310100", "01310200", "01310300"].entries()) {
    await using writer = await Opened.open({ path });
    await fill(writer.store, entries(cep));
    await reader.log.hears(NOTICED, i + 1);
    assertEquals(await cepsOf(reader.store), [cep]);
    rmSync(path, { recursive: true });
    assertEquals(await cepsOf(reader.store), [cep]);
  }
});

/** Counts how often a store looks for a release. */
class Watched extends ReleaseDirectory {
  #looks = 0;
  #wake: () => void = () => {};

  override present(): Promise<ReleaseFile | undefined> {
    this.#looks++;
    this.#wake();
    return super.present();
  }

  /**
   * Waits until the store has looked anew, from beginning to end.
   *
   * @param calls How often it asks until the next look has begun: a look that
   * fails asks twice.
   */
  async looks(calls: 2 | 4 = 2): Promise<void> {
    const end = this.#looks + calls;
    while (this.#looks < end) {
      await soon(new Promise<void>((resolve) => this.#wake = resolve));
    }
  }
}

Deno.test("openStore answers from the last release while its directory is gone", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const directory = new Watched(folder.path);
  await using reader = await Opened.openIn(directory);
  rmSync(folder.path, { recursive: true });
  await directory.looks();
  assertEquals(await cepsOf(reader.store), ["01310100"]);
  assertEquals(reader.log.entries, []);
});

/** Files that no release can be read from, and why. */
const UNUSABLE: readonly [
  what: string,
  spoil: (path: string) => void,
  reason: string,
][] = [
  [
    "an empty file",
    (path) => truncateSync(path),
    "it is empty; restore it, or import the directory with MODE=seed",
  ],
  [
    "half a release",
    (path) => truncateSync(path, statSync(path).size / 2),
    "it is not complete; restore it, or import the directory with MODE=seed",
  ],
  [
    "a release of an older version",
    (path) => alter(path, "PRAGMA user_version = 1"),
    "an older version of this program wrote it; import the directory again " +
    "with MODE=seed",
  ],
  [
    "a release of a newer version",
    (path) => alter(path, "PRAGMA user_version = 99"),
    "a newer version of this program wrote it",
  ],
  [
    "another program's database",
    (path) => alter(path, "PRAGMA application_id = 7"),
    "it is not a database of this program; set DB_PATH to another directory",
  ],
  [
    "garbage",
    (path) => writeFileSync(path, "This is not a database.\n".repeat(500)),
    "it is not a database of this program; set DB_PATH to another directory",
  ],
  [
    "a release that lacks a table",
    (path) => alter(path, "DROP TABLE release"),
    "no such table: release",
  ],
  [
    "a release without its row",
    (path) => alter(path, "DELETE FROM release"),
    "it holds no release",
  ],
  [
    "a release with a foreign row",
    (path) => alter(path, "UPDATE release SET total_by_state = 'x'"),
    "Unexpected token",
  ],
];

/** Those that an import does not replace. */
const KEPT = /newer|another program|garbage/;

for (const [what, spoil, reason] of UNUSABLE) {
  Deno.test(`openStore refuses ${what}, and leaves it`, async () => {
    using folder = new Folder();
    await folder.fill(entries("01310100"));
    spoil(folder.file);
    const before = readFileSync(folder.file);
    await using opened = await Opened.open({ path: folder.path });
    const calls = [
      () => opened.store.release(),
      () => opened.store.find("01310100"),
      () => opened.store.list("", 1),
      () => cepsOf(opened.store),
    ];
    for (const call of calls) {
      const error = await assertRejects(call, DatabaseError);
      assertStringIncludes(
        error.message,
        `Cannot open database "${folder.file}": ${reason}`,
      );
    }
    assertEquals(readFileSync(folder.file), before);
  });

  if (KEPT.test(what)) {
    Deno.test(`Store.stage refuses to replace ${what}`, async () => {
      using folder = new Folder();
      await folder.fill(entries("01310100"));
      spoil(folder.file);
      const before = readFileSync(folder.file);
      await using opened = await Opened.open({ path: folder.path });
      await assertRejects(
        () => opened.store.stage("test"),
        DatabaseError,
        `Cannot import into "${folder.path}": `,
      );
      assertEquals(readFileSync(folder.file), before);
      assertEquals(folder.names(), ["cep.db", "seed.lock"]);
    });
  } else {
    Deno.test(`Store.stage replaces ${what}`, async () => {
      using folder = new Folder();
      await folder.fill(entries("01310100"));
      spoil(folder.file);
      await using opened = await Opened.open({ path: folder.path });
      const staging = await opened.store.stage("test");
      assertEquals(staging.present, undefined);
      await publish(staging, []);
      assertEquals((await opened.store.release())?.totalCeps, 0);
    });
  }
}

Deno.test("openStore answers from the last release when its file is spoilt, and logs that once", async () => {
  await Promise.all(UNUSABLE.map(async ([what, spoil, reason]) => {
    using folder = new Folder();
    await folder.fill(entries("01310100"));
    const directory = new Watched(folder.path);
    await using reader = await Opened.openIn(directory);
    const before = await contentOf(reader.store);
    folder.replace((path) => {
      copyFileSync(folder.file, path);
      spoil(path);
    });
    for (let time = 0; time < 2; time++) await directory.looks(4);
    assertEquals(await contentOf(reader.store), before, what);
    const [error, ...more] = reader.log.entries;
    assertEquals([error?.level, more], ["error", []], what);
    assertStringIncludes(
      `${error!.properties["error"]}`,
      `Cannot open database "${folder.file}": ${reason}`,
    );

    using source = new Folder();
    await source.fill(entries("01310200"));
    folder.replace((path) => copyFileSync(source.file, path));
    await reader.log.hears(NOTICED);
    assertEquals(await cepsOf(reader.store), ["01310200"], what);
  }));
});

Deno.test("openStore is not troubled by a file that goes while it looks", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const directory = new class extends Watched {
    override async present(): Promise<ReleaseFile | undefined> {
      const file = await super.present();
      // Gone between being found and being opened.
      rmSync(folder.file, { force: true });
      return file;
    }
  }(folder.path);
  await using reader = await Opened.openIn(directory);
  await directory.looks(4);
  assertEquals(await reader.store.release(), undefined);
  assertEquals(reader.log.entries, []);
});

Deno.test({
  name: "openStore closes a file that it refuses",
  ignore: !existsSync("/proc/self/fd"),
  async fn() {
    using folder = new Folder();
    await writeRelease(folder.file);
    alter(folder.file, "DROP TABLE release");
    const before = openFiles(folder.file);
    for (let time = 0; time < 3; time++) {
      await using opened = await Opened.open({ path: folder.path });
      await assertRejects(() => opened.store.release(), DatabaseError);
    }
    assert(openFiles(folder.file) <= before);
  },
});

/** How often this process has a file open, where Linux tells. */
function openFiles(path: string): number {
  return readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(join("/proc/self/fd", name)) === path;
    } catch {
      return false; // That of the directory itself.
    }
  }).length;
}

Deno.test("openStore answers by query where the snapshot is damaged, and logs it", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const bytes = readFileSync(folder.file);
  const [part] = folder.query("SELECT bytes FROM snapshot WHERE part = 1") as [
    { bytes: Uint8Array },
  ];
  const at = bytes.indexOf(part.bytes);
  assert(at > 0 && part.bytes.length > 0);
  bytes[at + part.bytes.length - 1]! ^= 1;
  writeFileSync(folder.file, bytes);
  await using opened = await Opened.open({ path: folder.path });
  assertEquals(opened.log.entries, [{
    level: "warn",
    message: "Snapshot refused, records are answered by queries",
    properties: { error: "Cannot read snapshot: its checksum is wrong" },
  }]);
  const rendered = await opened.store.findJson("01310100");
  assertEquals(rendered?.fromMemory, false);
  assertStringIncludes(rendered!.json, "Rua das Flores 01310100");
});

const SNAPSHOTS: readonly [what: string, sql: string][] = [
  ["has no parts", "DELETE FROM snapshot"],
  ["lacks a part", "DELETE FROM snapshot WHERE part = 2"],
  [
    "has a part more",
    "INSERT INTO snapshot (bytes) SELECT bytes FROM snapshot LIMIT 1",
  ],
  ["has no header", "UPDATE release SET snapshot = ''"],
  ["has a header of nothing", "UPDATE release SET snapshot = 'null'"],
  ["has another header", `UPDATE release SET snapshot = '{"version":1}'`],
  [
    "is of another version",
    "UPDATE release SET snapshot = json_set(snapshot, '$.version', 99)",
  ],
  [
    "claims a billion records",
    "UPDATE release SET snapshot = json_set(snapshot, '$.records', 1e9)",
  ],
  ["is in no table", "DROP TABLE snapshot"],
];

for (const [what, sql] of SNAPSHOTS) {
  Deno.test(`openStore answers by query where the snapshot ${what}`, async () => {
    using folder = new Folder();
    await folder.fill(entries("01310100"));
    alter(folder.file, sql);
    await using opened = await Opened.open({ path: folder.path });
    assertEquals(opened.log.at("warn").length, 1);
    const rendered = await opened.store.findJson("01310100");
    assertEquals(rendered?.fromMemory, false);
    assertEquals(JSON.parse(rendered!.json).cep, "01310100");
  });
}

Deno.test("openStore serves a read-only directory with the one file in it, and writes nothing", async () => {
  using source = new Folder();
  using folder = new Folder();
  await source.fill(entries("01310100"));
  copyFileSync(source.file, folder.file);
  const directory = new Watched(folder.path);
  chmodSync(folder.file, 0o444);
  chmodSync(folder.path, 0o555);
  try {
    const { mtimeMs } = statSync(folder.path);
    await using opened = await Opened.openIn(directory);
    await directory.looks();
    assertEquals(await cepsOf(opened.store), ["01310100"]);
    assert((await opened.store.findJson("01310100"))?.fromMemory);
    assertEquals((await opened.store.list("", 1)).total, 1);
    assertEquals(folder.names(), ["cep.db"]);
    assertEquals(statSync(folder.path).mtimeMs, mtimeMs);
    assertEquals(readFileSync(folder.file), readFileSync(source.file));
    assertEquals(opened.log.entries, []);
  } finally {
    chmodSync(folder.path, 0o755);
  }
});

Deno.test({
  name: "Store.stage in a read-only directory fails and names the file",
  ignore: process.platform === "win32" || process.getuid?.() === 0,
  async fn() {
    using folder = new Folder();
    chmodSync(folder.path, 0o555);
    try {
      await using opened = await Opened.open({ path: folder.path });
      await assertRejects(
        () => opened.store.stage("test"),
        DatabaseError,
        "Cannot write the database: ",
      );
    } finally {
      chmodSync(folder.path, 0o755);
    }
  },
});

const NO_DIRECTORIES: readonly [what: string, below: string][] = [
  ["a file", ""],
  ["below a file", "data"],
];

for (const [what, below] of NO_DIRECTORIES) {
  Deno.test(`Store fails where the directory is ${what}`, async () => {
    using folder = new Folder();
    const file = join(folder.path, "file");
    writeFileSync(file, "kept");
    await using opened = await Opened.open({ path: join(file, below) });
    await assertRejects(
      () => opened.store.release(),
      DatabaseError,
      "Cannot read the database: ",
    );
    await assertRejects(
      () => opened.store.stage("test"),
      DatabaseError,
      "Cannot write the database: ",
    );
    assertEquals(readFileSync(file, "utf8"), "kept");
  });
}

Deno.test("openStore rejects calls where a directory has the file's place", async () => {
  using folder = new Folder();
  mkdirSync(folder.file);
  await using opened = await Opened.open({ path: folder.path });
  for (const call of [opened.store.release(), opened.store.stage("test")]) {
    await assertRejects(() => call, DatabaseError);
  }
  assertEquals(readdirSync(folder.file), []);
});

Deno.test("Store.stage rejects a lock that is not a database", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const lock = join(folder.path, "seed.lock");
  writeFileSync(lock, "This is not a database.\n".repeat(100));
  await using opened = await Opened.open({ path: folder.path });
  await assertRejects(
    () => opened.store.stage("test"),
    DatabaseError,
    "not a database",
  );
  assertEquals(await cepsOf(opened.store), ["01310100"]);
});

Deno.test("Store.stage refuses an import while another store has one", async () => {
  using folder = new Folder();
  await using one = await Opened.open({ path: folder.path });
  await using two = await Opened.open({ path: folder.path });
  const staging = await one.store.stage("process 7");
  await assertRejects(
    () => two.store.stage("process 8"),
    DatabaseError,
    "another import is running (process 7)",
  );
  await staging.discard();
  await (await two.store.stage("process 9")).discard();
  assertEquals(folder.names(), ["seed.lock"]);
});

Deno.test("Store.stage is free again when a closed store discards", async () => {
  using folder = new Folder();
  const first = await Opened.open({ path: folder.path });
  const staging = await first.store.stage("first");
  await first.store.close();
  await staging.discard();
  await using second = await Opened.open({ path: folder.path });
  await (await second.store.stage("second")).discard();
});

Deno.test("Staging.discard leaves no file, at any step", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  await using opened = await Opened.open({ path: folder.path });
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

/** A directory where the lock of an import does nothing. */
class Lockless extends ReleaseDirectory {
  override lock(): Promise<() => Promise<void>> {
    return Promise.resolve(() => Promise.resolve());
  }
}

/** A directory where the lock is lost, but an import removes leftovers. */
class Careless extends ReleaseDirectory {
  override async lock(holder: string): Promise<() => Promise<void>> {
    const unlock = await super.lock(holder);
    await unlock();
    return () => Promise.resolve();
  }
}

for (const Directory of [Lockless, Careless]) {
  Deno.test(`Staging.publish of two imports at once never mixes them (${Directory.name})`, async () => {
    using folder = new Folder();
    await using one = await Opened.openIn(new Directory(folder.path));
    await using two = await Opened.openIn(new Directory(folder.path));
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
    await using reader = await Opened.open({ path: folder.path });
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

/** Where a file that is open can be neither replaced nor renamed. */
class Stubborn extends ReleaseDirectory {
  constructor(path: string) {
    super(path, {
      rename: async (from, to) => {
        if (existsSync(to)) {
          const code = "EPERM";
          throw Object.assign(new Error(`${code}: rename`), { code });
        }
        await Promise.resolve(renameSync(from, to));
      },
    });
  }
}

Deno.test("openStore takes to a release of the next number", async () => {
  using folder = new Folder();
  await using writer = await Opened.openIn(new Stubborn(folder.path));
  await using reader = await Opened.open({ path: folder.path });
  const files = ["cep.db", "cep-2.db", "cep-3.db"];
  for (const [i, file] of files.entries()) {
    const cep = `0131010${i}`;
    await fill(writer.store, entries(cep));
    assertEquals(folder.names(), [file, "seed.lock"]);
    assertEquals(await cepsOf(writer.store), [cep]);
    await reader.log.hears(NOTICED, i + 1);
    assertEquals(await cepsOf(reader.store), [cep]);
  }
});

Deno.test("Store.close waits for a look that is under way", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const directory = new Watched(folder.path);
  await using reader = await Opened.openIn(directory);
  await folder.fill(entries("01310200"));
  await Promise.all([directory.present(), reader.store.close()]);
  await assertRejects(() => reader.store.release(), DatabaseError);
});

/** Every third code, and which of them depends on the generation. */
const CODES = Array.from({ length: 300 }, (_, i) => `0131${1000 + i * 7}`);

function isIn(generation: number, cep: string): boolean {
  return Number(cep) % 3 !== generation % 3;
}

function entriesOf(generation: number) {
  return CODES.filter((cep) => isIn(generation, cep)).map((cep) =>
    entry(cep, { street: `Geração ${generation}`, typeInName: false })
  );
}

/**
 * Looks codes up until it is told to stop, and compares each answer with what
 * the release that it is said to be from holds.
 */
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
      // Imports go on in between.
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

  /** A listing is of one release too. */
  async #list(): Promise<void> {
    const { total, data } = await this.store.list("0131", 300);
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

  /** Never goes back. */
  async #generation(): Promise<number> {
    const generation = Number((await this.store.release())?.dneVersion);
    assert(generation >= this.#last);
    this.generations.add(generation);
    return this.#last = generation;
  }
}

Deno.test("Store answers 10,000 lookups during ten imports, each from one release", async () => {
  using folder = new Folder();
  const { path } = folder;
  await using writer = await Opened.open({ path });
  const importOf = (generation: number) =>
    fill(writer.store, entriesOf(generation), {
      dneVersion: String(generation),
    });
  await importOf(0);
  await using memory = await Opened.open({ path });
  await using queries = await Opened.open({ path, snapshot: false });
  const readers = [memory, queries];
  const askers = [writer, ...readers].map(({ store }) => new Asker(store));
  const total = () => askers.reduce((sum, { lookups }) => sum + lookups, 0);
  let isImported = false;
  const asked = askers.map((asker) =>
    asker.askUntil(() => isImported && total() >= 10_000)
  );
  const imported = (async () => {
    for (let generation = 1; generation <= 10; generation++) {
      await importOf(generation);
      for (const { log } of readers) await log.hears(NOTICED, generation);
    }
  })().finally(() => isImported = true);
  await Promise.all([imported, ...asked]);
  assert(total() >= 10_000);
  for (const { generations } of askers) assertEquals(generations.size, 11);
});

Deno.test("Store.stage warns of a history that it cannot take over, and replaces the release", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  using file = new DatabaseSync(folder.file);
  file.exec("DROP TABLE historico");
  await using opened = await Opened.open({ path: folder.path });
  await fill(opened.store, entries("01310200"));
  assertEquals(await cepsOf(opened.store), ["01310200"]);
  assertEquals(opened.log.entries.map(({ message }) => message), [
    "History of replaced CEPs lost, it cannot be read",
  ]);
});

Deno.test("Store.stage warns that a damaged file is not compared with the import", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  truncateSync(folder.file, 20_000);
  await using opened = await Opened.open({ path: folder.path });
  await fill(opened.store, entries("01310200"));
  assertEquals(opened.log.entries.map(({ message }) => message), [
    "Present database unreadable, the import is not compared with it",
  ]);
});

for (const memory of [true, false]) {
  const where = memory ? "memory" : "a file";

  Deno.test(`Staging in ${where} refuses everything after publish`, async () => {
    using folder = new Folder();
    const path = memory ? ":memory:" : folder.path;
    await using opened = await Opened.open({ path });
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
  await using opened = await Opened.open({ path: ":memory:" });
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
  await using opened = await Opened.open({ path: ":memory:" });
  const staging = await opened.store.stage("test");
  await staging.addEntries(entries("01310100"));
  await assertRejects(
    () => staging.addLocalities([]),
    DatabaseError,
    "Cannot add localities: entries lie in them already",
  );
  await staging.discard();
});

/** A directory that cannot remove what an import has written. */
class Undiscarding extends ReleaseDirectory {
  override discard(): Promise<void> {
    return Promise.reject(new Error("read-only"));
  }
}

Deno.test("Staging.discard releases the lock even if it cannot remove the file", async () => {
  using folder = new Folder();
  const directory = new Undiscarding(folder.path);
  await using opened = await Opened.openIn(directory);
  const staging = await opened.store.stage("first");
  await assertRejects(() => staging.discard(), DatabaseError, "read-only");
  await fill(opened.store, entries("01310100"));
  assertEquals(await cepsOf(opened.store), ["01310100"]);
});

Deno.test("Staging.publish refuses a foreign file that came during the import", async () => {
  using folder = new Folder();
  await using opened = await Opened.open({ path: folder.path });
  const staging = await opened.store.stage("test");
  await staging.addEntries(entries("01310100"));
  writeFileSync(folder.file, "somebody else's");
  await assertRejects(
    () => publish(staging, entries("01310100")),
    DatabaseError,
    "is not a database of this program",
  );
  await staging.discard();
  assertEquals(readFileSync(folder.file, "utf8"), "somebody else's");
});

Deno.test("openStore notices releases although its logger throws", async () => {
  using folder = new Folder();
  const fail = () => {
    throw new Error("disk full");
  };
  const logger = { debug: fail, info: fail, warn: fail, error: fail };
  const directory = new Watched(folder.path);
  const reader = await openStoreIn(directory, { logger });
  for (const cep of ["01310100", "01310200"]) {
    await folder.fill(entries(cep));
    await directory.looks(4);
    assertEquals(await cepsOf(reader), [cep]);
  }
  await reader.close();
});
