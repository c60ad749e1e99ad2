/** Downloads that an earlier poll or process left unfinished. */
import { assert, assertEquals } from "@std/assert";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Misbehave } from "./_release_server.ts";
import { Scene } from "./_scene.ts";

const NEW = "20040002";

/** Sends half of a file, and then closes the connection. */
const HALF: Misbehave = (response, content) => {
  response.writeHead(200, {
    "content-length": content.length,
    etag: '"half"',
  });
  response.write(
    content.subarray(0, content.length / 2),
    () => response.destroy(),
  );
};

/** Size of the unfinished download of a scene. */
function partSize(scene: Scene): number {
  const [name] = scene.names().filter((name) => name.endsWith(".part"));
  return name ? statSync(join(scene.folder.path, name)).size : 0;
}

/** Scene with about half of a release. */
async function halfScene(): Promise<{ scene: Scene; file: string }> {
  const scene = await Scene.open();
  const { file } = await scene.publisher.publish(NEW);
  scene.server.faults.set(file, HALF);
  await scene.follower.poll();
  assert(partSize(scene) > 0);
  scene.server.faults.clear();
  scene.server.takeNames();
  return { scene, file };
}

Deno.test("Follower continues a download with If-Range, by the same process", async () => {
  const { scene, file } = await halfScene();
  await using _ = scene;
  const size = partSize(scene);
  scene.server.faults.set(file, (response, content, { headers }) => {
    assertEquals(headers["if-range"], '"half"');
    response.writeHead(206, {
      "content-range": `bytes ${size}-${content.length - 1}/${content.length}`,
    }).end(content.subarray(size));
  });
  await scene.follower.poll();
  assertEquals(scene.server.takeNames(), [
    "manifest.json",
    `${file} bytes=${size}-`,
  ]);
  assertEquals(await scene.ceps(), [NEW]);
});

Deno.test("Follower continues a download of a process that ended", async () => {
  const { scene, file } = await halfScene();
  await using _ = scene;
  const size = partSize(scene);
  await scene.follow().poll();
  assertEquals(scene.server.takeNames(), [
    "manifest.json",
    `${file} bytes=${size}-`,
  ]);
  assertEquals(await scene.ceps(), [NEW]);
});

Deno.test("Follower continues to repair a file after an interruption", async () => {
  await using scene = await Scene.open();
  const { file } = await scene.publisher.publish(NEW);
  await scene.follower.poll();
  const path = join(scene.folder.path, "cep.db");
  const damaged = readFileSync(path).fill(0, 5000);
  writeFileSync(path, damaged);
  scene.server.faults.set(file, HALF);
  await scene.follow().poll();
  assertEquals(readFileSync(path), damaged);
  const size = partSize(scene);
  assert(size > 0);
  scene.server.faults.clear();
  scene.server.takeNames();
  await scene.follow().poll();
  assertEquals(scene.server.takeNames(), [
    "manifest.json",
    `${file} bytes=${size}-`,
  ]);
  assertEquals(await scene.ceps(), [NEW]);
  assertEquals(scene.names(), ["cep.db"]);
});

/** Servers that do not continue a download as asked. */
const CONTINUATIONS: readonly (readonly [
  name: string,
  change: (scene: Scene, file: string) => void,
])[] = [
  ["ignores Range", ({ server }) => server.ranges = false],
  ["has another file by now", ({ server }) => server.etags = true],
  ["refuses the range", ({ server }, file) => {
    server.faults.set(file, (response, content, { headers }) => {
      if (headers.range) response.writeHead(416).end();
      else response.end(content);
    });
  }],
  ["sends another range", ({ server }, file) => {
    server.faults.set(file, (response, content, { headers }) => {
      if (!headers.range) return void response.end(content);
      const range = `bytes 1-${content.length - 1}/${content.length}`;
      response.writeHead(206, { "content-range": range })
        .end(content.subarray(1));
    });
  }],
  ["sends no Content-Range", ({ server }, file) => {
    server.faults.set(file, (response, content, { headers }) => {
      if (headers.range) response.writeHead(206).end(content);
      else response.end(content);
    });
  }],
];

for (const [name, change] of CONTINUATIONS) {
  Deno.test(`Follower begins a download again if the server ${name}`, async () => {
    const { scene, file } = await halfScene();
    await using _ = scene;
    change(scene, file);
    await scene.follower.poll();
    assertEquals(await scene.ceps(), [NEW]);
    assertEquals(scene.errors().length, 1); // The half.
  });
}

/** Contents of an unfinished download that cannot be continued. */
const PARTS: readonly (readonly [
  name: string,
  change: (content: Uint8Array) => Uint8Array,
])[] = [
  ["has other bytes", (content) => content.map((byte) => byte ^ 1)],
  ["is too long", (content) => new Uint8Array(content.length + 10)],
  ["is complete, but with other bytes", (it) => new Uint8Array(it.length)],
  ["is complete", (content) => content],
  ["is empty", () => new Uint8Array()],
];

for (const [name, change] of PARTS) {
  Deno.test(`Follower takes a release although an unfinished download ${name}`, async () => {
    await using scene = await Scene.open();
    const { file, sha256 } = await scene.publisher.publish(NEW);
    const content = readFileSync(join(scene.publisher.path, file));
    const part = join(scene.folder.path, `cep-${sha256}.part`);
    const half = name.includes("bytes") && !name.includes("complete")
      ? content.subarray(0, 5000)
      : content;
    writeFileSync(part, change(half));
    await scene.follower.poll();
    assertEquals(scene.errors(), []);
    assertEquals(await scene.ceps(), [NEW]);
    assertEquals(scene.names(), ["cep.db"]);
  });
}

Deno.test("Follower removes unfinished downloads of other releases", async () => {
  await using scene = await Scene.open();
  await scene.publisher.publish(NEW);
  const part = join(scene.folder.path, `cep-${"a".repeat(64)}.part`);
  writeFileSync(part, "old");
  await scene.follower.poll();
  assertEquals(scene.names(), ["cep.db"]);
});
