import { otherForms } from "../abbreviations.ts";
import { listNumerals } from "../numerals.ts";
import type { Interval, SearchIndex } from "../search_index.ts";
import { keySignature, soundOf, spellingKey } from "../spelling_key.ts";
import { isLightWord, LIGHT_WORDS } from "../word_kinds.ts";
import { UNITS } from "./address_words.ts";
import type { Budget } from "./budget.ts";
import { countBits } from "./bits.ts";
import { countEdits } from "../../util/edits.ts";

/** Costs of a word, by the way in which it matches, from 0 to 1. */
export const FORM_COSTS = {
  exact: 0,
  numeral: 0.1,
  spelling: 0.12,
  abbreviation: 0.1,
  completed: 0.15,
  shortened: 0.35,
  edited: 0.4,
  /** The word occurs as it is written, but rarely. */
  editedKnown: 0.55,
  letterAsNumeral: 0.6,
  editedTwice: 0.8,
} as const;

/** Key of a word, and the cost of a match by it. */
export interface KeyForm {
  readonly key: number;
  readonly cost: number;
}

/** Words that a word may mean. */
export interface Forms {
  /** Cost of each word. */
  readonly costs: ReadonlyMap<number, number>;
  /** Words that the text begins, `undefined` if it is not being typed. */
  readonly completions: Interval | undefined;
  /** Keys by which records are found, the cheapest first. */
  readonly keys: readonly KeyForm[];
  /** True if the index has the word as it is written or spelt. */
  readonly isKnown: boolean;
  /** Weight of the word among those of a name, from 0 to 1. */
  readonly weight: number;
}

/** Ways to read a word. */
export interface FormOptions {
  /** Completes the word. */
  readonly isPrefix?: boolean;
  /** Corrects words that occur, too. */
  readonly isLenient?: boolean;
}

/** Words that differ in a letter, and tell neighbourhoods apart. */
const DIRECTIONS = new Set(["norte", "sul", "leste", "oeste"]);
/** Records with a word above which it is not corrected. */
const COMMON = 30;
/** Most letters that are not heard: `Philippe` for `Filipe`. */
const MAX_SILENT = 3;
/** Shortest words that are corrected, the same if they occur, and twice. */
const SHORTEST = 3;
const SHORTEST_KNOWN = 4;
const SHORTEST_TWICE = 7;
/** Most frequent completions by which records are found. */
const MAX_COMPLETIONS = 24;
/** Most corrections of a word. */
const MAX_CORRECTIONS = 12;
/** Words whose forms are kept, because they recur. */
const MAX_KEPT = 20_000;
/** Weight of titles, and of types within names, which are often left out. */
export const LIGHT = 0.25;

/** Numerals that are written out, by how they sound. */
const NUMERALS: readonly (readonly [sound: string, word: string])[] =
  listNumerals().map((word) => [soundOf(word), word]);

/** Words of an index. */
export class Vocabulary {
  readonly #index: SearchIndex;
  readonly #budget: Budget;
  #types: ReadonlySet<number> | undefined;
  /** Forms by word and by the way to read it. */
  readonly #kept = new Map<string, Forms>();
  /** Weight of each word. */
  readonly #weights: Float32Array;
  /** 1 for each word that is a numeral or a single letter. */
  readonly #identifiers: Uint8Array;
  /** Words before the number of a unit: `quadra`. */
  readonly #units: ReadonlySet<number>;
  /** Letters of each word, one bit each. */
  readonly #signatures: Uint32Array;

  constructor(index: SearchIndex, budget: Budget) {
    this.#index = index;
    this.#budget = budget;
    const { wordKeys } = index.arrays;
    this.#weights = new Float32Array(index.wordCount);
    this.#signatures = new Uint32Array(index.wordCount);
    this.#identifiers = new Uint8Array(index.wordCount);
    const total = Math.log(index.recordCount + 2);
    for (let word = 0; word < index.wordCount; word++) {
      const rarity = 1 - Math.log(this.countOf(wordKeys[word]!) + 1) / total;
      this.#weights[word] = Math.max(rarity, 0.1);
      const letters = index.letters(word);
      this.#signatures[word] = keySignature(letters);
      const isIdentifier = letters.length === 1 ||
        index.keyText(wordKeys[word]!) < ":";
      this.#identifiers[word] = Number(isIdentifier);
    }
    this.#units = new Set([...UNITS].map((text) => index.findWord(text)));
    for (const text of LIGHT_WORDS) {
      const word = index.findWord(text);
      if (word >= 0) this.#weights[word] = LIGHT;
    }
  }

  /** Returns the number of records and places with a key. */
  countOf(key: number): number {
    const { recordsOfKeyStarts: records, placeNamesOfKeyStarts: places } =
      this.#index.arrays;
    return records[key + 1]! - records[key]! + places[key + 1]! - places[key]!;
  }

