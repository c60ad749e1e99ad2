import { bisect, lowerBound } from "../util/bisect.ts";
import { free } from "../util/free.ts";
import {
  type IndexArrays,
  MUNICIPALITY,
  NAMELESS,
  STATE,
} from "./index_layout.ts";
import { signatureBit } from "./spelling_key.ts";
import { listTypes } from "./word_kinds.ts";

/** Records per item of the table that finds places. */
const STEP = 32;

/** Arrays of the index, and lookups in them. */
export class SearchIndex {
  /** Number of words. */
  readonly wordCount: number;
  /** Number of spelling keys. */
  readonly keyCount: number;
  /** Signature of each key, as `keySignature` returns it. */
  readonly keySignatures: Uint32Array;
  /** Number of records. */
  readonly recordCount: number;
  /** Records without a name, the general CEPs of localities. */
  readonly generalRecords: Uint32Array;
  /** Records of each state, by its place. */
  readonly #states = new Map<number, Interval[]>();
  /** Rank of each place by the size of its municipality, 0 for the largest. */
  readonly sizeRanks: Uint8Array;
  /** Place of every {@linkcode STEP}th record. */
  readonly #stepPlaces: Uint32Array;
  readonly #stateOf: Uint32Array;
  readonly #municipalityOf: Int32Array;
  readonly #words: SortedTexts;
  readonly #keys: SortedTexts;
  /** First key that begins with each letter or a later one, by its code. */
  readonly #keysOfLetters: Uint32Array;

