import { parseSection, type Side, type Unit } from "../record/street_number.ts";
import { free } from "../util/free.ts";
import { Growing } from "../util/growing.ts";
import { STRETCH_KINDS } from "./index_layout.ts";

/** Details of streets, as columns of items that LOG_NU chains. */
export class StreetDetails {
  /** Alternative names: var_log. */
  readonly names = { byNumber: new Chains(), names: new Growing() };
  /** Stretches: num_sec. A kind is a position in {@linkcode STRETCH_KINDS}. */
  readonly sections = {
    byNumber: new Chains(),
    from: new Growing(),
    to: new Growing(),
    kinds: new Growing(),
  };

  /** Adds a name, unless the number of the street is unusable. */
  addName(number: string | number | undefined, findName: () => number): void {
    if (!isKey(number)) return;
    this.names.byNumber.add(number);
    this.names.names.push(findName());
  }

  /** Adds a row of LOG_NUM_SEC, unless a column of it is unusable. */
  addSection([number, first, last, side]: readonly string[]): void {
    const key = Number(number);
    const stretch = parseSection({ first: first!, last: last!, side: side! });
    if (stretch === undefined || !isKey(key)) return;
    const { byNumber, from, to, kinds } = this.sections;
    byNumber.add(key);
    from.push(stretch.from);
    to.push(stretch.to);
    kinds.push(kindOf(stretch.side, stretch.unit));
  }

  /** Frees the details. */
  free(): void {
    for (const column of Object.values(this.sections)) column.free();
    for (const column of Object.values(this.names)) column.free();
  }
}

/** True for a number of {@linkcode Chains}, as every one in a DNE is. */
function isKey(number: string | number | undefined): number is number {
  return number === Number(number) >>> 0;
}

/** Returns the position of a side and a unit in {@linkcode STRETCH_KINDS}. */
export function kindOf(side: Side, unit: Unit): number {
  return STRETCH_KINDS.indexOf(`${side} ${unit}`);
}

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
