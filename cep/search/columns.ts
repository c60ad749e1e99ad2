import { free } from "../util/free.ts";
import type { IndexArrays } from "./index_layout.ts";

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

/** Spelling keys of the words of an index. */
export interface Keys {
  /** Number of keys. */
  readonly keyCount: number;
  /** First letter of each key, and the end. */
  readonly keyLetterStarts: Uint32Array;
  /** Key of each word. */
  readonly wordKeys: Uint32Array;
}

/** Returns the words of each key, in ascending order. */
export function groupWords({ keyCount, wordKeys }: Keys): Groups {
  return groupAll(keyCount, (visit) => {
    for (let word = 0; word < wordKeys.length; word++) {
      visit(wordKeys[word]!, word);
    }
  });
}

/**
 * Returns the records with each key in any of their names, in ascending order.
 * Those of a street type before a name are left out, because it never excludes
 * a record.
 *
 * @param isType 1 for each word that is a street type, else 0.
 */
export function groupRecords(
  { keyCount, wordKeys }: Keys,
  isType: Uint8Array,
  { nameWordStarts, nameWords, typeLengths, names, otherRecords, otherNames }:
    Pick<
      IndexArrays,
      | "nameWordStarts"
      | "nameWords"
      | "typeLengths"
      | "names"
      | "otherRecords"
      | "otherNames"
    >,
): Groups {
  // Last record of each key, plus one.
  const last = new Uint32Array(keyCount);
  return groupAll(keyCount, (visit) => {
    last.fill(0);
    const visitName = (record: number, name: number) => {
      const start = nameWordStarts[name]!;
      const end = nameWordStarts[name + 1]!;
      const typeEnd = start + typeLengths[name]!;
      for (let i = start; i < end; i++) {
        const word = nameWords[i]!;
        if (i < typeEnd && isType[word] === 1) continue;
        const key = wordKeys[word]!;
        if (last[key] === record + 1) continue;
        last[key] = record + 1;
        visit(key, record);
      }
    };
    let other = 0;
    for (let record = 0; record < names.length; record++) {
      visitName(record, names[record]!);
      for (; otherRecords[other] === record; other++) {
        visitName(record, otherNames[other]!);
      }
    }
  });
}

/**
 * Returns the names of places by the key of their rarest word, in ascending
 * order. The rarest key is in the fewest names; of those, it is the longest,
 * then the last one in the name.
 */
export function groupPlaceNames(
  { keyCount, keyLetterStarts, wordKeys }: Keys,
  { placeWords, placeWordStarts }: Pick<
    IndexArrays,
    "placeWords" | "placeWordStarts"
  >,
): Groups {
  const nameCount = placeWordStarts.length - 1;
  const counts = new Uint32Array(keyCount);
  const last = new Uint32Array(keyCount);
  for (let name = 0; name < nameCount; name++) {
    const end = placeWordStarts[name + 1]!;
    for (let i = placeWordStarts[name]!; i < end; i++) {
      const key = wordKeys[placeWords[i]!]!;
      if (last[key] === name + 1) continue;
      last[key] = name + 1;
      counts[key]!++;
    }
  }
  const lengthOf = (key: number) =>
    keyLetterStarts[key + 1]! - keyLetterStarts[key]!;
  const isRarer = (key: number, other: number) =>
    counts[key] === counts[other]
      ? lengthOf(key) >= lengthOf(other)
      : counts[key]! < counts[other]!;
  const rarest = new Uint32Array(nameCount);
  for (let name = 0; name < nameCount; name++) {
    const start = placeWordStarts[name]!;
    const end = placeWordStarts[name + 1]!;
    let key = wordKeys[placeWords[start]!]!;
    for (let i = start + 1; i < end; i++) {
      const other = wordKeys[placeWords[i]!]!;
      if (isRarer(other, key)) key = other;
    }
    rarest[name] = key;
  }
  return groupAll(keyCount, (visit) => {
    for (let name = 0; name < nameCount; name++) visit(rarest[name]!, name);
  });
}
