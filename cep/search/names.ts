import { fold } from "./fold.ts";
import { joinNumerals } from "./numerals.ts";
import { isType, withoutPrepositions } from "./word_kinds.ts";

/**
 * Name of a street, large user, unit or mailbox.
 *
 * @template W Word, as a text or as a number.
 */
export interface Name<W = string> {
  /** Words of the type, then those of the name. */
  readonly words: readonly W[];
  /** Number of words of the type. */
  readonly typeLength: number;
}

/** Splits the name of a street whose type may be in the name, too. */
export function streetName(type: string, name: string): Name {
  return withType(placeWords(type), placeWords(name));
}

/** Joins the words of a type and those of a name, which may begin with it. */
export function withType<W>(
  type: readonly W[],
  name: readonly W[],
): Name<W> {
  return {
    words: begins(name, type) ? name : [...type, ...name],
    typeLength: type.length,
  };
}

/** True if a name begins with a type, and has other words. */
function begins<W>(name: readonly W[], type: readonly W[]): boolean {
  if (type.length === 0 || name.length <= type.length) return false;
  for (let i = 0; i < type.length; i++) {
    if (name[i] !== type[i]) return false;
  }
  return true;
}

/** Splits an address such as `Rodovia BR-364, 2081`, without its number. */
export function streetOfAddress(address: string): Name {
  const street = address.replace(/,.*| s\/n.*| (?:nº? ?)?\d+$/i, "");
  const words = withoutPrepositions(fold(street));
  const [first = "", second = "", ...others] = words;
  if (second !== "" && isType(first)) return { words, typeLength: 1 };
  // "1ª Travessa Roma"
  const hasOrdinal = others.length > 0 && /^\d/.test(first) && isType(second);
  return { words, typeLength: hasOrdinal ? 2 : 0 };
}

/** Returns the building number of an address, `undefined` without one. */
export function numberOfAddress(address: string): number | undefined {
  const number = /, *(\d{1,6})(?![\d.,/])/.exec(address)?.[1] ??
    /(?:nº? ?| )(\d{1,6})(?![\dªº.,/])/i.exec(address)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Returns the words of a place. */
export function placeWords(name: string): string[] {
  return withoutPrepositions(fold(name));
}

/**
 * Returns the names in the name of a place: `A (B)` is also called `A` and `B`.
 * The whole name comes first.
 */
export function placeNames(name: string): string[] {
  if (!name.includes("(")) return [name];
  const inner = Array.from(name.matchAll(/\(([^()]*)/g), ([, it]) => it!);
  return [name, name.replaceAll(/\([^()]*\)?/g, " "), ...inner];
}

/**
 * Returns the name with figures instead of numerals of several words,
 * `undefined` for a name without such numerals.
 */
export function withFigures({ words, typeLength }: Name): Name | undefined {
  const joined = joinNumerals(words);
  return joined === words ? undefined : { words: joined, typeLength };
}

/** Complements of numbers or a side only, as the DNE usually writes them. */
const WITHOUT_WORDS =
  /^(?:- )?(?:(?:até|de) [\d/]+(?: a [\d/]+| ao fim)?)?(?: ?- )?(?:lado (?:ímpar|par))?$/;

/** Folded clause of numbers or a side, also one that is cut off. */
const STRETCH_CLAUSE =
  /^(?:(?:ate|d[eo])(?: (?:o|ao?|ate|km|fim?|\d+))+|lado(?: [pide]\w*)?)$/;

/**
 * Returns the words of a complement that are neither numbers nor a side.
 *
 * ```text
 * de 1001/1002 ao fim (Cj Ceará)  ->  cj ceara
 * ```
 */
export function complementWords(complement: string): string[] {
  if (WITHOUT_WORDS.test(complement)) return [];
  return complement.split(/\s-|-\s|[()]/).flatMap((clause) => {
    const words = fold(clause);
    return STRETCH_CLAUSE.test(words.join(" "))
      ? []
      : withoutPrepositions(words);
  });
}
