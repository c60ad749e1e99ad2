/** Documentation of the endpoints, compared with their responses. */
import { assert, assertEquals } from "@std/assert";
import { type ErrorCode, ERRORS } from "../../../cep/http/errors.ts";
import { COMMON_ERRORS, type Endpoint } from "../../../cep/http/exchange.ts";
import type { RateLimitStore } from "../../../cep/http/rate_limiter.ts";
import { ENDPOINTS } from "../../../scripts/readme_tables/cep.ts";
import {
  BusyError,
  type CepHistory,
  DatabaseError,
  type Release,
  type Store,
} from "../../../cep/store/store.ts";
import { address, fakeStore, recordsStore, RELEASE } from "../_records.ts";
import { samplePlaces } from "../_sample_places.ts";
import { censusRow } from "../store/_release.ts";
import { type Call, Service, type ServiceOptions } from "../_service.ts";
import { Contract, receive } from "./_contract.ts";

type Attempt = readonly [
  path: string,
  /** Creates the request, if it is not a plain GET. */
  call?: () => Call,
  options?: ServiceOptions,
];

const FULL = full("01900001");
const refused = () => Promise.reject(new BusyError("busy"));
const BUSY = full("01900001", { search: refused, findAddress: refused });
const EMPTY: ServiceOptions = {};
const gone = () => Promise.reject(new DatabaseError("gone"));
const UNREADABLE: ServiceOptions = {
  store: fakeStore({
    release: gone,
    findJson: gone,
    list: gone,
    gazetteer: gone,
    history: gone,
    census: gone,
    nearest: gone,
    lastChange: gone,
    search: gone,
  }),
};

const COUNTED: Release = { ...RELEASE, sources: ["dne", "cnefe"] };

/** Record of a CEP that the CNEFE does not have. */
const WITHOUT_ROWS: ServiceOptions = {
  store: recordsStore([address()], {
    census: () => Promise.resolve({ release: COUNTED, row: undefined }),
  }),
};

const WITHOUT_CENSUS: ServiceOptions = { store: recordsStore([address()]) };

/** Quotas that are used up. */
const SPENT: RateLimitStore = {
  spend: () => ({ allowed: false, remaining: 0, waitSeconds: 7 }),
};

