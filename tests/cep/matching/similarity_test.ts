import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { similarity } from "../../../cep/matching/similarity.ts";
import { placeName, streetName } from "../../../cep/matching/words.ts";
import { CODE_UNIT } from "../_characters.ts";

const FIXED = { seed: 20260101, numRuns: 500 };

const SAME: readonly (readonly [string, string])[] = [
  ["Av. Paulista", "Avenida Paulista"],
  ["PAULISTA", "Avenida Paulista"],
  ["R. Dr. João Silva", "Rua Doutor João da Silva"],
  ["Rua XV de Novembro", "Rua Quinze de Novembro"],
  ["Rua 15 de Novembro", "Rua XV de Novembro"],
  ["Rua Trinta e Dois", "Rua 32"],
  ["3ª Travessa Roma", "3a Travessa Roma"],
  ["Pça N Sra da Luz", "Praça Nossa Senhora da Luz"],
  ["Rua D'Água", "Rua D´Água"],
  ["Vilanova", "Vila Nova"],
  ["Vila Nova", "Rua Vila Nova"],
];

for (const [one, other] of SAME) {
  Deno.test(`similarity of "${one}" and "${other}" is 1`, () => {
    assertEquals(similarity(streetName(one), streetName(other)), 1);
  });
}

const SIMILAR: readonly (readonly [string, string])[] = [
  ["Av. Paulsta", "Avenida Paulista"],
  ["Rua Paulista", "Avenida Paulista"],
  ["Rua João Silva", "Rua Doutor João Silva"],
  ["Rua J. Silva", "Rua João Silva"],
  ["Rua Washignton Luiz", "Rua Washington Luiz"],
];

for (const [one, other] of SIMILAR) {
  Deno.test(`similarity of "${one}" and "${other}" is above 0.7`, () => {
    const found = similarity(streetName(one), streetName(other));
    assert(found > 0.7 && found < 1, `${found}`);
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
  Deno.test(`similarity of "${one}" and "${other}" is 0`, () => {
    assertEquals(similarity(streetName(one), streetName(other)), 0);
  });
}

Deno.test("similarity of places counts their types little", () => {
  const one = placeName("Jardim América");
  assert(similarity(one, placeName("América")) > 0.8);
  assert(similarity(one, placeName("Jardim Europa")) < 0.3);
});

Deno.test("similarity is from 0 to 1, and 1 for a name and itself", () => {
  const text = fc.oneof(
    fc.string({ unit: CODE_UNIT, maxLength: 30 }),
    fc.array(
      fc.constantFrom("Rua", "Dr", "João", "Joao", "Silva", "1", "I", "e"),
      { maxLength: 5 },
    ).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [one, other] = [streetName(a), streetName(b)];
      const found = similarity(one, other);
      assert(found >= 0 && found <= 1, `${found}`);
      assertEquals(similarity(one, one), one.words.length === 0 ? 0 : 1);
    }),
    FIXED,
  );
});
