/** Errors of the API, and requests that produce them. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import {
  describeError,
  type ErrorCode,
  ERRORS,
} from "../../../cep/http/errors.ts";
import { DatabaseError } from "../../../cep/store/store.ts";
import { address, fakeStore, recordsStore, RELEASE } from "../_records.ts";
import { Service, type ServiceOptions } from "../_service.ts";

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Returns the body of an error in an example. */
function exampleOf(code: ErrorCode) {
  return describeError(code, ERRORS[code].example).body;
}

for (const code of CODES) {
  Deno.test(`ERRORS.${code} has a status, a message and its cause in both languages`, () => {
    const { status, cause } = ERRORS[code];
    assertMatch(code, /^[a-z]+(_[a-z]+)*$/);
    assert(status >= 400 && status < 600);
    assertMatch(exampleOf(code).error, /^[A-Z].* .*\.$/);
    for (const text of [cause.en, cause.pt]) assertMatch(text, /^\S.*[^.\s]$/);
  });

  Deno.test(`ERRORS.${code} has a message without settings or names of fields`, () => {
    const { error } = exampleOf(code);
    assertEquals(error.match(/[A-Z]{2,}_[A-Z]+|undefined|campo/g), null);
  });
}

Deno.test("ERRORS have distinct messages", () => {
  const messages = CODES.map((code) => exampleOf(code).error);
  assertEquals(new Set(messages).size, messages.length);
});

const RECORDS = [address()];

/**
 * Database, with `isLogged` true if its failures are logged with a request id.
 */
interface Database {
  readonly name: string;
  readonly options: ServiceOptions;
  readonly isLogged: boolean;
}

const FULL: Database = {
  name: "",
  options: { records: RECORDS },
  isLogged: false,
};
const EMPTY: Database = {
  name: " of an empty database",
  options: {},
  isLogged: false,
};
const unreadable = () =>
  Promise.reject(new DatabaseError("Cannot read the database: gone"));
const UNREADABLE: Database = {
  name: " of an unreadable database",
  options: { store: fakeStore({ release: unreadable, findJson: unreadable }) },
  isLogged: true,
};
const UNREADABLE_RECORDS: Database = {
  name: " of unreadable records",
  options: {
    store: fakeStore({
      release: () => Promise.resolve(RELEASE),
      findJson: unreadable,
      list: unreadable,
    }),
  },
  isLogged: true,
};
const BROKEN: Database = {
  name: " of a broken store",
  options: {
    store: fakeStore({
      release: () => Promise.resolve(RELEASE),
      findJson: () => Promise.reject(new TypeError("secret detail")),
      list: () => {
        throw new TypeError("secret detail");
      },
    }),
  },
  isLogged: true,
};

const FAILING: Database = {
  name: " of a store that fails",
  options: { store: fakeStore() },
  isLogged: true,
};

const DATA_PATHS = [
  "/cep/01900001",
  "/debug/list?prefix=0",
  "/debug/count",
  "/debug/stats",
];
const RECORD_PATHS = ["/cep/01900001", "/debug/list?prefix=0"];

