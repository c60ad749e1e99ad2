/** URLs of servers, and servers that speak the protocol badly or not at all. */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { ConfigError, parseConfig } from "../../../cep/settings/config.ts";
import {
  DatabaseError,
  openRemoteStore,
  UnreachableError,
} from "../../../cep/store/remote.ts";
import { parseRemoteUrl } from "../../../cep/store/remote_client.ts";
import { openWritableRemoteStore } from "../../../cep/store/remote_import.ts";
import { CapturingLogger } from "../_logger.ts";

/** Token that must not appear anywhere. */
const TOKEN = "eyJhbGciOiJFZERTQSJ9.c2VjcmV0";

/** Server on loopback that handles requests as a test tells it. */
class HttpServer implements AsyncDisposable {
  readonly #server: Server;

  private constructor(listener: RequestListener) {
    this.#server = createServer(listener);
  }

  static async start(listener: RequestListener): Promise<HttpServer> {
    const server = new HttpServer(listener);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Answers with a status, a type and a body. */
function answer(status: number, type: string, body: string): RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": type }).end(body);
  };
}

/** Answers the query for the pointer. */
function result(rows: unknown[]): RequestListener {
  return answer(200, "application/json", answerOf(rows));
}

/** Returns an answer of the protocol to the query for the pointer. */
function answerOf(rows: unknown[]): string {
  return JSON.stringify({
    baton: null,
    base_url: null,
    results: [
      {
        type: "ok",
        response: {
          type: "execute",
          result: {
            cols: ["suffix", "schema_version"]
              .map((name) => ({ name, decltype: null })),
            rows,
            affected_row_count: 0,
            last_insert_rowid: null,
          },
        },
      },
      { type: "ok", response: { type: "close" } },
    ],
  });
}

const JSON_TYPE = "application/json";
const UNREACHABLE = "it cannot be reached";
const NOT_LIBSQL = "it is not a libSQL server, or the URL is wrong";

