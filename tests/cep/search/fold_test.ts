import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { fold } from "../../../cep/search/fold.ts";
import { CODE_POINT } from "../_characters.ts";

const CASES: Readonly<Record<string, string>> = {
  "Praça D'Água": "praca dagua",
  'Boca D"Água': "boca dagua",
  "CAIXA D AGUA": "caixa dagua",
  "d ´água": "dagua",
  "Santa Bárbara  d\u00A0Oeste": "santa barbara doeste",
  "JULIO SANT ANNA": "julio santanna",
  "Sant'Anna": "santanna",
  "Rua D, Água Branca": "rua d agua branca",
  "Rua D - Oeste": "rua d oeste",
  "Rua D , Oeste": "rua d oeste",
  "Rua D Atibaia": "rua d atibaia",
  "Sant Antonio": "sant antonio",
  "D": "d",
  "agua d": "agua d",
  "2D Água": "2 dagua",
  "D2 Água": "d 2 agua",
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
  fc.assert(fc.property(fc.string({ unit: CODE_POINT }), (text) => {
    for (const word of fold(text)) assertMatch(word, /^[a-z0-9]+$/);
  }));
});