/** Requests that produce every response and error of an endpoint. */
const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  "/cep/:cep": [
    ["/cep/01900001"],
    ["/cep/01900001", () => ({ headers: { "if-none-match": "*" } })],
    ["/cep/x"],
    ["/cep/99999999"],
    ["/cep/98765432"],
    ["/cep/01900001?formato=geojson"],
    ["/cep/01900001?formato=xml"],
  ],
  "/cep/:cep/historico": [
    ["/cep/98765432/historico"],
    ["/cep/01900001/historico?limite=0"],
    ["/cep/01900001/historico?cursor=x"],
    ["/cep/x/historico"],
    ["/cep/99999999/historico"],
  ],
  "/cep/:cep/censo": [
    ["/cep/01900001/censo"],
    ["/cep/01900001/censo?formato=geojson"],
    ["/cep/01900001/censo?formato=xml"],
    ["/cep/x/censo"],
    ["/cep/99999999/censo"],
    ["/cep/98765432/censo"],
    ["/cep/01900001/censo", () => ({}), WITHOUT_ROWS],
    ["/cep/01900001/censo", () => ({}), WITHOUT_CENSUS],
  ],
  "/proximos": [
    ["/proximos?lat=-23.5&lng=-46.6"],
    ["/proximos?lat=-23.5&lng=-46.6&formato=geojson"],
    ["/proximos"],
    ["/proximos?lat=-23.5&lng=-46.6", () => ({}), WITHOUT_CENSUS],
  ],
  "/cep": [["/cep"]],
  "/ceps": [
    ["/ceps", () => post('["01900001", "99999999", "x"]')],
    ["/ceps", () => post("01900001\n99999999\nx", "application/x-ndjson")],
    ["/ceps", () => post("{}")],
    ["/ceps", () => post("[]", "text/plain")],
    ["/ceps", () => post(JSON.stringify(Array(1001).fill("")))],
    ["/ceps", () => post(new ReadableStream()), { bodyMs: 1 }],
  ],
  "/enderecos": [
    ["/enderecos", () => post('{"endereco": "Rua das Flores, 1"}')],
    [
      "/enderecos",
      () => post('{"cep": 1}\n{}\nx\n', "application/x-ndjson"),
    ],
    ["/enderecos", () => post('{"rua": "Rua das Flores"}')],
    ["/enderecos", () => post("[]")],
    ["/enderecos", () => post("{}", "text/plain")],
    ["/enderecos", () => post(`{"endereco": "${"x".repeat(20_000)}"}`)],
    ["/enderecos", () => post(new ReadableStream()), { bodyMs: 1 }],
  ],
  "/estados": [["/estados"]],
  "/estados/:uf/municipios": [
    ["/estados/SP/municipios"],
    ["/estados/SP/municipios?limite=0"],
    ["/estados/SP/municipios?cursor=x"],
    ["/estados/XX/municipios"],
  ],
  "/municipios/:ibge": [
    ["/municipios/3550308"],
    ["/municipios/355030"],
    ["/municipios/0000000"],
  ],
  "/municipios/:ibge/distritos": [
    ["/municipios/3550308/distritos"],
    ["/municipios/3550308/distritos?limite=0"],
    ["/municipios/3550308/distritos?cursor=x"],
    ["/municipios/0000000/distritos"],
  ],
  "/municipios/:ibge/bairros": [
    ["/municipios/3550308/bairros"],
    ["/municipios/3550308/bairros?limite=0"],
    ["/municipios/3550308/bairros?cursor=x"],
    ["/municipios/0000000/bairros"],
  ],
  "/": [
    ["/"],
    ["/", () => ({ headers: { "if-none-match": "*" } })],
    ["/?cep=01900001"],
    ["/?cep=123"],
    ["/?cep=99999999"],
    ["/?cep=01900001", () => ({ from: "192.0.2.1" }), { limits: SPENT }],
  ],
  "/docs": [
    ["/docs"],
    ["/docs", () => ({ headers: { "if-none-match": "*" } })],
  ],
  "/pagina/:arquivo": [["/pagina/style.css"], ["/pagina/nada.css"]],
  "/favicon.ico": [["/favicon.ico"]],
  "/opensearch.xml": [["/opensearch.xml"]],
  "/healthcheck": [["/healthcheck"]],
  "/livez": [["/livez"]],
  "/debug/list": [
    ["/debug/list"],
    ["/debug/list?prefix=0"],
    ["/debug/list?prefix=x"],
  ],
  "/busca": [
    ["/busca?q=flores"],
    ["/busca"],
    ["/busca?q=flores&cursor=x"],
  ],
  "/debug/count": [["/debug/count"]],
  "/debug/stats": [["/debug/stats"]],
  "/metrics": [["/metrics"]],
  "/ws/:cep/json": [
    ["/ws/01900001/json"],
    ["/ws/01900001/json", () => ({ headers: { "if-none-match": "*" } })],
    ["/ws/01900001/json?callback=mostrar"],
    ["/ws/99999999/json"],
    ["/ws/x/json"],
  ],
  "/ws/:cep/xml": [
    ["/ws/01900001/xml"],
    ["/ws/01900001/xml", () => ({ headers: { "if-none-match": "*" } })],
    ["/ws/99999999/xml"],
    ["/ws/x/xml"],
  ],
  "/ws/:uf/:cidade/:logradouro/json": [
    ["/ws/SP/Vila%20Grande/Flores/json"],
    ["/ws/SP/Vila%20Grande/Flores/json?callback=mostrar"],
    ["/ws/SP/Vila%20Grande/Ru/json"],
  ],
  "/ws/:uf/:cidade/:logradouro/xml": [
    ["/ws/SP/Vila%20Grande/Flores/xml"],
    ["/ws/SP/Vi/Flores/xml"],
  ],
  "/api/cep/v1/:cep": [
    ["/api/cep/v1/01900001"],
    ["/api/cep/v1/01900001", () => ({ headers: { "if-none-match": "*" } })],
    ["/api/cep/v1/99999999"],
    ["/api/cep/v1/x"],
  ],
  "/api/cep/v2/:cep": [
    ["/api/cep/v2/01900001"],
    ["/api/cep/v2/01900001", () => ({ headers: { "if-none-match": "*" } })],
    ["/api/cep/v2/99999999"],
    ["/api/cep/v2/x"],
  ],
  "/v1/:cep": [
    ["/v1/01900001"],
    ["/v1/01900001.json", () => ({ headers: { "if-none-match": "*" } })],
    ["/v1/99999999"],
    ["/v1/x"],
  ],
  "/openapi.json": [["/openapi.json"]],
};

