/**
 * Sets of records, for fast tests of membership.
 *
 * @module
 */
import type { Interval } from "./search_index.ts";

/** Sets that are in use at a time, at most. */
const MAX_SETS = 4;

/** Bits of the records of a set, 32 per item. */
export type RecordSet = Uint32Array;

/** Sets of records by number, whose memory serves one search after another. */
export class RecordSets {
  readonly #length: number;
  readonly #sets: RecordSet[] = [];
  /** Number of each set in use, and its records. */
  readonly #used: { key: number; intervals: readonly Interval[] }[] = [];

  constructor(recordCount: number) {
    this.#length = (recordCount >>> 5) + 1;
  }

  /** Returns the set of a number, `undefined` if there are too many. */
  find(key: number, intervals: readonly Interval[]): RecordSet | undefined {
    const used = this.#used;
    for (let i = 0; i < used.length; i++) {
      if (used[i]!.key === key) return this.#sets[i];
    }
    if (used.length === MAX_SETS) return undefined;
    const set = this.#sets[used.length] ??= new Uint32Array(this.#length);
    for (const [start, end] of intervals) add(set, start, end);
    used.push({ key, intervals });
    return set;
  }

  /** Empties all sets. */
  clear(): void {
    for (const [i, { intervals }] of this.#used.entries()) {
      const set = this.#sets[i]!;
      for (const [start, end] of intervals) {
        set.fill(0, start >>> 5, (end >>> 5) + 1);
      }
    }
    this.#used.length = 0;
  }
}

/** True if a record is in a set. */
export function isIn(set: RecordSet, record: number): boolean {
  return (set[record >>> 5]! >>> (record & 31) & 1) === 1;
}

/** Adds an interval. */
function add(set: RecordSet, start: number, end: number): void {
  if (start === end) return;
  const [first, last] = [start >>> 5, end - 1 >>> 5];
  const head = -1 << (start & 31);
  const tail = -1 >>> (31 - (end - 1 & 31));
  if (first === last) {
    set[first]! |= head & tail;
    return;
  }
  set[first]! |= head;
  set.fill(0xFFFFFFFF, first + 1, last);
  set[last]! |= tail;
}
