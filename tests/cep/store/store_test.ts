import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import fc from "fast-check";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Address, Entry } from "../../../cep/address.ts";
import {
  DatabaseError,
  openStore,
  type Staging,
  type Store,
} from "../../../cep/store/mod.ts";
import {
  type Child,
  codeCommand,
  type Command,
  endOf,
  kill,
  moduleUrl,
  outputOf,
  start,
} from "../../program.ts";
import { TempDirectory, TempStore } from "../_fixtures.ts";

const RELEASE = { dneVersion: "25041", seededAt: "2025-04-15T12:00:00.000Z" };

function entry(cep: string, fields: Partial<Address> = {}): Entry {
  return {
    number: 7,
    locality: 1,
    neighbourhood: null,
    address: {
      cep,
      logradouro: `Rua ${cep}`,
      complemento: "até 99",
      bairro: "Centro",
      distrito: "Ponte Alta",
      cidade: "Vila Grande",
      uf: "SP",
      codigo_ibge: "3599901",
      tipo_logradouro: "Rua",
      tipo_origem: "logradouro",
      nome: "Banco Aurora",
      nome_origem: "LOG_LOGRADOURO_SP.TXT",
      ...fields,
    },
  };
}

/** Replaces the content of a store with records of these codes. */
async function fill(store: Store, codes: readonly string[]): Promise<void> {
  const staging = await store.stage("test");
  await staging.addEntries(codes.map((cep) => entry(cep)));
  await staging.publish(RELEASE, {});
}

/** What the file says when no store has it open. */
function query(directory: string, sql: string): unknown[] {
  const database = new DatabaseSync(join(directory, "cep.db"));
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

const STAGING_TABLES =
  "SELECT name FROM sqlite_master WHERE name LIKE 'staging%'";

async function cepsOf(
  store: Store,
  codes: readonly string[],
): Promise<(string | undefined)[]> {
  const found = await Promise.all(codes.map((cep) => store.find(cep)));
  return found.map((address) => address?.cep);
}

Deno.test("Store.release of an empty store is undefined", async () => {
  await using temp = await TempStore.open();
  assertEquals(await temp.store.release(), undefined);
});

Deno.test("Store.find in an empty store is undefined", async () => {
  await using temp = await TempStore.open();
  assertEquals(await temp.store.find("01310100"), undefined);
});

Deno.test("Store.list of an empty store is empty", async () => {
  await using temp = await TempStore.open();
  for (const prefix of ["0", "01310", "01310100"]) {
    assertEquals(await temp.store.list(prefix, 100), { total: 0, data: [] });
  }
});

Deno.test("Store.find gives back the record that was added, field by field", async () => {
  await using temp = await TempStore.open();
  const { address } = entry("00000007", {
    logradouro: 'Rua "Três" d\'Água; DROP TABLE cep',
    complemento: "",
  });
  const staging = await temp.store.stage("test");
  await staging.addEntries([{ ...entry("00000007"), address }]);
  await staging.publish(RELEASE, {});
  const found = await temp.store.find("00000007");
  assertEquals(found, address);
  assertEquals(Object.keys(found!), [
    "cep",
    "logradouro",
    "complemento",
    "bairro",
    "distrito",
    "cidade",
    "uf",
    "codigo_ibge",
    "tipo_logradouro",
    "tipo_origem",
    "nome",
    "nome_origem",
  ]);
});

Deno.test("Store.find answers lookups of one turn each with its own", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100", "01310200", "99999999"]);
  const asked = ["01310200", "01310100", "55555555", "01310200", "99999999"];
  assertEquals(await cepsOf(temp.store, asked), [
    "01310200",
    "01310100",
    undefined,
    "01310200",
    "99999999",
  ]);
});

Deno.test("Store.find answers thousands of lookups of one turn", async () => {
  await using temp = await TempStore.open();
  const all = Array.from({ length: 6000 }, (_, i) => String(10_000_000 + i));
  const stored = all.filter((_, i) => i % 2 === 0);
  await fill(temp.store, stored);
  assertEquals(
    await cepsOf(temp.store, all),
    all.map((cep, i) => i % 2 === 0 ? cep : undefined),
  );
});

