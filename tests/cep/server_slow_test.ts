import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { join } from "node:path";
import type { Address } from "../../cep/record/address.ts";
import { moduleUrl } from "../_program.ts";
import { Connection, isRefused, type WireAnswer } from "./_connection.ts";
import { CEPS, LINES, writeDirectory } from "./_directory.ts";
import { Process, runSeed } from "./_process.ts";
import { OpenedStore, seedFolder } from "./_stores.ts";
import { within } from "./_within.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

const UNLIMITED = { API_RATE_LIMIT_ENABLE: "false" };

/** Folder with a database of the small DNE. */
class Place implements Disposable {
  readonly #directory = new TemporaryFolder();
  readonly data = join(this.#directory.path, "data");
  readonly raw = join(this.#directory.path, "dne");

  static async seeded(): Promise<Place> {
    const place = new Place();
    await seedFolder(place.data);
    return place;
  }

  /** Returns the JSON of the records by path. */
  async records(): Promise<Map<string, string>> {
    await using opened = await OpenedStore.open({ path: this.data });
    const records = new Map<string, string>();
    for (const cep of CEPS) {
      const record = await opened.store.find(cep);
      if (record) records.set(`/cep/${cep}`, JSON.stringify(record));
    }
    return records;
  }

  /** Starts a server on the database. */
  serve(env: Record<string, string> = {}): Process {
    return Process.main({ DB_PATH: this.data, ...UNLIMITED, ...env });
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

Deno.test("serve answers the official client of agents with API_MCP", async () => {
  using place = await Place.seeded();
  await using server = place.serve({ API_MCP: "true" });
  const client = new Client({ name: "loja", version: "1.0.0" });
  const url = new URL(`http://127.0.0.1:${await server.port()}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url));
  const [path, record] = [...await place.records()][0]!;
  const { structuredContent } = await client.callTool({
    name: "getCep",
    arguments: { cep: path.slice("/cep/".length) },
  });
  assertEquals(structuredContent, JSON.parse(record));
  await client.close();
});

Deno.test("serve answers over sockets", async (t) => {
  using place = await Place.seeded();
  const records = await place.records();
  assertEquals(records.size, CEPS.length);
  await using server = place.serve({ LOG_LEVEL: "debug" });
  const port = await server.port();

  await t.step("one request after another", async () => {
    using connection = await Connection.open(port);
    for (let i = 0; i < 5; i++) {
      for (const [path, record] of records) {
        const answer = await connection.get(path);
        assertEquals(answer?.status, 200);
        assertEquals(textOf(answer), record);
        assertNotEquals(answer?.headers.get("connection"), "close");
      }
    }
  });

  await t.step("pipelined requests in their order", async () => {
    using connection = await Connection.open(port);
    const requests = [...records.keys()].map((path) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    );
    await connection.send(requests.join(""));
    for (const record of records.values()) {
      assertEquals(textOf(await connection.receive()), record);
    }
  });

  await t.step("records without a CNEFE in at most 512 bytes", async () => {
    using connection = await Connection.open(port);
    for (const path of records.keys()) {
      const { size } = (await connection.get(path))!;
      // Deno sends the body of a longer response separately, Node never.
      const isShort = size <= 512 || process.versions.deno === undefined;
      assert(isShort, `${path} takes ${size} bytes`);
    }
  });

  await t.step("logs each request at level debug", async () => {
    using connection = await Connection.open(port);
    const answer = await connection.get("/cep/x");
    const line = await server.line(
      "of the request",
      ({ path }) => path === "/cep/x",
    );
    assertEquals(line.level, "DEBUG");
    assertEquals(line.request_id, answer?.headers.get("x-request-id"));
    assertEquals(line.client, "127.0.0.1");
    assertEquals(line.status, 400);
  });

  await t.step(
    "after clients have disconnected in the middle of a request",
    async () => {
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
    },
  );

  await t.step("leaves a database that can be opened again", async () => {
    server.kill("SIGTERM");
    assertEquals((await server.end()).code, 0);
    assertEquals(await place.records(), records);
  });
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`serve completes every response on ${signal} under load`, async () => {
    using place = await Place.seeded();
    const records = await place.records();
    const list = await listOf(place, records);
    await using server = place.serve();
    const port = await server.port();
    const paths = [...records, ["/debug/list?prefix=0", list] as const];
    const warm = Promise.withResolvers<void>();
    let answers = 0;

    /** Sends requests over one connection until the server closes it. */
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

    /** Sends each request over a new connection until the server refuses. */
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

Deno.test("serve can be stopped as soon as it logs that it listens", async () => {
  for (let i = 0; i < 3; i++) {
    await using server = Process.main({ DB_PATH: ":memory:" });
    await server.logged("Listening");
    server.kill("SIGTERM");
    const { code, signal } = await server.end();
    assertEquals({ code, signal }, { code: 0, signal: null });
    const { atOnce } = await server.logged(
      "Limiting the requests of each client",
    );
    assertEquals(atOnce, 120);
  }
});

Deno.test("serve ends while clients keep their connections open", async () => {
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

/** Server that responds when it reads a line. */
const SLOW = `
  import process from "node:process";
  import { serve } from "${moduleUrl("cep/serve/serve.ts")}";
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

Deno.test("serve accepts no connection after SIGTERM", async () => {
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

Deno.test("serve cuts off requests after shutdownSeconds", async () => {
  await using server = Process.script(SLOW.replace("SECONDS", "0"));
  using connection = await Connection.open(await server.port());
  const answer = connection.get("/");
  await server.logged("Asked");
  server.kill("SIGTERM");
  assertEquals((await server.end()).code, 0);
  assertEquals(await answer, undefined);
});

Deno.test("serve ends immediately on a second signal", async () => {
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

Deno.test("main listens with an empty database, and returns records after another process imports", async () => {
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
  assertEquals(jsonOf(count), { total_ceps: CEPS.length });
});

Deno.test("main never returns old data after new data while another process imports", async () => {
  using place = await Place.seeded();
  const before = await place.records();
  await using server = place.serve();
  const port = await server.port();

  const streets = LINES["LOG_LOGRADOURO_SP.TXT"]!;
  writeDirectory(place.raw, {
    "LOG_LOGRADOURO_SP.TXT": [
      streets[0]!.replace("das Flores@", "dos Cravos@"),
      streets[1]!.replace("01900002", "01900003"),
      // Many lines, for an import that takes a while.
      ...Array.from(
        { length: 10_000 },
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

  /** Requests every path in turn until the new data is returned. */
  async function client(): Promise<string[][]> {
    using connection = await Connection.open(port);
    const changes = paths.map((): string[] => []);
    for (let last = false; !last;) {
      // The new data is used within a second of the import.
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
  await using opened = await OpenedStore.open({ path: place.data });
  const added = await opened.store.find("01900003");
  after.set("/cep/01900003", JSON.stringify(added));
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

/** Requests the list of all CEPs that begin with 0. */
async function listOf(
  place: Place,
  records: ReadonlyMap<string, string>,
): Promise<string> {
  const all: Address[] = [...records.values()].map((it) => JSON.parse(it));
  const data = all.filter(({ cep }) => cep.startsWith("0"));
  await using opened = await OpenedStore.open({ path: place.data });
  const list = { total: data.length, data };
  assertEquals(await opened.store.list("0", 100), list);
  return JSON.stringify(list);
}

/** Requests the health check until its status is 200. */
async function becomesHealthy(connection: Connection): Promise<void> {
  for (;;) {
    const answer = await connection.get("/healthcheck");
    if (answer?.status === 200) return;
    assertEquals(answer?.status, 503);
  }
}

/** Waits until a port refuses or closes new connections. */
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

// deno-lint-ignore no-explicit-any -- any JSON
function jsonOf(answer: WireAnswer | undefined): any {
  return JSON.parse(textOf(answer));
}
