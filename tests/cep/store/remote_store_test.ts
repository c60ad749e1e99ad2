/** Reading from a server, also while it is slow or away. */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { inspect } from "node:util";
import {
  DatabaseError,
  type Store,
  UnreachableError,
} from "../../../cep/store/mod.ts";
import type {
  ClientStatement,
  RemoteResult,
} from "../../../cep/store/remote.ts";
import type { OpenWritableRemoteStoreOptions } from "../../../cep/store/remote_import.ts";
import { openReplica } from "../../../cep/store/replica.ts";
import { SCHEMA_VERSION } from "../../../cep/release/schema.ts";
import { cepsOf, OpenedStore } from "../_stores.ts";
import { LocalClient, type LocalRequest } from "./_local_client.ts";
import { entries, fill } from "./_release.ts";

const ONE = entries("01310100", "01310200");
const TWO = entries("01310100", "20040020");

/** Options of a store that polls only when asked to. */
const NO_POLL: OpenWritableRemoteStoreOptions = { pollMs: 8e7 };
/** Options of a store that runs queries for records. */
const NO_MEMORY: OpenWritableRemoteStoreOptions = {
  snapshot: false,
  search: false,
};
/** Options of a store that polls all the time. */
const POLLING: OpenWritableRemoteStoreOptions = { pollMs: 5 };

/** Opens a store on a server that the test can disturb. */
function open(
  client: LocalClient,
  options: OpenWritableRemoteStoreOptions = {},
): Promise<OpenedStore> {
  return OpenedStore.onServer({ client, importRetryMs: 0, ...options });
}

/** Returns a server with a release. */
async function serverWith(all = ONE): Promise<LocalClient> {
  const client = new LocalClient();
  await importInto(client, all);
  return client;
}

/** Imports with another store. */
async function importInto(client: LocalClient, all = TWO): Promise<void> {
  await using opened = await open(client, { ...NO_POLL, ...NO_MEMORY });
  await fill(opened.store, all);
}

const isPoll = ({ statements }: LocalRequest) =>
  statements[0]!.sql.startsWith("SELECT suffix");

/** Options out of their range. */
const OUT_OF_RANGE: readonly [
  options: OpenWritableRemoteStoreOptions,
  message: string,
][] = [
  ...[Infinity, NaN, -1, 0, 3e9, 86_400_001].map((pollMs) =>
    [
      { pollMs },
      `pollMs is ${pollMs}; it must be a number from 1 to 86400000`,
    ] as [OpenWritableRemoteStoreOptions, string]
  ),
  [
    { poll: "read", pollMs: -1 },
    "pollMs is -1; it must be a number from 0 to 86400000",
  ],
  [
    { timeoutMs: 1e9 },
    "timeoutMs is 1000000000; it must be a number from 1 to 3600000",
  ],
  [
    { importRetryMs: NaN },
    "importRetryMs is NaN; it must be a number from 0 to 86400000",
  ],
  [
    { leaseSeconds: 1e7 },
    "leaseSeconds is 10000000; it must be a number from 1 to 86400",
  ],
  [
    { leaseSeconds: 0 },
    "leaseSeconds is 0; it must be a number from 1 to 86400",
  ],
];

for (const [options, message] of OUT_OF_RANGE) {
  Deno.test(`openRemoteStore refuses ${inspect(options)}`, async () => {
    const client = new LocalClient();
    await assertRejects(
      async () => {
        const { store } = await open(client, options);
        await store.close();
      },
      RangeError,
      message,
    );
    assertEquals(client.requests, []);
  });
}

Deno.test("openReplica refuses syncSeconds that no timer holds", async () => {
  const options = { path: "unused", url: "http://127.0.0.1:9" };
  for (const syncSeconds of [NaN, Infinity, 0, 86_401]) {
    await assertRejects(
      () => openReplica({ ...options, syncSeconds }),
      RangeError,
      `syncSeconds is ${syncSeconds}; it must be a number from 1 to 86400`,
    );
  }
});