const contract = new Contract(ENDPOINTS);

const LIMITS = { rateLimitMax: 1, rateLimitBurst: 0 };

for (const endpoint of ENDPOINTS) {
  const { pattern } = endpoint;
  const attempts = ATTEMPTS[pattern] ?? [];

  Deno.test(`${pattern} returns the statuses and errors that it documents`, async () => {
    const statuses = new Set<number>();
    const codes = new Set<string>();
    const isError = (code: string) =>
      endpoint.errors.some((known) => known === code);
    for (const [path, call, more] of attempts) {
      for (const database of [FULL, EMPTY, UNREADABLE, BUSY]) {
        const options = { ...database, ...more };
        const { status, code = "" } = await ask(
          path,
          call?.(),
          options,
          endpoint,
        );
        if (isError(code)) codes.add(code);
        else statuses.add(status);
      }
    }
    assertEquals(
      [...statuses].toSorted(),
      Object.keys(endpoint.answers).map(Number),
    );
    assertEquals([...codes].toSorted(), endpoint.errors.toSorted());
  });

  Deno.test(`${pattern} returns the errors common to all endpoints`, async () => {
    const [path = "", call] = attempts[0] ?? [];
    const other = await ask(path, { method: otherMethod(endpoint) }, FULL);
    assertEquals(other, answerOf("method_not_allowed"));
    await using service = await Service.open({
      ...FULL,
      config: LIMITS,
      now: () => 0,
    });
    const from = { from: "192.0.2.1" };
    await (await service.ask("/nada", from)).body?.cancel();
    const limited = await service.ask(path, { ...call?.(), ...from });
    assertEquals(limited.status === 429, endpoint.free !== true);
    await limited.body?.cancel();
  });

  Deno.test(`${pattern} is documented in both languages`, () => {
    const texts = [
      endpoint.summary,
      ...endpoint.parameters.map(({ description }) => description),
      ...Object.values(endpoint.answers),
    ];
    for (const { en, pt } of texts) {
      assert(en !== "" && pt !== "");
      assert(!en.endsWith(".") && !pt.endsWith("."));
    }
  });

  Deno.test(`${pattern} has a schema for every body`, () => {
    for (const [status, { content }] of Object.entries(endpoint.answers)) {
      assertEquals(content !== undefined, status !== "304", status);
    }
    const { examples = {}, content = {} } = endpoint.content ?? {};
    assertEquals(Object.keys(content), Object.keys(examples));
    for (const [type, example] of Object.entries(examples)) {
      contract.checkRequest(endpoint, type, example);
    }
  });

  Deno.test(`${pattern} documents its parameters, with examples that succeed`, async () => {
    assertEquals(
      namesIn(endpoint, "path"),
      [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    );
    contract.checkExamples(endpoint);
    const plain = endpoint.parameters.reduce(
      (path, { name, example }) =>
        path.replace(`:${name}`, encodeURIComponent(example)),
      pattern,
    );
    for (const parameter of endpoint.parameters) {
      const required = endpoint.parameters
        .filter(({ unless }) => unless?.includes(parameter.name) === false);
      const query = new URLSearchParams(
        [...required, parameter].filter((it) => it.in === "query")
          .map(({ name, example }) => [name, example]),
      );
      const { status } = await ask(`${plain}?${query}`, {}, full("01310100"));
      assertEquals(status, 200);
    }
  });
}

Deno.test("ENDPOINTS lists the routes of createHandler", async () => {
  assertEquals(
    ENDPOINTS.map(({ pattern }) => pattern).toSorted(),
    Object.keys(ATTEMPTS).toSorted(),
  );
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.pattern.replaceAll(/:\w+/g, "x");
    const { code } = await ask(path, { method: otherMethod(endpoint) }, FULL);
    assertEquals(code, "method_not_allowed");
  }
  const { code } = await ask("/nada", {}, FULL);
  assertEquals(code, "route_not_found");
});