Deno.test("Store.find answers a lookup that another's answer brings about", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100", "01310200"]);
  const [second, third] = await Promise.all([
    temp.store.find("01310100").then(() => temp.store.find("01310200")),
    temp.store.find("01310200"),
  ]);
  assertEquals(second, third);
  assertEquals(second?.cep, "01310200");
});

Deno.test("Store.find finds what an earlier process stored", async () => {
  using directory = new TempDirectory();
  const { path } = directory;
  const first = await openStore({ path });
  await fill(first, ["01310100"]);
  await first.close();
  const second = await openStore({ path });
  try {
    assertEquals(await cepsOf(second, ["01310100"]), ["01310100"]);
    assertEquals((await second.release())?.totalCeps, 1);
  } finally {
    await second.close();
  }
});

/** Codes at every border, and a region, a sector and a ten that are crowded. */
const LISTED = [
  ...["00000000", "00000009", "00000999", "00001000", "00999999", "09999999"],
  ...["10000000", "19999999", "90000000", "99999000", "99999999"],
  ...Array.from({ length: 150 }, (_, i) => String(13_100_000 + i)),
  ...Array.from({ length: 150 }, (_, i) => String(20_000_000 + i * 54_321)),
].map((cep) => cep.padStart(8, "0")).sort();

async function openListed(): Promise<TempStore> {
  const temp = await TempStore.open();
  // Not in the order of the codes, and states change inside a sector.
  const entries = LISTED.toReversed().map((cep, i) =>
    entry(cep, { uf: ["SP", "RJ", "AC"][i % 3]! })
  );
  const staging = await temp.store.stage("test");
  await staging.addEntries(entries.slice(0, 100));
  await staging.addEntries([]);
  await staging.addEntries(entries.slice(100));
  await staging.publish(RELEASE, {});
  return temp;
}

async function checkList(
  store: Store,
  prefix: string,
  limit: number,
): Promise<void> {
  const expected = LISTED.filter((cep) => cep.startsWith(prefix));
  const { total, data } = await store.list(prefix, limit);
  assertEquals(total, expected.length, `total of ${prefix}`);
  assertEquals(data.map(({ cep }) => cep), expected.slice(0, limit));
}

// deno-fmt-ignore
const PREFIXES = [
  "1", "13", "131", "1310", "13100", "131000", "1310004", "13100042",
  "0", "00000", "000009", "9", "99999", "99999999",
];

for (const prefix of PREFIXES) {
  Deno.test(`Store.list counts and orders the codes of prefix ${prefix}`, async () => {
    await using temp = await openListed();
    await checkList(temp.store, prefix, 100);
  });
}

Deno.test("Store.list counts and orders as a scan does, for any prefix", async () => {
  await using temp = await openListed();
  const known = fc.tuple(
    fc.constantFrom(...LISTED),
    fc.integer({ min: 1, max: 8 }),
  ).map(([cep, length]) => cep.slice(0, length));
  const prefixes = fc.oneof(known, fc.stringMatching(/^[0-9]{1,8}$/));
  const limits = fc.integer({ min: 1, max: 100 });
  await fc.assert(
    fc.asyncProperty(
      prefixes,
      limits,
      (prefix, limit) => checkList(temp.store, prefix, limit),
    ),
    { numRuns: 300 },
  );
});

Deno.test("Store.list gives the records that find gives", async () => {
  await using temp = await openListed();
  const { data } = await temp.store.list("1310000", 100);
  assertEquals(data.length, 10);
  for (const address of data) {
    assertEquals(await temp.store.find(address.cep), address);
  }
});

Deno.test("Store.release tells version, time and totals", async () => {
  await using temp = await openListed();
  const release = await temp.store.release();
  const { id, ...rest } = release!;
  assert(Number.isInteger(id) && id >= 0 && id < 2 ** 32);
  const third = LISTED.length / 3;
  assertEquals(rest, {
    ...RELEASE,
    totalCeps: LISTED.length,
    totalByState: {
      AC: Math.floor(third),
      RJ: Math.round(third),
      SP: Math.ceil(third),
    },
  });
});

