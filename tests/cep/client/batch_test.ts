import { assertEquals, assertRejects } from "@std/assert";
import { type BatchItem, CepError } from "../../../cep/client/mod.ts";
import { address, addresses } from "../_records.ts";
import { Exchanges, json } from "./_exchanges.ts";

const outcomes = (items: readonly BatchItem[]) =>
  items.map(({ cep, address, error }) => [cep, address?.cep, error?.code]);

Deno.test("batch returns records and errors in the order of the CEPs", async () => {
  const it = new Exchanges([json([
    address({ cep: "01310200" }),
    { error: "CEP não encontrado.", code: "cep_not_found", cep: "01310999" },
    address({ cep: "01310100" }),
  ])]);
  const items = await it.client.batch([
    "01310-200",
    "abc",
    "01310999",
    "01.310-100",
  ]);
  assertEquals(outcomes(items), [
    ["01310-200", "01310200", undefined],
    ["abc", undefined, "cep_invalid"],
    ["01310999", undefined, "cep_not_found"],
    ["01.310-100", "01310100", undefined],
  ]);
  assertEquals(
    it.sent.map(({ method, url, body }) => [method, url, body]),
    [["POST", "https://cep.test/ceps", ["01310200", "01310999", "01310100"]]],
  );
  assertEquals(it.sent[0]?.headers.get("content-type"), "application/json");
});

for (const ceps of [[], ["abc", ""]]) {
  Deno.test(`batch of ${JSON.stringify(ceps)} sends nothing`, async () => {
    const items = await new Exchanges([]).client.batch(ceps);
    assertEquals(items.map(({ error }) => error?.code), [
      ...ceps.map(() => "cep_invalid"),
    ]);
  });
}

const answerAll = (_url: string, { body }: RequestInit) => {
  const ceps: string[] = JSON.parse(`${body}`);
  return json(ceps.map((cep) => address({ cep })));
};

Deno.test("batch sends a thousand CEPs per request", async () => {
  const ceps = addresses(1_000_000, 2001).map(({ cep }) => cep);
  const it = new Exchanges([answerAll, answerAll, answerAll]);
  const items = await it.client.batch(ceps);
  assertEquals(items.map(({ address }) => address?.cep), ceps);
  assertEquals(
    it.sent.map(({ body }) => (body as string[]).length),
    [1000, 1000, 1],
  );
});

Deno.test("lookupAll takes CEPs only as fast as results are read", async () => {
  let taken = 0;
  async function* ceps() {
    for (const { cep } of addresses(1_000_000, 5000)) {
      taken++;
      yield await Promise.resolve(cep);
    }
  }
  const it = new Exchanges([answerAll, answerAll]);
  const results = it.client.lookupAll(ceps());
  assertEquals((await results.next()).value?.cep, "01000000");
  assertEquals(taken, 1000);
  for (let i = 0; i < 1000; i++) await results.next();
  assertEquals(taken, 2000);
  await results.return(undefined);
});

for (
  const [name, value] of Object.entries({
    "an object": {},
    "too few results": [address({ cep: "01310100" })],
    "too many results": ["01310100", "01310200", "01310300"]
      .map((cep) => address({ cep })),
    "records in another order": ["01310200", "01310100"]
      .map((cep) => address({ cep })),
    "a result that is null": [address({ cep: "01310100" }), null],
  })
) {
  Deno.test(`batch rejects ${name}`, async () => {
    const { client } = new Exchanges([json(value)]);
    const error = await assertRejects(
      () => client.batch(["01310100", "01310200"]),
      CepError,
    );
    assertEquals(error.code, "response_invalid");
  });
}
