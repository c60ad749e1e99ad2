import { withRoom } from "./grow.ts";
import { hashBytes } from "./hash.ts";

/** Length of an empty table, a power of two. */
const SLOTS = 1 << 10;

/** Bytes of an empty table. */
const BYTES = 1 << 14;

/** Numbers texts in the order in which they are first seen. */
export class TextTable {
  /** Number of texts. */
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
