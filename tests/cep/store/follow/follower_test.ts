/** Behaviour of a follower of any origin. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReleaseDirectory } from "../../../../cep/store/release_directory.ts";
import { cepsOf, OpenedStore } from "../../_stores.ts";
import { alter } from "../_release.ts";
import { testFollower } from "./_origins.ts";

const OLD = "01310100";
const NEW = "20040002";
const TIME = Date.parse("2026-02-03T04:05:06.000Z");

testFollower(
  "takes each release, while a store answers from the one before",
  async ({ origin, folder, follower }) => {
    assertEquals(follower.freshness(), { syncedAt: null });
    await origin.publish(OLD);
    await follower.poll();
    await using opened = await OpenedStore.open({ path: folder.path });
    assertEquals(await cepsOf(opened.store), [OLD]);
    await origin.publish(NEW);
    assertEquals(await cepsOf(opened.store), [OLD]);
    await follower.poll();
    await opened.log.logged("Opened a new release");
    assertEquals(await cepsOf(opened.store), [NEW]);
    assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  },
);

testFollower("takes no release again, by any process", async (scene) => {
  await scene.origin.publish(OLD);
  await scene.follower.poll();
  for (const follower of [scene.follow(), scene.follow()]) {
    for (let i = 0; i < 2; i++) await follower.poll();
    assert(follower.freshness().syncedAt !== null);
  }
  assertEquals(scene.taken, 1);
});

testFollower("polls by itself until it is stopped", async (scene) => {
  const follower = scene.follow({ pollMs: 1 });
  await scene.origin.publish(OLD);
  follower.start();
  await scene.log.logged("Took a new release");
  await scene.origin.publish(NEW);
  await scene.log.logged("Took a new release", 2);
  await follower.stop();
  assertEquals(await scene.ceps(), [NEW]);
});

testFollower(
  "keeps its release while the origin is away, and says since when",
  async (scene) => {
    let now = TIME;
    const follower = scene.follow({ now: () => now });
    await scene.origin.publish(OLD);
    await follower.poll();
    const syncedAt = new Date(TIME).toISOString();
    assertEquals(follower.freshness(), { syncedAt });
    scene.origin.cut(true);
    now += 60_000;
    for (let i = 0; i < 2; i++) await follower.poll();
    const { error, ...age } = follower.freshness();
    assert(error);
    assertEquals(age, { syncedAt });
    assertEquals(await scene.ceps(), [OLD]);
    assertEquals(scene.log.at("error").map((it) => it["error"]), [error]);
    scene.origin.cut(false);
    await follower.poll();
    assertEquals(follower.freshness(), {
      syncedAt: new Date(now).toISOString(),
    });
    await scene.log.logged("Releases are followed again");
  },
);

testFollower("waits while another process imports", async (scene) => {
  await scene.origin.publish(OLD);
  const unlock = await new ReleaseDirectory(scene.folder.path).lock("a seed");
  await scene.follower.poll();
  assertEquals(scene.log.entries, []);
  assertEquals(scene.follower.freshness(), { syncedAt: null });
  await unlock();
  await scene.follower.poll();
  assertEquals(await scene.ceps(), [OLD]);
});

testFollower("takes a release once for several instances", async (scene) => {
  await scene.origin.publish(OLD);
  const followers = Array.from({ length: 4 }, () => scene.follow());
  for (let i = 0; i < 2; i++) {
    await Promise.all(followers.map((follower) => follower.poll()));
  }
  assertEquals(scene.taken, 1);
  assertEquals(scene.log.at("error"), []);
  for (const follower of followers) {
    assert(follower.freshness().syncedAt !== null);
  }
});

/** Replaces the content of a file. */
function change(
  path: string,
  edit: (content: Uint8Array) => Uint8Array,
): void {
  writeFileSync(path, edit(readFileSync(path)));
}

/** Damages of the current file. */
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  "lacks its last byte": (path) => change(path, (it) => it.subarray(0, -1)),
  "lacks its last page": (path) => change(path, (it) => it.subarray(0, -4096)),
  "is cut": (path) => truncateSync(path, 20_000),
  "is empty": (path) => truncateSync(path),
  "consists of zeros": (path) => change(path, (it) => it.fill(0)),
  "is torn": (path) => change(path, (it) => it.fill(1, 5 * 8192, 6 * 8192)),
  "has zeros in place of its second half": (path) =>
    change(path, (it) => it.fill(0, it.length / 2)),
  "is removed": (path) => rmSync(path),
  "is of an older version": (path) => alter(path, "PRAGMA user_version = 1"),
  "is of another release": (path) => alter(path, "UPDATE release SET id = 5"),
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  testFollower(`takes a release again whose file ${name}`, async (scene) => {
    const { origin, folder, follower } = scene;
    await origin.publish(OLD);
    for (const instance of [follower, scene.follow()]) {
      await instance.poll();
      damage(folder.file);
      await using opened = await OpenedStore.open({ path: folder.path });
      for (let i = 0; i < 2; i++) await instance.poll();
      await opened.log.logged("Opened a new release");
      assertEquals(await cepsOf(opened.store), [OLD]);
      assertEquals(folder.names(), ["cep.db", "seed.lock"]);
    }
    assertEquals(scene.taken, 3);
    assertEquals(scene.log.at("error"), []);
  });
}

/** Files that are not of this version of the program. */
const FOREIGN: Readonly<Record<string, (path: string) => void>> = {
  "is of a newer version": (path) => alter(path, "PRAGMA user_version = 1000"),
  "is text": (path) => writeFileSync(path, "some text".repeat(1000)),
  "is of another program": (path) => {
    rmSync(path);
    alter(path, "CREATE TABLE other (a)");
  },
};

for (const [name, replace] of Object.entries(FOREIGN)) {
  testFollower(`never loses a file that ${name}`, async (scene) => {
    const { origin, folder, follower, log } = scene;
    await origin.publish(OLD);
    await follower.poll();
    replace(folder.file);
    const content = readFileSync(folder.file);
    for (let i = 0; i < 2; i++) await follower.poll();
    const [kept = "cep.db"] = folder.names()
      .filter((name) => name.startsWith("cep.db.kept-"));
    assertEquals(readFileSync(join(folder.path, kept)), content);
    // The folder of a replica has nothing of its own.
    if (origin.open().setsAside) assertEquals(await scene.ceps(), [OLD]);
    else {
      assertEquals(log.at("error").length, 1);
      assertMatch(follower.freshness().error!, /^Cannot import into ".*cep.db/);
    }
  });
}