const FAILURES: readonly (readonly [
  code: keyof typeof ERRORS,
  status: number,
  paths: readonly string[],
  database?: Database,
])[] = [
  ["cep_missing", 400, ["/cep", "/cep/", "/cep?", "/cep/?cep=01900001"]],
  ["cep_invalid", 400, [
    "/cep/0190000",
    "/cep/019000011",
    "/cep/abcdefgh",
    "/cep/01900001%00",
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
  ]],
  ["cep_invalid", 400, ["/cep/x"], EMPTY],
  ["prefix_invalid", 400, [
    "/debug/list?prefix",
    "/debug/list?prefix=",
    "/debug/list?prefix=&prefix=019",
    "/debug/list?prefix=-",
    "/debug/list?prefix=a",
    "/debug/list?prefix=019a",
    "/debug/list?prefix=01-9",
    "/debug/list?prefix=0190-0001",
    "/debug/list?prefix=01900--001",
    "/debug/list?prefix=01.900-001",
    "/debug/list?prefix=019000011",
    "/debug/list?prefix=01900-0011",
    "/debug/list?prefix=%20019",
    "/debug/list?prefix=019%0A",
    "/debug/list?prefix=%zz",
    "/debug/list?prefix=٠",
    "/debug/list?prefix=%25",
    "/debug/list?prefix=_",
  ]],
  ["prefix_invalid", 400, ["/debug/list?prefix=x"], EMPTY],
  ["cep_not_found", 404, ["/cep/99999999", "/cep/00000-000"]],
  ["route_not_found", 404, [
    "//",
    "/nada",
    "/CEP/01900001",
    "//cep/01900001",
    "/cep/01900001/x",
    "/cep/01900001//",
    "/cepss",
    "/cepx/01900001",
    "/debug",
    "/debug/",
    "/debug/x",
    "/debug/list/x",
    "/healthcheck/x",
    "/metrics.txt",
    "/unknown",
    "/pagina/nada.js",
    "/__proto__",
    "/constructor",
    "/%63ep/01900001",
    "/cep\\01900001/x",
  ]],
  ["internal", 500, RECORD_PATHS, BROKEN],
  ["internal", 500, ["/debug/count"], FAILING],
  ["database_not_ready", 503, DATA_PATHS, EMPTY],
  ["database_not_ready", 503, DATA_PATHS, UNREADABLE],
  ["database_not_ready", 503, RECORD_PATHS, UNREADABLE_RECORDS],
];

for (const [code, status, paths, database = FULL] of FAILURES) {
  for (const path of paths) {
    const short = path.length > 100 ? `${path.slice(0, 20)}…` : path;
    Deno.test(`createHandler returns ${status} ${code} for GET ${short}${database.name}`, async () => {
      await using service = await Service.open(database.options);
      const response = await service.ask(path, {
        headers: { "x-request-id": "r-1" },
      });
      await assertError(response, code, status, database.isLogged);
    });
  }
}

async function assertError(
  response: Response,
  code: keyof typeof ERRORS,
  status: number,
  isLogged = false,
): Promise<void> {
  assertEquals(response.status, status);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("etag"), null);
  assertEquals(
    response.headers.has("retry-after"),
    code === "database_not_ready" || code === "rate_limited",
  );
  const body = await response.json();
  assertEquals(body.request_id, isLogged ? "r-1" : undefined);
  const { error: _, code: __, docs: ___, ...details } = body;
  assertEquals(body, describeError(code, details).body);
}

const POSTED = { method: "POST", body: "{" };

const REASONS: readonly (readonly [
  path: string,
  error: string,
  call?: RequestInit,
])[] = [
  ["/cep/88O10-112", "CEP inválido: troque as letras por dígitos: 88010-112."],
  ["/cep/x", "CEP inválido: informe oito dígitos, como 01310-100."],
  [
    "/busca?q=São João&limite=0",
    "Parâmetro limite inválido: deve ser um número inteiro de 1 a 100.",
  ],
  [
    "/estados?x=1",
    "Parâmetro x inválido: esta rota não tem parâmetros.",
  ],
  ["/cep/01900001", "Método não permitido: use GET ou HEAD.", POSTED],
  [
    "/ceps",
    "Tipo de corpo não aceito: envie application/json ou " +
    "application/x-ndjson.",
    { ...POSTED, headers: { "content-type": "text/csv" } },
  ],
  [
    "/ceps",
    "Tipo de corpo não aceito: envie o corpo sem compressão.",
    { ...POSTED, headers: { "content-encoding": "gzip" } },
  ],
  [
    "/ceps",
    "Corpo inválido: deve ser JSON.",
    { ...POSTED, headers: { "content-type": "application/json" } },
  ],
];

for (const [path, error, call] of REASONS) {
  Deno.test(`createHandler returns the error "${error}"`, async () => {
    await using service = await Service.open(FULL.options);
    const response = await service.ask(path, call);
    assertEquals((await response.json()).error, error);
  });
}

