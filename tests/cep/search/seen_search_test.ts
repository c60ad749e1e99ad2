/** Searches for building numbers that a census saw. */
import { assert, assertEquals } from "@std/assert";
import type { Entry } from "../../../cep/record/entry.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { Searcher } from "../../../cep/search/search.ts";
import { openStore } from "../../../cep/store/mod.ts";
import { entry, fill } from "../store/_release.ts";
import { findCeps, indexOf, seenRow } from "./_seen.ts";

/** Returns a part of one street, without a stretch. */
function part(cep: string, fields: Partial<Entry> = {}): Entry {
  const number = Number(cep);
  return entry(cep, {
    number,
    street: "das Flores",
    complement: "",
    ...fields,
  });
}

const ROWS = [
  seenRow("13500001", [1, 199], [2, 198]),
  seenRow("13500002", [201, 399], [200, 398]),
  seenRow("13500003", [1, 4001], [2, 4000]),
];

/** Returns the CEPs that a search lists for a number. */
async function find(
  number: string,
  entries: readonly Entry[],
  options: { readonly isFilter?: boolean } = {},
): Promise<number[]> {
  const index = await indexOf(ROWS, entries);
  return options.isFilter
    ? findCeps(index, "rua das flores", number)
    : findCeps(index, `rua das flores, ${number}`);
}

for (const isFilter of [true, false]) {
  const how = isFilter ? "as a filter" : "in the text";
  for (
    const [number, first] of [
      ["77", 13500001],
      ["78", 13500001],
      ["301", 13500002],
      ["398", 13500002],
      ["450", 13500002],
    ] as const
  ) {
    Deno.test(`Searcher tells two CEPs of a street apart by the number ${number} ${how}`, async () => {
      const found = await find(number, [part("13500001"), part("13500002")], {
        isFilter,
      });
      assertEquals(found[0], first);
      assertEquals(found.length, 2);
    });
  }
}

Deno.test("Searcher prefers the narrower range of numbers seen", async () => {
  const entries = [part("13500003"), part("13500001"), part("13500002")];
  assertEquals(await find("77", entries), [13500001, 13500003, 13500002]);
  assertEquals((await find("977", entries))[0], 13500003);
});

Deno.test("Searcher finds both CEPs of a street for s/n", async () => {
  const entries = [part("13500001"), part("13500002")];
  const found = await find("s/n", entries, { isFilter: true });
  assertEquals(found, [13500001, 13500002]);
});

Deno.test("Searcher prefers a stretch of the DNE to numbers seen", async () => {
  const stretch = part("13500009", { complement: "de 1 ao fim" });
  const found = await find("77", [part("13500001"), stretch]);
  assertEquals(found, [13500009, 13500001]);
});

Deno.test("Searcher ignores numbers seen where the DNE has a stretch", async () => {
  const stretch = part("13500001", { complement: "de 1000 ao fim" });
  const found = await find("77", [stretch, part("13500002")], {
    isFilter: true,
  });
  assertEquals(found, [13500002]);
});

Deno.test("Searcher prefers numbers seen to a CEP without any, and that to a number far beyond", async () => {
  const entries = [part("13500001"), part("13500009")];
  assertEquals(await find("77", entries), [13500001, 13500009]);
  assertEquals(await find("9999", entries), [13500009, 13500001]);
});

Deno.test("Searcher.seen has the numbers of streets without a stretch alone", async () => {
  const searcher = new Searcher(
    await indexOf(ROWS, [
      part("13500001"),
      part("13500002", { complement: "de 1 ao fim" }),
      part("13500003", { origin: "grande_usuario", street: "Rua A, 5" }),
      part("13500004"),
    ]),
  );
  const seen = [0, 1, 2, 3].map((record) => searcher.seen(record));
  assertEquals(seen, [
    { odd: [1, 199], even: [2, 198] },
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("Searcher finds a street that only the census has, without the details of the DNE", async () => {
  const places = await indexOf(ROWS, [
    part("13500001", { origin: "cnefe", file: "35_SP.csv" }),
    part("13500002", { origin: "cnefe", street: "", streetType: "" }),
  ]);
  assertEquals(places.generalRecords.length, 1);
  assert(new Searcher(places).seen(0) !== undefined);
  assertEquals(
    await find("77", [part("13500001", { origin: "cnefe" })]),
    [13500001],
  );
});

Deno.test("GET /busca and POST /enderecos tell two CEPs of a street apart by the numbers seen", async () => {
  const store = await openStore({ path: ":memory:" });
  const entries = [part("13500001"), part("13500002")];
  await fill(store, entries, {}, ROWS);
  const handler = createHandler({ store, config: { rateLimit: false } });
  const ask = async (path: string, body?: unknown) => {
    const response = await handler(
      new Request(`http://localhost${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return await response.json();
  };
  for (
    const [numero, ceps] of [
      ["77", ["13500001", "13500002"]],
      ["301", ["13500002", "13500001"]],
    ] as const
  ) {
    const found = await ask(`/busca?q=rua+das+flores&numero=${numero}`);
    assertEquals(found.data.map(({ cep }: { cep: string }) => cep), ceps);
    const logradouro = "Rua das Flores";
    const cidade = "Vila Grande";
    const match = await ask("/enderecos", { logradouro, numero, cidade });
    assertEquals([match.cep, match.diferencas], [ceps[0], []]);
    assert(match.pontuacao >= 0.8, `${match.pontuacao}`);
  }
  await store.close();
});
