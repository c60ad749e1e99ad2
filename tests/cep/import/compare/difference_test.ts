import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import type { Address } from "../../../../cep/record/address.ts";
import type { CensusStreet } from "../../../../cep/record/census.ts";
import {
  compareSources,
  streetSimilarity,
} from "../../../../cep/import/compare/difference.ts";
import { address } from "../../_records.ts";
import { censusRow } from "../../store/_release.ts";
import { CODE_UNIT } from "../../_characters.ts";

const CEP = "01310100";

function street(type: string, name: string, addresses = 10): CensusStreet {
  return { type, name, addresses, odd: null, even: null };
}

function dne(logradouro: string, fields: Partial<Address> = {}): Address {
  return address({
    cep: CEP,
    logradouro,
    codigo_ibge: "3599901",
    tipo_origem: "logradouro",
    uf: "SP",
    ...fields,
  });
}

const PAULISTA = censusRow(CEP, { streets: [street("Avenida", "Paulista")] });

for (
  const [name, one, other] of [
    ["a title left out", "Rua Doutor Cesário Mota", ["Rua", "Cesario Mota"]],
    ["a number in words", "Rua 24 de Maio", ["Rua", "Vinte e Quatro de Maio"]],
    ["another type", "Rua Paulista", ["Avenida", "Paulista"]],
    ["a misspelling", "Rua Piauí", ["Rua", "Piuai"]],
    ["an abbreviation", "Rua Cel. Xavier", ["Rua", "Coronel Xavier"]],
  ] as const
) {
  Deno.test(`compareSources finds no difference in ${name}`, () => {
    const [type, text] = other;
    const row = censusRow(CEP, { streets: [street(type, text)] });
    assertEquals(compareSources(CEP, dne(one), row).kind, null);
  });
}

Deno.test("compareSources finds another street, and the nearest of the CNEFE", () => {
  const row = censusRow(CEP, {
    streets: [
      street("Rua", "das Flores", 50),
      street("Rua", "Paulista Antiga dos Campos", 9),
    ],
  });
  const { kind, street: nearest } = compareSources(
    CEP,
    dne("Avenida Paulista"),
    row,
  );
  assertEquals(kind, "logradouro");
  assertEquals(nearest?.addresses, 9);
});

Deno.test("compareSources finds no difference in a street that is not the most frequent one", () => {
  const row = censusRow(CEP, {
    streets: [street("Rua", "Pamplona", 50), street("Avenida", "Paulista", 9)],
  });
  const { kind, similarity } = compareSources(
    CEP,
    dne("Avenida Paulista"),
    row,
  );
  assertEquals([kind, similarity], [null, 1]);
});

for (
  const [kind, one, other, uf] of [
    ["somente_dne", dne("Rua A"), undefined, "SP"],
    ["somente_cnefe", undefined, PAULISTA, "SP"],
    ["somente_cnefe", dne("Rua A", { tipo_origem: "cnefe" }), PAULISTA, "SP"],
    ["municipio", dne("Rua A", { codigo_ibge: "2927408" }), PAULISTA, "SP"],
    // The DNE lacks the code of a new municipality.
    ["logradouro", dne("Rua A", { codigo_ibge: "" }), PAULISTA, "SP"],
    ["logradouro", dne("Rua A"), PAULISTA, "SP"],
    [null, dne("", { tipo_origem: "localidade" }), PAULISTA, "SP"],
    [null, dne("Rua A, 9", { tipo_origem: "grande_usuario" }), PAULISTA, "SP"],
    [null, dne("Rua A"), censusRow(CEP, { streets: [] }), "SP"],
    [
      "somente_cnefe",
      undefined,
      censusRow(CEP, { ibge: "0000000" }),
      "",
    ],
  ] as const
) {
  const has = one === undefined
    ? "the CNEFE alone"
    : `${one.tipo_origem} "${one.logradouro}" of "${one.codigo_ibge}"`;
  const with_ = other === undefined
    ? "without a census"
    : `with ${other.streets.length} streets of ${other.ibge}`;
  Deno.test(`compareSources returns ${kind} for ${has} ${with_}`, () => {
    const compared = compareSources(CEP, one, other);
    assertEquals([compared.kind, compared.uf], [kind, uf]);
  });
}

const SAME: readonly (readonly [string, string])[] = [
  ["Av. Paulista", "Avenida Paulista"],
  ["PAULISTA", "Avenida Paulista"],
  ["Rua XV de Novembro", "Rua Quinze de Novembro"],
  ["Rua 15 de Novembro", "Rua XV de Novembro"],
  ["Rua Trinta e Dois", "Rua 32"],
  ["3ª Travessa Roma", "3a Travessa Roma"],
  ["Pça N Sra da Luz", "Praça Nossa Senhora da Luz"],
  ["Rua D'Água", "Rua D´Água"],
  ["Vila Nova", "Rua Vila Nova"],
  ["Rua Luiz Souza", "Rua Luís Sousa"],
  ["R. Dr. João Silva", "Rua Doutor João da Silva"],
];

for (const [one, other] of SAME) {
  Deno.test(`streetSimilarity of "${one}" and "${other}" is 1`, () => {
    assertEquals(streetSimilarity(one, other), 1);
    assertEquals(streetSimilarity(other, one), 1);
  });
}

const SIMILAR: readonly (readonly [string, string])[] = [
  ["Av. Paulsta", "Avenida Paulista"],
  ["Rua Paulista", "Avenida Paulista"],
  ["Rua João Silva", "Rua Doutor João Silva"],
  ["Rua Washignton Luiz", "Rua Washington Luiz"],
];

for (const [one, other] of SIMILAR) {
  Deno.test(`streetSimilarity of "${one}" and "${other}" is above 0.75`, () => {
    const found = streetSimilarity(one, other);
    assert(found > 0.75 && found < 1, `${found}`);
  });
}

const DIFFERENT: readonly (readonly [string, string])[] = [
  ["Rua A", "Rua B"],
  ["Rua 1", "Rua 11"],
  ["Rua Mato", "Rua Santa"],
  ["Rua das Flores", "Rua do Sol"],
  ["", "Rua do Sol"],
  ["Rua", "Avenida"],
];

for (const [one, other] of DIFFERENT) {
  Deno.test(`streetSimilarity of "${one}" and "${other}" is 0`, () => {
    assertEquals(streetSimilarity(one, other), 0);
  });
}

Deno.test("streetSimilarity is from 0 to 1, and 1 for a name and itself", () => {
  const text = fc.oneof(
    fc.string({ unit: CODE_UNIT, maxLength: 30 }),
    fc.array(
      fc.constantFrom("Rua", "Dr", "João", "Joao", "Silva", "1", "I", "e"),
      { maxLength: 5 },
    ).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, text, (one, other) => {
      const found = streetSimilarity(one, other);
      assert(found >= 0 && found <= 1, `${found}`);
      const itself = streetSimilarity(one, one);
      assert(itself === 0 || itself > 1 - 1e-9, `${itself}`);
    }),
    { seed: 20260101, numRuns: 500 },
  );
});
