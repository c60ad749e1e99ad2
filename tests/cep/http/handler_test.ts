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
import { address, fakeStore, recordsStore } from "../_records.ts";
import { type Call, Service } from "../_service.ts";

const STREET = address();
const DISTRICT = address({
  cep: "69990000",
  logradouro: "",
  complemento: "",
  bairro: "Ponte Alta",
  distrito: "Ponte Alta",
  cidade: "Rio Manso",
  uf: "AC",
  codigo_ibge: "",
  tipo_logradouro: "",
  tipo_origem: "localidade",
  nome_origem: "LOG_LOCALIDADE.TXT",
});
const RECORDS = [STREET, DISTRICT];

const HEALTHY = {
  status: "ok",
  version: "1.2.3",
  commit: "abc",
  repo: "http://example.test",
  data: {
    total_ceps: 2,
    seeded_at: "2026-01-02T03:04:05.000Z",
    dne_version: "26011",
    release: "00000001",
    sources: ["dne"],
  },
};

const ANSWERS: readonly (readonly [path: string, body: unknown])[] = [
  ["/cep/01900001", STREET],
  ["/cep/01900-001", STREET],
  ["/cep/01.900-001", STREET],
  ["/cep/01900%2D001", STREET],
  ["/cep/01%2E900%2d001", STREET],
  ["/cep/%30%31900001", STREET],
  ["/cep/01900001/", STREET],
  ["/cep/01900001/?", STREET],
  ["/cep/69990000", DISTRICT],
  ["/healthcheck", HEALTHY],
  ["/healthcheck/", HEALTHY],
  ["/debug/count", { total_ceps: 2 }],
  ["/debug/count/", { total_ceps: 2 }],
  ["/debug/stats", { total_ceps: 2, por_uf: { AC: 1, SP: 1 } }],
  ["/debug/stats/", { total_ceps: 2, por_uf: { AC: 1, SP: 1 } }],
  ["/livez", { status: "ok" }],
  ["/livez/", { status: "ok" }],
  ["/debug/list", { total: 2, data: RECORDS }],
  ["/debug/list?", { total: 2, data: RECORDS }],
  ["/debug/list?prefix=0", { total: 1, data: [STREET] }],
  ["/debug/list/?prefix=6999", { total: 1, data: [DISTRICT] }],
  ["/debug/list?prefix=69990000", { total: 1, data: [DISTRICT] }],
  ["/debug/list?prefix=5", { total: 0, data: [] }],
];

for (const [path, body] of ANSWERS) {
  Deno.test(`createHandler responds to GET ${path}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(path);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), "application/json");
    assertEquals(await response.json(), body);
  });
}

Deno.test("createHandler responds to GET /metrics with text", async () => {
  await using service = await Service.open({ records: RECORDS });
  const response = await service.ask("/metrics");
  assertEquals(response.status, 200);
  assertMatch(response.headers.get("content-type") ?? "", /^text\/plain/);
  assertStringIncludes(await response.text(), "cep_records 2\n");
});

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

for (const [path, status] of HEADS) {
  Deno.test(`createHandler responds to HEAD ${path} with the headers of GET`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const headers = { "x-request-id": "r-1" };
    const get = await service.ask(path, { headers });
    const head = await service.ask(path, { headers, method: "HEAD" });
    assertEquals(get.status, status);
    assertEquals(head.status, status);
    assertEquals(await head.text(), "");
    const { byteLength } = await get.arrayBuffer();
    assertEquals(get.headers.get("content-length"), `${byteLength}`);
    assertEquals([...head.headers], [...get.headers]);
  });
}

Deno.test("createHandler responds to HEAD /metrics without a body", async () => {
  await using service = await Service.open({ records: RECORDS });
  const head = await service.ask("/metrics", { method: "HEAD" });
  assertEquals(head.status, 200);
  assertEquals(await head.text(), "");
  assert(Number(head.headers.get("content-length")) > 0);
});

Deno.test("createHandler lets clients cache a record for cacheSeconds", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { cacheSeconds: 7 },
  });
  const response = await service.ask("/cep/01900001");
  assertEquals(response.headers.get("cache-control"), "max-age=7");
});

const CACHING: readonly (readonly [
  path: string,
  caching: string,
  call?: Call,
])[] = [
  ["/cep/01900001", "max-age=300"],
  ["/cep/01900001", "max-age=300", { method: "HEAD" }],
  ["/cep/01900001", "max-age=300", { from: "192.0.2.1" }],
  ["/cep/01900001", "max-age=300", { headers: { "x-request-id": "not sane" } }],
  ["/cep/01900001", "private, max-age=300", {
    headers: { "x-request-id": "r-1" },
  }],
  ["/cep/99999999", "no-store"],
  ["/cep/x", "no-store"],
  ["/cep", "no-store"],
  ["/cep", "no-store", { method: "POST" }],
  ["/debug/list", "no-store"],
  ["/debug/count", "no-store"],
  ["/debug/stats", "no-store"],
  ["/healthcheck", "no-store"],
  ["/livez", "no-store"],
  ["/metrics", "no-store"],
  ["/nada", "no-store"],
];

for (const [path, caching, call] of CACHING) {
  const name = `${call?.method ?? "GET"} ${path}${
    call?.from || call?.headers ? ` of ${JSON.stringify(call)}` : ""
  }`;
  Deno.test(`createHandler responds to ${name} with "${caching}"`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(path, call);
    assertEquals(response.headers.get("cache-control"), caching);
    await response.body?.cancel();
  });
}

Deno.test("createHandler returns the same cacheable response to every client", async () => {
  await using service = await Service.open({ records: RECORDS });
  const first = await service.ask("/cep/01900001", { from: "192.0.2.1" });
  const second = await service.ask("/cep/01900001", {
    from: "192.0.2.2",
    headers: { "x-forwarded-for": "203.0.113.5", "user-agent": "b" },
  });
  assertEquals([...first.headers], [...second.headers]);
  assertEquals(await first.text(), await second.text());
});

for (
  const [kind, store] of [
    ["an empty", recordsStore()],
    ["a broken", fakeStore()],
  ] as const
) {
  Deno.test(`createHandler responds to /livez with ${kind} database`, async () => {
    await using service = await Service.open({ store });
    const response = await service.ask("/livez");
    assertEquals(response.status, 200);
    assertEquals(await response.json(), { status: "ok" });
    assertEquals(service.logger.entries, []);
  });
}

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
