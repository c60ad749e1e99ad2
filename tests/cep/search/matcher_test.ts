/** Answers of the matcher; what it finds is in tests/cep/search/reading. */
import { assert, assertEquals } from "@std/assert";
import { Matcher, type MatcherStore } from "../../../cep/search/matcher.ts";
import { openStore, type Store } from "../../../cep/store/mod.ts";
import { fakeStore } from "../_records.ts";
import { seedSample } from "../_seeding.ts";

let store: Store;

Deno.test.beforeAll(async () => {
  store = await openStore({ path: ":memory:" });
  await seedSample(store);
});

Deno.test.afterAll(() => store.close());

/** Returns a store whose CEP 01310-999 was replaced. */
function storeWithHistory(successor: string | null): MatcherStore {
  return fakeStore({
    findJson: (cep) => store.findJson(cep),
    findAddress: (query) => store.findAddress(query),
    lastChange: (cep) =>
      Promise.resolve(
        cep === "01310999"
          ? {
            cep,
            successor,
            dneVersion: "26011",
            seededAt: "2026-01-02T03:04:05.000Z",
          }
          : undefined,
      ),
  });
}

Deno.test("Matcher follows a CEP that was replaced", async () => {
  const matcher = new Matcher(storeWithHistory("01310200"));
  for (
    const text of ["01310-999, 1578", "Av. Paulista, São Paulo, 01310-999"]
  ) {
    const found = (await matcher.match(text))!;
    assertEquals([found.cep, found.cep_novo], ["01310200", "01310200"], text);
    assertEquals(found.diferencas, [
      { campo: "cep", informado: "01310999", encontrado: "01310200" },
    ]);
    assert(found.pontuacao >= 0.8, `${found.pontuacao}`);
  }
});

Deno.test("Matcher finds the street of a CEP that was removed", async () => {
  const matcher = new Matcher(storeWithHistory(null));
  const text = "Av. Paulista 1578, Bela Vista, São Paulo/SP, 01310-999";
  const found = (await matcher.match(text))!;
  assertEquals([found.cep, found.cep_novo], ["01310200", null]);
  assertEquals(found.diferencas.map(({ campo }) => campo), ["cep"]);
});

Deno.test("Matcher returns undefined if the database is empty", async () => {
  const empty = await openStore({ path: ":memory:" });
  assertEquals(await new Matcher(empty).match("Rua A"), undefined);
  await empty.close();
});

/** Answers of `docs/cep/search.md`, and others of the same street. */
const ANSWERS: readonly (readonly [
  text: string,
  cep: string,
  isSure: boolean,
  differences?: string,
])[] = [
  ["Av. Paulista 1578, Bela Vista, São Paulo/SP", "01310200", true],
  ["Avenida Paulista, 1577 - São Paulo - SP", "01311200", true],
  ["AV PAULISTA 1510 SAO PAULO SP", "01310100", true],
  ["1578 av paulista bela vista sao paulo", "01310200", true],
  ["Av. Paulista 1578\nBela Vista\nSão Paulo SP\nBrasil", "01310200", true],
  ["São Paulo/SP, Av. Paulista, 1578, Bela Vista", "01310200", true],
  ["Av. Paulista, 1578, Bela Vista, São Paulo (SP)", "01310200", true],
  ["Av. Paulista, 1578, Bela Vista, São Paulo, São Paulo", "01310200", true],
  ["01310-200, 1578", "01310200", true],
  [
    "Av. Paulista 1578, Jardins, São Paulo/SP, 01310-100",
    "01310200",
    false,
    "bairro cep",
  ],
  ["Av. Paulista 1578, São Paulo/SP, 20040-020", "01310200", false, "cep"],
  [
    "Av. Palista 1500, São Paulo/SP, 01310-100",
    "01310100",
    true,
    "logradouro",
  ],
];

for (const [text, cep, isSure, differences = ""] of ANSWERS) {
  Deno.test(`Matcher finds ${cep} for ${JSON.stringify(text)}`, async () => {
    const found = (await new Matcher(store).match(text))!;
    const { pontuacao, diferencas } = found;
    assertEquals([found.cep, found.registro!.cep], [cep, cep]);
    assertEquals(diferencas.map(({ campo }) => campo).join(" "), differences);
    assert(pontuacao >= (isSure ? 0.8 : 0.5), `${pontuacao}`);
  });
}

Deno.test("Matcher rounds a score to hundredths", async () => {
  const matcher = new Matcher(store);
  for (const [text] of ANSWERS) {
    const { pontuacao } = (await matcher.match(text))!;
    assertEquals(pontuacao, Number(pontuacao.toFixed(2)));
  }
});

Deno.test("Matcher says that an answer is partial if its budget has ended it", async () => {
  const matcher = new Matcher(store);
  const whole = await matcher.match("Av. Paulista 1578, São Paulo/SP");
  assertEquals(whole!.parcial, undefined);
  const text = "ruaa avenidda pracca travvessa jardiim villa parqque centtro " +
    "brassil aveniida praaca travesssa jardinn vilaa parquee ruua centrro";
  assertEquals((await matcher.match(text))!.parcial, true);
});