Deno.test("Store.release of an import without records has no states", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, []);
  const release = await temp.store.release();
  assertEquals(release?.totalCeps, 0);
  assertEquals(release?.totalByState, {});
});

Deno.test("Store.release has another id after another import", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100"]);
  const first = await temp.store.release();
  await fill(temp.store, ["01310100"]);
  const second = await temp.store.release();
  assertNotEquals(first?.id, second?.id);
});

Deno.test("Store.release tells of its own import at once", async () => {
  using directory = new TempDirectory();
  const store = await openStore({ path: directory.path, now: () => 1000 });
  try {
    assertEquals(await store.release(), undefined);
    await fill(store, ["01310100"]);
    assertEquals((await store.release())?.totalCeps, 1);
    await fill(store, ["01310100", "01310200"]);
    assertEquals((await store.release())?.totalCeps, 2);
  } finally {
    await store.close();
  }
});

Deno.test("Store.release tells of another's import after 250 ms, not before", async () => {
  await using writer = await TempStore.open();
  let now = 1000;
  const { path } = writer.directory;
  const reader = await openStore({ path, now: () => now });
  try {
    assertEquals(await reader.release(), undefined);
    await fill(writer.store, ["01310100"]);
    now += 249;
    assertEquals(await reader.release(), undefined);
    now += 1;
    const release = await reader.release();
    assertEquals(release, await writer.store.release());
    assertEquals(release?.totalCeps, 1);

    await fill(writer.store, ["01310100", "01310200"]);
    assertEquals(await reader.release(), release);
    now += 250;
    assertEquals((await reader.release())?.totalCeps, 2);
  } finally {
    await reader.close();
  }
});

Deno.test("Store.find and list follow another's import", async () => {
  await using writer = await TempStore.open();
  const reader = await openStore({ path: writer.directory.path });
  try {
    await fill(writer.store, ["01310100"]);
    assertEquals(await cepsOf(reader, ["01310100"]), ["01310100"]);
    await fill(writer.store, ["01310200"]);
    assertEquals(await cepsOf(reader, ["01310100", "01310200"]), [
      undefined,
      "01310200",
    ]);
    assertEquals((await reader.list("0", 100)).total, 1);
  } finally {
    await reader.close();
  }
});

/** What a store answers, whole. */
async function contentOf(store: Store) {
  const { total, data } = await store.list("0", 100);
  const more = await store.list("1", 100);
  return { total, data, more, release: await store.release() };
}

Deno.test("Staging does not show before it is published", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100", "11111111"]);
  const other = await openStore({ path: temp.directory.path, now: () => 0 });
  try {
    const before = await contentOf(temp.store);
    const staging = await temp.store.stage("test");
    await staging.addEntries([entry("01310200")]);
    assertEquals(await contentOf(temp.store), before, "same connection");
    assertEquals(await contentOf(other), before, "another connection");
    await staging.publish(RELEASE, {});
    const ceps = (await contentOf(temp.store)).data.map(({ cep }) => cep);
    assertEquals(ceps, ["01310200"]);
  } finally {
    await other.close();
  }
});

Deno.test("Staging.publish takes away codes that are not in it", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100", "11111111"]);
  await fill(temp.store, ["01310100"]);
  assertEquals(await cepsOf(temp.store, ["01310100", "11111111"]), [
    "01310100",
    undefined,
  ]);
});

Deno.test("Staging.publish keeps localities, neighbourhoods, numbers and the report", async () => {
  using directory = new TempDirectory();
  const store = await openStore({ path: directory.path });
  const staging = await store.stage("test");
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
  await staging.addEntries([
    { ...entry("01310100"), number: 5, locality: 3, neighbourhood: 4 },
  ]);
  await staging.publish(RELEASE, { files: ["LOG_CPC.TXT"] });
  await store.close();
  const rows = (sql: string) =>
    query(directory.path, sql).map((row) => ({ ...row as object }));
  assertEquals(rows("SELECT * FROM localidade"), [{
    loc_nu: 3,
    uf: "SP",
    nome: "Ponte Alta",
    cep: "01310100",
    situacao: "0",
    tipo: "D",
    loc_nu_sub: 2,
    mun_nu: "",
  }]);
  assertEquals(rows("SELECT * FROM bairro"), [
    { bai_nu: 4, uf: "SP", loc_nu: 3, nome: "São João" },
  ]);
  assertEquals(rows("SELECT cep, numero, loc_nu, bai_nu FROM cep"), [
    { cep: 1310100, numero: 5, loc_nu: 3, bai_nu: 4 },
  ]);
  assertEquals(rows("SELECT total_ceps, report FROM release"), [
    { total_ceps: 1, report: '{"files":["LOG_CPC.TXT"]}' },
  ]);
  assertEquals(rows(STAGING_TABLES), []);
});

