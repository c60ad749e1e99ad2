/** Instances with a replica of a primary. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openStore } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../cep/_logger.ts";
import { type LogLine, run } from "../cep/_process.ts";
import { contentOf } from "../cep/_stores.ts";
import { importVersion, recordsOf, updateTo, writeVersion } from "./_data.ts";
import { Instance } from "./_instance.ts";
import { FILES, Scene } from "./_replica_scene.ts";
import { Sqld } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";

const test = await testsWith("sqld");

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
  const deadline = Date.now() + 15_000;
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