  /** True for a numeral or a single letter, which must be exact in a name. */
  isIdentifier(word: number): boolean {
    return this.#identifiers[word] === 1;
  }

  /** True for a word before the number of a unit. */
  isUnit(word: number): boolean {
    return this.#units.has(word);
  }

  /** True if a word most likely means a street type, misspelt or not. */
  meansType({ costs }: Forms): boolean {
    this.#types ??= this.#index.findTypes();
    let [best, least] = [-1, FORM_COSTS.edited + 0.01];
    for (const [word, cost] of costs) {
      if (cost < least) [best, least] = [word, cost];
    }
    return this.#types.has(best);
  }

  /** Spends the look-up of a text. Returns false once all are spent. */
  mayLookUp(): boolean {
    return this.#budget.lookUp();
  }

  /** Finds the words that begin with a text, among those that begin with less. */
  findPrefix(text: string, among?: Interval): Interval {
    return this.#index.findPrefix(text, among);
  }

  /**
   * Returns the number of records and places with a text as a word.
   *
   * @param words Words that begin with it.
   */
  countOfText(text: string, [word, end]: Interval): number {
    return word < end && this.#index.letters(word) === text
      ? this.countOf(this.#index.arrays.wordKeys[word]!)
      : 0;
  }

  /** Returns the weight of a word of the index. */
  weightOf(word: number): number {
    return this.#weights[word]!;
  }

  /** Returns the words that a word may mean. */
  read(text: string, options: FormOptions = {}): Forms {
    const { isPrefix = false, isLenient = false } = options;
    const mayCorrect = this.#isCorrected(text, isLenient) &&
      this.#budget.lookUp();
    const way = [isPrefix, isLenient, mayCorrect].map(Number).join("");
    let forms = this.#kept.get(text + way);
    if (forms === undefined) {
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      forms = this.#read(text, { isPrefix, isLenient, mayCorrect });
      this.#kept.set(text + way, forms);
    }
    return forms;
  }

  /** True for a word that may be a misspelt one. */
  #isCorrected(text: string, isLenient: boolean): boolean {
    if (text.length < SHORTEST || /^\d/.test(text) || DIRECTIONS.has(text)) {
      return false;
    }
    if (isLenient) return true;
    const key = this.#index.findKey(spellingKey(text));
    const count = key < 0 ? 0 : this.countOf(key);
    return count <= COMMON && otherForms(text).length === 0;
  }