Deno.test("Staging.discard leaves the data and drops its tables", async () => {
  using directory = new TempDirectory();
  const store = await openStore({ path: directory.path });
  await fill(store, ["01310100"]);
  const before = await contentOf(store);
  const staging = await store.stage("test");
  await staging.addEntries([entry("01310200")]);
  await staging.discard();
  assertEquals(await contentOf(store), before);
  await store.close();
  assertEquals(query(directory.path, STAGING_TABLES), []);
});

Deno.test("Staging.discard does nothing after publish, and twice", async () => {
  await using temp = await TempStore.open();
  const staging = await temp.store.stage("first");
  await staging.addEntries([entry("01310100")]);
  await staging.publish(RELEASE, {});
  const next = await temp.store.stage("second");
  await next.addEntries([entry("01310200")]);
  await staging.discard();
  await staging.discard();
  // It has not taken the next one's tables.
  await next.publish(RELEASE, {});
  assertEquals(await cepsOf(temp.store, ["01310100", "01310200"]), [
    undefined,
    "01310200",
  ]);
});

Deno.test("Staging.addEntries rejects a code that repeats and the data stays", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100"]);
  const before = await contentOf(temp.store);
  const staging = await temp.store.stage("test");
  await assertRejects(
    () => staging.addEntries([entry("11111111"), entry("11111111")]),
    DatabaseError,
    "Cannot write the database",
  );
  await staging.discard();
  assertEquals(await contentOf(temp.store), before);
  await fill(temp.store, ["11111111"]);
  assertEquals(await cepsOf(temp.store, ["11111111"]), ["11111111"]);
});

Deno.test("Store.stage refuses a second import and names the first", async () => {
  await using temp = await TempStore.open();
  const staging = await temp.store.stage("process 7");
  await staging.addEntries([entry("01310100")]);
  await assertRejects(
    () => temp.store.stage("process 8"),
    DatabaseError,
    "Cannot import: another import is running (process 7)",
  );
  await staging.publish(RELEASE, {});
  assertEquals(await cepsOf(temp.store, ["01310100"]), ["01310100"]);
});

Deno.test("Store.stage refuses an import while another store has one", async () => {
  await using temp = await TempStore.open();
  const other = await openStore({ path: temp.directory.path });
  try {
    const staging = await temp.store.stage("process 7");
    await assertRejects(
      () => other.stage("process 8"),
      DatabaseError,
      "another import is running (process 7)",
    );
    await staging.discard();
    await (await other.stage("process 9")).discard();
  } finally {
    await other.close();
  }
});

const ENDS: readonly [name: string, end: (it: Staging) => Promise<void>][] = [
  ["publish", (staging) => staging.publish(RELEASE, {})],
  ["discard", (staging) => staging.discard()],
];

for (const [name, end] of ENDS) {
  Deno.test(`Store.stage is free again after ${name}`, async () => {
    await using temp = await TempStore.open();
    for (let time = 0; time < 3; time++) {
      await end(await temp.store.stage("test"));
    }
    await fill(temp.store, ["01310100"]);
    assertEquals(await cepsOf(temp.store, ["01310100"]), ["01310100"]);
  });
}

Deno.test("Store.stage is free again after a discard that failed", async () => {
  using directory = new TempDirectory();
  const { path } = directory;
  const first = await openStore({ path });
  const staging = await first.stage("first");
  await first.close();
  await assertRejects(() => staging.discard(), DatabaseError);
  const second = await openStore({ path });
  try {
    await (await second.stage("second")).discard();
  } finally {
    await second.close();
  }
});

