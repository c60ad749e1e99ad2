import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { requestId } from "../../../../cep/http/middleware/request_id.ts";
import { LATIN1 } from "../../_characters.ts";
import { address, fakeStore } from "../../_records.ts";
import {
  type Call,
  complete,
  exchange,
  Service,
  type ServiceOptions,
} from "../../_service.ts";

const KEPT = [
  "a",
  "abc-123",
  "A.b:c_d-9",
  "2f1c6e0a-9d1c-4b8e-8f64-0b1d0b5f8f3e",
  "x".repeat(64),
];

for (const id of KEPT) {
  Deno.test(`requestId keeps the id ${id}`, async () => {
    assertEquals(await idFor({ "x-request-id": id }), id);
  });
}

const MADE = /^[0-9a-z]{5,20}$/;

const REPLACED = [
  "",
  "x".repeat(65),
  "two words",
  "a,b",
  "a\tb",
  'a"b',
  "<script>",
  "a/b",
  "{}",
  "%0d%0a",
  "é",
];

for (const id of REPLACED) {
  Deno.test(`requestId replaces the id ${JSON.stringify(id)}`, async () => {
    const made = await idFor({ "x-request-id": id });
    assertMatch(made, MADE);
  });
}

Deno.test("requestId assigns a unique id to every request", async () => {
  const middleware = requestId();
  const ids = new Set<string>();
  for (let i = 0; i < 2000; i++) {
    const it = exchange();
    await complete(middleware, it, { status: 404 });
    assertEquals(it.headers["x-request-id"], it.id);
    ids.add(it.id);
  }
  assertEquals(ids.size, 2000);
});

Deno.test("requestId assigns a valid id for any header", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: LATIN1.filter((it) => it >= " ") }),
      async (given) => {
        assertMatch(await idFor({ "x-request-id": given }), /^[\w.:-]{1,64}$/);
      },
    ),
    { seed: 7, numRuns: 200 },
  );
});

const RECORDS = [address()];
const boom = () => Promise.reject(new Error("boom"));

const ANSWERS: readonly (readonly [
  status: number,
  path: string,
  call?: Call,
  options?: ServiceOptions,
])[] = [
  [200, "/cep/01900001"],
  [204, "/cep/01900001", {
    method: "OPTIONS",
    headers: {
      origin: "http://a.test",
      "access-control-request-method": "GET",
    },
  }],
  [304, "/cep/01900001", { headers: { "if-none-match": "*" } }],
  [400, "/cep/x"],
  [404, "/nada"],
  [405, "/cep", { method: "DELETE" }],
  [429, "/cep/01900001", { from: "192.0.2.1" }, {
    records: RECORDS,
    config: { rateLimitMax: 1, rateLimitBurst: 0 },
    now: () => 0,
  }],
  [500, "/cep/01900001", {}, { store: fakeStore({ findJson: boom }) }],
  [503, "/cep/01900001", {}, {}],
  [503, "/healthcheck", {}, {}],
];

for (const [status, path, call = {}, options] of ANSWERS) {
  const condition = status < 400 ? " if the client sent one" : "";
  Deno.test(`requestId sends the id with ${status} of ${path}${condition}`, async () => {
    await using service = await Service.open(options ?? { records: RECORDS });
    if (status === 429) await service.ask(path, call);
    const headers = new Headers(call.headers);
    headers.set("x-request-id", "given");
    const kept = await service.ask(path, { ...call, headers });
    assertEquals(kept.status, status);
    assertEquals(kept.headers.get("x-request-id"), "given");
    const made = await service.ask(path, call);
    if (status < 400) assertEquals(made.headers.get("x-request-id"), null);
    else assertMatch(made.headers.get("x-request-id") ?? "", MADE);
    await Promise.all([kept.body?.cancel(), made.body?.cancel()]);
  });
}

async function idFor(headers: Record<string, string>): Promise<string> {
  const it = exchange({
    request: new Request("http://localhost", { headers }),
  });
  await complete(requestId(), it, { status: 200 });
  assertEquals(it.headers["x-request-id"], it.idGiven ? it.id : undefined);
  return it.id;
}
