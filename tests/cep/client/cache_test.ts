import { assertEquals, assertRejects } from "@std/assert";
import { CepError } from "../../../cep/client/mod.ts";
import { Exchanges, failure, record } from "./_exchanges.ts";

const CEP = "01310100";
const FRESH = { "cache-control": "max-age=60", etag: '"1"' };

/** Looks up a CEP a number of times, a number of seconds apart. */
async function lookUp(
  it: Exchanges,
  { times = 2, seconds = 0, cep = CEP } = {},
): Promise<void> {
  for (let i = 0; i < times; i++) {
    assertEquals((await it.client.lookup(cep)).cep, cep);
    it.clock.time += seconds * 1000;
  }
}

Deno.test("lookup requests a record each time without a cache", async () => {
  const it = new Exchanges([record(CEP, FRESH), record(CEP, FRESH)]);
  await lookUp(it);
  it.assertDone();
});

Deno.test("lookup requests a cached record again only after its max-age", async () => {
  const it = new Exchanges([record(CEP, FRESH), record(CEP, FRESH)], {
    cache: 10,
  });
  await lookUp(it, { times: 4, seconds: 30 });
  assertEquals(it.sent.map(({ headers }) => headers.get("if-none-match")), [
    null,
    '"1"',
  ]);
});

Deno.test("lookup uses a cached record again after status 304", async () => {
  const unchanged = new Response(null, { status: 304, headers: FRESH });
  const it = new Exchanges([record(CEP, FRESH), unchanged], { cache: 10 });
  await lookUp(it, { times: 4, seconds: 30 });
  it.assertDone();
});

for (
  const [name, headers] of [
    ["no-store", { "cache-control": "no-store, max-age=60", etag: '"1"' }],
    ["max-age=0 without an ETag", { "cache-control": "max-age=0" }],
    ["an Age above max-age", { "cache-control": "max-age=60", age: "61" }],
    ["no headers", {}],
  ] as const
) {
  Deno.test(`lookup does not cache a record with ${name}`, async () => {
    const it = new Exchanges([record(CEP, headers), record(CEP, headers)], {
      cache: 10,
    });
    await lookUp(it);
    assertEquals(it.sent[1]?.headers.get("if-none-match"), null);
    it.assertDone();
  });
}

Deno.test("lookup checks a record with no-cache by its ETag", async () => {
  const headers = { "cache-control": "no-cache, max-age=60", etag: 'W/"1"' };
  const unchanged = new Response(null, { status: 304, headers });
  const it = new Exchanges([record(CEP, headers), unchanged], { cache: 10 });
  await lookUp(it);
  assertEquals(it.sent[1]?.headers.get("if-none-match"), 'W/"1"');
});

Deno.test("the cache evicts the least recently used record", async () => {
  const [a, b, c] = ["01310100", "01310200", "01310300"] as const;
  const it = new Exchanges(
    [a, b, c, b].map((cep) => record(cep, FRESH)),
    { cache: 2 },
  );
  for (const cep of [a, b, a, c, a, b]) await lookUp(it, { times: 1, cep });
  assertEquals(
    it.urls.map((url) => url.slice(-8)),
    [a, b, c, b],
  );
});

Deno.test("a change of a record does not change the cached one", async () => {
  const it = new Exchanges([record(CEP, FRESH)], { cache: 10 });
  const first: { logradouro: string } = await it.client.lookup(CEP);
  first.logradouro = "Rua Errada";
  assertEquals((await it.client.lookup(CEP)).logradouro, "Rua das Flores");
});

Deno.test("an error is not cached", async () => {
  const it = new Exchanges([
    failure(404, "cep_not_found", { headers: FRESH }),
    record(CEP),
  ], { cache: 10 });
  await assertRejects(() => it.client.lookup(CEP), CepError);
  await lookUp(it, { times: 1 });
});