  #read(
    text: string,
    { isPrefix, isLenient, mayCorrect }:
      & Required<FormOptions>
      & { mayCorrect: boolean },
  ): Forms {
    const index = this.#index;
    const draft = new Draft(index);
    const word = index.findWord(text);
    if (word >= 0) draft.addWord(word, FORM_COSTS.exact);
    const spelt = spellingKey(text);
    const key = index.findKey(spelt);
    const isFigure = /^\d/.test(spelt);
    draft.addKey(
      key,
      isFigure ? FORM_COSTS.numeral : FORM_COSTS.spelling,
      isFigure ? 0 : text.length - MAX_SILENT,
    );
    for (const other of otherForms(text)) {
      draft.addText(other, FORM_COSTS.abbreviation);
    }
    for (const other of letterNumerals(text, spelt)) {
      draft.addText(other, FORM_COSTS.letterAsNumeral);
    }
    const isKnown = draft.costs.size > 0;
    const completions = isPrefix ? index.findPrefix(text) : undefined;
    if (completions !== undefined) {
      this.#addFrequent(draft, completions, FORM_COSTS.completed);
    }
    if (!isKnown && !isFigure && text.length > 2) {
      this.#addFrequent(draft, index.findPrefix(text), FORM_COSTS.shortened);
    }
    if (mayCorrect) this.#correct(draft, text, isKnown, isLenient);
    return {
      costs: draft.costs,
      completions,
      keys: draft.keys(),
      isKnown,
      weight: this.#weightOf(text, word, draft),
    };
  }

  #weightOf(text: string, word: number, { costs }: Draft): number {
    const isLight = otherForms(text)
      .some((it) => it.length > text.length && isLightWord(it));
    // "Dr" may be in a name as it is written, "A" is one.
    if (word >= 0 && !(isLight && text.length > 1)) return this.#weights[word]!;
    if (isLight) return LIGHT;
    const [first] = costs.keys();
    return first === undefined ? 1 : Math.max(this.#weights[first]!, 0.5);
  }

  /** Adds the most frequent words of an interval. */
  #addFrequent(draft: Draft, [start, end]: Interval, cost: number): void {
    const { wordKeys } = this.#index.arrays;
    const counted = Array.from({ length: end - start }, (_, i) => ({
      word: start + i,
      count: this.countOf(wordKeys[start + i]!),
    })).sort((a, b) => b.count - a.count);
    for (const { word } of counted.slice(0, MAX_COMPLETIONS)) {
      draft.addWord(word, cost);
    }
  }

  /** Adds the words that one edit, or two, turns into a text. */
  #correct(
    draft: Draft,
    text: string,
    isKnown: boolean,
    isLenient: boolean,
  ): void {
    const spelt = spellingKey(text);
    const isSure = isKnown && !isLenient;
    if (spelt.length < (isSure ? SHORTEST_KNOWN : SHORTEST)) return;
    const most = text.length >= SHORTEST_TWICE && (isLenient || !isKnown)
      ? 2
      : 1;
    const index = this.#index;
    const found = new Map<number, number>();
    const signature = keySignature(spelt);
    const add = (word: number, edits: number) => {
      if (edits <= most && edits < (found.get(word) ?? 3)) {
        found.set(word, edits);
      }
    };
    const { wordsOfKeys, wordsOfKeyStarts, wordKeys } = index.arrays;
    const visit = (key: number) => {
      const difference = index.keySignatures[key]! ^ signature;
      if (countBits(difference) > 2 * most) return;
      const edits = countEdits(index.keyText(key), spelt, most);
      if (edits === 0 || edits > most) return;
      const end = wordsOfKeyStarts[key + 1]!;
      for (let i = wordsOfKeyStarts[key]!; i < end; i++) {
        add(wordsOfKeys[i]!, edits);
      }
    };
    const [start, end] = index.keysOfLetter(spelt[0]!);
    for (let key = start; key < end; key++) visit(key);
    for (const other of otherStarts(spelt)) {
      const key = index.findKey(other);
      if (key >= 0) visit(key);
    }
    // A letter may change the sound of others: `Cilômbia` for `Colômbia`.
    const letters = keySignature(text);
    const [first, last] = index.findPrefix(text[0]!);
    for (let word = first; word < last; word++) {
      if (countBits(this.#signatures[word]! ^ letters) > 2 * most) continue;
      const edits = countEdits(index.letters(word), text, most);
      if (edits > 0) add(word, edits);
    }
    for (const [sound, word] of NUMERALS) {
      if (countEdits(sound, soundOf(text), 1) > 1) continue;
      const number = index.findWord(word);
      if (number >= 0) found.set(number, 1);
      else draft.addKey(index.findKey(spellingKey(word)), FORM_COSTS.edited);
    }
    const best = [...found].sort(([a, edits], [b, others]) =>
      edits - others || this.countOf(wordKeys[b]!) - this.countOf(wordKeys[a]!)
    );
    for (const [word, edits] of best.slice(0, MAX_CORRECTIONS)) {
      const cost = edits === 2
        ? FORM_COSTS.editedTwice
        : isKnown
        ? FORM_COSTS.editedKnown
        : FORM_COSTS.edited;
      const key = wordKeys[word]!;
      // A numeral in any of its forms.
      if (index.keyText(key) <= "9") draft.addKey(key, cost);
      else draft.addWord(word, cost);
    }
  }
}

/** Forms while they are collected. */
class Draft {
  readonly costs = new Map<number, number>();
  readonly #index: SearchIndex;
  readonly #keys = new Map<number, number>();

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  addText(text: string, cost: number): void {
    const word = this.#index.findWord(text);
    if (word >= 0) this.addWord(word, cost);
  }

  addWord(word: number, cost: number): void {
    if ((this.costs.get(word) ?? 2) <= cost) return;
    this.costs.set(word, cost);
    const key = this.#index.arrays.wordKeys[word]!;
    if ((this.#keys.get(key) ?? 2) > cost) this.#keys.set(key, cost);
  }

  /** Adds the words of a key, or those with a minimum of letters. */
  addKey(key: number, cost: number, letters = 0): void {
    if (key < 0) return;
    const { wordsOfKeys, wordsOfKeyStarts } = this.#index.arrays;
    const end = wordsOfKeyStarts[key + 1]!;
    for (let i = wordsOfKeyStarts[key]!; i < end; i++) {
      const word = wordsOfKeys[i]!;
      const isLong = letters <= 0 ||
        this.#index.letters(word).length >= letters;
      if (isLong) this.addWord(word, cost);
    }
  }

  keys(): KeyForm[] {
    return [...this.#keys].map(([key, cost]) => ({ key, cost }))
      .sort((a, b) => a.cost - b.cost);
  }
}

/** Texts that differ in the first letter: wrong, missing, added or swapped. */
function* otherStarts(word: string): Generator<string> {
  const rest = word.slice(1);
  yield rest;
  yield rest[0] + word[0]! + rest.slice(1);
  for (const letter of "abcdefghijklmnopqrstuvwxyz") {
    yield letter + word;
    yield letter + rest;
  }
}

const LETTER_NUMERALS = [["i", "1"], ["v", "5"], ["x", "10"]] as const;

/** Returns the figure of a letter that may be Roman, or the reverse. */
function letterNumerals(text: string, spelt: string): string[] {
  return LETTER_NUMERALS.filter((pair) => pair.some((it) => it === spelt))
    .map(([letter, figure]) => text === letter ? figure : letter);
}