  constructor(readonly arrays: IndexArrays) {
    this.#words = new SortedTexts(arrays.letters, arrays.letterStarts);
    this.#keys = new SortedTexts(arrays.keyLetters, arrays.keyLetterStarts);
    this.wordCount = this.#words.count;
    this.keyCount = this.#keys.count;
    this.keySignatures = toSignatures(arrays);
    this.#keysOfLetters = Uint32Array.from(
      { length: 0x81 },
      (_, code) => this.#keys.findPrefix(String.fromCharCode(code))[0],
    );
    const { placeLevels, placeParents } = arrays;
    this.#stateOf = new Uint32Array(placeLevels.length);
    this.#municipalityOf = new Int32Array(placeLevels.length);
    placeLevels.forEach((level, place) => {
      const parent = placeParents[place]!;
      this.#stateOf[place] = level === STATE ? place : this.#stateOf[parent]!;
      this.#municipalityOf[place] = level === STATE
        ? -1
        : level === MUNICIPALITY
        ? place
        : this.#municipalityOf[parent]!;
    });
    this.recordCount = arrays.ceps.length;
    this.sizeRanks = rankSizes(arrays);
    this.#stepPlaces = new Uint32Array(
      Math.ceil(this.recordCount / STEP),
    );
    const { placeStarts } = arrays;
    let place = 0;
    this.#stepPlaces.forEach((_, i) => {
      while (placeStarts[place + 1]! <= i * STEP) place++;
      this.#stepPlaces[i] = place;
    });
    const { names } = arrays;
    this.generalRecords = Uint32Array.from(function* () {
      let i = names.indexOf(NAMELESS);
      for (; i >= 0; i = names.indexOf(NAMELESS, i + 1)) yield i;
    }());
    arrays.placeLevels.forEach((level, place) => {
      if (level === STATE) this.#states.set(place, []);
      else if (level === MUNICIPALITY) {
        this.#states.get(arrays.placeParents[place]!)!
          .push([placeStarts[place]!, arrays.placeEnds[place]!]);
      }
    });
  }

  /** Frees the arrays, which share their memory. */
  free(): void {
    free(this.arrays.ceps);
  }

  /** Returns the innermost place of a record. */
  placeOf(record: number): number {
    const { placeStarts } = this.arrays;
    let place = this.#stepPlaces[Math.floor(record / STEP)]!;
    while (placeStarts[place + 1]! <= record) place++;
    return place;
  }

  /** Returns the words of the first name of a place. */
  placeName(place: number): string {
    const { placeNameStarts, placeWordStarts, placeWords } = this.arrays;
    const name = placeNameStarts[place]!;
    if (name === placeNameStarts[place + 1]) return "";
    return Array.from(
      placeWords.subarray(placeWordStarts[name], placeWordStarts[name + 1]),
      (word) => this.letters(word),
    ).join(" ");
  }

  /** Returns the words of a name, after those of its type. */
  nameText(name: number): string {
    const { nameWords, nameWordStarts } = this.arrays;
    return Array.from(
      nameWords.subarray(nameWordStarts[name], nameWordStarts[name + 1]),
      (word) => this.letters(word),
    ).join(" ");
  }

  /** Returns the first of the other names of a record, and their end. */
  otherNamesOf(record: number): Interval {
    const { otherRecords } = this.arrays;
    const start = lowerBound(otherRecords, record, 0, otherRecords.length);
    let end = start;
    while (otherRecords[end] === record) end++;
    return [start, end];
  }

  /** Returns the records in a place. */
  recordsIn(place: number): readonly Interval[] {
    const { placeStarts, placeEnds } = this.arrays;
    return this.#states.get(place) ??
      [[placeStarts[place]!, placeEnds[place]!]];
  }

  /** Returns the place of level {@linkcode STATE} around a place, or itself. */
  stateOf(place: number): number {
    return this.#stateOf[place]!;
  }

  /**
   * Returns the place of level {@linkcode MUNICIPALITY} around a place, or
   * itself; -1 for a state.
   */
  municipalityOf(place: number): number {
    return this.#municipalityOf[place]!;
  }

  /** Finds the record of a CEP; -1 if it has none. */
  recordOf(cep: number): number {
    const record = this.recordFrom(cep);
    return record >= 0 && this.arrays.ceps[record] === cep ? record : -1;
  }

  /** Returns the first record with a CEP or one after it, -1 without one. */
  recordFrom(cep: number): number {
    const { ceps, recordsByCep } = this.arrays;
    const i = bisect(recordsByCep.length, (i) => ceps[recordsByCep[i]!]! < cep);
    return recordsByCep[i] ?? -1;
  }

  /** Finds a spelling key; -1 if no word has it. */
  findKey(text: string): number {
    return this.#keys.find(text);
  }

  /** Returns the letters of a key. */
  keyText(key: number): string {
    return this.#keys.at(key);
  }

  /** Returns the keys that begin with a letter or digit. */
  keysOfLetter(letter: string): Interval {
    const code = letter.charCodeAt(0);
    return [this.#keysOfLetters[code] ?? 0, this.#keysOfLetters[code + 1] ?? 0];
  }

  /** Finds the words that begin with some letters, by default among all. */
  findPrefix(letters: string, among?: Interval): Interval {
    return this.#words.findPrefix(letters, among);
  }

  /** Finds a word; -1 if it does not occur. */
  findWord(word: string): number {
    return this.#words.find(word);
  }

  /** Returns the letters of a word. */
  letters(word: number): string {
    return this.#words.at(word);
  }

  /** Returns the words that are street types. */
  findTypes(): Set<number> {
    const words = listTypes().map((type) => this.findWord(type));
    return new Set(words.filter((word) => word >= 0));
  }
}

function rankSizes(
  { placeLevels, placeParents, placeStarts, placeEnds }: IndexArrays,
): Uint8Array {
  const ranks = new Uint8Array(placeLevels.length);
  for (let place = 0; place < ranks.length; place++) {
    if (placeLevels[place] === STATE) continue;
    if (placeLevels[place]! > MUNICIPALITY) {
      ranks[place] = ranks[placeParents[place]!]!;
    } else {
      const size = placeEnds[place]! - placeStarts[place]!;
      ranks[place] = Math.max(0, 20 - Math.floor(Math.log2(size + 1)));
    }
  }
  return ranks;
}

