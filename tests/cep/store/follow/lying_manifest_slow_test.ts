/** Manifests and release files that are not what they claim. */
import { assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../../../cep/release/schema.ts";
import { alter, writeRelease } from "../_release.ts";
import { Scene } from "./_scene.ts";

const OLD = "01310100";
const NEW = "20040002";

/** Manifests that are not taken, with the reason. */
const MANIFESTS: readonly (readonly [
  name: string,
  text: string,
  error: RegExp,
])[] = [
  ["is empty", "", /it is not JSON/],
  ["is a page", "<!doctype html><title>Welcome</title>", /it is not JSON/],
  ["is of a static site", '{"formato": 1}', /format, file, bytes, .* must be/],
  ["is huge", `"${"x".repeat(70_000)}"`, /more than 65536 bytes/],
  ["is not UTF-8", "\uD800", /it is not JSON/],
];

for (const [name, text, error] of MANIFESTS) {
  Deno.test(`Follower keeps its release if the manifest ${name}, and recovers`, async () => {
    await using scene = await Scene.open();
    const { follower, publisher } = scene;
    await publisher.publish(OLD);
    await follower.poll();
    const truth = await publisher.publish(NEW);
    publisher.writeManifest(text);
    for (let i = 0; i < 3; i++) await follower.poll();
    assertEquals(scene.errors().length, 1);
    assertMatch(String(scene.errors()), /^Cannot read the manifest: /);
    assertMatch(String(scene.errors()), error);
    assertMatch(follower.freshness().error!, error);
    assertEquals(await scene.ceps(), [OLD]);
    publisher.writeManifest(JSON.stringify(truth));
    await follower.poll();
    assertEquals(await scene.ceps(), [NEW]);
  });
}

/** Lies of a manifest about its file, with the reason. */
const LIES: readonly (readonly [
  name: string,
  changes: Readonly<Record<string, unknown>>,
  error: RegExp,
])[] = [
  ["the SHA-256", { sha256: "0".repeat(64) }, /the SHA-256 of release-\w+\.db/],
  ["the size, too small", { bytes: 1000 }, /but the manifest says 1000/],
  ["the size, too large", { bytes: 1e9 }, /but the manifest says 1000000000/],
  ["the number of records", { total_ceps: 7 }, /not the release of the man/],
  ["the version of the tables", { schema_version: 999 }, /newer tables/],
  ["older tables", { schema_version: 1 }, /older tables/],
  ["the format", { format: 2 }, /its format is 2/],
  ["a climbing path", { file: "../manifest.json" }, /file must be/],
  ["another release's file", { file: "release-00000000.db" }, /its file must/],
];

for (const [name, changes, error] of LIES) {
  Deno.test(`Follower keeps its release if the manifest has a wrong value: ${name}`, async () => {
    await using scene = await Scene.open();
    const { follower, publisher } = scene;
    await publisher.publish(OLD);
    await follower.poll();
    const truth = await publisher.publish(NEW);
    publisher.lie(changes);
    for (let i = 0; i < 3; i++) await follower.poll();
    assertEquals(scene.errors().length, 1, String(scene.errors()));
    assertMatch(String(scene.errors()), error);
    assertMatch(follower.freshness().error!, error);
    assertEquals(await scene.ceps(), [OLD]);
    publisher.lie({ ...truth });
    // An unusable release with the same hash is not tried at each poll.
    for (let i = 0; i < 3; i++) await follower.poll();
    assertEquals(await scene.ceps(), [NEW]);
    assertEquals(scene.names(), ["cep.db"]);
    assertEquals(follower.freshness().error, undefined);
    assertEquals(
      scene.log.entries.at(-1)?.message,
      "Releases are followed again",
    );
  });
}

Deno.test("Follower keeps its release if the manifest names another release than the file has", async () => {
  await using scene = await Scene.open();
  const { follower, publisher } = scene;
  await publisher.publish(OLD);
  await follower.poll();
  const { file } = await publisher.publish(NEW);
  copyFileSync(
    join(publisher.path, file),
    join(publisher.path, "release-0badcafe.db"),
  );
  publisher.lie({ file: "release-0badcafe.db", release: "0badcafe" });
  await follower.poll();
  assertMatch(String(scene.errors()), /it is not the release of the manifest/);
  assertEquals(await scene.ceps(), [OLD]);
  assertEquals(scene.names(), ["cep.db"]);
});

/** Files that no store could use, with the reason. */
const UNUSABLE: readonly (readonly [
  name: string,
  write: (path: string) => unknown,
  error: RegExp,
])[] = [
  ["a text", (path) => writeFileSync(path, "text"), /not a database of this/],
  ["of newer tables", async (path) => {
    await writeRelease(path);
    alter(path, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  }, /newer version/],
  ["without a release", async (path) => {
    await writeRelease(path);
    alter(path, "DELETE FROM release");
  }, /contains no release/],
  ["with a snapshot of zeros", async (path) => {
    await writeRelease(path);
    alter(path, "UPDATE snapshot SET bytes = zeroblob(length(bytes))");
  }, /Cannot read snapshot: its checksum does not match/],
  ["with a search index of zeros", async (path) => {
    await writeRelease(path);
    alter(path, "UPDATE busca SET bytes = zeroblob(length(bytes))");
  }, /Cannot read search index: its checksum does not match/],
  ["cut off", async (path) => {
    await writeRelease(path);
    writeFileSync(path, readFileSync(path).subarray(0, -4096));
  }, /it is incomplete/],
];

for (const [name, write, error] of UNUSABLE) {
  Deno.test(`Follower refuses a file ${name} whose SHA-256 is that of the manifest`, async () => {
    await using scene = await Scene.open();
    const { follower, publisher } = scene;
    await publisher.publish(OLD);
    await follower.poll();
    const { file } = await publisher.publish(NEW);
    const path = join(publisher.path, file);
    await write(`${path}.new`);
    const content = readFileSync(`${path}.new`);
    writeFileSync(path, content);
    publisher.lie({
      bytes: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
    await follower.poll();
    assertMatch(String(scene.errors()), error);
    assertEquals(await scene.ceps(), [OLD]);
    assertEquals(scene.names(), ["cep.db"]);
  });
}

Deno.test("Follower tries an unusable release again after twice as many polls each time", async () => {
  await using scene = await Scene.open();
  const { follower, publisher, server } = scene;
  const { file } = await publisher.publish(OLD);
  publisher.lie({ sha256: "0".repeat(64) });
  const tried: number[] = [];
  for (let poll = 0; poll < 200; poll++) {
    await follower.poll();
    if (server.takeNames().includes(file)) tried.push(poll);
  }
  const waits = tried.slice(1).map((poll, i) => poll - tried[i]! - 1);
  assertEquals(waits, [1, 2, 4, 8, 16, 32, 64, 64]);
});
