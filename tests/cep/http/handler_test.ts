import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import type { Address } from "../../../cep/address.ts";
import { type Config, ConfigError } from "../../../cep/config.ts";
import type { ConnectionInfo } from "../../../cep/http/exchange.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { DatabaseError } from "../../../cep/store/store.ts";
import {
  address,
  addresses,
  type Call,
  fakeStore,
  Process,
  recordsStore,
  RELEASE,
  Service,
  type ServiceOptions,
} from "../_server.ts";
import { moduleUrl } from "../../program.ts";

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

const FIELDS = [
  "cep",
  "logradouro",
  "complemento",
  "bairro",
  "distrito",
  "cidade",
  "uf",
  "codigo_ibge",
  "tipo_logradouro",
  "tipo_origem",
  "nome",
  "nome_origem",
];

const CONTRACT_FIELDS = [
  "cep",
  "logradouro",
  "bairro",
  "cidade",
  "uf",
  "codigo_ibge",
  "tipo_logradouro",
  "tipo_origem",
  "nome_origem",
];

const HEALTHY = {
  status: "ok",
  version: "1.2.3",
  commit: "abc",
  repo: "http://example.test",
  data: {
    total_ceps: 2,
    seeded_at: "2026-01-02T03:04:05.000Z",
    dne_version: "26011",
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
  ["/cep/01900001?callback=x", STREET],
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
  ["/debug/list?Prefix=x", { total: 2, data: RECORDS }],
  ["/debug/list?prefix=0", { total: 1, data: [STREET] }],
  ["/debug/list/?prefix=6999", { total: 1, data: [DISTRICT] }],
  ["/debug/list?x=1&prefix=69990000", { total: 1, data: [DISTRICT] }],
  ["/debug/list?prefix=5", { total: 0, data: [] }],
];

for (const [path, body] of ANSWERS) {
  Deno.test(`createHandler answers GET ${path}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(path);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), "application/json");
    assertEquals(await response.json(), body);
  });
}

Deno.test("createHandler answers GET /metrics as text", async () => {
  await using service = await Service.open({ records: RECORDS });
  const response = await service.ask("/metrics");
  assertEquals(response.status, 200);
  assertMatch(response.headers.get("content-type") ?? "", /^text\/plain/);
  assertStringIncludes(await response.text(), "cep_records 2\n");
});

Deno.test("createHandler answers a record's fields in order", async () => {
  await using service = await Service.open({ records: RECORDS });
  const response = await service.ask("/cep/01900001");
  const text = await response.text();
  assertEquals(Object.keys(JSON.parse(text)), FIELDS);
  assertEquals(text, JSON.stringify(STREET, FIELDS));
});

for (const { cep, tipo_origem } of RECORDS) {
  Deno.test(`createHandler answers every field of a ${tipo_origem} as a string`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(`/cep/${cep}`);
    const record: Record<string, unknown> = await response.json();
    for (const field of CONTRACT_FIELDS) {
      assertEquals(typeof record[field], "string", field);
    }
    assertEquals(
      Object.values(record).filter((value) => typeof value !== "string"),
      [],
    );
  });
}

Deno.test("createHandler keeps accents and quotes of a record", async () => {
  const record = address({ logradouro: 'Rua D"Água São João', bairro: "Açaí" });
  await using service = await Service.open({ records: [record] });
  const response = await service.ask("/cep/01900001");
  assertEquals(await response.json(), record);
});

interface Failure {
  readonly code: string;
  readonly status: number;
  readonly path: string;
  readonly call?: Call;
  readonly options?: ServiceOptions;
  /** Requests that come before it. */
  readonly before?: number;
  /** Whether the answer names the request, for whoever reads the log. */
  readonly named?: boolean;
}

const EMPTY: ServiceOptions = { config: {} };
const unreadable = () =>
  Promise.reject(new DatabaseError("Cannot read the database: gone"));
const UNREADABLE: ServiceOptions = {
  store: fakeStore({ release: unreadable, findJson: unreadable }),
};
const UNREADABLE_RECORDS: ServiceOptions = {
  store: fakeStore({
    release: () => Promise.resolve(RELEASE),
    findJson: unreadable,
    list: unreadable,
  }),
};
const BROKEN: ServiceOptions = {
  store: fakeStore({
    release: () => Promise.resolve(RELEASE),
    findJson: () => Promise.reject(new TypeError("secret detail")),
    list: () => {
      throw new TypeError("secret detail");
    },
  }),
};

const FAILURES: readonly Failure[] = [
  ...["/cep", "/cep/", "/cep?", "/cep/?cep=01900001"].map(
    (path) => ({ code: "cep_missing", status: 400, path }),
  ),
  ...[
    "/cep/0190000",
    "/cep/019000011",
    "/cep/abcdefgh",
    "/cep/01900 001",
    "/cep/01900%20001",
    "/cep/01900001%00",
    "/cep/01900001%0A",
    "/cep/01900001%2F",
    "/cep/%",
    "/cep/%zz",
    "/cep/%E0%A4",
    "/cep/%FF%FE",
    "/cep/%2530%2531900001",
    "/cep/%D9%A0%D9%A1900001",
    "/cep/٠١٩٠٠٠٠١",
    "/cep/:cep",
    "/cep/undefined",
    "/cep//",
    `/cep/${"0".repeat(10_000)}`,
  ].map((path) => ({ code: "cep_invalid", status: 400, path })),
  { code: "cep_invalid", status: 400, path: "/cep/x", options: EMPTY },
  ...[
    "?prefix",
    "?prefix=",
    "?prefix=&prefix=019",
    "?prefix=-",
    "?prefix=a",
    "?prefix=019a",
    "?prefix=01-9",
    "?prefix=0190-0001",
    "?prefix=01900--001",
    "?prefix=01.900-001",
    "?prefix=019000011",
    "?prefix=01900-0011",
    "?prefix=%20019",
    "?prefix=019%0A",
    "?prefix=%zz",
    "?prefix=٠",
    "?prefix=%25",
    "?prefix=_",
  ].map((query) => ({
    code: "prefix_invalid",
    status: 400,
    path: `/debug/list${query}`,
  })),
  {
    code: "prefix_invalid",
    status: 400,
    path: "/debug/list?prefix=x",
    options: EMPTY,
  },
  { code: "cep_not_found", status: 404, path: "/cep/99999999" },
  { code: "cep_not_found", status: 404, path: "/cep/00000-000" },
  ...[
    "/",
    "//",
    "/nada",
    "/CEP/01900001",
    "//cep/01900001",
    "/cep/01900001/x",
    "/cep/01900001//",
    "/ceps",
    "/cepx/01900001",
    "/debug",
    "/debug/",
    "/debug/x",
    "/debug/list/x",
    "/healthcheck/x",
    "/metrics.txt",
    "/unknown",
    "/favicon.ico",
    "/__proto__",
    "/constructor",
    "/%63ep/01900001",
    "/cep\\01900001/x",
  ].map((path) => ({ code: "route_not_found", status: 404, path })),
  {
    code: "route_not_found",
    status: 404,
    path: "/nada",
    call: { method: "POST" },
  },
  ...["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get2"].map(
    (method) => ({
      code: "method_not_allowed",
      status: 405,
      path: "/cep/01900001",
      call: { method },
    }),
  ),
  {
    code: "rate_limited",
    status: 429,
    path: "/cep/01900001",
    call: { from: "192.0.2.1" },
    options: {
      records: RECORDS,
      config: { rateLimitMax: 1, rateLimitBurst: 0 },
      now: () => 0,
    },
    before: 1,
  },
  ...["/cep/01900001", "/debug/list?prefix=0"].map((path) => ({
    code: "internal",
    status: 500,
    path,
    options: BROKEN,
    named: true,
  })),
  {
    code: "internal",
    status: 500,
    path: "/debug/count",
    options: { store: fakeStore() },
    named: true,
  },
  ...["/cep/01900001", "/debug/list?prefix=0", "/debug/count", "/debug/stats"]
    .flatMap((path) => [
      { code: "database_not_ready", status: 503, path, options: EMPTY },
      {
        code: "database_not_ready",
        status: 503,
        path,
        options: UNREADABLE,
        named: true,
      },
    ]),
  ...["/cep/01900001", "/debug/list?prefix=0"].map((path) => ({
    code: "database_not_ready",
    status: 503,
    path,
    options: UNREADABLE_RECORDS,
    named: true,
  })),
];

const NAMES = new Map<ServiceOptions, string>([
  [EMPTY, " of an empty database"],
  [UNREADABLE, " of an unreadable database"],
  [UNREADABLE_RECORDS, " of unreadable records"],
  [BROKEN, " of a broken store"],
]);

for (const failure of FAILURES) {
  const { code, status, path, call, before = 0, named = false } = failure;
  const options = failure.options ?? { records: RECORDS };
  const short = path.length > 100 ? `${path.slice(0, 20)}…` : path;
  const method = call?.method ?? "GET";
  const of = NAMES.get(options) ?? "";
  Deno.test(`createHandler answers ${status} ${code} to ${method} ${short}${of}`, async () => {
    await using service = await Service.open(options);
    for (let i = 0; i < before; i++) await service.ask(path, call);
    const response = await service.ask(path, {
      ...call,
      headers: { "x-request-id": "r-1" },
    });
    assertEquals(response.status, status);
    assertEquals(response.headers.get("content-type"), "application/json");
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(response.headers.get("etag"), null);
    const { error, ...rest } = await response.json();
    assertEquals(rest, { code, ...(named && { request_id: "r-1" }) });
    assertMatch(error, /^[A-Z].* .*\.$/);
  });
}

const MESSAGES: readonly (readonly [path: string, message: string])[] = [
  ["/cep", "Informe o CEP na rota, por exemplo /cep/01310100."],
  ["/cep/x", "CEP inválido: informe oito dígitos, como 01310-100."],
  ["/cep/99999999", "CEP não encontrado."],
];

for (const [path, message] of MESSAGES) {
  Deno.test(`createHandler says in Portuguese what is wrong with ${path}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(path);
    assertEquals((await response.json()).error, message);
  });
}

