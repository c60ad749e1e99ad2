import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { type Config, ConfigError } from "../../../cep/settings/config.ts";
import type { ConnectionInfo } from "../../../cep/http/exchange.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { moduleUrl } from "../../_program.ts";
import { Process } from "../_process.ts";
import { address, fakeStore } from "../_records.ts";
import { type Call, Service } from "../_service.ts";

const RECORDS = [address()];

Deno.test("createHandler does not read the body of a request", async () => {
  await using service = await Service.open({ records: RECORDS });
  const request = new Request("http://localhost/cep/01900001", {
    method: "POST",
    body: "x".repeat(1000),
  });
  const response = await service.handler(request);
  assertEquals(response.status, 405);
  assertEquals(request.bodyUsed, false);
});

const HEADS: readonly (readonly [path: string, status: number])[] = [
  ["/cep/01900001", 200],
  ["/healthcheck", 200],
  ["/debug/count", 200],
  ["/debug/stats", 200],
  ["/debug/list", 200],
  ["/debug/list?prefix=0", 200],
  ["/livez", 200],
  ["/cep", 400],
  ["/cep/x", 400],
  ["/debug/list?prefix=x", 400],
  ["/cep/99999999", 404],
  ["/nada", 404],
];

Deno.test("createHandler lets clients cache a record for cacheSeconds", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { cacheSeconds: 7 },
  });
  const response = await service.ask("/cep/01900001");
  assertEquals(response.headers.get("cache-control"), "max-age=7");
});

/** Second arguments that servers pass to the handler. */
const INFOS: readonly (readonly [name: string, info: unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["an empty object (Hono's mount)", {}],
  ["bindings", { env: { KEY: "x" }, incoming: {} }],
  ["a connection without an address", { remoteAddr: {} }],
  ["a Unix socket", { remoteAddr: { transport: "unix", path: "/run/x" } }],
];

for (const [name, info] of INFOS) {
  Deno.test(`createHandler accepts ${name} as the connection`, async () => {
    await using service = await Service.open({
      records: RECORDS,
      config: { logLevel: "debug", trustedProxies: ["10.0.0.1", "unix"] },
    });
    const request = new Request("http://localhost/cep/01900001");
    const response = await service.handler(request, info as ConnectionInfo);
    assertEquals(response.status, 200);
    await response.body?.cancel();
  });
}

const REFUSED: readonly (readonly [member: string, config: Partial<Config>])[] =
  [
    ["gzipLevel", { gzipLevel: 20 }],
    ["corsOrigins", { corsOrigins: ["loja.com.br"] }],
    ["corsMethods", { corsMethods: ["GET\n"] }],
    ["corsHeaders", { corsHeaders: ["a b"] }],
    ["trustedProxies", { trustedProxies: ["proxy"] }],
    ["rateLimitMax", { rateLimitMax: 0 }],
    ["rateLimitMinutes", { rateLimitMinutes: NaN }],
    ["cacheSeconds", { cacheSeconds: -1 }],
  ];

for (const [member, config] of REFUSED) {
  Deno.test(`createHandler refuses ${JSON.stringify(config)}`, () => {
    assertThrows(
      () => createHandler({ store: fakeStore(), config }),
      ConfigError,
      member,
    );
  });
}

Deno.test("createHandler prints an internal error if LogTape is not configured", async () => {
  await using program = Process.script(`
    const { createHandler } = await import(
      ${JSON.stringify(moduleUrl("cep/http/handler.ts"))}
    );
    const store = { read: () => Promise.reject(new TypeError("secret")) };
    const handler = createHandler({ store });
    const request = new Request("http://localhost/cep/01310100");
    const response = await handler(request);
    console.log(response.headers.get("x-request-id"));
  `);
  const { code, stderr } = await program.end();
  assertEquals(code, 0, stderr);
  const id = program.lines[0]?.message ?? "";
  assertMatch(id, /^\w{5,}$/);
  for (const detail of ["Request failed", id, "TypeError: secret"]) {
    assertStringIncludes(stderr, detail);
  }
});

Deno.test("createHandler accepts any headers", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: {
      trustedProxies: ["10.0.0.0/8"],
      corsOrigins: ["https://a.test"],
      logLevel: "debug",
    },
  });
  const value = fc.oneof(
    fc.constantFrom("*", '"', "W/", '"a", W/"b"', ",", ";q=", "gzip;q=1e9"),
    fc.string({ unit: fc.constantFrom(...'"W/*,;=:.%1af \t\u00e9\u00ff') }),
  );
  const headers = fc.record({
    "accept-encoding": value,
    "if-none-match": value,
    "origin": value,
    "range": value,
    "x-forwarded-for": fc.oneof(value, fc.ipV4(), fc.ipV6()),
    "x-request-id": value,
  }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(headers, async (headers) => {
      const call: Call = { headers, from: "10.0.0.1" };
      const response = await service.ask("/cep/01900001", call);
      assert([200, 304, 429].includes(response.status));
      await response.body?.cancel();
    }),
    { seed: 5, numRuns: 300 },
  );
  assertEquals(service.logger.at("error"), []);
});

Deno.test("createHandler accepts any host", async () => {
  await using service = await Service.open({ records: RECORDS });
  for (const host of ["[", "a b", "a:99999", "", "\u00e9"]) {
    for (const [path, status] of HEADS) {
      const request = new Request("http://localhost");
      // Servers pass the URL as sent by the client.
      Object.defineProperty(request, "url", { value: `http://${host}${path}` });
      const response = await service.handler(request);
      assertEquals(response.status, status, request.url);
      await response.body?.cancel();
    }
  }
});
