/** Faults of an instance with a replica, and of its file. */
import { assertEquals } from "@std/assert";
import { readdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { within } from "../cep/_within.ts";
import { importVersion } from "./_data.ts";
import { Instance } from "./_instance.ts";
import { FILES, Scene } from "./_replica_scene.ts";
import { Sqld, SqldKeys } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";

const test = await testsWith("sqld");

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
