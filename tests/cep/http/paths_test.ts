import { assert, assertEquals, assertMatch } from "@std/assert";
import { docsOf } from "../../../cep/http/errors.ts";
import fc from "fast-check";
import { CODE_UNIT } from "../_characters.ts";
import { Connection } from "../_connection.ts";
import { Process } from "../_process.ts";
import { address } from "../_records.ts";
import { Service } from "../_service.ts";
import { within } from "../_within.ts";

const ROUTES = new Set([
  "/healthcheck",
  "/livez",
  "/metrics",
  "/debug/count",
  "/debug/stats",
]);

/** Texts that are hard to handle in a path. */
const AWKWARD = fc.constantFrom(
  "",
  ".",
  "..",
  "...",
  "%",
  "%%",
  "%2",
  "%zz",
  "%00",
  "%0A",
  "%0d%0aSet-Cookie:%20a=b",
  "%2e%2e%2f",
  "%2F",
  "%5C",
  "%C0%AF",
  "%E0%A4",
  "%FF",
  "%F0%9F%98%80",
  "%D9%A0%D9%A1%D9%A3",
  "%u0030",
  "%2530",
  "\\",
  "..\\..\\",
  ";",
  "@",
  ":",
  ":cep",
  "'",
  '"',
  "' OR '1'='1",
  "<script>",
  "${7*7}",
  "\0",
  "\t",
  "\r\n",
  "\u001b[31m",
  "\u007f",
  "\u0085",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ufffe",
  "\ud800",
  "😀",
  "é",
  "e\u0301",
  "٠١٣١٠١٠٠",
  "０１３１０１００",
  "0131010",
  "013101000",
  "01310--100",
  "-1",
  "1e7",
  "NaN",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "cep",
  "CEP",
  "debug",
  "list",
);

