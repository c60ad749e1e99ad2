/** Instances with a replica of a primary, and their faults. */
import { openStore, type Store } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../cep/_logger.ts";
import { type LogLine, run } from "../cep/_process.ts";
import { contentOf } from "../cep/_stores.ts";
import { within } from "../cep/_within.ts";
import { importVersion, recordsOf, updateTo, writeVersion } from "./_data.ts";
import { Instance } from "./_instance.ts";
import { Link } from "./_link.ts";
import { Sqld, SqldKeys } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const test = await testsWith("sqld");

/** Files of a replica. */
const FILES: readonly string[] = ["cep.db", "replica.sync", "seed.lock"];

/** Primary, and a link to it that replicas use. */
class Scene implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly folder: TemporaryFolder = this.#stack.use(new TemporaryFolder());

  private constructor(readonly primary: Sqld, readonly link: Link) {
    this.#stack.use(primary);
    this.#stack.use(link);
  }

  static async open(): Promise<Scene> {
    const primary = await Sqld.start();
    return new Scene(primary, await Link.open(primary.port));
  }

  /** Starts an instance with a replica. */
  start(
    env: Record<string, string> = {},
    prefix: readonly string[] = [],
  ): Promise<Instance> {
    return Instance.start({
      DB_URL: this.link.url,
      DB_PATH: this.folder.path,
      DB_SYNC_SECONDS: "1",
      ...env,
    }, prefix);
  }

  /** Opens a store on the primary. */
  async store(): Promise<Store> {
    const store = await openStore({ url: this.primary.url });
    this.#stack.defer(() => store.close());
    return store;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Reads the value of a metric without labels. */
async function metric(instance: Instance, name: string): Promise<number> {
  const { body } = await instance.ask("/metrics");
  const [, value] = new RegExp(`^${name} (.*)$`, "m").exec(body) ?? [];
  return value === "+Inf" ? Infinity : Number(value);
}

test("MODE=seed with DB_URL and DB_PATH imports into the primary, and MODE=listen reads it from both", async () => {
  await using scene = await Scene.open();
  using raw = new TemporaryFolder();
  const env = {
    MODE: "seed",
    DB_URL: scene.primary.url,
    DB_PATH: scene.folder.path,
    ...writeVersion(raw.path, "one"),
  };
  const { code, lines } = await run(env);
  assertEquals(code, 0, JSON.stringify(lines));
  assertEquals(readdirSync(scene.folder.path), []);
  await using near = await scene.start();
  await near.awaitVersion("one");
  await using remote = await Instance.start({ DB_URL: scene.primary.url });
  await remote.check("one");
});

test("a replica answers while the primary is away, says how old its data is, and follows again", async () => {
  await using scene = await Scene.open();
  const store = await scene.store();
  await importVersion(store, "one");
  await using near = await scene.start();
  await near.awaitVersion("one");
  const fresh = await near.ask("/healthcheck");
  assertMatch(fresh.body.data.synced_at, /^\d{4}-\d\d-\d\dT.+Z$/);
  assert(await metric(near, "cep_sync_age_seconds") < 60);

  scene.link.cut();
  await near.process.line(
    "of the loss",
    ({ message }) => message.startsWith("Cannot take the release"),
  );
  await updateTo(store, "two");
  await near.check("one");
  const stale = await near.ask("/healthcheck");
  assertEquals(stale.status, 200);
  const { synced_at } = stale.body.data;
  assert(synced_at >= fresh.body.data.synced_at);
  // The age grows while the time of the last sync stays.
  await near.awaitAnswer("/metrics", ({ body }) => {
    const age = Number(/^cep_sync_age_seconds (.*)$/m.exec(body)?.[1]);
    return age > 2;
  });
  assertEquals((await near.ask("/healthcheck")).body.data, stale.body.data);

  // A new process begins from its file.
  await using second = await scene.start();
  await second.check("one");
  assertEquals((await second.ask("/healthcheck")).body.data, stale.body.data);

  scene.link.mend();
  await near.awaitVersion("two");
  await second.awaitVersion("two");
  // The time is noted after the release is in use.
  await near.awaitAnswer(
    "/healthcheck",
    ({ body }) => body.data.synced_at > synced_at,
  );
});

test("a replica without data waits for the primary", async () => {
  await using scene = await Scene.open();
  scene.link.cut();
  await using near = await scene.start();
  assertEquals((await near.ask("/healthcheck")).status, 503);
  assertEquals((await near.ask("/cep/02000000")).status, 503);
  assertEquals((await near.ask("/livez")).status, 200);
  assertEquals(await metric(near, "cep_sync_age_seconds"), Infinity);
  scene.link.mend();
  await near.process.line(
    "of the empty primary",
    ({ error }) => /the primary has no release/.test(String(error)),
  );
  await importVersion(await scene.store(), "one");
  await near.awaitVersion("one");
});

test("a replica of a sqld replica follows the primary", async () => {
  await using scene = await Scene.open();
  await using follower = await Sqld.start({ primary: scene.primary });
  const store = await scene.store();
  await importVersion(store, "one");
  await using near = await scene.start({ DB_URL: follower.url });
  await near.awaitVersion("one");
  await importVersion(store, "two");
  await near.awaitVersion("two");
});

test("two instances share the folder of a replica", async () => {
  await using scene = await Scene.open();
  const store = await scene.store();
  await importVersion(store, "one");
  await using one = await scene.start();
  await using two = await scene.start();
  for (const it of [one, two]) await it.awaitVersion("one");
  await importVersion(store, "two");
  for (const it of [one, two]) await it.awaitVersion("two");
  await Promise.all([one.stop(), two.stop()]);
  assertEquals(readdirSync(scene.folder.path).sort(), FILES);
});

/** Returns a test for the line of a thread that opens the second release. */
function isOpening(thread: number): (line: LogLine) => boolean {
  let opened = 0;
  return (line) =>
    line.thread === thread && line.message === "Opened a new release" &&
    ++opened === 2;
}

test("two threads of an instance share a replica", async () => {
  await using scene = await Scene.open();
  const store = await scene.store();
  await importVersion(store, "one");
  await using near = await scene.start({ WORKERS: "2" });
  await near.awaitVersion("one");
  await importVersion(store, "two");
  await near.process.line("of a thread", isOpening(1));
  await near.process.line("of the other thread", isOpening(2));
  await near.awaitVersion("two");
});

test("openStore with a URL and a folder opens a replica that follows", async () => {
  await using scene = await Scene.open();
  const store = await scene.store();
  await importVersion(store, "one");
  const replica = await openStore({
    url: scene.link.url,
    path: scene.folder.path,
    syncSeconds: 1,
    logger: new CapturingLogger(),
  });
  assertEquals(await contentOf(replica), await contentOf(store));
  await importVersion(replica, "two");
  const { release } = await contentOf(store);
  const deadline = Date.now() + 60_000;
  while ((await replica.release())?.id !== release?.id) {
    assert(Date.now() < deadline);
    await delay(20);
  }
  assertEquals(await contentOf(replica), await contentOf(store));
  await replica.close();
});

test("MODE=export with a replica exports the data of the primary, or its own while that is away", async () => {
  await using scene = await Scene.open();
  await importVersion(await scene.store(), "one");
  const records = [...(await recordsOf("one")).values()];
  const env = {
    MODE: "export",
    DB_URL: scene.link.url,
    DB_PATH: scene.folder.path,
  };
  for (const isAway of [false, true]) {
    if (isAway) scene.link.cut();
    const { code, lines } = await run(env);
    assertEquals(code, 0, JSON.stringify(lines));
    const exported = lines.filter((it) => "cep" in it)
      .map((it) => JSON.stringify(it));
    assertEquals(exported, records);
  }
});

/** Waits until a folder has an unfinished release. */
async function copying(folder: string): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const look = () => {
    if (readdirSync(folder).some((it) => it.endsWith(".building"))) {
      begun.resolve();
    }
  };
  const watcher = watch(folder, look);
  look();
  await within("the copy", begun.promise);
  watcher.close();
}