Deno.test("openRemoteStore opens the release of an earlier store", async () => {
  await using opened = await open(await serverWith(), NO_POLL);
  assertEquals(await cepsOf(opened.store), ["01310100", "01310200"]);
  assertEquals((await opened.store.findJson("01310100"))?.fromMemory, true);
  const page = await opened.store.search({ text: "flores 01310200", limit: 9 });
  assertEquals(page?.data[0]?.cep, "01310200");
});

Deno.test("Store notices an import of another store on the server", async () => {
  const client = await serverWith();
  await using opened = await open(client, POLLING);
  await importInto(client);
  await opened.log.logged("Opened a new release");
  assertEquals(await cepsOf(opened.store), ["01310100", "20040020"]);
});

Deno.test("Store keeps a release that the server has lost, and says so", async () => {
  const client = await serverWith();
  await using opened = await open(client, POLLING);
  const { store, log } = opened;
  await client.run("UPDATE carteiro_release SET suffix = NULL");
  const { properties } = await log.logged(
    "Cannot use the database, what is in memory stays in use",
  );
  assertStringIncludes(`${properties["error"]}`, "has lost its release");
  assertStringIncludes(`${store.freshness?.()?.error}`, "has lost its release");
  assertEquals((await store.findJson("01310100"))?.fromMemory, true);
});

Deno.test("Store reads a release from memory without requests", async () => {
  const client = await serverWith();
  await using opened = await open(client, NO_POLL);
  const before = client.requests.length;
  for (const cep of ["01310100", "01310200", "99999999"]) {
    await opened.store.findJson(cep);
  }
  await opened.store.search({ text: "flores", limit: 2 });
  assertEquals(client.requests.length, before);
});

Deno.test("Store.findJson sends lookups that arrive together in few requests", async () => {
  const codes = Array.from({ length: 1000 }, (_, i) => `${10_000_000 + i}`);
  const client = await serverWith(entries(...codes));
  await using opened = await open(client, { ...NO_POLL, ...NO_MEMORY });
  const before = client.requests.length;
  const found = await Promise.all(
    codes.map((cep) => opened.store.findJson(cep)),
  );
  assertEquals(found.map((it) => JSON.parse(it!.json).cep), codes);
  const requests = client.requests.slice(before);
  assert(requests.length <= 4, `${requests.length}`);
});

Deno.test("Store rejects reads within the time limit while the server is silent", async () => {
  const client = await serverWith();
  await using opened = await open(client, {
    ...NO_POLL,
    ...NO_MEMORY,
    timeoutMs: 200,
  });
  const { store } = opened;
  client.fault = () => "silence";
  const calls: (() => Promise<unknown>)[] = [
    async () => await store.findJson("01310100"),
    () => store.list("", 9),
    () => store.history("01310100"),
    () => store.gazetteer(),
    () => cepsOf(store),
  ];
  for (const call of calls) await assertRejects(call, UnreachableError);
  const before = client.requests.length;
  // Once it is known to be away, no call waits.
  for (const call of calls) await assertRejects(call, UnreachableError);
  assertEquals(client.requests.length, before);
});

Deno.test("Store lets one read wait if a server answers polls but no reads", async () => {
  const client = await serverWith();
  await using opened = await open(client, {
    ...POLLING,
    ...NO_MEMORY,
    timeoutMs: 1000,
  });
  const { store } = opened;
  client.fault = (request) => isPoll(request) ? undefined : "silence";
  await assertRejects(() => store.list("", 9), UnreachableError);
  await polled(client);
  let isWaiting = true;
  const waiting = assertRejects(() => store.list("", 9), UnreachableError)
    .finally(() => isWaiting = false);
  await polled(client);
  await assertRejects(() => store.list("", 9), UnreachableError);
  assert(isWaiting);
  await waiting;
  client.fault = () => undefined;
  await recovered(() => store.list("", 9));
  await Promise.all(Array.from({ length: 20 }, () => store.list("", 9)));
});