const SEGMENTS = fc.oneof(
  { weight: 4, arbitrary: AWKWARD },
  { weight: 2, arbitrary: fc.string({ unit: CODE_UNIT, maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom(..."0123456789.-%/\\ "),
      maxLength: 14,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(AWKWARD, fc.integer({ min: 1, max: 300 }))
      .map(([text, times]) => text.repeat(times)),
  },
);

const PATHS = fc.tuple(
  fc.constantFrom(
    "/cep/",
    "/cep/",
    "/cep/",
    "/cep/0131010",
    "/cep",
    "/debug/list/",
    "/debug/list?prefix=",
    "/debug/",
    "/",
    "//",
  ),
  fc.array(SEGMENTS, { minLength: 1, maxLength: 4 }),
).map(([start, segments]) => start + segments.join("/"));

const CODES: Readonly<Record<string, number>> = {
  cep_missing: 400,
  cep_invalid: 400,
  prefix_invalid: 400,
  cep_not_found: 404,
  route_not_found: 404,
};

Deno.test("createHandler returns 400 or 404 for malformed paths", async () => {
  // Paths such as `/cep/..` lead to the page, whose errors are not JSON.
  await using service = await Service.open({
    records: [address()],
    config: { page: false },
  });
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(PATHS.filter(isMalformed), async (path) => {
      for (const request of [parsed(path), raw(path)]) {
        if (request === undefined) continue;
        asked++;
        const response = await service.handler(request);
        const { error, code, docs, motivo = "", ...rest } = await response
          .json();
        assertEquals(response.status, CODES[code], request.url);
        assertEquals([typeof error, typeof motivo], ["string", "string"]);
        assertEquals(docs, docsOf(code));
        assertEquals(rest, {});
      }
    }),
    { seed: 20260101, numRuns: 2000 },
  );
  assert(asked >= 2000);
  assertEquals(service.logger.entries, []);
});

Deno.test("createHandler returns 400 or 404 for a path of a megabyte", async () => {
  await using service = await Service.open({ records: [address()] });
  for (const text of ["0", "%30", "%", "é", "/"]) {
    const path = `/cep/${text.repeat(1_000_000 / text.length)}`;
    const response = await service.handler(raw(path));
    assertEquals(response.status, text === "/" ? 404 : 400);
    await response.body?.cancel();
  }
});

const request = (target: string, host = "localhost") =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

/** Requests that client libraries do not send. */
const BYTES: readonly string[] = [
  "",
  "\r\n\r\n",
  "\0",
  "GET",
  "GET /cep/01900001",
  "GET /cep/01900001\r\n\r\n",
  "GET /cep/01900001 HTTP/1.1\r\nHost",
  "GET /cep/01900001 HTTP/9.9\r\nHost: localhost\r\n\r\n",
  "GET /cep/01900001 FTP/1.1\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "SSH-2.0-OpenSSH_9.9\r\n",
  request(""),
  request("*"),
  request("cep/01900001"),
  request("localhost:80"),
  request("/cep/0190 0001"),
  request("/cep/\0"),
  request("/cep/\x01\x02"),
  request("/cep/\x7f"),
  request("/cep/\xff\xfe"),
  request("/cep/\xc3\xa9"),
  request("/cep/%"),
  request("/cep/%zz"),
  request("/cep/..%2f..%2fetc%2fpasswd"),
  request("/cep/../../../../etc/passwd"),
  request("/cep\\01900001"),
  request("/cep/#01900001"),
  request('/cep/"><script>'),
  request("//"),
  request("///cep///01900001///"),
  request("http://localhost"),
  request("http://localhost/nada"),
  request("http:///cep"),
  request("http://localhost/cep/../metrics"),
  request("http://localhost/cep/%2e%2e/debug/count"),
  request(`/${"a".repeat(60_000)}`),
  request(`/cep/${"%30".repeat(30_000)}`),
  request(`/${"a/".repeat(20_000)}`),
  request("/nada", ""),
  request("/nada", "a b"),
  request("/nada", "["),
  request("/nada", "a:99999"),
  request("/nada", "\xff"),
  // The host does not determine the route.
  request("/nada", "a/metrics?"),
  request("/nada", "a/metrics#"),
  request("/nada", "a/debug/count?"),
  request("/nada", "a\\metrics?"),
  "GET /nada HTTP/1.1\r\nConnection: close\r\n\r\n",
  "GET /nada HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
  "GET /nada HTTP/1.0\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "GET /nada HTTP/1.1\r\n : \r\n\r\n",
  "GET /nada HTTP/1.1\r\nHost : localhost\r\n\r\n",
  `GET /nada HTTP/1.1\r\nX: ${"x".repeat(500_000)}\r\n\r\n`,
  `GET /nada HTTP/1.1\r\n${"X: x\r\n".repeat(2_000)}\r\n`,
  "POST /nada HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
  "POST /nada HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
  "POST /nada HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc",
  "POST /nada HTTP/1.1\r\nHost: localhost\r\n" +
  "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
];

Deno.test("serve refuses bytes that are not a request, and keeps serving", async () => {
  await using server = Process.main({
    DB_PATH: ":memory:",
    API_PAGE: "false",
    API_RATE_LIMIT_ENABLE: "false",
  });
  const port = await server.port();
  for (const bytes of BYTES) {
    const name = JSON.stringify(bytes.slice(0, 80));
    const answer = await within(name, exchangeBytes(port, bytes));
    // The connection may be closed without a response, or be HTTP/2.
    if (answer.startsWith("HTTP/")) {
      assertMatch(answer, /^HTTP\/1\.[01] 4\d\d /, name);
    }
    using connection = await Connection.open(port);
    const health = await connection.get("/healthcheck");
    assertEquals(health?.status, 503, `after ${name}`);
  }
  assertEquals(server.lines.filter(({ level }) => level === "ERROR"), []);
});

Deno.test("serve handles requests with an invalid Host", async () => {
  await using server = Process.main({ DB_PATH: ":memory:" });
  const port = await server.port();
  for (const host of ["[", "a b", "a:99999"]) {
    const answer = await exchangeBytes(
      port,
      request("/debug/list?prefix=x", host),
    );
    assertMatch(answer, /^HTTP\/1\.1 400 /);
  }
});

async function exchangeBytes(port: number, bytes: string): Promise<string> {
  using connection = await Connection.open(port);
  try {
    await connection.send(bytes);
    connection.end();
  } catch {
    // The server may have closed the connection.
  }
  return await connection.drain();
}

const PREFIX = /^(?:\d{1,5}|\d{5}-?\d{0,3})$/;

/** True if the service does not return 200 for a path, normalized or not. */
function isMalformed(path: string): boolean {
  const right = parsed(path)?.url.replace("http://localhost", "");
  return [path, right].every((it) => it === undefined || !isAnswered(it));
}

function isAnswered(target: string): boolean {
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const plain = path.replace(/\/$/, "");
  if (plain !== "/debug/list") return ROUTES.has(plain);
  const prefix = new URLSearchParams(query).get("prefix");
  return prefix === null || PREFIX.test(prefix);
}

/** Request with a path normalized by the URL parser, if possible. */
function parsed(path: string): Request | undefined {
  try {
    return new Request(`http://localhost${path}`);
  } catch {
    return undefined;
  }
}

/** Request with a path as sent by the client. */
function raw(path: string): Request {
  const request = new Request("http://localhost");
  Object.defineProperty(request, "url", { value: `http://localhost${path}` });
  return request;
}
