/** Status, headers, body and log of every kind of answer. */
import { assertEquals, assertMatch } from "@std/assert";
import { describeError, type ErrorCode } from "../../../cep/http/errors.ts";
import { DatabaseError } from "../../../cep/store/store.ts";
import { address, fakeStore, RELEASE } from "../_records.ts";
import { type Call, items, Service, type ServiceOptions } from "../_service.ts";

const RECORDS = [
  address(),
  address({ cep: "69990000", bairro: "Ponte Alta", uf: "AC" }),
];
const unreadable = () =>
  Promise.reject(new DatabaseError("Cannot read the database: gone"));
const release = () => Promise.resolve(RELEASE);

const DATABASES = {
  full: { records: RECORDS },
  empty: {},
  unreadable: {
    store: fakeStore({ release: unreadable, findJson: unreadable }),
  },
  "without readable records": {
    store: fakeStore({ release, findJson: unreadable, list: unreadable }),
  },
  broken: {
    store: fakeStore({
      release,
      findJson: () => Promise.reject(new TypeError("secret detail")),
      list: () => {
        throw new TypeError("secret detail");
      },
    }),
  },
  "that fails": { store: fakeStore() },
} satisfies Record<string, ServiceOptions>;

const LIMITED = { rateLimitMax: 1, rateLimitBurst: 0 };
const ORIGIN = "https://a.test";

interface Expected {
  readonly status: number;
  readonly code?: ErrorCode;
  /** Body of the answer, if it is told here. */
  readonly body?: unknown;
  /** `Cache-Control`, by default `no-store`. */
  readonly caching?: string;
  readonly paths: readonly string[];
  readonly call?: Call;
  readonly database?: keyof typeof DATABASES;
  /** True if the answer comes after the last one that is allowed. */
  readonly limited?: boolean;
}

const DATA_PATHS = [
  "/cep/01900001",
  "/debug/list?prefix=0",
  "/debug/count",
  "/debug/stats",
];
const RECORD_PATHS = DATA_PATHS.slice(0, 2);
const CACHED = "max-age=300";
const PREFLIGHT = { "access-control-request-method": "GET" };

const ANSWERS: readonly Expected[] = [
  {
    status: 200,
    body: RECORDS[0],
    caching: CACHED,
    paths: ["/cep/01900001", "/cep/01900001/", "/cep/01900001/?"],
  },
  {
    status: 200,
    body: { total_ceps: 2 },
    paths: ["/debug/count", "/debug/count/"],
  },
  {
    status: 200,
    body: { total_ceps: 2, por_uf: { AC: 1, SP: 1 } },
    paths: ["/debug/stats"],
  },
  { status: 200, body: { status: "ok" }, paths: ["/livez", "/livez/"] },
  { status: 200, body: { status: "ok" }, paths: ["/livez"], database: "empty" },
  {
    status: 200,
    body: { status: "ok" },
    paths: ["/livez"],
    database: "that fails",
  },
  { status: 200, paths: ["/healthcheck", "/debug/list", "/metrics"] },
  {
    status: 204,
    paths: ["/cep/01900001", "/nada"],
    call: { method: "OPTIONS", headers: PREFLIGHT },
  },
  {
    status: 304,
    caching: CACHED,
    paths: ["/cep/01900001"],
    call: { headers: { "if-none-match": "*" } },
  },
  {
    status: 400,
    code: "cep_missing",
    paths: ["/cep", "/cep/", "/cep?", "/cep/?cep=01900001"],
  },
  {
    status: 400,
    code: "cep_invalid",
    paths: [
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
    ],
  },
  {
    status: 400,
    code: "cep_invalid",
    paths: ["/cep/x"],
    database: "empty",
  },
  {
    status: 400,
    code: "prefix_invalid",
    paths: [
      "",
      "=",
      "=&prefix=019",
      "=-",
      "=a",
      "=019a",
      "=01-9",
      "=0190-0001",
      "=01900--001",
      "=01.900-001",
      "=019000011",
      "=01900-0011",
      "=%20019",
      "=019%0A",
      "=%zz",
      "=٠",
      "=%25",
      "=_",
    ].map((text) => `/debug/list?prefix${text}`),
  },
  {
    status: 400,
    code: "prefix_invalid",
    paths: ["/debug/list?prefix=x"],
    database: "empty",
  },
  {
    status: 404,
    code: "cep_not_found",
    paths: ["/cep/99999999", "/cep/00000-000"],
  },
  {
    status: 404,
    code: "route_not_found",
    paths: [
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
      "/pagina/nada.js",
      "/__proto__",
      "/constructor",
      "/%63ep/01900001",
      "/cep\\01900001/x",
    ],
  },
  {
    status: 404,
    code: "route_not_found",
    paths: ["/nada"],
    call: { method: "POST" },
  },
  ...["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND", "get2"].map((
    method,
  ): Expected => ({
    status: 405,
    code: "method_not_allowed",
    paths: ["/cep/01900001", "/cep", "/debug/list", "/healthcheck"],
    call: { method },
  })),
  {
    status: 429,
    code: "rate_limited",
    paths: ["/cep/01900001"],
    call: { from: "192.0.2.1" },
    limited: true,
  },
  { status: 500, code: "internal", paths: RECORD_PATHS, database: "broken" },
  {
    status: 500,
    code: "internal",
    paths: ["/debug/count"],
    database: "that fails",
  },
  ...(["empty", "unreadable"] as const).map((database): Expected => ({
    status: 503,
    code: "database_not_ready",
    paths: DATA_PATHS,
    database,
  })),
  {
    status: 503,
    code: "database_not_ready",
    paths: RECORD_PATHS,
    database: "without readable records",
  },
  ...(["empty", "unreadable", "that fails"] as const).map((
    database,
  ): Expected => ({ status: 503, paths: ["/healthcheck"], database })),
];

