import { PHRASES } from "../abbreviations.ts";
import { isElision } from "../elisions.ts";
import { fold } from "../fold.ts";
import { isPreposition, isWrittenType } from "../word_kinds.ts";
import { UNITS } from "./address_words.ts";
import { type Part, PARTS } from "../../record/address_parts.ts";

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
