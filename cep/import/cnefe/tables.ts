import { Growing } from "../../util/growing.ts";
import { MAX_ROW_BYTES } from "./rows.ts";

/**
 * Returns an array with room for an index: the same one, or a copy of at least
 * twice the length.
 */
export function withRoom<A extends Uint32Array | Uint8Array>(
  array: A,
  index: number,
): A {
  if (index < array.length) return array;
  const length = Math.max(2 * array.length, index + 1);
  const grown = new (array.constructor as new (length: number) => A)(length);
  grown.set(array);
  return grown;
}

/** Spreads the bits of a 32-bit number over all of them. */
export function mix(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ hash >>> 16, 0x85EBCA6B);
  hash = Math.imul(hash ^ hash >>> 13, 0xC2B2AE35);
  return (hash ^ hash >>> 16) >>> 0;
}

/**
 * Hashes bytes from one position up to another.
 *
 * @param before Hash of what precedes them, to hash both.
 */
export function hashBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  before = 0,
): number {
  let hash = 0x811C9DC5 ^ before;
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  }
  return mix(hash);
}

/**
 * Slots of a hash table by open addressing. The owner compares the items, which
 * are numbered in the order in which they are added.
 */
class Slots {
  /** Number of items. */
  size = 0;
  readonly #hashOf: (index: number) => number;
  /** Index of an item plus one, 0 for a free slot. */
  #slots = new Uint32Array(1 << 11);
  /** Slot of the last index that was returned. */
  #slot = 0;

  constructor(hashOf: (index: number) => number) {
    this.#hashOf = hashOf;
  }

  /** Returns the first item that may have a hash, -1 without one. */
  first(hash: number): number {
    this.#slot = hash & this.#slots.length - 1;
    return this.#slots[this.#slot]! - 1;
  }

  /** Returns the next item that may have the hash, -1 without one. */
  next(): number {
    this.#slot = this.#slot + 1 & this.#slots.length - 1;
    return this.#slots[this.#slot]! - 1;
  }

  /** Adds an item that was looked up in vain, and returns its index. */
  add(): number {
    const index = this.size++;
    this.#slots[this.#slot] = index + 1;
    if (2 * this.size > this.#slots.length) this.#spread();
    return index;
  }

  /** Doubles the number of slots. */
  #spread(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let index = 0; index < this.size; index++) {
      let slot = this.#hashOf(index) & mask;
      while (slots[slot] !== 0) slot = slot + 1 & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }
}

/** Pairs of numbers, numbered in the order in which they are first seen. */
export class PairTable {
  readonly firsts = new Growing();
  readonly seconds = new Growing();
  readonly #slots = new Slots((index) =>
    hashPair(this.firsts.at(index), this.seconds.at(index))
  );

  get size(): number {
    return this.#slots.size;
  }

  /** Returns the index of a pair, which is added if it is new. */
  indexOf(first: number, second: number): number {
    const slots = this.#slots;
    let index = slots.first(hashPair(first, second));
    for (; index >= 0; index = slots.next()) {
      if (
        this.firsts.at(index) === first && this.seconds.at(index) === second
      ) return index;
    }
    this.firsts.push(first);
    this.seconds.push(second);
    return slots.add();
  }
}

function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, 0x9E3779B1) ^ second);
}

/** Texts in one array of bytes. */
export interface Texts {
  /** UTF-8 of all texts. The first text is empty. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of each text, and the end of the last one. */
  readonly starts: Uint32Array<ArrayBuffer>;
}

/** Texts, numbered in the order in which they are first seen. */
export class TextTable {
  #bytes = new Uint8Array(1 << 14);
  /** Position of each text in the bytes, and the end of the last one. */
  readonly #starts = new Growing();
  readonly #hashes = new Growing();
  readonly #slots = new Slots((index) => this.#hashes.at(index));

  constructor() {
    this.#starts.push(0);
  }

  get size(): number {
    return this.#slots.size;
  }

  /**
   * Returns the index of a text from one position up to another in some bytes.
   * It is added if it is new.
   */
  indexOf(bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots;
    const hash = hashBytes(bytes, start, end);
    for (let index = slots.first(hash); index >= 0; index = slots.next()) {
      if (
        this.#hashes.at(index) === hash &&
        this.#equals(index, bytes, start, end)
      ) return index;
    }
    const position = this.#starts.at(this.size);
    const after = position + end - start;
    this.#bytes = withRoom(this.#bytes, after);
    this.#bytes.set(bytes.subarray(start, end), position);
    this.#starts.push(after);
    this.#hashes.push(hash);
    return slots.add();
  }

  /** Returns the bytes of a text. */
  at(index: number): Uint8Array {
    return this.#bytes.subarray(
      this.#starts.at(index),
      this.#starts.at(index + 1),
    );
  }

  #equals(
    index: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    const own = this.#bytes;
    let position = this.#starts.at(index);
    if (this.#starts.at(index + 1) - position !== end - start) return false;
    for (let i = start; i < end; i++) {
      if (bytes[i] !== own[position++]) return false;
    }
    return true;
  }

  toTexts(): Texts {
    const starts = this.#starts.all.slice();
    return { bytes: this.#bytes.slice(0, starts.at(-1)), starts };
  }
}

/** Texts for counts, as bytes: a million strings would take much more. */
export class TextList {
  readonly #table = new TextTable();
  readonly #encoder = new TextEncoder();
  /** A text of a row has at most three bytes per byte of the row. */
  readonly #bytes = new Uint8Array(3 * MAX_ROW_BYTES);

  /** Creates a list with the empty text, which has the index 0. */
  constructor() {
    this.indexOf("");
  }

  /** Returns the index of a text, which is added if it is new. */
  indexOf(text: string): number {
    const { written } = this.#encoder.encodeInto(text, this.#bytes);
    return this.#table.indexOf(this.#bytes, 0, written);
  }

  /**
   * Compares the texts of two indexes by their characters.
   *
   * @returns A negative number if the first one precedes, 0 if they are equal.
   */
  compare(a: number, b: number): number {
    if (a === b) return 0;
    const first = this.#table.at(a);
    const second = this.#table.at(b);
    const length = Math.min(first.length, second.length);
    for (let i = 0; i < length; i++) {
      const difference = first[i]! - second[i]!;
      if (difference !== 0) return difference;
    }
    return first.length - second.length;
  }

  toTexts(): Texts {
    return this.#table.toTexts();
  }
}

export function textAt({ bytes, starts }: Texts, index: number): string {
  return decoder.decode(bytes.subarray(starts[index], starts[index + 1]));
}

const decoder = new TextDecoder();

/** More than the highest position. A CEP times it is an exact number. */
const POSITIONS = 2 ** 26;

/**
 * Returns the positions of CEPs, sorted by CEP, then by position.
 *
 * @throws {RangeError} If there are 2^26 CEPs or more.
 */
export function orderOf(ceps: Uint32Array): Uint32Array<ArrayBuffer> {
  if (ceps.length >= POSITIONS) {
    throw new RangeError(`Cannot sort ${ceps.length} CEPs: too many`);
  }
  // An array of numbers is sorted without calls, unlike one of positions.
  const keys = new Float64Array(ceps.length);
  for (let i = 0; i < keys.length; i++) keys[i] = ceps[i]! * POSITIONS + i;
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) order[i] = keys[i]! % POSITIONS;
  return order;
}
