/**
 * Columns of numbers, sorted and grouped.
 *
 * @module
 */
import { free } from "../free.ts";

/** Multiplier that packs a number and its position into one number. */
export const PACK = 2 ** 24;

/** Numbers in memory of their own. */
export type Column = Uint32Array<ArrayBuffer>;

/** Returns the positions of the values of a permutation. */
export function inverse(permutation: Uint32Array): Column {
  const inverse = new Uint32Array(permutation.length);
  permutation.forEach((value, i) => inverse[value] = i);
  return inverse;
}

/** Returns values in another order. */
export function permute(values: Uint32Array, order: Uint32Array): Column {
  const permuted = new Uint32Array(order.length);
  order.forEach((position, i) => permuted[i] = values[position]!);
  return permuted;
}

/** Replaces values with their new numbers. */
export function renumber(values: Uint32Array, numbers: Uint32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = numbers[values[i]!]!;
}

/** Returns values below 256 as bytes, and frees the column. */
export function toBytes(values: Column): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values);
  free(values);
  return bytes;
}

/**
 * Returns columns sorted by the first one, with the order of equal rows kept,
 * and frees the unsorted ones.
 */
export function sortColumns(columns: readonly Column[]): Column[] {
  const [first] = columns;
  const keys = new Float64Array(first!.length);
  first!.forEach((value, i) => keys[i] = value * PACK + i);
  keys.sort();
  const order = new Uint32Array(keys.length);
  keys.forEach((key, i) => order[i] = key % PACK);
  free(keys);
  const sorted = columns.map((column) => permute(column, order));
  free(order, ...columns);
  return sorted;
}

/** Items by their keys. */
export interface Groups {
  /** Index of the first item of each key, and the end. */
  readonly starts: Column;
  /** Items, key by key. */
  readonly items: Column;
}

/**
 * Groups items by their keys, in the order in which they are visited.
 *
 * @param visitAll Visits all items, twice.
 */
export function groupAll(
  count: number,
  visitAll: (visit: (key: number, item: number) => void) => void,
): Groups {
  const starts = new Uint32Array(count + 1);
  visitAll((key) => starts[key + 1]!++);
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const items = new Uint32Array(starts[count]!);
  visitAll((key, item) => items[next[key]!++] = item);
  free(next);
  return { starts, items };
}

/** Sorts the items of each key. */
export function sortGroups({ starts, items }: Groups): void {
  for (let i = 0; i < starts.length - 1; i++) {
    const group = items.subarray(starts[i], starts[i + 1]);
    if (group.length > 1) group.sort();
  }
}