/** Waits for two polls. */
async function polled(client: LocalClient): Promise<void> {
  const count = () => client.requests.filter(isPoll).length;
  const end = count() + 2;
  while (count() < end) await new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test("Store answers from memory while the server is away, and says since when", async () => {
  const client = await serverWith();
  await using opened = await open(client, POLLING);
  const { store } = opened;
  client.fault = () => "lost request";
  await opened.log.logged(
    "Cannot use the database, what is in memory stays in use",
  );
  assertEquals((await store.findJson("01310100"))?.fromMemory, true);
  await store.search({ text: "flores", limit: 2 });
  await store.check?.();
  await assertRejects(() => store.list("", 9), UnreachableError);
  const away = store.freshness?.();
  assertStringIncludes(away?.error ?? "", "connection refused");
  assert(away?.syncedAt);
  client.fault = () => undefined;
  await opened.log.logged("Reached the database server again");
  assertEquals((await store.list("", 9)).total, 2);
  assertEquals(store.freshness?.()?.error, undefined);
});

Deno.test("Store without memory is not ready while the server is away, and recovers by itself", async () => {
  const client = await serverWith();
  await using opened = await open(client, { ...POLLING, ...NO_MEMORY });
  const { store } = opened;
  client.fault = () => "lost request";
  await assertRejects(async () => await store.findJson("01310100"));
  await assertRejects(() => store.check!(), UnreachableError);
  client.fault = () => undefined;
  await recovered(async () => await store.findJson("01310100"));
  await store.check?.();
});

/** Calls until it succeeds. */
async function recovered(call: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (true) {
    try {
      await call();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

Deno.test("openRemoteStore opens although the server is away, and recovers by itself", async () => {
  const client = await serverWith();
  client.fault = () => "lost request";
  await using opened = await open(client, POLLING);
  const { store } = opened;
  const error = await assertRejects(() => store.release());
  assertInstanceOf(error, UnreachableError);
  assertEquals(store.freshness?.()?.syncedAt, null);
  client.fault = () => undefined;
  await opened.log.logged("Opened a new release");
  assertEquals(await cepsOf(store), ["01310100", "01310200"]);
});

Deno.test("Store repeats a lookup whose connection is lost", async () => {
  const client = await serverWith();
  await using opened = await open(client, { ...NO_POLL, ...NO_MEMORY });
  let faults = 1;
  client.fault = () => faults-- > 0 ? "lost answer" : undefined;
  const found = await opened.store.findJson("01310200");
  assertEquals(JSON.parse(found!.json).cep, "01310200");
});

const PARTS = ["snapshot", "busca"].flatMap((part) =>
  (["lost request", "not found"] as const).map((fault) =>
    [part, fault] as const
  )
);

for (const [part, fault] of PARTS) {
  Deno.test(`Store uses the last release until it can load the table ${part} of the next after a fault, "${fault}"`, async () => {
    const client = await serverWith();
    await using opened = await open(client, POLLING);
    const { store } = opened;
    client.fault = ({ statements }) =>
      statements.some(({ sql }) => sql.includes(`bytes FROM ${part}_`))
        ? fault
        : undefined;
    await importInto(client);
    await opened.log.logged(
      "Cannot use the database, what is in memory stays in use",
    );
    assert(await store.findJson("01310200"));
    assertEquals(await store.findJson("20040020"), undefined);
    client.fault = () => undefined;
    await opened.log.logged("Opened a new release");
    assertEquals(await store.findJson("01310200"), undefined);
    assert(await store.findJson("20040020"));
    assertEquals(store.missingParts?.(), []);
    const page = await store.search({ text: "flores", limit: 9 });
    assertEquals(page?.data.length, 2);
  });

  Deno.test(`openRemoteStore waits for the table ${part} after a fault, "${fault}"`, async () => {
    const client = await serverWith();
    client.fault = ({ statements }) =>
      statements.some(({ sql }) => sql.includes(`bytes FROM ${part}_`))
        ? fault
        : undefined;
    await using opened = await open(client, POLLING);
    await assertRejects(() => opened.store.release(), DatabaseError);
    client.fault = () => undefined;
    await opened.log.logged("Opened a new release");
    assertEquals(opened.store.missingParts?.(), []);
  });
}

Deno.test("Store keeps a release that can be searched if the index of the next one is damaged, and loads it later and later", async () => {
  const client = await serverWith();
  await using opened = await open(client, { poll: "read", pollMs: 0 });
  const { store } = opened;
  await store.release();
  await importInto(client);
  const [[suffix] = []] = await client.run(
    "SELECT suffix FROM carteiro_release",
  );
  await client.run(
    `UPDATE busca_${suffix} SET bytes = zeroblob(length(bytes))`,
  );
  const loads: number[] = [];
  for (let poll = 0; poll < 12; poll++) {
    client.requests.length = 0;
    assert(await store.findJson("01310200"));
    const isLoad = client.requests.some(({ statements }) =>
      statements.some(({ sql }) => sql.includes("bytes FROM busca_"))
    );
    if (isLoad) loads.push(poll);
    const { error } = store.freshness!()!;
    assertStringIncludes(error!, "Cannot use the search index");
  }
  assertEquals(loads, [0, 2, 5, 10]);
});

Deno.test("Store opens the current release when a table of its own is gone", async () => {
  const client = await serverWith();
  await using opened = await open(client, { ...NO_POLL, ...NO_MEMORY });
  const { store } = opened;
  await importInto(client);
  // Readers in flight can finish.
  assertEquals(JSON.parse((await store.findJson("01310200"))!.json).uf, "SP");
  await importInto(client);
  assertEquals(await store.findJson("01310200"), undefined);
  assert(await store.findJson("20040020"));
  assertEquals((await store.list("", 9)).data.map(({ cep }) => cep), [
    "01310100",
    "20040020",
  ]);
});

Deno.test("Store polls before a read, without a timer, if it is told to", async () => {
  const client = await serverWith();
  await using opened = await open(client, {
    ...NO_MEMORY,
    poll: "read",
    pollMs: 0,
  });
  const { store } = opened;
  const before = client.requests.filter(isPoll).length;
  assert(await store.findJson("01310200"));
  assertEquals(client.requests.filter(isPoll).length, before + 1);
  await importInto(client);
  assertEquals(await store.findJson("01310200"), undefined);
  assert(await store.findJson("20040020"));
});

Deno.test("Store opens a release once for lookups that arrive together", async () => {
  const client = await serverWith();
  await using opened = await open(client, { ...NO_POLL, poll: "read" });
  const before = client.requests.length;
  const found = await Promise.all(
    Array.from({ length: 100 }, () => opened.store.findJson("01310100")),
  );
  assertEquals(found.map((it) => it?.fromMemory), found.map(() => true));
  const requests = client.requests.slice(before);
  assertEquals(requests.filter(isPoll).length, 1);
  assert(requests.length < 60, `${requests.length}`);
});

Deno.test("Store makes no lookup wait for the request of another one if it must not", async () => {
  const client = await serverWith();
  await using opened = await open(client, {
    ...NO_MEMORY,
    poll: "read",
    sharesRequests: false,
    timeoutMs: 60_000,
  });
  const { store } = opened;
  client.fault = () => "silence";
  const gone = assertRejects(
    async () => await store.findJson("01310100"),
    DatabaseError,
  );
  await Promise.resolve();
  client.fault = () => undefined;
  assert(await store.findJson("01310100"));
  await store.close();
  await gone;
});

/** Server whose answers to a poll can be held back. */
class SlowClient extends LocalClient {
  /** Ends the wait of the next poll. */
  gate: Promise<void> | undefined;

  override async execute(statement: ClientStatement): Promise<RemoteResult> {
    const result = await super.execute(statement);
    if (statement.sql.startsWith("SELECT suffix")) {
      const { gate } = this;
      this.gate = undefined;
      await gate;
    }
    return result;
  }
}

for (const isAway of [false, true]) {
  Deno.test(`Store keeps a release if an earlier poll ends later (${isAway ? "failed" : "with the old release"})`, async () => {
    const client = new SlowClient();
    await importInto(client, ONE);
    await using opened = await open(client, {
      ...NO_MEMORY,
      poll: "read",
      sharesRequests: false,
      pollMs: 0,
    });
    const { store } = opened;
    const gate = Promise.withResolvers<void>();
    client.gate = gate.promise;
    const slow = store.release();
    while (client.gate !== undefined) await Promise.resolve();
    await importInto(client, TWO);
    const { id } = (await store.release())!;
    if (isAway) client.fault = () => "lost request";
    gate.resolve();
    assertEquals((await slow)?.id, id);
    assertEquals(store.freshness?.()?.error, undefined);
  });
}

Deno.test("Store.close ends a wait for a silent server", async () => {
  const client = await serverWith();
  const opened = await open(client, { ...NO_POLL, ...NO_MEMORY });
  client.fault = () => "silence";
  const lookup = assertRejects(
    async () => await opened.store.findJson("01310100"),
    DatabaseError,
  );
  await Promise.resolve();
  await opened.store.close();
  await lookup;
  assert(client.isClosed);
});

/** Databases that cannot be used. */
const UNUSABLE: readonly [name: string, sql: string[], message: string][] = [
  [
    "of an older version",
    [`UPDATE carteiro_release SET schema_version = ${SCHEMA_VERSION - 1}`],
    "it was written by an older version of this program; rewrite it",
  ],
  [
    "of a newer version",
    [`UPDATE carteiro_release SET schema_version = ${SCHEMA_VERSION + 1}`],
    "it was written by a newer version of this program; install that version",
  ],
  [
    "of another program",
    ["DROP TABLE carteiro_release", "CREATE TABLE users (name TEXT)"],
    "it is not a database of this program; set DB_URL to another one",
  ],
  [
    "with another table of the same name",
    [
      "DROP TABLE carteiro_release",
      "CREATE TABLE carteiro_release (version TEXT)",
    ],
    "it is not a database of this program; set DB_URL to another one",
  ],
];

for (const [name, statements, message] of UNUSABLE) {
  Deno.test(`openRemoteStore refuses a database ${name}`, async () => {
    const client = await serverWith();
    for (const sql of statements) await client.run(sql);
    await using opened = await open(client, NO_POLL);
    const error = await assertRejects(
      () => opened.store.release(),
      DatabaseError,
      message,
    );
    assert(!(error instanceof UnreachableError));
  });
}

for (const [name, statements, message] of UNUSABLE.slice(1)) {
  Deno.test(`Store.stage refuses a database ${name}, and leaves it`, async () => {
    const client = await serverWith();
    for (const sql of statements) await client.run(sql);
    await using opened = await open(client, NO_POLL);
    const select = "SELECT name FROM sqlite_master ORDER BY name";
    const before = await client.run(select);
    await assertRejects(
      () => opened.store.stage("test"),
      DatabaseError,
      message,
    );
    assertEquals(await client.run(select), before);
  });
}

Deno.test("Store.stage replaces a release of an older version", async () => {
  const client = await serverWith();
  const [, [sql]] = UNUSABLE[0]!;
  await client.run(sql!);
  await importInto(client);
  await using opened: { store: Store } & AsyncDisposable = await open(client);
  assertEquals(await cepsOf(opened.store), ["01310100", "20040020"]);
});
