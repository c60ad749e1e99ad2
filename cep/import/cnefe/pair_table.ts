import { withRoom } from "./grow.ts";
import { mix } from "./hash.ts";

/** Length of an empty table, a power of two. */
const SLOTS = 1 << 10;

/**
 * Numbers pairs in the order in which they are first seen, by open addressing:
 * 16 to 24 bytes a pair.
 */
export class PairTable {
  /** Number of pairs. */
  size = 0;
  /** First numbers of the pairs. */
  firsts = new Uint32Array(SLOTS);
  /** Second numbers of the pairs. */
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
