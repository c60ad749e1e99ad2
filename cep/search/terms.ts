/**
 * Terms of a query: its words, and the words of the index that they match.
 *
 * @module
 */
import { otherForms, PHRASES } from "./abbreviations.ts";
import { findEditedWords } from "./edited_words.ts";
import { fold } from "./fold.ts";
import { findNeighbours } from "./neighbours.ts";
import { otherNumerals } from "./numerals.ts";
import type { SearchIndex } from "./search_index.ts";
import {
  isLooseType,
  isPreposition,
  isType,
  isWrittenType,
} from "./word_kinds.ts";

/** Maximum number of terms; further words are ignored. */
export const MAX_TERMS = 16;

/** Maximum length of a word; further letters are ignored. */
const MAX_LETTERS = 32;

/** Characters of a query that are read. */
const MAX_CHARACTERS = 500;

/** Costs of a match, by the way in which a word matches. */
export const COSTS = {
  exact: 0,
  otherForm: 1,
  completed: 2,
  initial: 3,
  shortened: 4,
  contracted: 5,
  edited: 12,
  editedAndCompleted: 14,
  none: 99,
} as const;

/** Words of the index that a term matches. */
export interface Form {
  /** First word. */
  readonly start: number;
  /** End of the words. */
  readonly end: number;
  /** One of {@linkcode COSTS}. */
  readonly cost: number;
}

/** Word of a query. */
export interface Term {
  readonly text: string;
  /** Its bit in masks. */
  readonly bit: number;
  /** True if a record must match it. */
  readonly isRequired: boolean;
  /** True for a street type. It is required if the query has no other word. */
  readonly isType: boolean;
  /** Words of the index, the cheapest first. */
  readonly forms: readonly Form[];
  /** Costs of the forms that are one word each, if there are many. */
  readonly costs: ReadonlyMap<number, number> | undefined;
  /** Forms of more than one word. */
  readonly ranges: readonly Form[];
  /** Number of names with one of the words. */
  readonly names: number;
  /** Number of places with one of the words. */
  readonly places: number;
}

/** Leniency of a search. */
export interface Leniency {
  /** Shortened words match: `Rib` for `Ribeiro`. */
  readonly shortened?: boolean;
  /** Types such as `jardim` may be missing. */
  readonly loose?: boolean;
  /** One edit is allowed in unknown words, or in all. */
  readonly edits?: "unknown" | "all";
}

/** Returns the words of a query, without those beyond its maximum size. */
export function readWords(text: string): string[] {
  return fold(text.slice(0, MAX_CHARACTERS))
    .flatMap((word) => PHRASES.get(word) ?? [word.slice(0, MAX_LETTERS)]);
}

/** Looks up the words of a query. */
export function toTerms(
  index: SearchIndex,
  words: readonly string[],
  hasPrefix: boolean,
  leniency: Leniency = {},
): Term[] {
  const terms: Term[] = [];
  let isFirst = true;
  for (const [i, text] of words.entries()) {
    const isLast = i === words.length - 1;
    const isPrefix = isLast && hasPrefix;
    if (terms.length === MAX_TERMS) break;
    if (isSkipped(text, isFirst, isLast, isPrefix && !leniency.loose)) continue;
    const forms = findForms(index, text, isPrefix, leniency);
    const names = count(forms, (form) => index.countNames(form));
    const places = count(forms, (form) => index.countPlaces(form));
    const isStreetType: boolean = isWrittenType(text, isFirst && !isPrefix) ||
      // The lists of names leave out types.
      names + places === 0 && otherForms(text).some(isType) ||
      isFirst && leniency.edits !== undefined && isAlmostType(index, text);
    isFirst &&= isStreetType || /^\d/.test(text);
    terms.push({
      text,
      bit: 1 << terms.length,
      isRequired: !isStreetType && !(leniency.loose && isLooseType(text)),
      isType: isStreetType,
      forms,
      costs: forms.length > FEW_FORMS ? toCosts(forms) : undefined,
      ranges: forms.filter(({ start, end }) => end - start > 1),
      names,
      places,
    });
  }
  return terms.every(({ isType }) => isType) ? requireLast(terms) : terms;
}

/** Requires the last of several types, which is a name: `rua da travessa`. */
function requireLast(terms: readonly Term[]): Term[] {
  return terms.map((term, i) =>
    i < terms.length - 1
      ? term
      : { ...term, isRequired: true, isType: terms.length === 1 }
  );
}

