/**
 * Search index of a release, in memory.
 *
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { free, freePart } from "../free.ts";
import {
  type ArrayName,
  INDEX_PART_BYTES,
  INDEX_VERSION,
  type IndexArrays,
  type IndexHeader,
  ITEM_BYTES,
  MUNICIPALITY,
  NAMELESS,
  STATE,
} from "./index_layout.ts";
import { listTypes } from "./word_kinds.ts";

/** Records per item of the table that finds places. */
const STEP = 32;

/** Arrays by the bytes of an item. */
const ARRAYS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/** Interval of numbers: its first, and its end, which is not part of it. */
export type Interval = readonly [start: number, end: number];

/**
 * Reads an index, and frees its parts.
 *
 * @throws {Error} If it is of another version or damaged.
 */
export async function readSearchIndex(
  { version, lengths, checksum }: IndexHeader,
  parts: AsyncIterable<Uint8Array>,
): Promise<SearchIndex> {
  if (version !== INDEX_VERSION) {
    throw new Error(
      `Cannot read search index: its layout version is ${version}, ` +
        `not ${INDEX_VERSION}`,
    );
  }
  const next = parts[Symbol.asyncIterator]();
  // A block of this size is returned to the system when it is freed, which many
  // small ones would not be.
  const names = Object.keys(ITEM_BYTES) as ArrayName[];
  const sizes = names.map((name) => lengths[name] * ITEM_BYTES[name]);
  const buffer = new ArrayBuffer(
    sizes.reduce((total, size) => total + align(size), 0),
  );
  let used = 0;
  const arrays: Partial<
    Record<ArrayName, Uint8Array | Uint16Array | Uint32Array>
  > = {};
  let sum = 0;
  for (const [i, name] of names.entries()) {
    const bytes = new Uint8Array(buffer, used, sizes[i]);
    used += align(bytes.length);
    for (let start = 0; start < bytes.length; start += INDEX_PART_BYTES) {
      const part: Uint8Array = (await next.next()).value ?? new Uint8Array();
      if (part.length !== Math.min(INDEX_PART_BYTES, bytes.length - start)) {
        throw damaged();
      }
      sum = crc32(part, sum);
      bytes.set(part, start);
      freePart(part);
    }
    const Items = ARRAYS[ITEM_BYTES[name]];
    arrays[name] = new Items(buffer, bytes.byteOffset, lengths[name]);
  }
  if (sum !== checksum || !(await next.next()).done) throw damaged();
  await setImmediate(); // Requests are answered in between.
  return new SearchIndex(arrays as unknown as IndexArrays);
}

/** Returns the size that arrays of 32-bit numbers may follow. */
function align(size: number): number {
  return 4 * Math.ceil(size / 4);
}

function damaged(): Error {
  return new Error("Cannot read search index: its checksum does not match");
}

/** Arrays of the index, and lookups in them. */
export class SearchIndex {
  /** Number of words. */
  readonly wordCount: number;
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

  constructor(readonly arrays: IndexArrays) {
    this.wordCount = arrays.letterStarts.length - 1;
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

  /** Returns the records in a place. */
  recordsIn(place: number): readonly Interval[] {
    const { placeStarts, placeEnds } = this.arrays;
    return this.#states.get(place) ??
      [[placeStarts[place]!, placeEnds[place]!]];
  }

  /** Finds the words that begin with some letters. */
  findPrefix(letters: string): Interval {
    const start = this.#lowerBound(letters, 0, false);
    return [start, this.#lowerBound(letters, start, true)];
  }

  /** Finds a word; -1 if it does not occur. */
  findWord(word: string): number {
    const i = this.#lowerBound(word, 0, false);
    if (i === this.wordCount) return -1;
    const { letterStarts } = this.arrays;
    return letterStarts[i + 1]! - letterStarts[i]! === word.length &&
        this.#compare(i, word) === 0
      ? i
      : -1;
  }

  /**
   * Finds the first word from `low` that is not before `letters`, or that is
   * after all words that begin with them.
   */
  #lowerBound(letters: string, low: number, isAfter: boolean): number {
    let high = this.wordCount;
    while (low < high) {
      const middle = low + high >>> 1;
      const order = this.#compare(middle, letters);
      if (order < 0 || isAfter && order === 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares the first letters of a word; 0 if it begins with `letters`. */
  #compare(word: number, letters: string): number {
    const { letters: bytes, letterStarts } = this.arrays;
    const start = letterStarts[word]!;
    const end = letterStarts[word + 1]!;
    for (let i = 0; i < letters.length; i++) {
      if (start + i === end) return -1;
      const order = bytes[start + i]! - letters.charCodeAt(i);
      if (order !== 0) return order;
    }
    return 0;
  }

  /**
   * True if a text consists of letters of a longer word, in order.
   */
  isContracted(word: number, text: string): boolean {
    const { letters, letterStarts } = this.arrays;
    const end = letterStarts[word + 1]!;
    let i = letterStarts[word]!;
    if (end - i <= text.length) return false;
    for (let j = 0; j < text.length; j++) {
      const letter = text.charCodeAt(j);
      while (i < end && letters[i] !== letter) i++;
      if (i === end) return false;
      i++;
    }
    return true;
  }

  /** Returns the letters of a word. */
  letters(word: number): string {
    const { letters, letterStarts } = this.arrays;
    return String.fromCharCode(
      ...letters.subarray(letterStarts[word], letterStarts[word + 1]),
    );
  }

  /** Returns the words that are street types. */
  findTypes(): Set<number> {
    const words = listTypes().map((type) => this.findWord(type));
    return new Set(words.filter((word) => word >= 0));
  }

  /** Returns the number of names with the words of an interval. */
  countNames([start, end]: Interval): number {
    const { namesOfWordStarts } = this.arrays;
    return namesOfWordStarts[end]! - namesOfWordStarts[start]!;
  }

  /** Returns the number of places with the words of an interval. */
  countPlaces([start, end]: Interval): number {
    const { placesOfWordStarts } = this.arrays;
    return placesOfWordStarts[end]! - placesOfWordStarts[start]!;
  }
}

/** Finds the first item that is not less than a value. */
export function lowerBound(
  items: Uint32Array,
  value: number,
  low: number,
  high: number,
): number {
  while (low < high) {
    const middle = low + high >>> 1;
    if (items[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
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
