import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Match, Matcher } from "../../../cep/matching/matcher.ts";
import type { AddressParts } from "../../../cep/matching/parts.ts";
import { openStore, type Store } from "../../../cep/store/mod.ts";
import { CODE_UNIT } from "../_characters.ts";
import { address, fakeStore, recordsStore } from "../_records.ts";
import { seedSample } from "../_seeding.ts";

const FIXED = { seed: 20260101, numRuns: 100 };

let store: Store;
let matcher: Matcher;

Deno.test.beforeAll(async () => {
  store = await openStore({ path: ":memory:" });
  await seedSample(store);
  matcher = new Matcher(store);
});

Deno.test.afterAll(() => store.close());

async function match(
  text: string,
  known: Partial<AddressParts> = {},
): Promise<Match> {
  return (await matcher.match(text, known))!;
}

const FOUND: readonly (readonly [
  text: string,
  cep: string,
  score: number,
  differences?: string,
])[] = [
  ["Av. Paulista 1578, Bela Vista, São Paulo/SP", "01310200", 1],
  ["Avenida Paulista, 1577 - São Paulo - SP", "01311200", 1],
  ["AV PAULISTA 1510 SAO PAULO SP", "01310100", 1],
  ["01310-100", "01310100", 1],
  ["01310-200, 1578", "01310200", 1],
  ["Bela Vista, 01310-200", "01310200", 1],
  ["avenida paulista 1578 sao paulo", "01310200", 1],
  ["1578 av paulista bela vista sao paulo", "01310200", 1],
  ["avenida paulista n 1578 sao paulo sp", "01310200", 1],
  ["praça da sé são paulo", "01001000", 0.73],
  // The CEP is that of another stretch, and of another street.
  ["Av. Paulista 1578, São Paulo/SP, 01310-100", "01310200", 0.9, "cep"],
  [
    "Av. Paulista 1578, Sé, São Paulo/SP, 01310-100",
    "01310200",
    0.8,
    "bairro cep",
  ],
  ["Av. Paulista 1578, São Paulo/SP, 20040-020", "01310200", 0.85, "cep"],
  ["Av. Paulsta 1578, Bela Vista, São Paulo/SP", "01310200", 0.9, "logradouro"],
  [
    "Av. Palista 1500, São Paulo/SP, 01310-100",
    "01310100",
    0.9,
    "logradouro",
  ],
  ["Av. Paulista 1578, Sé, São Paulo/SP", "01310200", 0.8, "bairro"],
  ["Av. Paulista 1578, Bela Vista, São Paolo/SP", "01310200", 0.95, "cidade"],
  [
    "Rua Paulista 1578, Bela Vista, São Paulo/SP",
    "01310200",
    0.9,
    "logradouro",
  ],
];

for (const [text, cep, score, parts = ""] of FOUND) {
  Deno.test(`Matcher finds "${text}"`, async () => {
    const { pontuacao, diferencas, ...found } = await match(text);
    assertEquals(found.cep, cep);
    assertEquals(found.registro!.cep, cep);
    assertEquals(diferencas.map(({ campo }) => campo).join(" "), parts);
    assert(Math.abs(pontuacao - score) <= 0.06, `${pontuacao}`);
  });
}

Deno.test("Matcher follows a CEP that was replaced", async () => {
  const record = address();
  const last = {
    cep: "01900099",
    successor: record.cep,
    dneVersion: "26011",
    seededAt: "2026-01-02T03:04:05.000Z",
  };
  const store = recordsStore([record], {
    lastChange: (cep) => Promise.resolve(cep === last.cep ? last : undefined),
  });
  const found = (await new Matcher(store).match("01900-099, 5"))!;
  assertEquals(
    [found.cep, found.cep_novo, found.pontuacao],
    [record.cep, record.cep, 1],
  );
  assertEquals(found.diferencas, [
    { campo: "cep", informado: last.cep, encontrado: record.cep },
  ]);
});

const MISSING = [
  "",
  "xyz",
  "Rua Que Não Existe, 5, São Paulo/SP",
  "99999-999",
  "São Paulo/SP",
  "Av. Paulista 1578, Manaus/AM",
  "*",
  '"NEAR(',
  "\u0000",
];

