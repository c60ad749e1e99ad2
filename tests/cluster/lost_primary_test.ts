/** Primary that is killed with SIGKILL. */
import type { Store } from "../../cep/store/mod.ts";
import { openRemoteStore } from "../../cep/store/remote.ts";
import { openWritableRemoteStore } from "../../cep/store/remote_import.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../cep/_logger.ts";
import {
  CODES,
  importVersion,
  type Records,
  recordsOf,
  updateTo,
  type Version,
} from "./_data.ts";
import { Instance } from "./_instance.ts";
import { query, Sqld } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";

const test = await testsWith("sqld");

/** Milliseconds for which an import repeats a request. */
const PATIENCE = {
  /** The primary stays away. */
  short: 300,
  /** The primary is back when the first attempt fails, also on a busy machine. */
  long: 60_000,
} as const;

type Fetch = typeof fetch;

/** Opens a store for imports with some way to send requests. */
async function withStore<T>(
  url: string,
  send: Fetch,
  action: (store: Store) => Promise<T>,
  patience: keyof typeof PATIENCE = "long",
): Promise<T> {
  const store = await openWritableRemoteStore({
    url,
    fetch: send,
    snapshot: false,
    search: false,
    importRetryMs: PATIENCE[patience],
    // No poll disturbs the count of requests.
    poll: "read",
    logger: new CapturingLogger(),
  });
  try {
    return await action(store);
  } finally {
    await store.close();
  }
}

/** Reads the records of a server with a new store. */
async function recordsIn(url: string): Promise<Records> {
  const store = await openRemoteStore({
    url,
    snapshot: false,
    search: false,
    logger: new CapturingLogger(),
  });
  const records = new Map<string, string>();
  for await (const page of store.scan()) {
    for (const record of page) records.set(record.cep, JSON.stringify(record));
  }
  await store.close();
  return records;
}

/** Returns the number of requests of an action. */
async function countRequests(
  url: string,
  action: (store: Store) => Promise<void>,
): Promise<number> {
  let requests = 0;
  const send: Fetch = (...args) => {
    requests++;
    return fetch(...args);
  };
  await withStore(url, send, action);
  return requests;
}

/** Moments of a request at which the primary is killed. */
const MOMENTS = {
  "before a request": false,
  "before the answer to a request": true,
} as const;

/** Returns a `fetch` that kills the primary at a request. */
function killAt(
  n: number,
  primary: Sqld,
  { isAnswerLost, restarts }: { isAnswerLost: boolean; restarts: boolean },
): Fetch {
  let requests = 0;
  return async (...args) => {
    if (++requests !== n) return await fetch(...args);
    const answer = isAnswerLost ? await fetch(...args) : undefined;
    await answer?.body?.cancel();
    await primary.kill();
    if (restarts) await primary.restart();
    throw new TypeError("the connection was lost");
  };
}

/** Ends the lease that a killed import has left, as time would. */
async function endLease(url: string): Promise<void> {
  await query(url, "UPDATE carteiro_release SET lease_until = 0");
}

/** Checks that the tables of one release and at most of the one before exist. */
async function checkTables(url: string): Promise<void> {
  const tables = await query(
    url,
    "SELECT name FROM sqlite_master WHERE name LIKE 'localidade_%'",
  );
  assert(tables.length <= 2, tables.join());
}

const CHANGES: readonly (readonly [
  name: string,
  change: (store: Store, version: Version) => Promise<void>,
])[] = [["import", importVersion], ["update", updateTo]];

/** Returns numbers of some requests of a change, with those at its end. */
function someOf(total: number): number[] {
  const quarters = [1, 2, 3].map((it) => Math.round(it * total / 4));
  return [1, ...quarters, total - 2, total - 1, total];
}