for (const path of ["/cep", "/cep/01900001", "/debug/list", "/healthcheck"]) {
  Deno.test(`createHandler allows GET and HEAD alone on ${path}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    for (const method of ["POST", "DELETE", "OPTIONS", "PROPFIND"]) {
      const response = await service.ask(path, { method });
      assertEquals(response.status, 405);
      assertEquals(response.headers.get("allow"), "GET, HEAD");
      await response.body?.cancel();
    }
  });
}

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
  Deno.test(`createHandler answers HEAD ${path} with the headers of GET`, async () => {
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

Deno.test("createHandler answers HEAD /metrics without a body", async () => {
  await using service = await Service.open({ records: RECORDS });
  const head = await service.ask("/metrics", { method: "HEAD" });
  assertEquals(head.status, 200);
  assertEquals(await head.text(), "");
  assert(Number(head.headers.get("content-length")) > 0);
});

const UNHEALTHY: readonly (readonly [
  status: string,
  options: ServiceOptions,
])[] = [
  ["empty", EMPTY],
  ["unreadable", UNREADABLE],
  ["unreadable", { store: fakeStore() }],
];

for (const [status, options] of UNHEALTHY) {
  Deno.test(`createHandler answers 503 to /healthcheck of an ${status} database`, async () => {
    await using service = await Service.open(options);
    const response = await service.ask("/healthcheck");
    assertEquals(response.status, 503);
    assertEquals(response.headers.get("cache-control"), "no-store");
    const { error, ...rest } = await response.json();
    assertEquals(rest, {
      status,
      code: "database_not_ready",
      version: "1.2.3",
      commit: "abc",
      repo: "http://example.test",
    });
    assertMatch(error, /Base de dados/);
  });
}

Deno.test("createHandler tells neither stack nor message of an unknown failure", async () => {
  await using service = await Service.open(BROKEN);
  const response = await service.ask("/cep/01900001");
  assertEquals(response.status, 500);
  const everything = await response.text() +
    JSON.stringify(Object.fromEntries(response.headers));
  for (const hint of ["secret", "TypeError", "    at ", ".ts", "file:"]) {
    assert(!everything.includes(hint), everything);
  }
});

Deno.test("createHandler logs an unknown failure with its request id", async () => {
  await using service = await Service.open(BROKEN);
  const response = await service.ask("/cep/01900001");
  const { request_id } = await response.json();
  assertEquals(response.headers.get("x-request-id"), request_id);
  const [logged, ...others] = service.logger.at("error");
  assertEquals(others, []);
  assertEquals(logged?.request_id, request_id);
  assertEquals(logged?.route, "/cep/:cep");
  assertMatch(`${logged?.error}`, /^TypeError: secret detail\n +at /);
});

Deno.test("createHandler logs a failure of the database", async () => {
  await using service = await Service.open(UNREADABLE);
  const response = await service.ask("/cep/01900001");
  const { request_id } = await response.json();
  const [logged] = service.logger.at("error");
  assertEquals(logged?.request_id, request_id);
  assertStringIncludes(`${logged?.error}`, "Cannot read the database: gone");
});

Deno.test("createHandler logs nothing of what the client did wrong", async () => {
  await using service = await Service.open({ records: RECORDS });
  for (const path of ["/cep", "/cep/x", "/cep/99999999", "/nada"]) {
    await (await service.ask(path)).body?.cancel();
  }
  assertEquals(service.logger.entries, []);
});

/** 150 codes of 01234-567 and on, which go over into the next five digits. */
const MANY = [
  ...addresses(1_234_900, 150, { uf: "SP" }),
  address({ cep: "01299999" }),
  address({ cep: "20000000", uf: "RJ" }),
];

const LISTS: readonly (readonly [
  prefix: string,
  total: number,
  first?: string,
])[] = [
  ["0", 151, "01234900"],
  ["01", 151, "01234900"],
  ["012", 151, "01234900"],
  ["0123", 150, "01234900"],
  ["01234", 100, "01234900"],
  ["01234-", 100, "01234900"],
  ["01235", 50, "01235000"],
  ["012349", 100, "01234900"],
  ["01234-9", 100, "01234900"],
  ["0123490", 10, "01234900"],
  ["01234-91", 10, "01234910"],
  ["01234900", 1, "01234900"],
  ["01234-900", 1, "01234900"],
  ["2", 1, "20000000"],
  ["01234-8", 0],
  ["9", 0],
  ["99999999", 0],
];

for (const [prefix, total, first] of LISTS) {
  Deno.test(`createHandler lists the ${total} codes of prefix ${prefix}`, async () => {
    await using service = await Service.open({ records: MANY });
    const response = await service.ask(`/debug/list?prefix=${prefix}`);
    assertEquals(response.status, 200);
    const list: { total: number; data: Address[] } = await response.json();
    assertEquals(Object.keys(list), ["total", "data"]);
    assertEquals(list.total, total);
    assertEquals(list.data.length, Math.min(total, 100));
    const ceps = list.data.map(({ cep }) => cep);
    assertEquals(ceps[0], first);
    assertEquals(ceps, ceps.toSorted());
    const digits = prefix.replace("-", "");
    assertEquals(ceps.filter((cep) => !cep.startsWith(digits)), []);
  });
}

Deno.test("createHandler lists a record as it answers it", async () => {
  await using service = await Service.open({ records: MANY });
  const list = await service.ask("/debug/list?prefix=01234900");
  const one = await service.ask("/cep/01234900");
  assertEquals(await list.text(), `{"total":1,"data":[${await one.text()}]}`);
});

Deno.test("createHandler lists nothing as an empty list", async () => {
  await using service = await Service.open({ records: MANY });
  const response = await service.ask("/debug/list?prefix=9");
  assertEquals(await response.text(), '{"total":0,"data":[]}');
});

Deno.test("createHandler counts by state", async () => {
  await using service = await Service.open({ records: MANY });
  const response = await service.ask("/debug/stats");
  assertEquals(await response.json(), {
    total_ceps: 152,
    por_uf: { RJ: 1, SP: 151 },
  });
});

Deno.test("createHandler lets clients keep a record for as long as set", async () => {
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
  const what = `${call?.method ?? "GET"} ${path}${
    call?.from || call?.headers ? ` of ${JSON.stringify(call)}` : ""
  }`;
  Deno.test(`createHandler answers ${what} with "${caching}"`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(path, call);
    assertEquals(response.headers.get("cache-control"), caching);
    await response.body?.cancel();
  });
}

Deno.test("createHandler tells nothing of a client in what a shared cache may keep", async () => {
  await using service = await Service.open({ records: RECORDS });
  const first = await service.ask("/cep/01900001", { from: "192.0.2.1" });
  const second = await service.ask("/cep/01900001", {
    from: "192.0.2.2",
    headers: { "x-forwarded-for": "203.0.113.5", "user-agent": "b" },
  });
  assertEquals([...first.headers], [...second.headers]);
  assertEquals(await first.text(), await second.text());
});

for (const store of [recordsStore(), fakeStore()]) {
  Deno.test("createHandler answers /livez without the database", async () => {
    await using service = await Service.open({ store });
    const response = await service.ask("/livez");
    assertEquals(response.status, 200);
    assertEquals(await response.json(), { status: "ok" });
    assertEquals(service.logger.entries, []);
  });
}

/** What other servers pass where Deno passes the connection. */
const INFOS: readonly (readonly [what: string, info: unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["an empty object (Hono's mount)", {}],
  ["bindings", { env: { KEY: "x" }, incoming: {} }],
  ["a connection without an address", { remoteAddr: {} }],
  ["a Unix socket", { remoteAddr: { transport: "unix", path: "/run/x" } }],
];

for (const [what, info] of INFOS) {
  Deno.test(`createHandler answers a request that comes with ${what}`, async () => {
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

Deno.test("createHandler prints an internal error when nothing else logs it", async () => {
  await using program = Process.script(`
    const { createHandler } = await import(
      ${JSON.stringify(moduleUrl("cep/http/handler.ts"))}
    );
    const store = { findJson: () => Promise.reject(new TypeError("secret")) };
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

Deno.test("createHandler stands any headers", async () => {
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
    { seed: 5, numRuns: 1000 },
  );
  assertEquals(service.logger.at("error"), []);
});

Deno.test("createHandler answers whatever name the client calls the host by", async () => {
  await using service = await Service.open({ records: RECORDS });
  for (const host of ["[", "a b", "a:99999", "", "\u00e9"]) {
    for (const [path, status] of HEADS) {
      const request = new Request("http://localhost");
      // A server gives the URL as the client wrote it.
      Object.defineProperty(request, "url", { value: `http://${host}${path}` });
      const response = await service.handler(request);
      assertEquals(response.status, status, request.url);
      await response.body?.cancel();
    }
  }
});
