/** Services that take releases from `RELEASE_URL`, in separate processes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { cepCommand, type Environment, outputOf } from "../_program.ts";
import { Process } from "./_process.ts";
import { ReleaseServer } from "./store/follow/_release_server.ts";
import { Publisher } from "./store/follow/_scene.ts";
import { alter } from "./store/_release.ts";

const OLD = "01310100";
const NEW = "20040002";

const OPENED = "Opened a new release";
const FAILED = "Cannot take the release, the last one stays in use";

/** Publisher, its server, and the folder of an instance. */
class Scene implements AsyncDisposable {
  readonly publisher: Publisher;
  readonly folder = new TemporaryFolder("instance");
  readonly server: ReleaseServer;
  readonly #processes: Process[] = [];

  private constructor(server: ReleaseServer, publisher: Publisher) {
    this.server = server;
    this.publisher = publisher;
  }

  static async open(): Promise<Scene> {
    const publisher = new Publisher();
    return new Scene(await ReleaseServer.start(publisher.path), publisher);
  }

  /** Starts an instance. */
  start(env: Environment = {}, prefix: readonly string[] = []): Process {
    const [program, ...args] = [...prefix, ...cepCommand()];
    const started = Process.service([program!, ...args], {
      DB_PATH: this.folder.path,
      RELEASE_URL: `${this.server.url}/?signature=SECRET`,
      RELEASE_POLL_SECONDS: "1",
      API_RATE_LIMIT_ENABLE: "false",
      ...env,
    });
    this.#processes.push(started);
    return started;
  }

  /** Runs an instance until it has taken a release. */
  async startOnce(): Promise<void> {
    const started = this.start();
    await started.logged(OPENED);
    started.kill("SIGKILL");
    await started.end();
  }