for (const [name, change] of CHANGES) {
  for (const [moment, isAnswerLost] of Object.entries(MOMENTS)) {
    test(`an ${name} whose primary is killed ${moment} leaves the old or the new data, and the next succeeds`, async (t) => {
      await using primary = await Sqld.start();
      const { url } = primary;
      await withStore(url, fetch, (store) => importVersion(store, "one"));
      const [one, two] = [await recordsOf("one"), await recordsOf("two")];
      const total = await countRequests(url, (store) => change(store, "two"));
      assert(total > 5);
      for (const n of someOf(total)) {
        await t.step(`request ${n} of ${total}`, async () => {
          await withStore(url, fetch, (store) => importVersion(store, "one"));
          const send = killAt(n, primary, { isAnswerLost, restarts: false });
          const start = performance.now();
          const error = await withStore(
            url,
            send,
            (store) => change(store, "two"),
            "short",
          ).then(() => undefined, (error: Error) => error);
          assertLess(performance.now() - start, 20_000);
          await primary.restart();
          const left = await recordsIn(url);
          // The lost request may be the publication, or one after it.
          const isNew = left.get(CODES[0]!) === two.get(CODES[0]!);
          assert(isNew || error);
          // It is away, not damaged.
          if (error) assertMatch(error.message, /^Cannot (?!update)/);
          assert(!isNew || n >= total - 2);
          assertEquals(left, isNew ? two : one);
          await endLease(url);
          await withStore(url, fetch, (store) => importVersion(store, "three"));
          assertEquals(await recordsIn(url), await recordsOf("three"));
          await checkTables(url);
        });
      }
    });

    test(`an ${name} whose primary is killed ${moment} and is back soon succeeds`, async (t) => {
      await using primary = await Sqld.start();
      const { url } = primary;
      await withStore(url, fetch, (store) => importVersion(store, "one"));
      const total = await countRequests(url, (store) => change(store, "two"));
      for (const n of someOf(total)) {
        await t.step(`request ${n} of ${total}`, async () => {
          await withStore(url, fetch, (store) => importVersion(store, "one"));
          const send = killAt(n, primary, { isAnswerLost, restarts: true });
          await withStore(url, send, (store) => change(store, "two"));
          assertEquals(await recordsIn(url), await recordsOf("two"));
        });
      }
    });
  }
}

test("instances answer while the primary is killed, and recover by themselves", async () => {
  await using primary = await Sqld.start();
  using folder = new TemporaryFolder();
  const { url } = primary;
  await withStore(url, fetch, (store) => importVersion(store, "one"));
  await using memory = await Instance.start({ DB_URL: url });
  await using queries = await Instance.start({
    DB_URL: url,
    API_SNAPSHOT: "false",
  });
  await using near = await Instance.start({
    DB_URL: url,
    DB_PATH: folder.path,
    DB_SYNC_SECONDS: "1",
  });
  for (const it of [memory, queries, near]) await it.awaitVersion("one");
  await primary.kill();
  const records = await recordsOf("one");
  for (const it of [memory, near]) {
    for (const cep of CODES.slice(0, 20)) {
      const { status, body } = await it.ask(`/cep/${cep}`);
      assertEquals([status, JSON.stringify(body)], [200, records.get(cep)]);
    }
  }
  await near.check("one");
  const start = performance.now();
  const lost = await queries.ask(`/cep/${CODES[0]}`);
  assertLess(performance.now() - start, 10_000);
  assertEquals(lost.status, 503);
  assert(Number(lost.headers.get("retry-after")) > 0);
  assertEquals((await queries.ask("/livez")).status, 200);

  await primary.restart();
  await withStore(url, fetch, (store) => importVersion(store, "two"));
  for (const it of [memory, queries, near]) await it.awaitVersion("two");
});

test("instances answer while the primary does not respond, in bounded time", async () => {
  await using primary = await Sqld.start();
  using folder = new TemporaryFolder();
  const { url } = primary;
  await withStore(url, fetch, (store) => importVersion(store, "one"));
  await using queries = await Instance.start({
    DB_URL: url,
    API_SNAPSHOT: "false",
  });
  await using near = await Instance.start({
    DB_URL: url,
    DB_PATH: folder.path,
    DB_SYNC_SECONDS: "1",
  });
  for (const it of [queries, near]) await it.awaitVersion("one");
  primary.freeze();
  await near.check("one");
  const start = performance.now();
  const { status, headers } = await queries.ask(`/cep/${CODES[0]}`);
  assertLess(performance.now() - start, 15_000);
  assertEquals(status, 503);
  assert(Number(headers.get("retry-after")) > 0);
  await near.check("one");
  primary.thaw();
  await queries.awaitVersion("one");
});