for (const bytes of [2_000, 20_000]) {
  test(`an instance killed after ${bytes} bytes of a copy answers from its old data, and copies again`, async () => {
    await using scene = await Scene.open();
    const store = await scene.store();
    await importVersion(store, "one");
    {
      await using near = await scene.start();
      await near.awaitVersion("one");
    }
    scene.link.hold(bytes);
    await importVersion(store, "two");
    {
      await using near = await scene.start();
      await copying(scene.folder.path);
      await near.check("one");
      near.process.kill("SIGKILL");
      assertEquals((await near.process.end()).signal, "SIGKILL");
    }
    scene.link.cut();
    await using near = await scene.start();
    await near.check("one");
    scene.link.mend();
    await near.awaitVersion("two");
    await near.stop();
    assertEquals(readdirSync(scene.folder.path).sort(), FILES);
  });
}

for (
  const [name, bytes] of [["empty", ""], ["cut", "SQLite format 3\0"], [
    "foreign",
    "some text",
  ]] as const
) {
  test(`an instance whose file is ${name} starts, and copies again`, async () => {
    await using scene = await Scene.open();
    await importVersion(await scene.store(), "one");
    writeFileSync(join(scene.folder.path, "cep.db"), bytes);
    await using near = await scene.start();
    await near.awaitVersion("one");
    await near.stop();
    const names = readdirSync(scene.folder.path)
      .filter((it) => !it.startsWith("cep.db.kept-"));
    assertEquals(names.sort(), FILES);
  });
}

