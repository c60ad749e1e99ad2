/**
 * Selection of records by the words of their street alone.
 *
 * @module
 */
import { otherForms } from "./abbreviations.ts";
import { fold } from "./fold.ts";
import { isWrittenType, withoutPrepositions } from "./word_kinds.ts";

/**
 * Creates a function that tells the streets that contain the words of a text: in
 * any order, each of them complete, cut off or in another form. A street type
 * counts only if the text has no other words.
 */
export function streetFilter(text: string): (street: string) => boolean {
  const words = withoutPrepositions(fold(text));
  const names = words.filter((word, i) => !isWrittenType(word, i === 0));
  const wanted = names.length > 0 ? names : words;
  return (street) => {
    const found = fold(street);
    return wanted.every((word) =>
      found.some((it) => it.startsWith(word) || otherForms(word).includes(it))
    );
  };
}
