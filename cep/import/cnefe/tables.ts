import type { Texts } from "./summarize.ts";
import { MAX_ROW_BYTES } from "./rows.ts";

/** Arrays in which the counts are kept. */
type NumberArray = Int32Array | Uint32Array | Uint8Array;

/**
 * Returns an array with room for an index: the same one, or a copy of at least
 * twice the length.
 */
export function withRoom<A extends NumberArray>(array: A, index: number): A {
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

/** Length of an empty table, a power of two. */
const SLOTS = 1 << 10;

/**
 * Numbers pairs in the order in which they are first seen, by open addressing:
 * 16 to 24 bytes a pair.
 */
export class PairTable {
  size = 0;
  firsts = new Uint32Array(SLOTS);
  seconds = new Uint32Array(SLOTS);
  /** Index of a pair plus one, 0 for a free slot. */
  #slots = new Uint32Array(2 * SLOTS);

  /** Returns the index of a pair, which is added if it is new. */
  indexOf(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashPair(first, second) & mask;
    for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
      const index = found - 1;
      if (this.firsts[index] === first && this.seconds[index] === second) {
        return index;
      }
      slot = (slot + 1) & mask;
    }
    return this.#add(first, second, slot);
  }

  #add(first: number, second: number, slot: number): number {
    const index = this.size++;
    this.firsts = withRoom(this.firsts, index);
    this.seconds = withRoom(this.seconds, index);
    this.firsts[index] = first;
    this.seconds[index] = second;
    this.#slots[slot] = index + 1;
    if (2 * this.size > this.#slots.length) this.#spread();
    return index;
  }

  /** Doubles the number of slots. */
  #spread(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let index = 0; index < this.size; index++) {
      let slot = hashPair(this.firsts[index]!, this.seconds[index]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }
}

function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, 0x9E3779B1) ^ second);
}

/** Bytes of an empty table. */
const BYTES = 1 << 14;

/** Numbers texts in the order in which they are first seen. */
export class TextTable {
  size = 0;
  /** All texts, one after another. */
  bytes = new Uint8Array(BYTES);
  /** Position of each text in the bytes, and the end of the last one. */
  starts = new Uint32Array(SLOTS);
  #hashes = new Uint32Array(SLOTS);
  /** Index of a text plus one, 0 for a free slot. */
  #slots = new Uint32Array(2 * SLOTS);

  /**
   * Returns the index of a text from one position up to another in some bytes.
   * It is added if it is new.
   */
  indexOf(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
      const index = found - 1;
      if (
        this.#hashes[index] === hash && this.#equals(index, bytes, start, end)
      ) return index;
      slot = (slot + 1) & mask;
    }
    return this.#add(bytes, start, end, hash, slot);
  }

  /** Returns the bytes of a text. */
  at(index: number): Uint8Array {
    return this.bytes.subarray(this.starts[index]!, this.starts[index + 1]!);
  }

  #equals(
    index: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    const own = this.bytes;
    let position = this.starts[index]!;
    if (this.starts[index + 1]! - position !== end - start) return false;
    for (let i = start; i < end; i++) {
      if (bytes[i] !== own[position++]) return false;
    }
    return true;
  }

  #add(
    bytes: Uint8Array,
    start: number,
    end: number,
    hash: number,
    slot: number,
  ): number {
    const index = this.size++;
    const position = this.starts[index]!;
    const after = position + end - start;
    this.bytes = withRoom(this.bytes, after);
    this.bytes.set(bytes.subarray(start, end), position);
    this.starts = withRoom(this.starts, index + 1);
    this.starts[index + 1] = after;
    this.#hashes = withRoom(this.#hashes, index);
    this.#hashes[index] = hash;
    this.#slots[slot] = index + 1;
    if (2 * this.size > this.#slots.length) this.#spread();
    return index;
  }

  /** Doubles the number of slots. */
  #spread(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let index = 0; index < this.size; index++) {
      let slot = this.#hashes[index]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
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
    const { bytes, starts, size } = this.#table;
    return {
      bytes: bytes.slice(0, starts[size]),
      starts: starts.slice(0, size + 1),
    };
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
