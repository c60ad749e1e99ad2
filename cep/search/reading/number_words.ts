import { isCardinal, sumOfNumerals, valueOfWords } from "../numerals.ts";
import { NUMBER_MARKS } from "./address_words.ts";
import type { Token } from "./tokens.ts";

/** Joins the words of a building number: `nº mil e duzentos`. */
export function joinNumbers(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ text }) => isCardinal(text))) return tokens;
  const joined: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    joined.push(token);
    const before = tokens[i - 1];
    const isMarked = NUMBER_MARKS.has(before?.text ?? "") ||
      token.field === "numero" && before?.field !== "numero";
    const end = endOfNumber(tokens, i);
    const isSegment = i > 0 && before!.segment !== token.segment &&
      tokens[end]?.segment !== token.segment;
    if (!isMarked && !isSegment) continue;
    const words = tokens.slice(i, end).map(({ text }) => text);
    const value = valueOfWords(words.filter((word) => word !== "e"));
    // "Rua Um, Quarenta" is in a neighbourhood.
    const isNumber = isMarked || words.length > 1 || value! >= 100;
    if (value === undefined || !isNumber) continue;
    const text = `${value}`;
    joined[joined.length - 1] = { ...token, text, end: tokens[end - 1]!.end };
    i = end - 1;
  }
  return joined;
}

/** Returns the end of the words of a number. */
function endOfNumber(tokens: readonly Token[], start: number): number {
  const { segment } = tokens[start]!;
  let end = start;
  while (
    tokens[end]?.segment === segment &&
    (isCardinal(tokens[end]!.text) || end > start && tokens[end]!.text === "e")
  ) end++;
  return end;
}

/** Joins numerals of two words: `vinte e cinco`. */
export function joinNumerals(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1)?.text === "e" ? -2 : -1;
    const before = joined.at(last);
    const sum = before && before.segment === token.segment
      ? sumOfNumerals(before.text, token.text)
      : undefined;
    if (sum === undefined) joined.push(token);
    else {
      const text = `${sum}`;
      const { end } = token;
      joined.splice(last, 2, { ...before!, text, end, isWritten: true });
    }
  }
  return joined;
}
