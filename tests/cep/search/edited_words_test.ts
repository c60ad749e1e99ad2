import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  findEditedWords,
  isOneEdit,
} from "../../../cep/search/edited_words.ts";
import { findNeighbours } from "../../../cep/search/neighbours.ts";

const FIXED = { seed: 20260101, numRuns: 500 };

/** Creates an index of words. */
function indexOf(words: readonly string[]) {
  const sorted = [...new Set(words)].toSorted();
  return {
    findWord: (word: string) => sorted.indexOf(word),
    findPrefix(letters: string): [number, number] {
      const start = sorted.findIndex((word) => word.startsWith(letters));
      const end = sorted.findLastIndex((word) => word.startsWith(letters));
      return start < 0 ? [0, 0] : [start, end + 1];
    },
    letters: (word: number) => sorted[word]!,
    sorted,
  };
}

const WORD = fc.array(fc.constantFrom("a", "b", "c"), {
  minLength: 1,
  maxLength: 7,
}).map((letters) => letters.join(""));

Deno.test("findEditedWords finds the words among all neighbours of a text", () => {
  fc.assert(
    fc.property(fc.array(WORD, { maxLength: 60 }), WORD, (words, text) => {
      const index = indexOf(words);
      const neighbours = findNeighbours(text);
      assertEquals(
        findEditedWords(index, text).map(index.letters).toSorted(),
        index.sorted.filter((word) => neighbours.has(word)),
      );
    }),
    FIXED,
  );
});

Deno.test("isOneEdit agrees with findNeighbours", () => {
  fc.assert(
    fc.property(WORD, WORD, (one, other) => {
      assertEquals(isOneEdit(one, other), findNeighbours(other).has(one));
    }),
    FIXED,
  );
});
