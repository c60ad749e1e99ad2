/** Service in workerd, over a libSQL server. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createHandler } from "../../cep/http/mod.ts";
import type { Store } from "../../cep/store/mod.ts";
import { openWritableRemoteStore } from "../../cep/store/remote_import.ts";
import { CapturingLogger } from "../cep/_logger.ts";
import { seedFiles, seedSample } from "../cep/_seeding.ts";
import { install, type Installed } from "../examples/_install.ts";
import { Sqld, SqldKeys } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";
import { type BundledWorker, bundleWorker, Worker } from "./_worker.ts";

const test = await testsWith("sqld");

let installed: Installed;
/** The example. */
let example: BundledWorker;
/** The example with time for a busy machine. */
let patient: BundledWorker;
/** The example without a cache, which polls before each read. */
let eager: BundledWorker;

Deno.test.beforeAll(async () => {
  installed = await install("worker", ["@carteiro/cep"]);
  const source = readFileSync(join(installed.example, "worker.js"), "utf8");
  const bundle = (...changes: readonly (readonly [string, string])[]) => {
    const changed = changes.reduce((source, [from, to]) => {
      assertStringIncludes(source, from);
      return source.replace(from, to);
    }, source);
    return bundleWorker(changed, installed.example);
  };
  example = await bundle();
  patient = await bundle(["timeoutMs: 2000", "timeoutMs: 30_000"]);
  eager = await bundle(
    ["pollMs: 10_000", "pollMs: 0"],
    ["const cached = ", "const cached = false && "],
  );
});

// Undefined if `beforeAll` has failed.
Deno.test.afterAll(() => installed?.[Symbol.dispose]());

/** Server, a store that imports into it, and a worker. */
class Scene implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;

  private constructor(
    readonly server: Sqld,
    readonly store: Store,
    readonly worker: Worker,
    stack: AsyncDisposableStack,
  ) {
    this.#stack = stack;
  }

  static async open({ script }: BundledWorker): Promise<Scene> {
    const keys = new SqldKeys();
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await Sqld.start({ keys }));
    const store = await openWritableRemoteStore({
      url: server.url,
      authToken: await keys.sign(),
      logger: new CapturingLogger(),
    });
    stack.defer(() => store.close());
    const worker = stack.use(
      await Worker.start(script, {
        DB_URL: server.url,
        DB_AUTH_TOKEN: await keys.sign("ro"),
      }),
    );
    return new Scene(server, store, worker, stack.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

/** Requests that a worker answers as a server does. */
const REQUESTS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ["/cep/01310100"],
  ["/cep/01310-100"],
  ["/cep/05999999"],
  ["/cep/99999999"],
  ["/cep/x"],
  ["/cep"],
  ["/cep/01310100/historico"],
  ["/estados"],
  ["/estados/SP/municipios"],
  ["/municipios/3550308"],
  ["/municipios/5103403/bairros"],
  ["/municipios/5103403/distritos"],
  ["/debug/list?prefix=013"],
  ["/debug/count"],
  ["/debug/stats"],
  ["/ws/01310100/json/"],
  ["/ws/99999999/json/"],
  ["/api/cep/v2/01310100"],
  ["/v1/01310100"],
  ["/livez"],
  ["/openapi.json"],
  ["/ceps", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '["01310-100","05999-999","x"]',
  }],
  // Not without the index in memory.
  ["/busca?q=paulista"],
  ["/ws/SP/Sao%20Paulo/paulista/json"],
  ["/enderecos", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"endereco":"Avenida Paulista 1578, Sao Paulo"}',
  }],
  ["/metrics"],
];

test("the worker answers as a server without search and metrics", async (t) => {
  await using scene = await Scene.open(patient);
  await seedSample(scene.store);
  const config = { rateLimit: false, metrics: false, search: false };
  const handler = createHandler({ store: scene.store, config });
  for (const [path, init] of REQUESTS) {
    const { method = "GET" } = init ?? {};
    await t.step(`${method} ${path}`, async () => {
      const request = new Request(`http://worker.test${path}`, init);
      const expected = await handler(request);
      const actual = await scene.worker.ask(path, init);
      assertEquals(actual.status, expected.status);
      assertEquals(actual.body, await expected.json());
      assertEquals(actual.headers.get("etag"), expected.headers.get("etag"));
    });
  }
});

