import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { requestId } from "../../../../cep/http/middleware/telemetry.ts";
import { LATIN1 } from "../../_characters.ts";
import { complete, exchange } from "../../_service.ts";

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

async function idFor(headers: Record<string, string>): Promise<string> {
  const it = exchange({
    request: new Request("http://localhost", { headers }),
  });
  await complete(requestId(), it, { status: 200 });
  assertEquals(it.headers["x-request-id"], it.idGiven ? it.id : undefined);
  return it.id;
}
