import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { readFileSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { HttpSource } from "../../../../cep/store/follow/http_source.ts";
import { parseManifestAddress } from "../../../../cep/store/follow/release_url.ts";
import { ReleaseDirectory } from "../../../../cep/store/release_directory.ts";
import { redirect, respond } from "./_release_server.ts";
import { Scene } from "./_scene.ts";

const OLD = "01310100";
const NEW = "20040002";
const TAKING = "Taking a new release, and refusing imports meanwhile";

Deno.test("Follower takes the release of the manifest, and asks only for changes afterwards", async () => {
  await using scene = await Scene.open({ now: () => Date.UTC(2026, 0, 2) });
  const { follower, publisher, server } = scene;
  assertEquals(follower.freshness(), { syncedAt: null });
  const { file, ...facts } = await publisher.publish(OLD);
  await follower.poll();
  assertEquals(await scene.ceps(), [OLD]);
  assertEquals(scene.names(), ["cep.db"]);
  assertEquals(follower.freshness(), {
    syncedAt: "2026-01-02T00:00:00.000Z",
  });
  assertEquals(server.takeNames(), ["manifest.json", file]);
  await follower.poll();
  const [{ ifNoneMatch } = {}] = server.seen;
  assertMatch(ifNoneMatch!, /^"[0-9a-f]{64}"$/);
  assertEquals(server.takeNames(), ["manifest.json"]);
  assertEquals(scene.log.entries.map(({ message }) => message), [
    TAKING,
    "Took a new release",
  ]);
  const { release, bytes, total_ceps } = scene.log.at("info")[1]!;
  assertEquals([release, bytes, total_ceps], [
    facts.release,
    facts.bytes,
    facts.total_ceps,
  ]);
});

Deno.test("Follower goes back to an earlier release if the manifest does", async () => {
  await using scene = await Scene.open();
  const { follower, publisher } = scene;
  await publisher.publish(OLD);
  const old = publisher.manifest();
  await follower.poll();
  await publisher.publish(NEW);
  await follower.poll();
  publisher.lie({ ...old });
  await follower.poll();
  assertEquals(await scene.ceps(), [OLD]);
  assertEquals(scene.errors(), []);
});

/** Damages that only a SHA-256 shows. */
const DAMAGES: Readonly<Record<string, (content: Buffer) => Uint8Array>> = {
  "has more bytes": (content) => Buffer.concat([content, Buffer.from("x")]),
  "has one wrong byte": (content) => {
    content[content.length >> 1]! ^= 1;
    return content;
  },
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  Deno.test(`Follower takes a release again whose file ${name}`, async () => {
    await using scene = await Scene.open();
    const { file } = await scene.publisher.publish(OLD);
    for (const follower of [scene.follower, scene.follow()]) {
      await follower.poll();
      const path = join(scene.folder.path, "cep.db");
      const whole = readFileSync(path);
      writeFileSync(path, damage(readFileSync(path)));
      scene.server.takeNames();
      for (let i = 0; i < 2; i++) await follower.poll();
      assertEquals(readFileSync(path), whole);
      const names = ["manifest.json", file, "manifest.json"];
      assertEquals(scene.server.takeNames(), names);
    }
    assertEquals(scene.errors(), []);
  });
}

Deno.test("Follower keeps its release if the disk has no space, and takes the new one when it has", async () => {
  let free = Infinity;
  await using scene = await Scene.open({
    freeBytes: () => Promise.resolve(free),
  });
  const { follower, publisher, server } = scene;
  await publisher.publish(OLD);
  await follower.poll();
  const { bytes } = await publisher.publish(NEW);
  free = bytes - 1;
  server.takeNames();
  for (let i = 0; i < 3; i++) await follower.poll();
  assertEquals(server.takeNames(), Array(3).fill("manifest.json"));
  assertEquals(scene.errors(), [
    `Cannot store the release in "${scene.folder.path}": it needs ${bytes} ` +
    "bytes, which are not free",
  ]);
  assertEquals(await scene.ceps(), [OLD]);
  free = bytes;
  await follower.poll();
  assertEquals(await scene.ceps(), [NEW]);
});

Deno.test("Follower keeps its release if the file cannot be renamed, and does not download it again", async () => {
  let fails = true;
  await using scene = await Scene.open();
  const directory = new ReleaseDirectory(scene.folder.path, {
    rename: async (from, to) => {
      if (fails) throw Object.assign(new Error("EIO"), { code: "EIO" });
      await rename(from, to);
    },
  });
  const follower = scene.follow({ directory });
  const { file } = await scene.publisher.publish(OLD);
  for (let i = 0; i < 3; i++) await follower.poll();
  assertEquals(scene.errors(), ["EIO"]);
  fails = false;
  await follower.poll();
  assertEquals(await scene.ceps(), [OLD]);
  const downloads = scene.server.takeNames()
    .filter((name) => name.startsWith(file));
  assertEquals(downloads.length, 1);
});

Deno.test("Follower sends the query string of the address for every file, and logs none", async () => {
  await using scene = await Scene.open();
  const address = parseManifestAddress(
    `${scene.server.url}/a/manifest.json?sig=SECRET)%20'x`,
  )!;
  const source = new HttpSource(address, fetch);
  const follower = scene.follow({ source });
  const { file } = await scene.publisher.publish(OLD);
  for (const name of ["manifest.json", file]) {
    scene.server.faults.set(name, respond(403));
    await follower.poll();
    scene.server.faults.set(name, redirect("http://192.0.2.1/?sig=SECRET"));
    await follower.poll();
    scene.server.faults.set(name, (response) => void response.destroy());
    await follower.poll();
    scene.server.faults.clear();
  }
  await scene.server[Symbol.asyncDispose]();
  await follower.poll();
  assertEquals(new Set(scene.server.seen.map(({ query }) => query)).size, 1);
  assertMatch(scene.server.seen[0]!.query, /SECRET/);
  assert(scene.errors().length >= 5);
  const log = JSON.stringify([scene.log.entries, follower.freshness()]);
  assert(!log.includes("SECRET"), log);
});

Deno.test("Follower reads a compressed manifest, but no compressed release", async () => {
  await using scene = await Scene.open();
  const { publisher, server, follower } = scene;
  const { file } = await publisher.publish(OLD);
  for (const name of ["manifest.json", file]) {
    server.faults.set(name, (response, content) => {
      response.writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync(content));
    });
  }
  await follower.poll();
  assertEquals(scene.errors(), [
    `Cannot read ${file}: the server compresses it (Content-Encoding)`,
  ]);
  server.faults.delete(file);
  await follower.poll();
  assertEquals(await scene.ceps(), [OLD]);
});

