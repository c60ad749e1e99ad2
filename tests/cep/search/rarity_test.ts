/** CEPs that only the census has, beside others of the same street. */
import { assert, assertEquals } from "@std/assert";
import type { CensusRow, NumberRange } from "../../../cep/record/census.ts";
import type { Entry } from "../../../cep/record/entry.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { isRare } from "../../../cep/search/rarity.ts";
import { openStore } from "../../../cep/store/mod.ts";
import { entry, fill } from "../store/_release.ts";
import { findCeps, indexOf, seenRow } from "./_seen.ts";

const MISTAKE = "03500001";
const REAL = "13500002";

function row(cep: string, addresses: number, even: NumberRange | null) {
  return { ...seenRow(cep, null, even), addresses };
}

function part(cep: string, origin: Entry["origin"]): Entry {
  return entry(cep, {
    number: Number(cep),
    street: "das Flores",
    complement: "",
    neighbourhood: null,
    origin,
  });
}

/** Census rows of a mistyped CEP and of the one that was meant. */
const CASES: readonly {
  readonly name: string;
  readonly origin: Entry["origin"];
  readonly rows: readonly [CensusRow, CensusRow];
}[] = [
  {
    name: "of one address comes after a record of the DNE",
    origin: "logradouro",
    rows: [row(MISTAKE, 1, [20, 20]), row(REAL, 21, [26, 266])],
  },
  {
    name: "without numbers comes after a record of the DNE",
    origin: "logradouro",
    rows: [row(MISTAKE, 1, null), row(REAL, 21, [26, 266])],
  },
  {
    name: "with more addresses comes after a record of the DNE",
    origin: "logradouro",
    rows: [row(MISTAKE, 90, [2, 9998]), row(REAL, 21, [26, 266])],
  },
  {
    name: "without numbers comes after one with many more addresses",
    origin: "cnefe",
    rows: [row(MISTAKE, 1, null), row(REAL, 266, [2, 3242])],
  },
  {
    name: "of one address comes after one with many more addresses",
    origin: "cnefe",
    rows: [row(MISTAKE, 1, [20, 20]), row(REAL, 266, [2, 3242])],
  },
];

for (const { name, origin, rows } of CASES) {
  const entries = [part(MISTAKE, "cnefe"), part(REAL, origin)];

  Deno.test(`Searcher: a CEP of the census ${name}`, async () => {
    const index = await indexOf(rows, entries);
    for (const number of ["", ", 20", ", 9999"]) {
      assertEquals(
        findCeps(index, `rua das flores${number}`),
        [Number(REAL), Number(MISTAKE)],
      );
    }
  });

  Deno.test(`POST /enderecos: a CEP of the census ${name}`, async () => {
    const store = await openStore({ path: ":memory:" });
    await fill(store, entries, {}, rows);
    const handler = createHandler({ store, config: { rateLimit: false } });
    for (const numero of ["", "20", "9999"]) {
      const response = await handler(
        new Request("http://localhost/enderecos", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            logradouro: "Rua das Flores",
            numero,
            cidade: "Vila Grande",
          }),
        }),
      );
      const { cep, pontuacao } = await response.json();
      assertEquals(cep, REAL);
      assert(pontuacao >= 0.8, `${numero}: ${pontuacao}`);
    }
    await store.close();
  });
}

Deno.test("Searcher lists each record once on pages that end between CEPs of the census", async () => {
  const ceps = ["13500001", "13500002", "13500003", "13500004"];
  const rows = ceps.map((cep, i) => row(cep, 4 ** i, null));
  const entries = ceps.map((cep) => part(cep, "cnefe"));
  const store = await openStore({ path: ":memory:" });
  await fill(store, entries, {}, rows);
  const found: string[] = [];
  let after: readonly (string | number)[] | undefined;
  do {
    const page = await store.search({
      text: "rua das flores",
      limit: 1,
      ...(after && { after }),
    });
    found.push(...page!.data.map(({ cep }) => cep));
    after = page!.next ?? undefined;
  } while (after);
  assertEquals(found, ceps.toReversed());
  await store.close();
});

Deno.test("POST /enderecos prefers the CEP of a short part of a street where the census saw the number", async () => {
  const store = await openStore({ path: ":memory:" });
  const rows = [row(MISTAKE, 20, [400, 440]), row(REAL, 266, [2, 398])];
  await fill(
    store,
    [part(MISTAKE, "cnefe"), part(REAL, "cnefe")],
    {},
    rows,
  );
  const handler = createHandler({ store, config: { rateLimit: false } });
  for (const [number, cep] of [["420", MISTAKE], ["42", REAL]] as const) {
    const q = encodeURIComponent(`Rua das Flores, ${number}`);
    const found = await handler(new Request(`http://localhost/busca?q=${q}`));
    assertEquals((await found.json()).data[0].cep, cep);
    const response = await handler(
      new Request("http://localhost/enderecos", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          endereco: `Rua das Flores, ${number}, Vila Grande`,
        }),
      }),
    );
    const match = await response.json();
    assertEquals(match.cep, cep);
    assert(match.pontuacao >= 0.8, `${number}: ${match.pontuacao}`);
  }
  await store.close();
});

for (
  const [addresses, others, expected] of [
    [1, 1, false],
    [1, 4, false],
    [1, 5, true],
    [3, 15, true],
    [4, 39, false],
    [4, 40, true],
  ] as const
) {
  Deno.test(`isRare is ${expected} for ${addresses} addresses beside ${others}`, () => {
    assertEquals(isRare(addresses, others), expected);
  });
}