Deno.test("createHandler logs once what the operator can do about an error", async () => {
  const store = recordsStore(RECORDS, {
    nearest: () => Promise.resolve({ release: RELEASE, data: [] }),
  });
  await using service = await Service.open({ store });
  for (let i = 0; i < 2; i++) {
    const path = "/proximos?lat=-23.5&lng=-46.6";
    const { code } = await (await service.ask(path)).json();
    assertEquals(code, "census_missing");
  }
  assertEquals(service.logger.entries, [{
    level: "warn",
    message: "Cannot answer from the census: import the CNEFE with CNEFE_PATH",
    properties: { route: "/proximos" },
  }]);
});

// deno-fmt-ignore
const METHODS = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get2"];

for (const method of METHODS) {
  Deno.test(`createHandler returns 405 method_not_allowed for ${method} /cep/01900001`, async () => {
    await using service = await Service.open(FULL.options);
    const response = await service.ask("/cep/01900001", { method });
    await assertError(response, "method_not_allowed", 405);
  });
}

Deno.test("createHandler returns 404 route_not_found for POST to an unknown path", async () => {
  await using service = await Service.open(FULL.options);
  const response = await service.ask("/nada", { method: "POST" });
  await assertError(response, "route_not_found", 404);
});

Deno.test("createHandler returns 429 rate_limited beyond the limit", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { rateLimitMax: 1, rateLimitBurst: 0 },
    now: () => 0,
  });
  const from = { from: "192.0.2.1" };
  await (await service.ask("/cep/01900001", from)).body?.cancel();
  const response = await service.ask("/cep/01900001", from);
  await assertError(response, "rate_limited", 429);
});

for (const path of ["/cep", "/cep/01900001", "/debug/list", "/healthcheck"]) {
  Deno.test(`createHandler allows only GET and HEAD on ${path}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    for (const method of ["POST", "DELETE", "OPTIONS", "PROPFIND"]) {
      const response = await service.ask(path, { method });
      assertEquals(response.status, 405);
      assertEquals(response.headers.get("allow"), "GET, HEAD");
      await response.body?.cancel();
    }
  });
}

for (
  const [status, database] of [
    ["empty", EMPTY],
    ["unreadable", UNREADABLE],
    ["unreadable", FAILING],
  ] as const
) {
  Deno.test(`/healthcheck returns 503 and the status "${status}"${database.name}`, async () => {
    await using service = await Service.open(database.options);
    const response = await service.ask("/healthcheck");
    assertEquals(response.status, 503);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(await response.json(), {
      status,
      code: "database_not_ready",
      error: describeError("database_not_ready").body.error,
      docs: describeError("database_not_ready").body.docs,
      version: "1.2.3",
      commit: "abc",
      repo: "http://example.test",
    });
  });
}

Deno.test("createHandler reveals neither stack nor message of an unexpected failure", async () => {
  await using service = await Service.open(BROKEN.options);
  const response = await service.ask("/cep/01900001");
  assertEquals(response.status, 500);
  const everything = await response.text() +
    JSON.stringify(Object.fromEntries(response.headers));
  for (const hint of ["secret", "TypeError", "    at ", ".ts", "file:"]) {
    assert(!everything.includes(hint), everything);
  }
});

Deno.test("createHandler logs an unexpected failure with its request id", async () => {
  await using service = await Service.open(BROKEN.options);
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
  await using service = await Service.open(UNREADABLE.options);
  const response = await service.ask("/cep/01900001");
  const { request_id } = await response.json();
  const [logged] = service.logger.at("error");
  assertEquals(logged?.request_id, request_id);
  assertStringIncludes(`${logged?.error}`, "Cannot read the database: gone");
});

Deno.test("createHandler does not log errors of the client", async () => {
  await using service = await Service.open(FULL.options);
  for (const path of ["/cep", "/cep/x", "/cep/99999999", "/nada"]) {
    await (await service.ask(path)).body?.cancel();
  }
  assertEquals(service.logger.entries, []);
});