Deno.test("Store.stage in another directory is not refused", async () => {
  await using one = await TempStore.open();
  await using two = await TempStore.open();
  const first = await one.store.stage("first");
  const second = await two.store.stage("second");
  await first.discard();
  await second.discard();
});

const IMPORT = `
  import { openStore } from "${moduleUrl("cep/store/mod.ts")}";
`;

/** Stages a record in a process of its own, which says so and then waits. */
const HOLDER = `
  import process from "node:process";
  const store = await openStore({ path: PATH });
  const staging = await store.stage("the other process");
  await staging.addNeighbourhoods([
    { number: 4, uf: "SP", locality: 3, name: "Centro" },
  ]);
  console.log("staged");
  process.stdin.resume();
`;

/** Runs code with `openStore` on the database at a path. */
function withStore(code: string, path: string): Command {
  const lines = code.replaceAll("PATH", () => JSON.stringify(path));
  return codeCommand(IMPORT + lines);
}

async function spawnHolder(path: string): Promise<Child> {
  const child = start(withStore(HOLDER, path));
  const [text] = await once(child.stdout, "data");
  assertEquals(String(text).trim(), "staged");
  return child;
}

async function killHolder(child: Child): Promise<void> {
  const ended = endOf(child);
  kill(child, "SIGKILL");
  assertEquals((await ended).signal, "SIGKILL");
  child.stdin.destroy();
}

Deno.test("Store.stage refuses an import while another process has one", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100"]);
  const child = await spawnHolder(temp.directory.path);
  try {
    await assertRejects(
      () => temp.store.stage("this process"),
      DatabaseError,
      "Cannot import: another import is running (the other process)",
    );
    assertEquals(await cepsOf(temp.store, ["01310100"]), ["01310100"]);
  } finally {
    await killHolder(child);
  }
});

Deno.test("Store.stage is free again once the process that had it is killed", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100"]);
  await killHolder(await spawnHolder(temp.directory.path));
  assertEquals(await cepsOf(temp.store, ["01310100"]), ["01310100"]);
  await fill(temp.store, ["01310200"]);
  assertEquals(await cepsOf(temp.store, ["01310100", "01310200"]), [
    undefined,
    "01310200",
  ]);
  await temp.store.close();
  // Nothing of what the other had staged is left.
  assertEquals(query(temp.directory.path, STAGING_TABLES), []);
  assertEquals(query(temp.directory.path, "SELECT * FROM bairro"), []);
});

Deno.test("openStore makes the directory, with those above it", async () => {
  using directory = new TempDirectory();
  const path = join(directory.path, "a", "b");
  const store = await openStore({ path });
  await store.close();
  assert(existsSync(join(path, "cep.db")));
});

Deno.test("openStore names a file that is not a database", async () => {
  using directory = new TempDirectory();
  const file = join(directory.path, "cep.db");
  const text = "This is not a database.\n".repeat(100);
  writeFileSync(file, text);
  const error = await assertRejects(
    () => openStore({ path: directory.path }),
    DatabaseError,
    `Cannot open database "${file}": `,
  );
  assertStringIncludes(error.message, "not a database");
  assert(error.cause instanceof Error);
  assertEquals(readFileSync(file, "utf8"), text);
});

Deno.test("openStore refuses a database of another schema, and leaves it", async () => {
  using directory = new TempDirectory();
  const { path } = directory;
  const store = await openStore({ path });
  await fill(store, ["01310100"]);
  await store.close();
  query(path, "PRAGMA user_version = 99");
  const file = join(path, "cep.db");
  await assertRejects(
    () => openStore({ path }),
    DatabaseError,
    `Cannot open database "${file}": its schema is version 99, ` +
      "this program knows 1",
  );
  const [{ total }] = query(path, "SELECT count(*) AS total FROM cep") as [
    { total: number },
  ];
  assertEquals(total, 1);
});

Deno.test("openStore refuses a directory below a file", async () => {
  using directory = new TempDirectory();
  const file = join(directory.path, "file");
  writeFileSync(file, "");
  const path = join(file, "data");
  await assertRejects(
    () => openStore({ path }),
    DatabaseError,
    `Cannot open database "${join(path, "cep.db")}": `,
  );
});