/** Number of forms above which a map of costs is faster. */
const FEW_FORMS = 12;

/** Returns the costs of the forms that are one word each. */
function toCosts(forms: readonly Form[]): Map<number, number> {
  const costs = new Map<number, number>();
  for (const { start, end, cost } of forms) {
    if (end - start > 1) continue;
    costs.set(start, Math.min(cost, costs.get(start) ?? cost));
  }
  return costs;
}

/** Returns the cost of a word that a term matches. */
export function costOfWord(
  { forms, costs, ranges }: Term,
  word: number,
): number {
  let least = costs?.get(word) ?? COSTS.none;
  for (const { start, end, cost } of costs === undefined ? forms : ranges) {
    if (start <= word && word < end && cost < least) least = cost;
  }
  return least;
}

/** True for a preposition, unless it may be a letter or begin a word. */
function isSkipped(
  text: string,
  isFirst: boolean,
  isLast: boolean,
  mayBegin: boolean,
): boolean {
  if (!isPreposition(text)) return false;
  return !(mayBegin || text === "e" && (isFirst || isLast));
}

/** True for an unknown word within one edit of a street type. */
function isAlmostType(index: SearchIndex, text: string): boolean {
  if (text.length < MIN_EDITED_TYPE || index.findWord(text) >= 0) return false;
  for (const neighbour of findNeighbours(text)) {
    if (isType(neighbour)) return true;
  }
  return false;
}

function count(
  forms: readonly Form[],
  of: (words: [number, number]) => number,
): number {
  return forms.reduce((sum, { start, end }) => sum + of([start, end]), 0);
}

function findForms(
  index: SearchIndex,
  text: string,
  isPrefix: boolean,
  { shortened, edits }: Leniency,
): Form[] {
  const forms: Form[] = [];
  addWord(forms, index, text, COSTS.exact);
  for (const other of otherForms(text)) {
    addWord(forms, index, other, COSTS.otherForm);
  }
  for (const other of otherNumerals(text)) {
    addWord(forms, index, other, COSTS.otherForm);
  }
  if (isPrefix) {
    addPrefix(forms, index, text, COSTS.completed);
  } else if (shortened && /^[a-z]$/.test(text)) {
    addPrefix(forms, index, text, COSTS.initial);
  } else if (shortened && /^[a-z]/.test(text)) {
    addPrefix(forms, index, text, COSTS.shortened);
    addContracted(forms, index, text);
  }
  if (edits === "all" || edits === "unknown" && forms.length === 0) {
    addNeighbours(forms, index, text, isPrefix);
  }
  return forms;
}

function addWord(
  forms: Form[],
  index: SearchIndex,
  text: string,
  cost: number,
): void {
  const word = index.findWord(text);
  if (word >= 0) forms.push({ start: word, end: word + 1, cost });
}

function addPrefix(
  forms: Form[],
  index: SearchIndex,
  text: string,
  cost: number,
): void {
  const [start, end] = index.findPrefix(text);
  if (start < end) forms.push({ start, end, cost });
}

/** Longest contraction. */
const MAX_CONTRACTED = 6;

/** Adds the words that a text contracts, such as `Pst` for `Pastor`. */
function addContracted(
  forms: Form[],
  index: SearchIndex,
  text: string,
): void {
  if (text.length < 3 || text.length > MAX_CONTRACTED) return;
  const [start, end] = index.findPrefix(text[0]!);
  for (let word = start; word < end; word++) {
    if (!index.isContracted(word, text)) continue;
    forms.push({ start: word, end: word + 1, cost: COSTS.contracted });
  }
}

/** Shortest word in which an edit is looked for. */
const MIN_EDITED = 3;

/** Shortest word that may be a street type with an edit. */
const MIN_EDITED_TYPE = 4;

/** Shortest prefix in which an edit is looked for. */
const MIN_EDITED_PREFIX = 5;

function addNeighbours(
  forms: Form[],
  index: SearchIndex,
  text: string,
  isPrefix: boolean,
): void {
  if (text.length < MIN_EDITED || /\d/.test(text)) return;
  for (const word of findEditedWords(index, text)) {
    forms.push({ start: word, end: word + 1, cost: COSTS.edited });
  }
  if (!isPrefix || text.length < MIN_EDITED_PREFIX) return;
  for (const neighbour of findNeighbours(text)) {
    addPrefix(forms, index, neighbour, COSTS.editedAndCompleted);
  }
}