for (const expected of ANSWERS) {
  const { status, code, call, database } = expected;
  const of = database ? ` of a database ${database}` : "";
  for (const path of expected.paths) {
    const short = path.length > 100 ? `${path.slice(0, 20)}…` : path;
    const name = `${call?.method ?? "GET"} ${short}${of}`;
    Deno.test(`createHandler answers ${name} with ${code ?? status}`, async () => {
      await checkAnswer(path, expected);
    });
  }
}

async function checkAnswer(path: string, expected: Expected): Promise<void> {
  const { status, code, call, database = "full", limited } = expected;
  await using service = await Service.open({
    ...DATABASES[database],
    config: {
      corsOrigins: [ORIGIN],
      logLevel: "debug",
      ...(limited && LIMITED),
    },
    now: () => 0,
  });
  if (limited) await ask(service, "/nada", call);
  const plain = await ask(service, path, call);
  const named = await ask(service, path, call, "r-1");
  for (const response of [plain, named]) {
    assertEquals(response.status, status);
    checkHeaders(response);
  }
  checkIds(plain, named, service);
  if (status !== 204) {
    const { caching = "no-store" } = expected;
    const cache = (response: Response) => response.headers.get("cache-control");
    assertEquals(cache(plain), caching);
    const isCached = caching !== "no-store";
    assertEquals(cache(named), isCached ? `private, ${caching}` : caching);
  }
  const isLogged = status >= 500 && database !== "empty";
  if (code) await checkError(named.clone(), code, isLogged);
  if ("body" in expected) assertEquals(await plain.json(), expected.body);
  if (call?.method) return;
  const head = await ask(service, path, { ...call, method: "HEAD" }, "r-1");
  assertEquals(await head.text(), "");
  if (path === "/metrics") return;
  assertEquals([...head.headers], [...named.headers]);
  const { byteLength } = await named.arrayBuffer();
  const length = status === 304 ? null : `${byteLength}`;
  assertEquals(named.headers.get("content-length"), length);
}

async function ask(
  service: Service,
  path: string,
  call: Call = {},
  id?: string,
): Promise<Response> {
  const headers = new Headers(call.headers);
  headers.set("origin", ORIGIN);
  if (id) headers.set("x-request-id", id);
  return await service.ask(path, { ...call, headers });
}

function checkHeaders({ headers }: Response): void {
  assertEquals(headers.get("access-control-allow-origin"), ORIGIN);
  assertEquals(items({ headers } as Response, "vary").includes("Origin"), true);
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  const type = headers.get("content-type");
  const isActive = type !== null && type !== "application/json";
  assertEquals(headers.has("content-security-policy"), isActive);
  for (const banner of ["server", "x-powered-by"]) {
    assertEquals(headers.get(banner), null);
  }
}

/** Checks the id of a request without one, and of one with the id `r-1`. */
function checkIds(plain: Response, named: Response, service: Service): void {
  const made = plain.headers.get("x-request-id");
  if (plain.status < 400) assertEquals(made, null);
  else assertMatch(made!, /^[0-9a-z]{5,20}$/);
  assertEquals(named.headers.get("x-request-id"), "r-1");
  const [first, second] = service.logger.entries
    .filter(({ message }) => message === "Request").slice(-2)
    .map(({ properties }) => properties);
  assertEquals([first?.status, second?.status], [plain.status, named.status]);
  if (made !== null) assertEquals(first?.request_id, made);
  assertEquals(second?.request_id, "r-1");
}

/** Checks an error; its body names a request whose failure is logged. */
async function checkError(
  response: Response,
  code: ErrorCode,
  isLogged: boolean,
): Promise<void> {
  const { headers } = response;
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(headers.get("etag"), null);
  assertEquals(
    headers.has("retry-after"),
    code === "database_not_ready" || code === "rate_limited",
  );
  if (code === "method_not_allowed") {
    assertEquals(headers.get("allow"), "GET, HEAD");
  }
  const body = await response.json();
  assertEquals(body.request_id, isLogged ? "r-1" : undefined);
  const { error: _, code: __, docs: ___, ...details } = body;
  assertEquals(body, describeError(code, details).body);
}