Deno.test("openStore refuses a directory in the place of the file", async () => {
  using directory = new TempDirectory();
  const file = join(directory.path, "cep.db");
  const below = await openStore({ path: file });
  await below.close();
  await assertRejects(
    () => openStore({ path: directory.path }),
    DatabaseError,
    `Cannot open database "${file}": `,
  );
});

Deno.test("Store.stage rejects a lock that is not a database", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ["01310100"]);
  writeFileSync(
    join(temp.directory.path, "seed.lock"),
    "This is not a database.\n".repeat(100),
  );
  await assertRejects(
    () => temp.store.stage("test"),
    DatabaseError,
    "not a database",
  );
  assertEquals(await cepsOf(temp.store, ["01310100"]), ["01310100"]);
});

const METHODS: readonly [
  name: string,
  call: (it: Store) => Promise<unknown>,
][] = [
  ["find", (store) => store.find("01310100")],
  ["list", (store) => store.list("0", 100)],
  ["release", (store) => store.release()],
  ["stage", (store) => store.stage("test")],
];

for (const [name, call] of METHODS) {
  Deno.test(`Store.${name} rejects after close`, async () => {
    using directory = new TempDirectory();
    const store = await openStore({ path: directory.path });
    await fill(store, ["01310100"]);
    await store.close();
    await assertRejects(() => call(store), DatabaseError);
  });
}

Deno.test("Store.find settles lookups that close overtakes", async () => {
  using directory = new TempDirectory();
  const store = await openStore({ path: directory.path });
  const lookups = Promise.allSettled([store.find("1"), store.find("2")]);
  await store.close();
  for (const lookup of await lookups) {
    const rejected = lookup.status === "rejected";
    const outcome = rejected ? lookup.reason.name : lookup.value;
    assertEquals(outcome, rejected ? "DatabaseError" : undefined);
  }
});

Deno.test("Store.close may be called twice", async () => {
  using directory = new TempDirectory();
  const store = await openStore({ path: directory.path });
  await store.close();
  await store.close();
  await assertRejects(() => store.list("0", 100), DatabaseError);
});

Deno.test('openStore(":memory:") keeps an import', async () => {
  const store = await openStore({ path: ":memory:" });
  try {
    assertEquals(await store.release(), undefined);
    await fill(store, ["01310100"]);
    await fill(store, ["01310200", "01310300"]);
    assertEquals(await cepsOf(store, ["01310100", "01310200"]), [
      undefined,
      "01310200",
    ]);
    assertEquals((await store.list("013", 1)).total, 2);
    assertEquals((await store.release())?.totalCeps, 2);
  } finally {
    await store.close();
  }
});

Deno.test('openStore(":memory:") writes no file', async () => {
  const store = await openStore({ path: ":memory:" });
  await fill(store, ["01310100"]);
  await store.close();
  assert(!existsSync(":memory:"));
});

Deno.test('openStore(":memory:") opens another database each time', async () => {
  const one = await openStore({ path: ":memory:" });
  const two = await openStore({ path: ":memory:" });
  try {
    await fill(one, ["01310100"]);
    assertEquals(await two.release(), undefined);
    const first = await one.stage("first");
    const second = await two.stage("second");
    await first.discard();
    await second.discard();
  } finally {
    await one.close();
    await two.close();
  }
});

Deno.test('openStore(":memory:") refuses a second import at a time', async () => {
  const store = await openStore({ path: ":memory:" });
  try {
    const staging = await store.stage("first");
    await staging.addEntries([entry("01310100")]);
    await assertRejects(
      () => store.stage("second"),
      DatabaseError,
      "another import is running (first)",
    );
    await staging.publish(RELEASE, {});
    assertEquals(await cepsOf(store, ["01310100"]), ["01310100"]);
  } finally {
    await store.close();
  }
});

Deno.test("openStore makes one database of processes that open it at once", async () => {
  using directory = new TempDirectory();
  const open = `
    const store = await openStore({ path: PATH });
    await store.release();
    await store.close();
  `;
  const path = join(directory.path, "data");
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () => outputOf(withStore(open, path))),
  );
  const errors = outputs.map(({ stderr }) => stderr);
  assertEquals(errors, ["", "", "", ""]);
});
