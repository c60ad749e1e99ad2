/**
 * Words of an index that one letter turns into another word.
 *
 * @module
 */
import { findNeighbours } from "./neighbours.ts";
import type { SearchIndex } from "./search_index.ts";

/** Letters after which words with an edit are read instead of generated. */
const HEAD = 3;

/** Returns the words that one edit turns into a text, without the text. */
export function findEditedWords(
  index: Pick<SearchIndex, "findWord" | "findPrefix" | "letters">,
  text: string,
): number[] {
  const found: number[] = [];
  for (const neighbour of findNeighbours(text, HEAD)) {
    const word = index.findWord(neighbour);
    if (word >= 0) found.push(word);
  }
  const [start, end] = index.findPrefix(text.slice(0, HEAD));
  for (let word = start; word < end; word++) {
    if (isOneEdit(index.letters(word), text) && !found.includes(word)) {
      found.push(word);
    }
  }
  return found;
}

/** True if one letter is inserted, missing, wrong or transposed. */
export function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const longer = long.length - short.length;
  if (longer > 1 || one === other) return false;
  let i = 0;
  while (short[i] === long[i]) i++;
  if (longer === 1) return short.slice(i) === long.slice(i + 1);
  return short.slice(i + 1) === long.slice(i + 1) ||
    short[i] === long[i + 1] && short[i + 1] === long[i] &&
      short.slice(i + 2) === long.slice(i + 2);
}
