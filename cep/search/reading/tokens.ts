import { type Part, PARTS } from "../../record/address_parts.ts";
import { PHRASES } from "../abbreviations.ts";
import { isElision, isPreposition, isWrittenType } from "../word_kinds.ts";
import { fold } from "../fold.ts";
import { isCardinal, sumOfNumerals, valueOfWords } from "../numerals.ts";
import type { Interval } from "../search_index.ts";
import { NUMBER_MARKS, UNITS } from "./address_words.ts";
import { FORM_COSTS, type Vocabulary } from "./vocabulary.ts";

/** Member of an address that a word comes from: its free text, or a part. */
export type Field = "endereco" | Part;

/** All fields, in the order in which their words are read. */
export const FIELDS: readonly Field[] = ["endereco", ...PARTS];

/** Maximum number of tokens: one bit each in masks. */
export const MAX_TOKENS = 30;

/** Maximum length of a word; further letters are ignored. */
const MAX_LETTERS = 32;

/** Word of an address. */
export interface Token {
  /** Letters a to z, or digits. */
  readonly text: string;
  readonly field: Field;
  /** Position in the text of the field. */
  readonly start: number;
  readonly end: number;
  /** Number of the segment between commas, brackets or line breaks. */
  readonly segment: number;
  /** True if no space precedes it: `149` in `C-149`. */
  readonly isGlued: boolean;
  /** True for figures that are written as two words: `vinte e cinco`. */
  readonly isWritten?: boolean;
  /** True for capitals, as of a state. */
  readonly isUpperCase: boolean;
}

