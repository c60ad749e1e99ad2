/** Spelling and counts of a generated CNEFE. */
import { assertEquals } from "@std/assert";
import {
  toCensusText,
  toStreet,
  withNumberInWords,
} from "../../scripts/generate_cnefe/spelling.ts";
import { type CodeFacts, Truth } from "../../scripts/generate_cnefe/truth.ts";

Deno.test("Truth takes the municipality and street with most addresses", () => {
  const counted = new Truth();
  const add = (cep: string, ibge: string, name: string, times: number) => {
    const street = { type: "RUA", title: "", name };
    const address = { cep, ibge, street, number: 1 };
    for (let i = 0; i < times; i++) counted.add(address as never, "01001000");
  };
  counted.addCode("01001000", "same");
  add("01001000", "3550308", "DA SE", 3);
  add("01001000", "3550308", "SEM DENOMINACAO", 9);
  add("01001000", "3550308", "OUTRA", 2);
  add("01001000", "3304557", "DO RIO", 5);
  add("10001000", "3304557", "A", 1);
  add("10001000", "3304557", "B", 1);
  const facts: CodeFacts[] = [...counted.codes()];
  assertEquals(facts[0], {
    cep: "01001000",
    kind: "same",
    ibge: "3550308",
    addresses: 14,
    street: "RUA DA SE",
    streetAddresses: 3,
    streets: 2,
    isTie: false,
  });
  assertEquals([facts[1]?.kind, facts[1]?.isTie], ["wrong", true]);
  assertEquals(counted.totals.wrongCeps, 2);
});

const SPELLINGS: readonly [name: string, spelt: string][] = [
  ["Olho d´Água", "OLHO DAGUA"],
  ["BR-101", "BR 101"],
  ["1ª Travessa", "1A TRAVESSA"],
  ["São João", "SAO JOAO"],
  ['do Engenho "Velho"', "DO ENGENHO VELHO"],
];
for (const [name, spelt] of SPELLINGS) {
  Deno.test(`toCensusText spells "${name}" as "${spelt}"`, () => {
    assertEquals(toCensusText(name), spelt);
  });
}

Deno.test("toStreet puts the title into a column of its own", () => {
  assertEquals(toStreet("Rua", "Doutor José Lima"), {
    type: "RUA",
    title: "DOUTOR",
    name: "JOSE LIMA",
  });
  assertEquals(toStreet("Rua", "Rua Nova"), {
    type: "RUA",
    title: "",
    name: "NOVA",
  });
});

Deno.test("withNumberInWords changes only a number at the beginning", () => {
  const names = ["25 DE MARCO", "14", "20", "7", "BR 10", "120", "3A", "SETE"];
  const street = { type: "RUA", title: "" };
  assertEquals(
    names.map((name) => withNumberInWords({ ...street, name }).name),
    [
      "VINTE E CINCO DE MARCO",
      "QUATORZE",
      "VINTE",
      "SETE",
      "BR 10",
      "120",
      "3A",
      "SETE",
    ],
  );
});