function toSignatures({ keyLetters, keyLetterStarts }: IndexArrays) {
  const signatures = new Uint32Array(keyLetterStarts.length - 1);
  signatures.forEach((_, key) => {
    const end = keyLetterStarts[key + 1]!;
    for (let i = keyLetterStarts[key]!; i < end; i++) {
      signatures[key]! |= 1 << signatureBit(keyLetters[i]!);
    }
  });
  return signatures;
}

/** Interval of numbers: its first, and its end, which is not part of it. */
export type Interval = readonly [start: number, end: number];

/** Texts, and lookups in them. */
export class SortedTexts {
  /** Number of texts. */
  readonly count: number;
  readonly #letters: Uint8Array;
  /** The letters as one string, of which texts are slices. */
  readonly #text: string;
  readonly #starts: Uint32Array;

  /**
   * @param starts First letter of each text, and the end.
   */
  constructor(letters: Uint8Array, starts: Uint32Array) {
    this.count = starts.length - 1;
    this.#letters = letters;
    this.#text = new TextDecoder().decode(letters);
    this.#starts = starts;
  }

  /** Returns a text. */
  at(i: number): string {
    return this.#text.slice(this.#starts[i], this.#starts[i + 1]);
  }

  /** Finds a text; -1 if it is not one of them. */
  find(text: string): number {
    const i = this.#lowerBound(text, 0, this.count, false);
    if (i === this.count) return -1;
    return this.#starts[i + 1]! - this.#starts[i]! === text.length &&
        this.#compare(i, text) === 0
      ? i
      : -1;
  }

  /** Finds the texts that begin with some letters, by default among all. */
  findPrefix(
    letters: string,
    [low, high]: Interval = [0, this.count],
  ): Interval {
    const start = this.#lowerBound(letters, low, high, false);
    return [start, this.#lowerBound(letters, start, high, true)];
  }

  /**
   * Finds the first text from `low` that is not before `letters`, or that is
   * after all texts that begin with them; `high` if there is none before it.
   */
  #lowerBound(
    letters: string,
    low: number,
    high: number,
    isAfter: boolean,
  ): number {
    return low + bisect(high - low, (i) => {
      const order = this.#compare(low + i, letters);
      return order < 0 || isAfter && order === 0;
    });
  }

  /** Compares the first letters of a text; 0 if it begins with `letters`. */
  #compare(i: number, letters: string): number {
    const start = this.#starts[i]!;
    const end = this.#starts[i + 1]!;
    for (let j = 0; j < letters.length; j++) {
      if (start + j === end) return -1;
      const order = this.#letters[start + j]! - letters.charCodeAt(j);
      if (order !== 0) return order;
    }
    return 0;
  }
}

/** Sorts intervals, and joins those that overlap or touch. */
export function merge(intervals: Interval[]): Interval[] {
  intervals.sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [start, end] of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) {
      last[1] = Math.max(last[1], end);
    } else {
      merged.push([start, end]);
    }
  }
  return merged;
}

/** Returns the numbers in both of two sorted lists; `undefined` is all. */
export function intersect(
  a: readonly Interval[] | undefined,
  b: readonly Interval[],
): readonly Interval[] {
  if (a === undefined) return b;
  const both: Interval[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const start = Math.max(a[i]![0], b[j]![0]);
    const end = Math.min(a[i]![1], b[j]![1]);
    if (start < end) both.push([start, end]);
    if (a[i]![1] < b[j]![1]) i++;
    else j++;
  }
  return both;
}

/** True if a number is in one of some sorted intervals; `undefined` is all. */
export function contains(
  intervals: readonly Interval[] | undefined,
  value: number,
): boolean {
  if (intervals === undefined) return true;
  const i = bisect(intervals.length, (i) => intervals[i]![1] <= value);
  return i < intervals.length && intervals[i]![0] <= value;
}
