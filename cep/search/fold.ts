import { FoldedText } from "./folded_text.ts";

const FOLDED = new FoldedText();

/**
 * Splits a text into words of the letters a to z and digits. A word never
 * contains both, except `3a` and `3o`, which may be ordinals. A space in place of
 * an apostrophe is left out, too: `D Água`.
 *
 * ```text
 * Praça D'Água, 3ª BR-364  ->  praca dagua 3 br 364
 * ```
 */
export function fold(text: string): string[] {
  FOLDED.fold(text);
  const words: string[] = [];
  for (let i = 0; i < FOLDED.count; i++) words.push(FOLDED.at(i));
  return words;
}

/**
 * Folds letter case and accents, and turns all else but letters and digits into
 * single spaces.
 */
export function foldText(text: string): string {
  return fold(text).join(" ");
}