Deno.test("COMMON_ERRORS does not repeat errors of an endpoint", () => {
  const own = ENDPOINTS.flatMap(({ errors }) => errors);
  assertEquals(COMMON_ERRORS.filter((code) => own.includes(code)), []);
});

/** Returns a service of one record, with the places of the sample. */
function full(cep: string, methods: Partial<Store> = {}): ServiceOptions {
  const records = [address({ cep })];
  const history = (code: string) => Promise.resolve(historyOf(code, cep));
  const census = (code: string) =>
    Promise.resolve({
      release: COUNTED,
      row: code === cep ? censusRow(cep) : undefined,
    });
  const json = JSON.stringify(
    address({ cep, latitude: -23.56168, longitude: -46.65598 }),
  );
  const nearest = () =>
    Promise.resolve({
      release: COUNTED,
      data: [{ cep, json, distance: 12.5 }, { cep, json, distance: 0 }],
    });
  return {
    store: recordsStore(records, {
      gazetteer: samplePlaces,
      history,
      census,
      nearest,
      ...methods,
    }),
  };
}

/** Returns the history of a CEP: 98765432 was replaced by the current one. */
function historyOf(cep: string, current: string): CepHistory {
  const change = {
    cep: "98765432",
    successor: current,
    dneVersion: "26011",
    seededAt: "2026-01-02T03:04:05.000Z",
  };
  return {
    release: RELEASE,
    isCurrent: cep === current,
    changes: cep === change.cep ? [change] : [],
    last: cep === change.cep ? change : undefined,
  };
}

function post(
  body: string | ReadableStream,
  type = "application/json",
): Call & { duplex: "half" } {
  const headers = { "content-type": type };
  return { method: "POST", headers, body, duplex: "half" };
}

/** Returns a method that an endpoint does not allow. */
function otherMethod({ method }: Endpoint): string {
  return method === "POST" ? "GET" : "POST";
}

function namesIn({ parameters }: Endpoint, where: string): string[] {
  return parameters.filter((it) => it.in === where).map(({ name }) => name);
}

function answerOf(code: ErrorCode) {
  return { status: ERRORS[code].status, code };
}

/**
 * Returns the status of a response, and the code of an error. The response of
 * an endpoint is compared with the OpenAPI document.
 */
async function ask(
  path: string,
  call: Call | undefined,
  options: ServiceOptions,
  endpoint?: Endpoint,
): Promise<{ status: number; code?: string }> {
  await using service = await Service.open(options);
  const received = await receive(await service.ask(path, call));
  if (endpoint) contract.check(endpoint, received);
  const { status, type, text } = received;
  return status < 400 || type !== "application/json"
    ? { status }
    : { status, code: JSON.parse(text).code };
}