const SERVERS: readonly (readonly [
  name: string,
  listener: RequestListener,
  message: string,
])[] = [
  [
    "refuses the token, and repeats it",
    answer(401, "text/plain", `no access for ${TOKEN}`),
    "it refuses the token of DB_AUTH_TOKEN (HTTP status 401)",
  ],
  [
    "forbids the access",
    answer(403, JSON_TYPE, JSON.stringify({ error: TOKEN })),
    "it refuses the token of DB_AUTH_TOKEN (HTTP status 403)",
  ],
  [
    "refuses large requests",
    answer(413, "text/html", "<h1>413 Request Entity Too Large</h1>"),
    "refuses a large request (HTTP status 413); allow requests of 2 MiB",
  ],
  ["has no such path", answer(404, "text/html", "<h1>404</h1>"), NOT_LIBSQL],
  ["forbids POST", answer(405, "text/plain", ""), NOT_LIBSQL],
  [
    "redirects to another server",
    (request, response) => {
      request.resume();
      response.writeHead(307, { location: "http://127.0.0.1:9/" }).end();
    },
    NOT_LIBSQL,
  ],
  ["answers with a page", answer(200, "text/html", "<h1>Hi</h1>"), NOT_LIBSQL],
  ["answers with half of JSON", answer(200, JSON_TYPE, '{"res'), NOT_LIBSQL],
  ["answers with null", answer(200, JSON_TYPE, "null"), NOT_LIBSQL],
  ["answers with an array", answer(200, JSON_TYPE, "[]"), NOT_LIBSQL],
  ["answers with an empty object", answer(200, JSON_TYPE, "{}"), NOT_LIBSQL],
  [
    "answers without results",
    answer(200, JSON_TYPE, '{"results":[]}'),
    NOT_LIBSQL,
  ],
  ["answers with an empty body", answer(200, JSON_TYPE, ""), NOT_LIBSQL],
  [
    "answers with a number for the suffix",
    result([[{ type: "integer", value: "7" }, {
      type: "integer",
      value: "3",
    }]]),
    "it is not a database of this program",
  ],
  [
    "answers with a suffix of SQL",
    result([[
      { type: "text", value: "x; DROP TABLE t" },
      { type: "integer", value: "3" },
    ]]),
    "it is not a database of this program",
  ],
  ["is overloaded", answer(503, "text/plain", "busy"), UNREACHABLE],
  [
    "fails, and repeats the token",
    answer(500, "text/plain", TOKEN),
    UNREACHABLE,
  ],
  [
    "demands fewer requests",
    answer(429, "text/plain", "slow down"),
    UNREACHABLE,
  ],
  ["says nothing", (request) => request.resume(), UNREACHABLE],
  [
    "stops after the headers",
    (request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": JSON_TYPE }).write("{");
    },
    UNREACHABLE,
  ],
  [
    "closes the connection",
    (request) => request.socket.destroy(),
    UNREACHABLE,
  ],
  [
    "cuts the body off",
    (request, response) => {
      request.resume();
      response.writeHead(200, {
        "content-type": JSON_TYPE,
        "content-length": 1000,
      });
      response.write("{", () => response.destroy());
    },
    UNREACHABLE,
  ],
];

for (const [name, listener, message] of SERVERS) {
  Deno.test(`openRemoteStore rejects calls, without the token, if the server ${name}`, async () => {
    await using server = await HttpServer.start(listener);
    const logger = new CapturingLogger();
    const store = await openWritableRemoteStore({
      url: server.url,
      authToken: TOKEN,
      // On a busy machine, an answer may take as long as none does.
      timeoutMs: message === UNREACHABLE ? 100 : 60_000,
      importRetryMs: 0,
      pollMs: 8e7,
      logger,
    });
    try {
      const errors = [
        await assertRejects(() => store.release(), DatabaseError),
        await assertRejects(() => store.stage("test"), DatabaseError),
      ];
      for (const error of errors) {
        if (message === UNREACHABLE) assertInstanceOf(error, UnreachableError);
        else assertStringIncludes(error.message, message);
        assert(error.message.length < 700, error.message);
        const text = inspect(error, { depth: 9, showHidden: true });
        assert(!text.includes(TOKEN), text);
      }
      assert(!inspect(logger.entries, { depth: 9 }).includes(TOKEN));
    } finally {
      await store.close();
    }
  });
}

Deno.test("openRemoteStore gives up an answer without an end", async () => {
  let sent = 0;
  await using server = await HttpServer.start((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": JSON_TYPE });
    const chunk = " ".repeat(1 << 20);
    const write = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (response.write(chunk)) continue;
        response.once("drain", write);
        return;
      }
    };
    write();
  });
  const store = await openRemoteStore({ url: server.url, pollMs: 8e7 });
  await assertRejects(() => store.release(), DatabaseError);
  await store.close();
  assert(sent < 100 << 20, `${sent}`);
});

Deno.test("openRemoteStore reads a compressed answer", async () => {
  await using server = await HttpServer.start((request, response) => {
    request.resume();
    response.writeHead(200, {
      "content-type": JSON_TYPE,
      "content-encoding": "gzip",
    }).end(gzipSync(answerOf([])));
  });
  const store = await openRemoteStore({ url: server.url, pollMs: 8e7 });
  assertEquals(await store.release(), undefined);
  await store.close();
});

Deno.test("openRemoteStore gives up a short answer that expands to a long one", async () => {
  const size = 64 << 20;
  const body = gzipSync(answerOf([]).padEnd(size));
  await using server = await HttpServer.start((request, response) => {
    request.resume();
    response.writeHead(200, {
      "content-type": JSON_TYPE,
      "content-encoding": "gzip",
      "content-length": body.length,
    }).end(body);
  });
  const store = await openRemoteStore({ url: server.url, pollMs: 8e7 });
  await assertRejects(
    () => store.release(),
    DatabaseError,
    "the response is too large",
  );
  await store.close();
});

