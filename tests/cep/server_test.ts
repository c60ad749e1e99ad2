import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Address } from "../../cep/address.ts";
import origin from "../../cep/build.json" with { type: "json" };
import manifest from "../../cep/deno.json" with { type: "json" };
import { SETTINGS } from "../../cep/config.ts";
import { withoutMarks } from "../../cep/setting.ts";
import { openStore } from "../../cep/store/mod.ts";
import { moduleUrl } from "../program.ts";
import { CODES, LINES, TempDirectory, writeDirectory } from "./_fixtures.ts";
import {
  Connection,
  gunzip,
  isRefused,
  Process,
  run,
  runSeed,
  type WireAnswer,
  within,
} from "./_server.ts";

const UNLIMITED = { API_RATE_LIMIT_ENABLE: "false" };

/** A directory with a database of the small directory in it. */
class Place implements Disposable {
  readonly #directory = new TempDirectory();
  readonly data = join(this.#directory.path, "data");
  readonly raw = join(this.#directory.path, "dne");

  static async seeded(): Promise<Place> {
    const place = new Place();
    try {
      writeDirectory(place.raw);
      await runSeed(place.data, place.raw);
      return place;
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
  }

  /** Every record, by its path. */
  async records(): Promise<Map<string, string>> {
    const store = await openStore({ path: this.data });
    try {
      const records = new Map<string, string>();
      for (const cep of CODES) {
        const record = await store.find(cep);
        if (record) records.set(`/cep/${cep}`, JSON.stringify(record));
      }
      return records;
    } finally {
      await store.close();
    }
  }

  /** Runs a server on the database. */
  serve(env: Record<string, string> = {}): Process {
    return Process.main({ DB_PATH: this.data, ...UNLIMITED, ...env });
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

Deno.test("serve answers over a socket, one request after another", async () => {
  using place = await Place.seeded();
  const records = await place.records();
  assertEquals(records.size, CODES.length);
  await using server = place.serve();
  using connection = await Connection.open(await server.port());
  for (let i = 0; i < 5; i++) {
    for (const [path, record] of records) {
      const answer = await connection.get(path);
      assertEquals(answer?.status, 200);
      assertEquals(textOf(answer), record);
      assertNotEquals(answer?.headers.get("connection"), "close");
    }
  }
});

Deno.test("serve answers requests that arrive together in their order", async () => {
  using place = await Place.seeded();
  const records = [...await place.records()];
  await using server = place.serve();
  using connection = await Connection.open(await server.port());
  const requests = records.map(([path]) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  );
  await connection.send(requests.join(""));
  for (const [, record] of records) {
    assertEquals(textOf(await connection.receive()), record);
  }
});

Deno.test("serve answers HEAD, 304 and 204 without a body", async () => {
  using place = await Place.seeded();
  await using server = place.serve();
  const port = await server.port();
  const requests = [
    "HEAD /cep/01900001 HTTP/1.1\r\n",
    "GET /cep/01900001 HTTP/1.1\r\nIf-None-Match: *\r\n",
    "OPTIONS /cep/01900001 HTTP/1.1\r\nOrigin: https://a.test\r\n" +
    "Access-Control-Request-Method: GET\r\n",
  ];
  const heads = [];
  for (const request of requests) {
    using connection = await Connection.open(port);
    await connection.send(
      `${request}Host: localhost\r\nConnection: close\r\n\r\n`,
    );
    const [head = "", body] = (await connection.drain()).split("\r\n\r\n");
    assertEquals(body, "");
    heads.push(head);
  }
  assertMatch(heads[0]!, /^HTTP\/1\.1 200 .*\r\ncontent-length: [1-9]/s);
  assertMatch(heads[1]!, /^HTTP\/1\.1 304 /);
  assertMatch(heads[2]!, /^HTTP\/1\.1 204 /);
});

Deno.test("serve compresses once, and only on demand", async () => {
  using place = await Place.seeded();
  await using server = place.serve();
  using connection = await Connection.open(await server.port());
  const plain = await connection.get("/debug/list");
  assertEquals(plain?.headers.get("content-encoding"), null);
  await connection.send(
    "GET /debug/list HTTP/1.1\r\nHost: localhost\r\n" +
      "Accept-Encoding: gzip\r\n\r\n",
  );
  const small = await connection.receive();
  assertEquals(small?.headers.get("content-encoding"), "gzip");
  assertEquals(
    await gunzip(small!.body),
    new TextDecoder().decode(plain?.body),
  );
});

Deno.test("serve counts a client's requests whatever it forwards", async () => {
  using place = await Place.seeded();
  await using server = Process.main({
    DB_PATH: place.data,
    API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "2",
    API_RATE_LIMIT_REQUESTS_BURST: "1",
    API_RATE_LIMIT_EXPIRE_MINUTES: "1000000",
  });
  const port = await server.port();
  const statuses = [];
  for (let i = 0; i < 4; i++) {
    using connection = await Connection.open(port);
    await connection.send(
      "GET /cep/01900001 HTTP/1.1\r\nHost: localhost\r\n" +
        `X-Forwarded-For: 203.0.113.${i}\r\n\r\n`,
    );
    statuses.push((await connection.receive())?.status);
  }
  assertEquals(statuses, [200, 200, 200, 429]);
});

Deno.test("serve logs each request at level debug", async () => {
  using place = await Place.seeded();
  await using server = place.serve({ LOG_LEVEL: "debug" });
  using connection = await Connection.open(await server.port());
  const answer = await connection.get("/cep/x");
  const line = await server.logged("Request");
  assertEquals(line.level, "DEBUG");
  assertEquals(line.request_id, answer?.headers.get("x-request-id"));
  assertEquals(line.client, "127.0.0.1");
  assertEquals(line.status, 400);
});

Deno.test("serve goes on when clients leave in the middle of a request", async () => {
  using place = await Place.seeded();
  const records = await place.records();
  await using server = place.serve();
  const port = await server.port();
  using steady = await Connection.open(port);
  const leavers = [
    "",
    "GET /cep/0190",
    "GET /cep/01900001 HTTP/1.1\r\nHost: loc",
    "GET /debug/list?prefix=0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /cep/01900001 HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50),
    "POST /cep HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nabc",
  ];
  for (let round = 0; round < 10; round++) {
    for (const bytes of leavers) {
      using connection = await Connection.open(port);
      await connection.send(bytes);
    }
    for (const [path, record] of records) {
      assertEquals(textOf(await steady.get(path)), record);
    }
  }
  using late = await Connection.open(port);
  assertEquals((await late.get("/healthcheck"))?.status, 200);
  assertEquals(server.lines.filter(({ level }) => level === "ERROR"), []);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`serve cuts no answer on ${signal} under load`, async () => {
    using place = await Place.seeded();
    const records = await place.records();
    const list = await listOf(place, records);
    await using server = place.serve();
    const port = await server.port();
    const paths = [...records, ["/debug/list?prefix=0", list] as const];
    const warm = Promise.withResolvers<void>();
    let answers = 0;

    /** Asks over one connection until the server closes it. */
    async function ask(start: number, most = Infinity): Promise<number> {
      using connection = await Connection.open(port);
      for (let count = 0; count < most; count++) {
        const [path, body] = paths[(start + count) % paths.length]!;
        const answer = await connection.get(path);
        if (answer === undefined) return count;
        assertEquals(answer.status, 200);
        assertEquals(textOf(answer), body);
        if (++answers === 1000) warm.resolve();
      }
      return most;
    }

    /** Asks over one connection after another until there is none. */
    async function askAnew(start: number): Promise<number> {
      try {
        for (let count = 0;; count++) {
          if (await ask(start + count, 1) === 0) return count;
        }
      } catch (error) {
        if (isRefused(error)) return 1;
        throw error;
      }
    }

    const clients = Array.from(
      { length: 16 },
      (_, i) => i % 4 === 0 ? askAnew(i) : ask(i),
    );
    await within("a thousand answers", warm.promise);
    server.kill(signal);
    const counts = await within("the end of the clients", Promise.all(clients));
    assert(counts.every((count) => count > 0), `${counts}`);
    const { code, signal: killed, stderr } = await server.end();
    assertEquals({ code, killed, stderr }, {
      code: 0,
      killed: null,
      stderr: "",
    });
    assertEquals((await server.logged("Stopping")).reason, signal);
    assertEquals(server.lines.filter(({ level }) => level === "ERROR"), []);
  });
}

Deno.test("serve can be stopped as soon as it says that it listens", async () => {
  for (let i = 0; i < 5; i++) {
    await using server = Process.main({ DB_PATH: ":memory:" });
    await server.logged("Listening");
    server.kill("SIGTERM");
    const { code, signal } = await server.end();
    assertEquals({ code, signal }, { code: 0, signal: null });
  }
});

Deno.test("serve leaves a database that can be opened again", async () => {
  using place = await Place.seeded();
  const before = await place.records();
  await using server = place.serve();
  await server.port();
  server.kill("SIGTERM");
  assertEquals((await server.end()).code, 0);
  assertEquals(await place.records(), before);
});

Deno.test("serve ends although clients keep their connections", async () => {
  await using server = Process.main({ DB_PATH: ":memory:" });
  const port = await server.port();
  using idle = await Connection.open(port);
  assertEquals((await idle.get("/healthcheck"))?.status, 503);
  using silent = await Connection.open(port);
  using half = await Connection.open(port);
  await half.send("GET /healthcheck HTTP/1.1\r\nHos");
  server.kill("SIGTERM");
  assertEquals((await server.end()).code, 0);
  for (const connection of [idle, silent, half]) {
    assertEquals(await connection.receive(), undefined);
  }
});

/** A server of one route, which answers when it is told to. */
const SLOW = `
  import process from "node:process";
  import { serve } from "${moduleUrl("cep/server/serve.ts")}";
  const log = (message, properties) => {
    console.log(JSON.stringify({ message, ...properties }));
    if (message === "Stopping") setTimeout(log, 0, "Stopped");
  };
  const told = Promise.withResolvers();
  process.stdin.once("data", told.resolve);
  await serve({
    host: "127.0.0.1",
    port: 0,
    shutdownSeconds: SECONDS,
    logger: { debug: log, info: log, warn: log, error: log },
    async handler(request) {
      log("Asked");
      await told.promise;
      return new Response("x".repeat(100_000), {
        headers: { "content-length": "100000" },
      });
    },
  });
  log("Served");
  process.exit(0);
`;

Deno.test("serve finishes what runs when it is stopped", async () => {
  await using server = Process.script(SLOW.replace("SECONDS", "60"));
  const port = await server.port();
  using connection = await Connection.open(port);
  const answer = connection.get("/");
  await server.logged("Asked");
  server.kill("SIGTERM");
  await server.logged("Stopping");
  server.write("go on");
  assertEquals((await answer)?.body.length, 100_000);
  assertEquals((await server.end()).code, 0);
  await server.logged("Served");
});

Deno.test("serve accepts nothing more once it is stopped", async () => {
  await using server = Process.script(SLOW.replace("SECONDS", "60"));
  const port = await server.port();
  using connection = await Connection.open(port);
  const answer = connection.get("/");
  await server.logged("Asked");
  server.kill("SIGTERM");
  await server.logged("Stopped");
  const refused = await closes(port);
  server.write("go on");
  assertEquals((await answer)?.status, 200);
  assertEquals(refused, true);
});

Deno.test("serve does not wait for what runs longer than it may", async () => {
  await using server = Process.script(SLOW.replace("SECONDS", "0"));
  using connection = await Connection.open(await server.port());
  const answer = connection.get("/");
  await server.logged("Asked");
  server.kill("SIGTERM");
  assertEquals((await server.end()).code, 0);
  assertEquals(await answer, undefined);
});

Deno.test("serve is ended at once by a second signal", async () => {
  await using server = Process.script(SLOW.replace("SECONDS", "60"));
  using connection = await Connection.open(await server.port());
  const answer = connection.get("/");
  await server.logged("Asked");
  server.kill("SIGTERM");
  await server.logged("Stopping");
  server.kill("SIGTERM");
  assertEquals((await server.end()).signal, "SIGTERM");
  assertEquals(await answer, undefined);
});

Deno.test("main ends with status 1 and names the address when the port is in use", async () => {
  using place = await Place.seeded();
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const { code, lines, stderr } = await run({
    DB_PATH: place.data,
    API_PORT: `${port}`,
  });
  await new Promise((resolve) => listener.close(resolve));
  assertEquals(code, 1);
  assertEquals(stderr, "");
  const [line] = lines.filter(({ level }) => level === "ERROR");
  assertMatch(`${line?.error}`, /in use/i);
  assertStringIncludes(`${line?.error}`, `${port}`);
});

Deno.test("main names all wrong settings before it opens anything", async () => {
  using directory = new TempDirectory();
  const data = join(directory.path, "data");
  const { code, lines, stderr } = await run({
    API_PORT: "abc",
    MODE: "foo",
    API_GZIP_COMPRESSION_LEVEL: "12",
    DB_PATH: data,
  });
  assertEquals(code, 2);
  assertEquals(lines, []);
  assertEquals(
    stderr,
    `Cannot use the settings:
  MODE="foo": must be one of listen, seed
  API_PORT="abc": must be a whole number from 0 to 65535
  API_GZIP_COMPRESSION_LEVEL="12": must be a whole number from 1 to 9
`,
  );
  assertEquals(existsSync(data), false);
});

Deno.test("main refuses an argument that it does not know", async () => {
  const { code, lines, stderr } = await run({}, "--port=80");
  assertEquals(code, 2);
  assertEquals(lines, []);
  assertEquals(stderr, 'Cannot use the argument "--port=80": see --help\n');
});

Deno.test("main --help names every setting, its values and its default", async () => {
  // Settings are not even looked at.
  const { code, lines, stderr } = await run({ API_PORT: "abc" }, "--help");
  assertEquals(code, 0);
  assertEquals(stderr, "");
  const help = lines.map(({ message }) => message).join("\n");
  for (const setting of Object.values(SETTINGS)) {
    const { name, values, default: value } = setting;
    assertMatch(help, new RegExp(`^ +${name}\\b`, "m"));
    assertStringIncludes(
      help,
      `${withoutMarks(values.en)} (default: ${value || "none"})`,
    );
  }
});

Deno.test("main --help names the other name of a setting", async () => {
  const { lines } = await run({}, "--help");
  const help = lines.map(({ message }) => message).join("\n");
  assertStringIncludes(help, "API_PROMETHEUS_ENABLE");
});

Deno.test("main --version tells version, commit and repository", async () => {
  const { code, lines } = await run({}, "--version");
  assertEquals(code, 0);
  const { commit, repo } = origin;
  assertEquals(lines.map(({ message }) => message), [
    `cep ${manifest.version} (commit ${commit}, ${repo})`,
  ]);
});

Deno.test("main ends with status 1 and names a file that is no database", async () => {
  using directory = new TempDirectory();
  const file = join(directory.path, "cep.db");
  writeFileSync(file, "This is no database.\n".repeat(1000));
  for (const MODE of ["listen", "seed"]) {
    const { code, lines, stderr } = await run({
      MODE,
      DB_PATH: directory.path,
      DB_RAW_PATH: "samples/dne",
    });
    assertEquals(code, 1);
    assertEquals(stderr, "");
    const [line] = lines.filter(({ level }) => level === "ERROR");
    assertStringIncludes(`${line?.error}`, `"${file}"`);
    assertStringIncludes(`${line?.error}`, "not a database");
  }
});

Deno.test("main writes text lines when told to", async () => {
  using directory = new TempDirectory();
  const { code, lines } = await run({
    MODE: "seed",
    LOG_FORMAT: "text",
    DB_PATH: join(directory.path, "data"),
    DB_RAW_PATH: join(directory.path, "nowhere"),
  });
  assertEquals(code, 1);
  assertMatch(
    lines[0]?.message ?? "",
    /^\S+Z ERROR Stopped by an error error=".*it does not exist" DB_RAW_PATH=".*nowhere"$/,
  );
});

Deno.test("main listens on an empty database and answers once another process has imported", async () => {
  using place = new Place();
  writeDirectory(place.raw);
  await using server = place.serve();
  const port = await server.port();
  const warning = server.lines.find(({ level }) => level === "WARN");
  assertMatch(warning?.message ?? "", /empty/);
  using connection = await Connection.open(port);
  const health = await connection.get("/healthcheck");
  assertEquals(health?.status, 503);
  assertEquals(jsonOf(health).status, "empty");
  const early = await connection.get("/cep/01900001");
  assertEquals(early?.status, 503);
  assertEquals(jsonOf(early).code, "database_not_ready");

  await runSeed(place.data, place.raw);
  await within("the health check", becomesHealthy(connection));
  for (const [path, record] of await place.records()) {
    assertEquals(textOf(await connection.get(path)), record);
  }
  const count = await connection.get("/debug/count");
  assertEquals(jsonOf(count), { total_ceps: CODES.length });
});

Deno.test("main serves the old data or the new while another process imports, never the old after the new", async () => {
  using place = await Place.seeded();
  const before = await place.records();
  await using server = place.serve();
  const port = await server.port();

  const streets = LINES["LOG_LOGRADOURO_SP.TXT"]!;
  writeDirectory(place.raw, {
    "LOG_LOGRADOURO_SP.TXT": [
      streets[0]!.replace("das Flores@", "dos Cravos@"),
      streets[1]!.replace("01900002", "01900003"),
      // More lines, so that the import takes a while.
      ...Array.from(
        { length: 20_000 },
        (_, i) => `${i + 100}@SP@1@1@@Número ${i}@@${12_000_000 + i}@Rua@S@`,
      ),
    ],
    "LOG_CPC.TXT": [],
  });
  const gone = ["/cep/01900002", "/cep/12900990"];
  const paths = [...before.keys(), "/cep/01900003"];

  let finished = false;
  const seen = new Map<string, Set<string>>(
    paths.map((path) => [path, new Set()]),
  );

  /** Asks for everything in turn until the new data is all there is. */
  async function client(): Promise<string[][]> {
    using connection = await Connection.open(port);
    const changes = paths.map((): string[] => []);
    for (let last = false; !last;) {
      // A second after the import everybody has to know of it.
      last = finished && await isNew(connection);
      for (const [i, path] of paths.entries()) {
        const answer = await connection.get(path);
        const text = answer?.status === 200 ? textOf(answer) : answer?.status;
        if (changes[i]!.at(-1) !== `${text}`) changes[i]!.push(`${text}`);
        seen.get(path)!.add(`${text}`);
      }
    }
    return changes;
  }

  const isNew = async (connection: Connection) =>
    jsonOf(await connection.get("/debug/count")).total_ceps > 1000;

  const clients = Array.from({ length: 4 }, client);
  await runSeed(place.data, place.raw, { SEED_MAX_SHRINK_PERCENT: "100" });
  finished = true;
  const all = await within("the new data", Promise.all(clients));

  const after = await place.records();
  const store = await openStore({ path: place.data });
  after.set("/cep/01900003", JSON.stringify(await store.find("01900003")));
  await store.close();
  assertEquals(after.get("/cep/01900001")?.includes("dos Cravos"), true);
  for (const changes of all) {
    const expected = paths.map((path) => {
      const old = before.get(path) ?? "404";
      const now = gone.includes(path) ? "404" : after.get(path)!;
      return old === now ? [old] : [old, now];
    });
    assertEquals(changes, expected);
  }
  assertEquals(server.lines.filter(({ level }) => level === "ERROR"), []);
});

/** What the list of all codes that begin with 0 has to be. */
async function listOf(
  place: Place,
  records: ReadonlyMap<string, string>,
): Promise<string> {
  const all: Address[] = [...records.values()].map((it) => JSON.parse(it));
  const data = all.filter(({ cep }) => cep.startsWith("0"));
  const store = await openStore({ path: place.data });
  assertEquals(await store.list("0", 100), { total: data.length, data });
  await store.close();
  return JSON.stringify({ total: data.length, data });
}

/** Asks until the service is healthy. */
async function becomesHealthy(connection: Connection): Promise<void> {
  for (;;) {
    const answer = await connection.get("/healthcheck");
    if (answer?.status === 200) return;
    assertEquals(answer?.status, 503);
  }
}

/** Whether a port that was open refuses or ends new connections. */
async function closes(port: number): Promise<boolean> {
  try {
    using connection = await Connection.open(port);
    return await within("the refusal", connection.get("/")) === undefined;
  } catch (error) {
    if (isRefused(error)) return true;
    throw error;
  }
}

function textOf(answer: WireAnswer | undefined): string {
  return new TextDecoder().decode(answer?.body);
}

// deno-lint-ignore no-explicit-any -- whatever the service answers
function jsonOf(answer: WireAnswer | undefined): any {
  return JSON.parse(textOf(answer));
}