test("the worker answers requests that arrive together in a new isolate", async () => {
  await using scene = await Scene.open(patient);
  await seedSample(scene.store);
  const paths = ["/cep/01310100", "/municipios/3550308", "/cep/01310200"];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => scene.worker.ask(paths[i % 3]!)),
  );
  assertEquals(new Set(answers.map(({ status }) => status)), new Set([200]));
  const bodies = answers.map(({ body }) => JSON.stringify(body));
  assertEquals(new Set(bodies).size, paths.length);
});

test("the worker answers the others if the first client of an isolate goes", async () => {
  await using scene = await Scene.open(patient);
  await seedSample(scene.store);
  await scene.worker.ask("/livez");
  scene.server.freeze();
  const gone = new AbortController();
  const first = scene.worker.fetch("/cep/01310100", { signal: gone.signal })
    .catch(() => "gone");
  const others = ["/cep/01310200", "/municipios/3550308"]
    .map((path) => scene.worker.ask(path));
  await scene.worker.ask("/livez");
  gone.abort();
  assertEquals(await first, "gone");
  scene.server.thaw();
  for (const { status } of await Promise.all(others)) assertEquals(status, 200);
});

test("the worker stores records in the cache", async () => {
  await using scene = await Scene.open(patient);
  await seedSample(scene.store);
  const { body } = await scene.worker.ask("/cep/01310100");
  const { body: health } = await scene.worker.ask("/healthcheck");
  assertEquals(health.status, "ok");
  await scene.server.kill();
  assertEquals((await scene.worker.ask("/cep/01310100")).body, body);
  const etag = (await scene.worker.ask("/cep/01310100")).headers.get("etag")!;
  const headers = { "if-none-match": etag };
  const { status } = await scene.worker.fetch("/cep/01310100", { headers });
  assertEquals(status, 304);
  assertEquals((await scene.worker.ask("/cep/01310200")).status, 503);
});

test("the worker returns 503 while the database is empty or away, and recovers", async () => {
  await using scene = await Scene.open(eager);
  const path = "/cep/01310100";
  const empty = await scene.worker.ask(path);
  assertEquals([empty.status, empty.body.code], [503, "database_not_ready"]);
  await seedSample(scene.store);
  assertEquals((await scene.worker.ask(path)).status, 200);
  await scene.server.kill();
  const away = await scene.worker.ask(path);
  assertEquals([away.status, away.body.code], [503, "database_not_ready"]);
  assert(Number(away.headers.get("retry-after")) > 0);
  await scene.server.restart();
  assertEquals((await scene.worker.ask(path)).status, 200);
  scene.server.freeze();
  const start = performance.now();
  assertEquals((await scene.worker.ask(path)).status, 503);
  assert(performance.now() - start < 10_000);
  scene.server.thaw();
  assertEquals((await scene.worker.ask(path)).status, 200);
});

test("the worker answers from a new release", async () => {
  await using scene = await Scene.open(eager);
  await seedSample(scene.store);
  const before = await scene.worker.ask("/debug/count");
  await seedFiles(scene.store, {}, { maxShrinkPercent: 100 });
  const { totalCeps } = (await scene.store.release())!;
  assertEquals((await scene.worker.ask("/debug/count")).body, {
    total_ceps: totalCeps,
  });
  assert(before.body.total_ceps !== totalCeps);
});

test("the worker does not show its token", async () => {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await Sqld.start({ keys: new SqldKeys() }));
  const token = await new SqldKeys().sign(); // of another server
  const worker = stack.use(
    await Worker.start(example.script, {
      DB_URL: server.url,
      DB_AUTH_TOKEN: token,
    }),
  );
  for (const path of ["/cep/01310100", "/healthcheck"]) {
    const { status, body } = await worker.ask(path);
    assertEquals(status, 503);
    assert(!JSON.stringify(body).includes(token.slice(-20)));
  }
});

/** Modules of Node that workerd has. */
const IN_WORKERD = new Set(
  "buffer net path process timers timers/promises url util zlib".split(" ")
    .map((name) => `node:${name}`),
);

test("the worker imports no module that workerd lacks", () => {
  const { inputs } = example.metafile;
  const imported = Object.entries(inputs)
    .flatMap(([path, { imports }]) =>
      imports.filter(({ external }) => external)
        .map((it) => [path, it.path] as const)
    );
  const missing = imported.filter(([, name]) => !IN_WORKERD.has(name));
  assertEquals(missing, []);
});

test("the worker has less than 260,000 bytes compressed", () => {
  const bytes = gzipSync(example.script).length;
  assert(bytes < 260_000, `${bytes} bytes`);
});
