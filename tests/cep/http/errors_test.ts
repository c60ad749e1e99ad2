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