for (const text of MISSING) {
  Deno.test(`Matcher finds no record for ${JSON.stringify(text)}`, async () => {
    const { endereco: _, ...found } = await match(text);
    assertEquals(found, {
      cep: null,
      pontuacao: 0,
      diferencas: [],
      outros_ceps: [],
      cep_novo: null,
      registro: null,
    });
  });
}

Deno.test("Matcher lists other records that fit equally well", async () => {
  const found = await match("Avenida Paulista, São Paulo/SP");
  assert(found.pontuacao < 0.8);
  assert(found.outros_ceps.includes("01310200"));
  assert(!found.outros_ceps.includes(found.cep!));
});

Deno.test("Matcher reports values that differ", async () => {
  const found = await match("", {
    logradouro: "Av. Paulista",
    numero: "1578",
    bairro: "Jardins",
    cidade: "São Paulo",
    cep: "123",
  });
  assertEquals(found.diferencas, [
    { campo: "bairro", informado: "Jardins", encontrado: "Bela Vista" },
    { campo: "cep", informado: "123", encontrado: "01310200" },
  ]);
});

Deno.test("Matcher finds the general CEP of a city for any of its streets", async () => {
  const general = address({
    cep: "18180000",
    logradouro: "",
    complemento: "",
    bairro: "",
    tipo_origem: "localidade",
  });
  const { cep, pontuacao } = (await new Matcher(recordsStore([general]))
    .match("Rua do Sol, 5, Centro, Vila Grande/SP"))!;
  assertEquals([cep, pontuacao], ["18180000", 1]);
});

Deno.test("Matcher does not find the general CEP of a district for its city", async () => {
  const district = address({
    cep: "18180000",
    logradouro: "",
    complemento: "",
    bairro: "Distrito Novo",
    distrito: "Distrito Novo",
    tipo_origem: "localidade",
  });
  const matcher = new Matcher(recordsStore([district]));
  const inCity = await matcher.match("Rua do Sol, 5, Vila Grande/SP");
  assertEquals(inCity!.cep, null);
  const inDistrict = await matcher.match(
    "Rua do Sol, 5, Distrito Novo, Vila Grande/SP",
  );
  assertEquals(inDistrict!.cep, "18180000");
});

Deno.test("Matcher prefers a street to a large user on it", async () => {
  const common = { complemento: "", logradouro: "Rua das Flores" };
  const records = [
    address({
      ...common,
      cep: "01900900",
      logradouro: "Rua das Flores, 5",
      tipo_origem: "grande_usuario",
    }),
    address({ ...common, cep: "01900001" }),
  ];
  const matcher = new Matcher(recordsStore(records));
  const text = "Rua das Flores, 5, Vila Grande/SP";
  assertEquals((await matcher.match(text))!.cep, "01900001");
  assertEquals((await matcher.match(`${text}, 01900-900`))!.cep, "01900900");
});

Deno.test("Matcher returns undefined if the database is empty", async () => {
  assertEquals(await new Matcher(recordsStore()).match("Rua A"), undefined);
});

Deno.test("Matcher asks for nothing but the CEP if its record agrees", async () => {
  const { release, gazetteer, findJson } = recordsStore([address()]);
  const store = fakeStore({ release, gazetteer, findJson });
  const found = await new Matcher(store)
    .match("Rua das Flores, 5, Vila Grande/SP, 01900-001");
  assertEquals([found!.cep, found!.pontuacao], ["01900001", 1]);
});

Deno.test("Matcher answers any text", async () => {
  const pieces =
    'Av. Paulista|1578|, |São Paulo|/SP| - |*|"|NEAR(|AND|01310-1' +
    "|🏠|\u0000|'|;|km 3|s/n|XV|Rua ";
  const text = fc.oneof(
    fc.string({ unit: CODE_UNIT, maxLength: 500 }),
    fc.array(fc.constantFrom(...pieces.split("|")), { maxLength: 12 })
      .map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (text, bairro) => {
      const { pontuacao, cep, registro } = await match(text, { bairro });
      assert(pontuacao >= 0 && pontuacao <= 1);
      assertEquals(cep === null, pontuacao === 0);
      assertEquals(registro?.cep ?? null, cep);
    }),
    FIXED,
  );
});