/** Word, which may have signs in place of letters. */
const CHUNK =
  /(?<![?\uFFFD])[?\uFFFD]*[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.'’‘`´"“”ªº°?\uFFFD]*/gu;
/** Signs between segments, and the blanks between columns of fixed width. */
const BOUNDARY = /[,;:|()[\]{}\r\n\t]| [-–—]+ ?|[-–—]+ | \/ | [?\uFFFD] | {3}/;

/** Options of {@linkcode readTokens}. */
export interface TokenOptions {
  /** Number of the first segment. */
  readonly firstSegment: number;
  /** Restores the letters of a word in whose place are signs. */
  readonly restore: (word: string) => string;
}

/** Reads the words of a text, without those that only join others. */
export function readTokens(
  text: string,
  field: Field,
  { firstSegment, restore }: TokenOptions,
): Token[] {
  const tokens: Token[] = [];
  let segment = firstSegment;
  let end = 0;
  for (const match of text.matchAll(CHUNK)) {
    const [chunk] = match;
    const start = match.index;
    const between = text.slice(end, start);
    // "Rua Uruguai - E" is one name.
    const isLetter = chunk.length === 1 && /^\s*-\s*$/.test(between) &&
      /\p{L}/u.test(chunk);
    // "Rua: Uruguai" too.
    const isAfterType = /^\s*[:|]?\s*$/.test(between) &&
      isWrittenType(tokens.at(-1)?.text ?? "", tokens.length === 1);
    // "R.: Travessa Um", "Rua/Av: Praça Dois"
    if (
      isAfterType && between.includes(":") &&
      isWrittenType(fold(chunk)[0] ?? "", false)
    ) {
      while (isWrittenType(tokens.at(-1)?.text ?? "", true)) tokens.pop();
    }
    if (end > 0 && BOUNDARY.test(between) && !isLetter && !isAfterType) {
      segment++;
    }
    const isJoined = end > 0 && (between === "" || between === "-");
    const isUpperCase = chunk === chunk.toUpperCase();
    const isFirst = tokens.at(-1)?.segment !== segment;
    const mayBeBairro = isFirst || /\d$/.test(tokens.at(-1)!.text);
    end = start + chunk.length;
    const words = fold(
      mayBeBairro && isBairro(chunk, text.slice(end))
        ? "bairro"
        : restore(chunk),
    ).flatMap((word) => PHRASES.get(word) ?? [word]);
    words.forEach((word, i) => {
      const before = tokens.at(-1);
      if (
        before && /^\s+$/.test(between) && i === 0 &&
        isElision(before.text, word)
      ) {
        tokens[tokens.length - 1] = {
          ...before,
          text: before.text + word,
          end,
        };
        return;
      }
      tokens.push({
        text: word.slice(0, MAX_LETTERS),
        field,
        start,
        end,
        segment,
        isGlued: i > 0 || isJoined,
        isUpperCase,
      });
    });
  }
  return tokens;
}

/** True for `B. Centro`, which is neither a letter nor an initial. */
function isBairro(chunk: string, after: string): boolean {
  return /^b[.º°]$/i.test(chunk) && /^:?\s*(?:\p{L} )?\p{L}{3}/u.test(after) ||
    /^b$/i.test(chunk) && /^:\s*\p{L}/u.test(after);
}

/**
 * Leaves out prepositions, except an `e`, which may be a letter: `Rua E`,
 * `Bloco E lote 10`.
 */
export function withoutPrepositions(tokens: readonly Token[]): Token[] {
  return tokens.filter(({ text }) => text === "e" || !isPreposition(text));
}

/** True if the token `e` is a letter, by the words around it. */
export function isLetterE(tokens: readonly Token[], i: number): boolean {
  const next = tokens[i + 1];
  const before = tokens[i - 1]?.text ?? "";
  return next?.segment !== tokens[i]!.segment || /^\d/.test(next.text) ||
    UNITS.has(before) || isWrittenType(before, true);
}

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

/** Shortest text that is cut, and shortest piece other than a type. */
const SHORTEST = 5;
const SHORTEST_PIECE = 3;
const LONGEST_PIECE = 20;
/** Cost of each further piece, against one that is common. */
const PIECE = 0.6;

/**
 * Cuts a text that is no word into words that are: `ruafelipeschmidt`. The
 * pieces have the position of the text.
 */
export function splitGlued(token: Token, vocabulary: Vocabulary): Token[] {
  const { text } = token;
  if (text.length < SHORTEST || /\d/.test(text)) return [token];
  const { isKnown, keys: [nearest] } = vocabulary.read(text);
  if (isKnown || !vocabulary.mayLookUp()) return [token];
  // The best pieces of the first letters, and what they cost.
  const best: ({ cost: number; from: number } | undefined)[] = [
    { cost: 0, from: 0 },
  ];
  for (let from = 0; from < text.length; from++) {
    const before = best[from];
    if (before === undefined) continue;
    let words: Interval | undefined;
    const longest = Math.min(text.length, from + LONGEST_PIECE);
    for (let end = from + 1; end <= longest; end++) {
      if (from === 0 && end === text.length) break;
      const piece = text.slice(from, end);
      words = vocabulary.findPrefix(piece, words);
      const isType = from === 0 && piece.length > 1 &&
        isWrittenType(piece, true);
      const isJoint = isType || isPreposition(piece);
      if (piece.length < SHORTEST_PIECE && !isJoint) continue;
      const count = isJoint ? Infinity : vocabulary.countOfText(piece, words);
      if (count === 0) continue;
      const cost = before.cost + PIECE + 1 / Math.log2(count + 1);
      if (cost < (best[end]?.cost ?? Infinity)) best[end] = { cost, from };
    }
  }
  if (best[text.length] === undefined) return [token];
  const isMisspelt = (nearest?.cost ?? 1) <= FORM_COSTS.edited;
  const pieces: Token[] = [];
  for (let end = text.length; end > 0;) {
    const { from } = best[end]!;
    const piece = text.slice(from, end);
    const isJoint = isPreposition(piece) || isWrittenType(piece, true);
    // "Avalta" is no "Av. Alta".
    const isCertain = isJoint && piece.length >= SHORTEST_PIECE;
    if (from === 0 && isMisspelt && !isCertain) return [token];
    if (!isPreposition(piece)) {
      pieces.unshift({ ...token, text: piece, isGlued: from > 0 });
    }
    end = from;
  }
  return pieces;
}
