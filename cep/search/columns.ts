/**
 * Columns of numbers, sorted and grouped.
 *
 * @module
 */

/** Multiplier that packs a number and its position into one number. */
export const PACK = 2 ** 24;

/** Returns the positions of the values of a permutation. */
export function inverse(permutation: Uint32Array): Uint32Array {
  const inverse = new Uint32Array(permutation.length);
  permutation.forEach((value, i) => inverse[value] = i);
  return inverse;
}

/** Returns values in another order. */
export function permute(values: Uint32Array, order: Uint32Array): Uint32Array {
  return order.map((i) => values[i]!);
}

/** Returns the values of two columns, one after the other. */
export function concatenate(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Sorts columns by the first one, keeping the order of equal rows. */
export function sortBy(first: Uint32Array, rest: Uint32Array[]): Uint32Array[] {
  const order = Uint32Array.from(
    Float64Array.from(first, (value, i) => value * PACK + i).sort(),
    (key) => key % PACK,
  );
  return [first, ...rest].map((column) => permute(column, order));
}

/** Items by their keys. */
export interface Groups {
  /** Index of the first item of each key, and the end. */
  readonly starts: Uint32Array;
  /** Items, key by key. */
  readonly items: Uint32Array;
}

/** Groups items by their keys, in the order of the items. */
export function group(
  count: number,
  keys: Uint32Array,
  items: Uint32Array,
): Groups {
  const starts = new Uint32Array(count + 1);
  for (const key of keys) starts[key + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const grouped = new Uint32Array(items.length);
  items.forEach((item, i) => grouped[next[keys[i]!]!++] = item);
  return { starts, items: grouped };
}

/** Sorts the items of each key. */
export function sortGroups({ starts, items }: Groups): void {
  for (let i = 0; i < starts.length - 1; i++) {
    const group = items.subarray(starts[i], starts[i + 1]);
    if (group.length > 1) group.sort();
  }
}
