/** Imports into a server whose requests fail. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  DatabaseError,
  type Store,
  UnreachableError,
} from "../../../cep/store/mod.ts";
import {
  openRemoteStore,
  type RemoteValue,
} from "../../../cep/store/remote.ts";
import {
  openWritableRemoteStore,
  type OpenWritableRemoteStoreOptions,
} from "../../../cep/store/remote_import.ts";
import { CapturingLogger } from "../_logger.ts";
import { cepsOf } from "../_stores.ts";
import { type Fault, LocalClient, type LocalRequest } from "./_local_client.ts";
import { addPlaces, entries, FACTS, fill, publish } from "./_release.ts";

const OLD = entries("01310100", "01310200");
const NEW = entries("01310300", "01310400", "20040020");

/** Opens a store that polls only when asked to. */
function open(
  client: LocalClient,
  importRetryMs: number,
  options: OpenWritableRemoteStoreOptions = {},
): Promise<Store> {
  return openWritableRemoteStore({
    ...options,
    client,
    importRetryMs,
    pollMs: 1e6,
    snapshot: false,
    search: false,
    logger: new CapturingLogger(),
  });
}

/** Imports the new entries, in steps of each kind. */
async function importNew(store: Store): Promise<void> {
  const staging = await store.stage("test");
  try {
    await addPlaces(staging);
    const ranges = [["SP", 1_000_000, 19_999_999]] as const;
    assertEquals(await staging.addDetails("faixa_uf", ranges), 0);
    assertEquals(await staging.addDetails("faixa_uf", ranges), 1);
    await staging.addEntries(NEW);
    await publish(staging, NEW);
  } catch (error) {
    await staging.discard().catch(() => {});
    throw error;
  }
}