Deno.test("openRemoteStore sends the token as a bearer token, to the path of the URL", async () => {
  const requests: string[] = [];
  await using server = await HttpServer.start((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization}`);
    result([])(request, response);
  });
  const store = await openRemoteStore({
    url: `${server.url}/cep/`,
    authToken: TOKEN,
    pollMs: 8e7,
  });
  assertEquals(await store.release(), undefined);
  await store.close();
  assertEquals(requests, [`/cep/v2/pipeline Bearer ${TOKEN}`]);
});

const ALLOWED: readonly [url: string, parsed: string][] = [
  ["libsql://cep.example.com", "https://cep.example.com/"],
  ["LIBSQL://CEP.example.com:8443/v/cep", "https://cep.example.com:8443/v/cep"],
  ["https://cep.example.com/db/", "https://cep.example.com/db/"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
  ["http://127.9.9.9:8080", "http://127.9.9.9:8080/"],
  ["http://localhost:8080", "http://localhost:8080/"],
  ["http://[::1]:8080", "http://[::1]:8080/"],
];

for (const [url, parsed] of ALLOWED) {
  Deno.test(`parseRemoteUrl parses ${url}`, () => {
    assertEquals(parseRemoteUrl(url)?.href, parsed);
  });
}

const REFUSED = [
  "",
  "cep.example.com",
  "/var/lib/cep",
  ":memory:",
  "file:cep.db",
  "http://cep.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://10.0.0.1:8080",
  "http://0.0.0.0:8080",
  "ws://127.0.0.1:8080",
  "wss://cep.example.com",
  "javascript:alert(1)",
  "libsql:",
  "libsql://",
  "https://user:secret@cep.example.com",
  "https://secret@cep.example.com",
  "https://:secret@cep.example.com",
  "https://@cep.example.com",
  "libsql://cep.example.com?authToken=secret",
  "libsql://cep.example.com?tls=0",
  "libsql://cep.example.com?",
  "https://cep.example.com#secret",
  "https:\\\\secret@cep.example.com",
  "https://cep.example.com\nlibsql://other",
  " https://cep.example.com",
];

for (const url of REFUSED) {
  Deno.test(`parseRemoteUrl refuses ${JSON.stringify(url)}`, async () => {
    assertEquals(parseRemoteUrl(url), undefined);
    const error = await assertRejects(
      () => openRemoteStore({ url }),
      TypeError,
      "the URL of the server must be a URL with libsql: or https:",
    );
    assertEquals(error.message.includes("secret"), false);
  });
}

/** Message of the settings about a database, without its heading. */
function problemOf(env: Record<string, string>): string | undefined {
  const error = assertThrows(() => parseConfig(env), ConfigError);
  return error.message.split("\n")[1];
}

Deno.test("parseConfig refuses DB_URL without showing it", () => {
  for (const url of REFUSED.filter((it) => it.trim() === it && it !== "")) {
    assertEquals(
      problemOf({ DB_URL: url }),
      "  DB_URL=***: must be a URL with libsql: or https:, or with http: on " +
        "this machine, without a user, a query or a fragment",
      url,
    );
  }
});

Deno.test("parseConfig refuses a token with a blank without showing it", () => {
  const env = { DB_URL: "libsql://cep.example.com", DB_AUTH_TOKEN: "a secret" };
  assertEquals(
    problemOf(env),
    "  DB_AUTH_TOKEN=***: must be a token of letters, digits and " +
      "punctuation, without blanks",
  );
});

Deno.test("parseRemoteUrl returns no user, query or fragment, and no other machine by http", () => {
  const parts = fc.constantFrom(
    ..."libsql: https: http: // @ : ? # / \\ a b.c 127.0.0.1 [::1] %40 \t ."
      .split(" "),
  );
  fc.assert(fc.property(
    fc.array(parts, { maxLength: 9 }).map((it) => it.join("")),
    (text) => {
      const url = parseRemoteUrl(text);
      if (url === undefined) return;
      const { username, password, search, hash, protocol, hostname } = url;
      assertEquals([username, password, search, hash], ["", "", "", ""]);
      if (protocol !== "https:") {
        assertEquals(protocol, "http:");
        assertEquals(/^(127\.|\[::1\]$|localhost$)/.test(hostname), true);
      }
    },
  ));
});
