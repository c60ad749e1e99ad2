import { free } from "../util/free.ts";
import { Growing } from "../util/growing.ts";

/**
 * Lists of items by key, without an object for each key. Items are numbered as
 * they are added.
 */
export class Chains {
  readonly #keys = new Growing();
  /** Next item of the same key, plus one; 0 for none. */
  readonly #next = new Growing();
  /** Last item of the key, where an item is the first one. */
  readonly #last = new Growing();
  /** Hash table of first items, plus one each; 0 is free. */
  #slots = new Uint32Array(1 << 10);

  /** Adds an item to a key from 0 to 2³² - 1. */
  add(key: number): void {
    const item = this.#keys.length;
    if (2 * item >= this.#slots.length) this.#grow();
    this.#keys.push(key);
    this.#next.push(0);
    this.#last.push(item);
    const slot = this.#findSlot(key);
    const first = this.#slots[slot]! - 1;
    if (first < 0) {
      this.#slots[slot] = item + 1;
    } else {
      this.#next.set(this.#last.at(first), item + 1);
      this.#last.set(first, item);
    }
  }

  /** Returns the first item of a key, -1 for none. */
  first(key: number): number {
    return this.#slots[this.#findSlot(key)]! - 1;
  }

  /** Returns the item of the same key that follows another one, -1 for none. */
  next(item: number): number {
    return this.#next.at(item) - 1;
  }

  /** Finds the slot of a key, which is free if it has no items. */
  #findSlot(key: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(key) & mask;
    while (true) {
      const first = this.#slots[slot]! - 1;
      if (first < 0 || this.#keys.at(first) === key) return slot;
      slot = slot + 1 & mask;
    }
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Uint32Array(2 * slots.length);
    for (const item of slots) {
      if (item > 0) this.#slots[this.#findSlot(this.#keys.at(item - 1))] = item;
    }
    free(slots);
  }

  /** Frees the lists. */
  free(): void {
    for (const column of [this.#keys, this.#next, this.#last]) column.free();
    free(this.#slots);
  }
}

function hash(key: number): number {
  const hash = Math.imul(key, 0x9E3779B1);
  return (hash ^ hash >>> 15) >>> 0;
}
