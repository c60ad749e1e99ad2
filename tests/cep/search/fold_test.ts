import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { fold } from "../../../cep/search/fold.ts";

const CASES: Readonly<Record<string, string>> = {
  "Praça D'Água": "praca dagua",
  'Boca D"Água': "boca dagua",
  "3ª Travessa": "3 travessa",
  "Rua 3a": "rua 3a",
  "BR-364": "br 364",
  "BR364": "br 364",
  "nº 1.578": "n 1578",
  "cao\u0303": "cao",
  "12B": "12 b",
  "": "",
  "😀 * NEAR(": "near",
};

for (const [text, words] of Object.entries(CASES)) {
  Deno.test(`fold splits ${JSON.stringify(text)}`, () => {
    assertEquals(fold(text).join(" "), words);
  });
}

Deno.test("fold returns words of letters and digits for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    for (const word of fold(text)) assertMatch(word, /^[a-z0-9]+$/);
  }));
});
