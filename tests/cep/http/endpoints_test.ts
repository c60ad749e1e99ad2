/** Documentation of the endpoints, compared with their responses. */
import { assert, assertEquals } from "@std/assert";
import { describeError } from "../../../cep/http/errors.ts";
import { COMMON_ERRORS, type Endpoint } from "../../../cep/http/exchange.ts";
import { ENDPOINTS } from "../../../scripts/readme_tables/cep.ts";
import { DatabaseError } from "../../../cep/store/store.ts";
import { address, fakeStore } from "../_records.ts";
import { type Call, Service, type ServiceOptions } from "../_service.ts";

type Attempt = readonly [path: string, call?: Call, options?: ServiceOptions];

const FULL: ServiceOptions = { records: [address()] };
const EMPTY: ServiceOptions = {};
const gone = () => Promise.reject(new DatabaseError("gone"));
const UNREADABLE: ServiceOptions = {
  store: fakeStore({ release: gone, findJson: gone, list: gone }),
};

/** Requests that produce every response and error of an endpoint. */
const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  "/cep/:cep": [
    ["/cep/01900001"],
    ["/cep/01900001", { headers: { "if-none-match": "*" } }],
    ["/cep/x"],
    ["/cep/99999999"],
  ],
  "/cep": [["/cep"]],
  "/healthcheck": [["/healthcheck"]],
  "/livez": [["/livez"]],
  "/debug/list": [
    ["/debug/list"],
    ["/debug/list?prefix=0"],
    ["/debug/list?prefix=x"],
  ],
  "/debug/count": [["/debug/count"]],
  "/debug/stats": [["/debug/stats"]],
  "/metrics": [["/metrics"]],
};

const LIMITS = { rateLimitMax: 1, rateLimitBurst: 0 };

for (const endpoint of ENDPOINTS) {
  const { pattern } = endpoint;
  const attempts = ATTEMPTS[pattern] ?? [];

  Deno.test(`${pattern} returns the statuses and errors that it documents`, async () => {
    const statuses = new Set<number>();
    const codes = new Set<string>();
    for (const [path, call] of attempts) {
      for (const options of [FULL, EMPTY, UNREADABLE]) {
        const { status, code } = await ask(path, call, options);
        if (code === undefined) statuses.add(status);
        else codes.add(code);
      }
    }
    assertEquals(
      [...statuses].toSorted(),
      Object.keys(endpoint.answers).map(Number),
    );
    assertEquals([...codes].toSorted(), endpoint.errors.toSorted());
  });

  Deno.test(`${pattern} returns the errors common to all endpoints`, async () => {
    const [path = ""] = attempts[0] ?? [];
    const post = await ask(path, { method: "POST" }, FULL);
    assertEquals(post, answerOf("method_not_allowed"));
    await using service = await Service.open({
      ...FULL,
      config: LIMITS,
      now: () => 0,
    });
    const from = { from: "192.0.2.1" };
    await (await service.ask("/nada", from)).body?.cancel();
    const limited = await service.ask(path, from);
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

  Deno.test(`${pattern} documents its parameters, with examples that succeed`, async () => {
    assertEquals(
      namesIn(endpoint, "path"),
      [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    );
    for (const { name, in: where, example } of endpoint.parameters) {
      const path = where === "path"
        ? pattern.replace(`:${name}`, example)
        : `${pattern}?${name}=${example}`;
      const { status } = await ask(path, {}, {
        records: [address({ cep: "01310100" })],
      });
      assertEquals(status, 200);
    }
  });
}

Deno.test("ENDPOINTS lists the routes of createHandler", async () => {
  const paths = ENDPOINTS.map(({ pattern }) => pattern.replace(":cep", "x"));
  assertEquals(
    ENDPOINTS.map(({ pattern }) => pattern).toSorted(),
    Object.keys(ATTEMPTS).toSorted(),
  );
  for (const path of [...paths, "/nada"]) {
    const { code } = await ask(path, { method: "POST" }, FULL);
    assertEquals(
      code,
      path === "/nada" ? "route_not_found" : "method_not_allowed",
    );
  }
});

Deno.test("COMMON_ERRORS does not repeat errors of an endpoint", () => {
  const own = ENDPOINTS.flatMap(({ errors }) => errors);
  assertEquals(COMMON_ERRORS.filter((code) => own.includes(code)), []);
});

function namesIn({ parameters }: Endpoint, where: string): string[] {
  return parameters.filter((it) => it.in === where).map(({ name }) => name);
}

function answerOf(code: Parameters<typeof describeError>[0]) {
  return { status: describeError(code).status, code };
}

/** Returns the status of a response, and the code of an error. */
async function ask(
  path: string,
  call: Call | undefined,
  options: ServiceOptions,
): Promise<{ status: number; code?: string }> {
  await using service = await Service.open(options);
  const response = await service.ask(path, call);
  const { status } = response;
  const text = await response.text();
  return status < 400 ? { status } : { status, code: JSON.parse(text).code };
}