/** Returns the tables of a server by the suffix of their release. */
async function suffixesOf(client: LocalClient): Promise<Set<string>> {
  const rows = await client.run(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  return new Set(
    rows.flatMap(([name]) => /_([0-9a-f]{8})$/.exec(`${name}`)?.[1] ?? []),
  );
}

/** Opens a server with the old entries. */
async function withOld(): Promise<LocalClient> {
  const client = new LocalClient();
  const store = await open(client, 0);
  await fill(store, OLD);
  await store.close();
  return client;
}

/** Returns the CEPs of a server, read by a new store. */
async function readCeps(client: LocalClient): Promise<string[]> {
  const store = await open(client, 0);
  try {
    return await cepsOf(store);
  } finally {
    await store.close();
  }
}

const OLD_CEPS = OLD.map(({ cep }) => cep);
const NEW_CEPS = NEW.map(({ cep }) => cep);

/** Number of requests of an import, from the first to the last. */
async function countRequests(): Promise<number> {
  const client = await withOld();
  const store = await open(client, 0);
  const before = client.requests.length;
  await importNew(store);
  await store.close();
  return client.requests.length - before;
}

/** Imports the new entries, with faults from a request on. */
async function importWith(
  importRetryMs: number,
  fault: (request: number) => Fault | undefined,
): Promise<{ client: LocalClient; error: unknown }> {
  const client = await withOld();
  const store = await open(client, importRetryMs);
  const before = client.requests.length;
  client.fault = () => fault(client.requests.length - before - 1);
  const error = await importNew(store).then(() => undefined, (it) => it);
  client.fault = () => undefined;
  await store.close();
  return { client, error };
}

for (const fault of ["lost request", "lost answer"] as const) {
  Deno.test(`Staging survives a ${fault} at every step of an import`, async () => {
    const count = await countRequests();
    assert(count > 10);
    for (let step = 0; step < count; step++) {
      const { client, error } = await importWith(
        10_000,
        (request) => request === step ? fault : undefined,
      );
      assertEquals(error, undefined, `step ${step} of ${count}: ${error}`);
      assertEquals(await readCeps(client), NEW_CEPS, `step ${step}`);
    }
  });

  Deno.test(`Store has the old or the new data after a ${fault} that ends an import at any step`, async () => {
    const count = await countRequests();
    let published = 0;
    for (let step = 0; step < count; step++) {
      const { client, error } = await importWith(
        0,
        (request) => request >= step ? fault : undefined,
      );
      const ceps = await readCeps(client);
      if (ceps.length === NEW_CEPS.length) published++;
      assertEquals(ceps, published > 0 ? NEW_CEPS : OLD_CEPS, `step ${step}`);
      if (error !== undefined) assert(error instanceof DatabaseError);
      // The next import begins when the lease has ended.
      await client.run("UPDATE carteiro_release SET lease_until = 0");
      const store = await open(client, 0);
      await fill(store, OLD);
      assertEquals(await cepsOf(store), OLD_CEPS);
      await store.close();
      // Its own tables, and those of the release before it.
      assertEquals((await suffixesOf(client)).size, 2, `step ${step}`);
    }
    assert(published > 0);
  });
}

Deno.test("Store.stage logs that it waits for the server", async () => {
  const client = new LocalClient();
  client.fault = () => "lost request";
  const logger = new CapturingLogger();
  const store = await openWritableRemoteStore({
    client,
    importRetryMs: 1000,
    logger,
  });
  await assertRejects(() => store.stage("test"), UnreachableError);
  const [entry] = logger.at("warn");
  assertEquals(entry?.["seconds"], 1);
  await store.close();
});

Deno.test("Staging.discard leaves a release whose publication had no answer", async () => {
  const client = await withOld();
  const store = await open(client, 0);
  const staging = await store.stage("test");
  await addPlaces(staging);
  await staging.addEntries(NEW);
  client.fault = ({ statements }) =>
    statements.some(({ sql }) => sql.includes("suffix = importing"))
      ? "lost answer"
      : undefined;
  await assertRejects(() => publish(staging, NEW), DatabaseError);
  client.fault = () => undefined;
  await assertRejects(
    () => staging.discard(),
    DatabaseError,
    "it has been published",
  );
  await store.close();
  assertEquals(await readCeps(client), NEW_CEPS);
});

const isPublication = ({ statements }: LocalRequest) =>
  statements.some(({ sql }) => sql.includes("suffix = importing"));

for (const fault of ["lost request", "lost answer"] as const) {
  Deno.test(`Staging.publish can be repeated after a ${fault}`, async () => {
    const client = await withOld();
    const store = await open(client, 0);
    const staging = await store.stage("test");
    await addPlaces(staging);
    await staging.addEntries(NEW);
    client.fault = (request) => isPublication(request) ? fault : undefined;
    for (let times = 0; times < 2; times++) {
      await assertRejects(() => publish(staging, NEW), UnreachableError);
      client.fault = (request) =>
        isPublication(request) ? "lost request" : undefined;
    }
    client.fault = () => undefined;
    await publish(staging, NEW);
    assertEquals(await cepsOf(store), NEW_CEPS);
    await store.close();
  });
}

for (const end of ["publish", "discard"] as const) {
  Deno.test(`Store.stage takes one lease if its request arrives again, until ${end}`, async () => {
    const client = await withOld();
    const store = await open(client, 0);
    const before = client.requests.length;
    const staging = await store.stage("test");
    const first = client.requests.slice(before).find(({ statements }) =>
      statements.some(({ sql }) => sql.includes("SET importing"))
    );
    const deliverAgain = () => client.batch([...first!.statements]);
    await addPlaces(staging);
    await deliverAgain();
    await staging.addEntries(NEW);
    await deliverAgain();
    if (end === "publish") {
      await publish(staging, NEW);
      await deliverAgain();
    } else await staging.discard();
    await (await store.stage("the next one")).discard();
    assertEquals(
      await cepsOf(store),
      end === "publish" ? NEW_CEPS : OLD_CEPS,
    );
    await store.close();
  });
}

Deno.test("Store.stage begins after the lease if an earlier one was taken by a wrong clock", async () => {
  const client = await withOld();
  const store = await open(client, 0, { leaseSeconds: 1 });
  await client.run(
    `UPDATE carteiro_release SET importing = '0badcafe',
     holder = 'the one before', lease_until = unixepoch() + 31536000`,
  );
  await assertRejects(
    () => store.stage("test"),
    DatabaseError,
    "another import is running (the one before)",
  );
  const [[rest]] = await client.run(
    "SELECT lease_until - unixepoch('subsec') FROM carteiro_release",
  ) as [[number]];
  assert(rest <= 1, `${rest}`);
  await client.run(
    "UPDATE carteiro_release SET lease_until = lease_until - 2",
  );
  await fill(store, NEW);
  assertEquals(await cepsOf(store), NEW_CEPS);
  await store.close();
});

Deno.test("Staging renews a lease for a time by the clock of the server", async () => {
  const client = await withOld();
  const store = await open(client, 0);
  const staging = await store.stage("test");
  await client.run("UPDATE carteiro_release SET lease_until = 1e12");
  await addPlaces(staging);
  await staging.addDetails("faixa_uf", [["SP", 1_000_000, 19_999_999]]);
  const [[left]] = await client.run(
    "SELECT lease_until - unixepoch('subsec') FROM carteiro_release",
  ) as [[number]];
  assert(left > 0 && left <= 30, `${left}`);
  await staging.discard();
  await store.close();
});

Deno.test("Staging.discard names the import that has the lease now", async () => {
  const client = await withOld();
  const store = await open(client, 0);
  const staging = await store.stage("test");
  await client.run("UPDATE carteiro_release SET lease_until = 1");
  const next = await store.stage("process 8");
  await assertRejects(
    () => staging.discard(),
    DatabaseError,
    "the lease ended, and another import has begun since (process 8)",
  );
  await next.discard();
  await store.close();
});

Deno.test("Store.stage leaves tables of another program with similar names", async () => {
  const client = await withOld();
  const others = ["release_20250101", "cep_20250101", "cep_deadbeef_2", "cep"];
  for (const name of others) await client.run(`CREATE TABLE ${name} (a)`);
  const store = await open(client, 0);
  for (const all of [NEW, OLD, NEW]) await fill(store, all);
  assertEquals(await cepsOf(store), NEW_CEPS);
  await store.close();
  const rows = await client.run("SELECT name FROM sqlite_master");
  const names = new Set(rows.map(([name]) => name));
  assertEquals(others.filter((name) => !names.has(name)), []);
  assertEquals((await suffixesOf(client)).size, 3); // With 20250101.
});

Deno.test("Staging removes its tables when it is discarded", async () => {
  const client = await withOld();
  const store = await open(client, 0);
  const before = await suffixesOf(client);
  const staging = await store.stage("test");
  await addPlaces(staging);
  await staging.addEntries(NEW);
  await staging.discard();
  assertEquals(await suffixesOf(client), before);
  const next = await store.stage("the next one");
  await next.discard();
  await store.close();
});

Deno.test("Store.stage names the import that is running, until its lease ends", async () => {
  const client = await withOld();
  const [one, two] = [await open(client, 0), await open(client, 0)];
  const staging = await one.stage("process 7 on d'água");
  await assertRejects(
    () => two.stage("test"),
    DatabaseError,
    "Cannot import: another import is running (process 7 on d'água)",
  );
  await client.run("UPDATE carteiro_release SET lease_until = 1");
  await fill(two, NEW);
  await addPlaces(staging).catch(() => {});
  const error = await assertRejects(
    () => publish(staging, [], FACTS),
    DatabaseError,
  );
  assert(error.message.includes("another import has begun"), error.message);
  await staging.discard().catch(() => {});
  assertEquals(await cepsOf(two), NEW_CEPS);
  await one.close();
  await two.close();
});

Deno.test("Store.stage sends requests of a bounded size, and few of them", async () => {
  const client = new LocalClient();
  const store = await open(client, 0);
  const before = client.requests.length;
  const all = Array.from({ length: 30_000 }, (_, i) => `${10_000_000 + i}`);
  await fill(store, entries(...all));
  const sizes = client.requests.slice(before).map(({ statements }) => {
    const sent = statements.map(({ sql, args }) => [sql, ...args.map(toText)]);
    return new TextEncoder().encode(JSON.stringify(sent)).length;
  });
  assert(Math.max(...sizes) < 1.5 * 2 ** 20, `${Math.max(...sizes)}`);
  assert(sizes.length < 60, `${sizes.length}`);
  await store.close();
});

/** Returns a value with the length that the protocol sends. */
function toText(value: RemoteValue): string {
  return value instanceof Uint8Array
    ? "A".repeat(4 * Math.ceil(value.length / 3))
    : `${value}`;
}

Deno.test("openRemoteStore refuses an import with the way to open it", async () => {
  const client = new LocalClient();
  const logger = new CapturingLogger();
  const store = await openRemoteStore({ client, poll: "read", logger });
  await assertRejects(() => store.stage("test"), DatabaseError, "openStore");
  assertEquals(client.requests, []);
  await store.close();
});