test("an instance on a full disk answers from its old data, and copies when there is space", async () => {
  await using scene = await Scene.open();
  const store = await scene.store();
  await importVersion(store, "one");
  {
    await using near = await scene.start();
    await near.awaitVersion("one");
  }
  await importVersion(store, "two");
  {
    // Limits the size of files in blocks of 512 bytes: a write fails as on a
    // full disk. Without the trap, SIGXFSZ would end the process.
    const shell = 'trap "" XFSZ; ulimit -f 100; exec "$0" "$@"';
    await using near = await scene.start({}, ["sh", "-c", shell]);
    await near.process.line(
      "of the full disk",
      ({ message }) => message.startsWith("Cannot take the release"),
    );
    await near.check("one");
  }
  await using near = await scene.start();
  await near.awaitVersion("two");
  await near.stop();
  assertEquals(readdirSync(scene.folder.path).sort(), FILES);
});

test("an instance stops at once while the primary does not respond", async () => {
  await using scene = await Scene.open();
  await importVersion(await scene.store(), "one");
  scene.link.hold(20_000);
  await using near = await scene.start({ API_SHUTDOWN_SECONDS: "1" });
  await copying(scene.folder.path);
  await within("the hold", scene.link.held);
  await near.stop();
  assertEquals(readdirSync(scene.folder.path), ["seed.lock"]);
});

test("a replica with a wrong token keeps its data, and shows the token nowhere", async () => {
  const keys = new SqldKeys();
  await using primary = await Sqld.start({ keys });
  using folder = new TemporaryFolder();
  const env = {
    DB_URL: primary.url,
    DB_PATH: folder.path,
    DB_SYNC_SECONDS: "1",
  };
  const authToken = await keys.sign();
  const store = await openStore({ url: primary.url, authToken });
  await importVersion(store, "one");
  await store.close();
  {
    const token = await keys.sign("ro");
    await using near = await Instance.start({ ...env, DB_AUTH_TOKEN: token });
    await near.awaitVersion("one");
  }
  const forged = await new SqldKeys().sign();
  await using near = await Instance.start({ ...env, DB_AUTH_TOKEN: forged });
  await near.check("one");
  await near.process.line(
    "of the token",
    ({ error }) => /token/.test(String(error)),
  );
  const health = await near.ask("/healthcheck");
  const metrics = await near.ask("/metrics");
  const shown = JSON.stringify([near.process.lines, health, metrics]) +
    near.process.stderr;
  assertEquals(shown.includes(forged), false);
});
