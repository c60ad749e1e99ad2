import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { streetSimilarity } from "../../../../cep/import/compare/difference.ts";
import { CODE_UNIT } from "../../_characters.ts";

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
