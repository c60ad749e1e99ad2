import { assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { keySignature, spellingKey } from "../../../cep/search/spelling_key.ts";

/** Folded words, and their keys. */
const KEYS: readonly (readonly [key: string, ...words: string[]])[] = [
  ["sousa", "sousa", "souza", "soussa"],
  ["luis", "luis", "luiz", "luys"],
  ["felipe", "phelippe", "fellipe"],
  ["filipe", "filipe", "philippe"],
  ["tiago", "tiago", "thiago", "tyago"],
  ["vanda", "wanda", "vanda", "vamda"],
  ["jeronimo", "geronimo", "jeronimo", "jeronymo"],
  ["xavier", "chavier", "xavier", "shavier"],
  ["ilia", "ilha", "ilia"],
  ["kunia", "cunha", "cunia"],
  ["kanpos", "campos", "canpos"],
  ["joakin", "joaquim", "joaquin", "joakim"],
  ["kuadra", "quadra", "cuadra"],
  ["gilierme", "guilherme"],
  ["selma", "celma", "selma", "zelma"],
  ["nasimento", "nascimento", "nasimento", "nacimento"],
  ["eselente", "excelente"],
  ["matos", "mattos", "matthos"],
  ["baia", "bahia", "baia"],
  ["elena", "helena", "elena"],
  ["ernesto", "hernesto"],
  ["kosta", "costa", "kosta"],
  ["akua", "acqua", "aqua"],
  ["filinio", "filhinho"],
  ["15", "xv", "15", "quinze", "015", "15a", "15o"],
  ["3", "3", "3a", "3o", "03", "iii", "tres", "terceira", "terceiro"],
  ["14", "quatorze", "catorze", "xiv"],
  ["100", "cem", "100"],
  ["0", "0", "00", "zero"],
  ["123456789012", "00123456789012"],
  ["mil", "mil"],
  ...[..."abcdefghijklmnopqrstuvwxyz"].map((it) => [it, it] as const),
  ["h", "hh"],
  ["i", "hi"],
];

/** Words with different keys. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ["bandeirantes", "bandeirante"],
  ["silva", "salva"],
  ["guerra", "jerra"],
  ["felipe", "philippe"],
  ["v", "5"],
  ["x", "dez"],
  ["i", "1"],
  ["11", "1"],
  ["d", "500"],
];

for (const [key, ...words] of KEYS) {
  for (const word of words) {
    Deno.test(`spellingKey of ${word} is ${key}`, () => {
      assertEquals(spellingKey(word), key);
    });
  }
}

for (const [one, other] of DIFFERENT) {
  Deno.test(`spellingKey differs for ${one} and ${other}`, () => {
    assertNotEquals(spellingKey(one), spellingKey(other));
  });
}

Deno.test("spellingKey returns letters or digits for any word", () => {
  const words = fc.stringMatching(/^(?:[a-z]{1,20}|[0-9]{1,20}[ao]?)$/);
  fc.assert(
    fc.property(words, (word) => {
      const key = spellingKey(word);
      assertEquals(/^(?:[a-z]+|\d+)$/.test(key), true, key);
    }),
    { seed: 20260101, numRuns: 2000 },
  );
});

Deno.test("keySignature has a bit for each letter", () => {
  assertEquals(keySignature("kaza"), 1 << 10 | 1 | 1 << 25);
  assertEquals(keySignature("15"), (1 << 27 | 1 << 31) >>> 0);
});
