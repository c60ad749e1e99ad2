import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { placeWords } from "../../../cep/search/names.ts";
import { WordTable } from "../../../cep/search/word_table.ts";
import { CODE_POINT } from "../_characters.ts";

const NAMES = ["Rua das Flores", "D Água e E", "Praça Três Irmãos", "e", "de"];

const WORD = fc.constantFrom(
  ..."D d Água Sant Ana e E de das Oeste".split(" "),
);

Deno.test("WordTable.wordsOf finds the words of placeWords in any text", () => {
  const table = new WordTable();
  const text = fc.oneof(
    fc.constantFrom(...NAMES),
    fc.array(WORD).map((words) => words.join(" ")),
    fc.string({ unit: CODE_POINT }),
  );
  fc.assert(fc.property(text, (text) => {
    const words = table.wordsOf(text).map((word) => table.texts[word]);
    assertEquals(words, placeWords(text));
  }));
});

Deno.test("WordTable gives each of 50,000 words one number", () => {
  const table = new WordTable();
  const words = Array.from({ length: 50_000 }, (_, i) => `${i}`);
  for (const [i, word] of words.entries()) {
    assertEquals(table.wordsOf(`de ${word}`), [i + 1]);
  }
  for (const [i, word] of words.entries()) {
    assertEquals(table.find(word), i + 1);
  }
});