Deno.test("Follower follows redirects on the same scheme", async () => {
  await using scene = await Scene.open();
  const { publisher, server, follower } = scene;
  await publisher.publish(OLD);
  server.faults.set("manifest.json", (response, _, { url }) => {
    if (url === "/manifest.json") {
      response.writeHead(307, { location: "/moved/manifest.json" }).end();
    } else response.end(readFileSync(join(publisher.path, "manifest.json")));
  });
  await follower.poll();
  assertEquals(await scene.ceps(), [OLD]);
});

Deno.test("Follower.stop ends a download that hangs, which the next one continues", async () => {
  await using scene = await Scene.open({ stallMs: 60_000 });
  const { file } = await scene.publisher.publish(NEW);
  const sent = Promise.withResolvers<void>();
  scene.server.faults.set(file, (response: ServerResponse, content) => {
    response.writeHead(200, { "content-length": content.length });
    response.write(content.subarray(0, 70_000), () => sent.resolve());
  });
  scene.follower.start();
  await sent.promise;
  await scene.follower.stop();
  assertEquals(scene.log.entries.map(({ message }) => message), [TAKING]);
  scene.server.faults.clear();
  await scene.follow().poll();
  assertEquals(await scene.ceps(), [NEW]);
});

Deno.test("Follower logs once per release that it holds the lock of imports", async () => {
  await using scene = await Scene.open();
  for (const cep of [OLD, NEW]) {
    const { file } = await scene.publisher.publish(cep);
    scene.server.faults.set(file, respond(503));
    for (let i = 0; i < 3; i++) await scene.follower.poll();
  }
  const messages = scene.log.entries.map(({ message }) => message);
  assertEquals(messages.filter((it) => it === TAKING).length, 2);
});

Deno.test("Follower logs failures that alternate only once each", async () => {
  await using scene = await Scene.open();
  for (let i = 0; i < 3; i++) {
    for (const status of [403, 503]) {
      scene.server.faults.set("manifest.json", respond(status));
      await scene.follower.poll();
    }
  }
  assertEquals(scene.errors().length, 2);
});
