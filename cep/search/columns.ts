import { free } from "../util/free.ts";

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

/** Digits of {@linkcode sortByCep}, of which two hold each CEP. */
const DIGITS = 1 << 14;

/** Returns the positions of CEPs in ascending order, those of equal ones too. */
export function sortByCep(ceps: Uint32Array): Column {
  const { starts, items } = groupAll(DIGITS, (visit) => {
    for (let i = 0; i < ceps.length; i++) visit(ceps[i]! % DIGITS, i);
  });
  const sorted = groupAll(DIGITS, (visit) => {
    for (let i = 0; i < items.length; i++) {
      visit(Math.floor(ceps[items[i]!]! / DIGITS), items[i]!);
    }
  });
  free(starts, items, sorted.starts);
  return sorted.items;
}

/**
 * Returns columns sorted by the first one, with the order of equal rows kept,
 * and frees the unsorted ones.
 *
 * @param count Values of the first column are less.
 */
export function sortColumns(
  columns: readonly Column[],
  count: number,
): Column[] {
  const first = columns[0]!;
  const { starts, items } = groupAll(count, (visit) => {
    for (let i = 0; i < first.length; i++) visit(first[i]!, i);
  });
  const sorted = columns.map((column) => permute(column, items));
  free(starts, items, ...columns);
  return sorted;
}
