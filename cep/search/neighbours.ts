/**
 * Texts within one edit of a word.
 *
 * @module
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * Returns the texts that one inserted, missing, wrong or transposed letter
 * turns into a word.
 *
 * @param positions Number of positions of the letter, from the first.
 */
export function findNeighbours(
  word: string,
  positions = word.length + 1,
): Set<string> {
  const found = new Set<string>();
  for (let i = 0; i <= word.length && i < positions; i++) {
    const before = word.slice(0, i);
    const rest = word.slice(i);
    const after = word.slice(i + 1);
    if (rest !== "") found.add(before + after);
    if (rest.length > 1) found.add(before + rest[1] + rest[0] + rest.slice(2));
    for (const letter of LETTERS) {
      found.add(before + letter + rest);
      if (rest !== "") found.add(before + letter + after);
    }
  }
  found.delete(word);
  return found;
}