  /** Names of the files of the instance, without the lock. */
  names(): string[] {
    return readdirSync(this.folder.path).sort()
      .filter((name) => !name.startsWith("seed.lock"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const it of this.#processes) await it[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    this.publisher[Symbol.dispose]();
    this.folder[Symbol.dispose]();
  }
}

/** Returns the status of a lookup. */
async function lookup(service: Process, cep: string): Promise<number> {
  const url = `http://127.0.0.1:${await service.port()}/cep/${cep}`;
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

/** Returns `data` of the health check. */
async function health(service: Process): Promise<Record<string, unknown>> {
  const url = `http://127.0.0.1:${await service.port()}/healthcheck`;
  return (await (await fetch(url)).json()).data;
}

Deno.test("MODE=listen with RELEASE_URL returns 503 until the first release is complete, then answers from each new one", async () => {
  await using scene = await Scene.open();
  const { file } = await scene.publisher.publish(OLD);
  const held = Promise.withResolvers<void>();
  scene.server.faults.set(file, async (response, content) => {
    await held.promise;
    response.end(content);
  });
  const service = scene.start();
  assertEquals(await lookup(service, OLD), 503);
  held.resolve();
  await service.logged(OPENED);
  assertEquals(await lookup(service, OLD), 200);
  const { synced_at } = await health(service);
  assertMatch(String(synced_at), /^\d{4}-/);
  const { release } = await scene.publisher.publish(NEW);
  await service.line(
    "of the new release",
    (line) => line.message === OPENED && line.release === release,
  );
  assertEquals(await lookup(service, OLD), 404);
  assertEquals(await lookup(service, NEW), 200);
  assertEquals(scene.names(), ["cep.db"]);
  service.kill("SIGTERM");
  const { code, stderr } = await service.end();
  if (process.platform !== "win32") assertEquals(code, 0);
  assertEquals(stderr, "");
  assert(!JSON.stringify(service.lines).includes("SECRET"));
});

Deno.test("MODE=listen with RELEASE_URL answers at once from a local release, while the address is down", async () => {
  await using scene = await Scene.open();
  await scene.publisher.publish(OLD);
  await scene.startOnce();
  scene.server.faults.set("manifest.json", (it) => void it.destroy());
  const service = scene.start();
  assertEquals(await lookup(service, OLD), 200);
  assertMatch(
    String((await service.logged(FAILED)).error),
    /^Cannot read the manifest: /,
  );
  assertEquals((await health(service)).synced_at, null);
  assert(!JSON.stringify(service.lines).includes("SECRET"));
});

Deno.test("MODE=listen with RELEASE_URL continues a download after SIGKILL, while another instance answers from the same folder", async () => {
  await using scene = await Scene.open();
  await scene.publisher.publish(OLD);
  const first = scene.start();
  await first.logged(OPENED);
  const { file, bytes } = await scene.publisher.publish(NEW);
  const sent = Promise.withResolvers<void>();
  scene.server.faults.set(file, (response, content) => {
    response.writeHead(200, { "content-length": content.length });
    response.write(content.subarray(0, 70_000), () => sent.resolve());
  });
  await sent.promise;
  // Received, too.
  let size = 0;
  while (size === 0) {
    const [part] = scene.names().filter((name) => name.endsWith(".part"));
    if (part) size = statSync(join(scene.folder.path, part)).size;
    await lookup(first, OLD);
  }
  assert(size < bytes);
  first.kill("SIGKILL");
  await first.end();
  scene.server.takeNames();
  scene.server.faults.clear();
  const second = scene.start();
  const third = scene.start();
  await Promise.race([
    second.logged("Took a new release"),
    third.logged("Took a new release"),
  ]);
  const ranges = scene.server.takeNames().filter((name) =>
    name.startsWith(file)
  );
  assertEquals(ranges.length, 1);
  assertMatch(ranges[0]!, / bytes=[1-9]\d*-$/);
  for (const service of [second, third]) {
    while (await lookup(service, NEW) !== 200);
  }
  assertEquals(scene.names(), ["cep.db"]);
});

Deno.test("three instances answer from the old or the new release while they take it", async () => {
  using folders = new TemporaryFolder("instances");
  await using scene = await Scene.open();
  await scene.publisher.publish(OLD);
  const services = ["a", "b", "c"].map((name) =>
    scene.start({ DB_PATH: join(folders.path, name) })
  );
  for (const service of services) await service.logged(OPENED);
  const { release } = await scene.publisher.publish(NEW);
  const swapped = Promise.all(
    services.map((service) =>
      service.line(
        "of the new release",
        (line) => line.message === OPENED && line.release === release,
      )
    ),
  );
  let done = false;
  swapped.finally(() => done = true).catch(() => {});
  const seen = new Set<string>();
  while (!done) {
    for (const service of services) {
      const statuses = [await lookup(service, OLD), await lookup(service, NEW)];
      seen.add(statuses.join());
    }
  }
  await swapped;
  for (const service of services) {
    assertEquals(await lookup(service, NEW), 200);
  }
  // Between the two requests, an instance may change to the new release.
  seen.delete("200,200");
  assertEquals(
    [...seen].filter((it) => !["200,404", "404,200"].includes(it)),
    [],
  );
  assert(seen.has("200,404"));
});

Deno.test({
  name:
    "MODE=listen with RELEASE_URL answers from the old release on a full disk, and takes the new one when it has space",
  ignore: process.platform === "win32",
  async fn() {
    await using scene = await Scene.open();
    const { bytes } = await scene.publisher.publish(OLD);
    await scene.startOnce();
    const many = Array.from(
      { length: 20_000 },
      (_, i) => String(10_000_000 + i),
    );
    const large = await scene.publisher.publish(...many);
    assert(large.bytes > 2 * bytes);
    // As in the tests of MODE=seed.
    const blocks = Math.floor(1.2 * bytes / 512);
    const shell = `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
    const service = scene.start({}, ["sh", "-c", shell]);
    assertMatch(
      String((await service.logged(FAILED)).error),
      /^Cannot store the release in "/,
    );
    assertEquals(await lookup(service, OLD), 200);
    assertEquals(scene.names(), ["cep.db"]);
    service.kill("SIGTERM");
    assertEquals((await service.end()).code, 0);
    const next = scene.start();
    await next.logged("Took a new release");
    while (await lookup(next, many[0]!) !== 200);
  },
});

Deno.test("MODE=listen with RELEASE_URL replaces a local file of an older version of the program", async () => {
  await using scene = await Scene.open();
  await scene.publisher.publish(OLD);
  await scene.startOnce();
  const path = join(scene.folder.path, "cep.db");
  alter(path, "PRAGMA user_version = 1");
  const service = scene.start();
  await service.logged("Took a new release");
  while (await lookup(service, OLD) !== 200);
});

const ADDRESS = "RELEASE_URL=***: must be a path, or an https: or file: " +
  "address without a user name; http: only on loopback";

/** Settings that are refused, with the message. */
const REFUSED: readonly (readonly [
  name: string,
  env: Environment,
  problem: string,
])[] = [
  ["plain HTTP", { RELEASE_URL: "http://bucket.example/?sig=SECRET" }, ADDRESS],
  ["a password", { RELEASE_URL: "https://me:SECRET@bucket.example/" }, ADDRESS],
  [
    "a database in memory",
    { RELEASE_URL: "https://a.example/?SECRET", DB_PATH: ":memory:" },
    "RELEASE_URL: needs a folder in DB_PATH, not :memory:",
  ],
];

for (const [name, env, problem] of REFUSED) {
  Deno.test(`MODE=listen refuses RELEASE_URL with ${name}, with exit code 2 and without the value`, async () => {
    const { code, stdout, stderr } = await outputOf(cepCommand(), env);
    assertEquals([code, stdout], [2, ""]);
    assertEquals(stderr, `Cannot use the settings:\n  ${problem}\n`);
  });
}
