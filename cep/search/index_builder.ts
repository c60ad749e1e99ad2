import { setImmediate } from "node:timers/promises";
import { free } from "../util/free.ts";
import {
  type Column,
  groupAll,
  groupPlaceNames,
  groupRecords,
  groupWords,
  inverse,
  permute,
  renumber,
  sortByCep,
  sortColumns,
  toBytes,
} from "./columns.ts";
import type { Growing } from "../util/growing.ts";
import type { ArrayName } from "./index_layout.ts";
import type { NameTable, WordTable } from "./word_table.ts";
import {
  type PlaceNode,
  type PlaceTree,
  toPlaceColumns,
} from "./place_tree.ts";
import { toRarities } from "./rarity.ts";
import type { SeenRows } from "./stretches.ts";
import { spellingKey } from "./spelling_key.ts";
import { isType as isStreetType } from "./word_kinds.ts";

/** Records, names and words of an index, in the order of the entries. */
export interface IndexRows {
  /** Words of names, and those that were left out of them. */
  readonly words: WordTable;
  /** Names, as numbers of words. */
  readonly names: NameTable;
  readonly tree: PlaceTree;
  /** Places of the records, by their numbers in this list. */
  readonly leaves: readonly PlaceNode[];
  /** Place of each record. */
  readonly recordLeaves: Growing;
  /** CEP of each record. */
  readonly ceps: Growing;
  /** First name of each record. */
  readonly recordNames: Growing;
  /** Further names of records: record, name and kind. */
  readonly others: readonly [Growing, Growing, Growing];
  /** Stretches of records: record, first and last number, kind. */
  readonly limits: readonly [Growing, Growing, Growing, Growing];
  /** Building numbers that a census saw, with the records in order. */
  readonly seen: SeenRows;
  /** 1 for each record that only the census has, else 0. */
  readonly ofCensus: Growing;
}

/** Array of an index, whose memory the consumer frees. */
type Built = readonly [
  ArrayName,
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>,
];

/**
 * Builds the arrays of an index, in the order of the parts. Each is valid until
 * the next one is requested. The memory of the rows is freed, too.
 */
export async function* buildIndex(rows: IndexRows): AsyncGenerator<Built> {
  const { words, names } = rows;
  names.end();
  const places = toPlaceColumns(rows.tree, words);
  words.end();
  const { sorted, newWords, isType, arrays } = sortWords(
    words.texts,
    names.words.all,
    places.placeWords,
  );
  const keys = toKeys(sorted);
  await setImmediate();
  yield* inOrder(arrays, "letters", "letterStarts");
  const wordsOfKeys = groupWords(keys);
  yield ["wordsOfKeys", wordsOfKeys.items];
  yield ["wordsOfKeyStarts", wordsOfKeys.starts];
  renumber(places.placeWords, newWords);
  const placeNamesOfKeys = groupPlaceNames(keys, places);
  yield* inOrder(
    places,
    "placeLevels",
    "placeParents",
    "placeStarts",
    "placeEnds",
    "placeNameStarts",
    "placesOfPlaceNames",
  );
  yield ["placeNamesOfKeys", placeNamesOfKeys.items];
  yield ["placeNamesOfKeyStarts", placeNamesOfKeys.starts];
  yield* inOrder(places, "placeWords", "placeWordStarts");
  yield* inOrder(keys, "keyLetters", "keyLetterStarts");
  const nameColumns = toNameColumns(names, newWords);
  free(newWords);
  const records = await toRecordColumns(rows, names.size);
  await setImmediate();
  const recordsOfKeys = groupRecords(keys, isType, {
    ...nameColumns,
    ...records,
  });
  yield ["recordsOfKeys", recordsOfKeys.items];
  yield ["recordsOfKeyStarts", recordsOfKeys.starts];
  yield* inOrder(keys, "wordKeys");
  yield* inOrder(nameColumns, "nameWords", "nameWordStarts", "typeLengths");
  yield* inOrder(
    records,
    "ceps",
    "recordsByCep",
    "names",
    "otherRecords",
    "otherNames",
    "otherKinds",
    "stretchRecords",
    "stretchFrom",
    "stretchTo",
    "stretchKinds",
    "seenNumbers",
    "rarities",
  );
}

function* inOrder<N extends ArrayName>(
  arrays: { readonly [name in N]: Built[1] },
  ...names: readonly N[]
): Generator<Built> {
  for (const name of names) yield [name, arrays[name]];
}

/** Sorts the words that names have, and finds those that are street types. */
function sortWords(
  texts: readonly string[],
  ...names: readonly Uint32Array[]
) {
  const isUsed = new Uint8Array(texts.length);
  for (const words of names) for (const word of words) isUsed[word] = 1;
  const used = texts.keys().filter((word) => isUsed[word] === 1).toArray();
  const order = used.sort((a, b) => texts[a]! < texts[b]! ? -1 : 1);
  const sorted = order.map((word) => texts[word]!);
  const newWords = new Uint32Array(texts.length);
  const isType = new Uint8Array(sorted.length);
  order.forEach((word, i) => {
    newWords[word] = i;
    isType[i] = Number(isStreetType(sorted[i]!));
  });
  const [letters, letterStarts] = toLetters(sorted);
  return { newWords, isType, sorted, arrays: { letters, letterStarts } };
}

/** Returns the keys of words. */
function toKeys(words: readonly string[]) {
  const keysOfWords = words.map(spellingKey);
  const order = [...keysOfWords.keys()].sort((a, b) => {
    const one = keysOfWords[a]!;
    const other = keysOfWords[b]!;
    return one < other ? -1 : one > other ? 1 : 0;
  });
  const sorted: string[] = [];
  const wordKeys = new Uint32Array(words.length);
  for (const word of order) {
    const key = keysOfWords[word]!;
    if (sorted.at(-1) !== key) sorted.push(key);
    wordKeys[word] = sorted.length - 1;
  }
  const [keyLetters, keyLetterStarts] = toLetters(sorted);
  return {
    keyCount: sorted.length,
    keyLetters,
    keyLetterStarts,
    wordKeys,
  };
}

/** Returns the letters of texts, and the first one of each. */
function toLetters(texts: readonly string[]) {
  const starts = new Uint32Array(texts.length + 1);
  texts.forEach((text, i) => starts[i + 1] = starts[i]! + text.length);
  return [new TextEncoder().encode(texts.join("")), starts] as const;
}

/** Columns of records, in order of place, then of CEP. */
async function toRecordColumns(rows: IndexRows, nameCount: number) {
  const byCep = sortByCep(rows.ceps.all);
  await setImmediate();
  const order = sortRecords(rows, byCep);
  const newRecords = inverse(order);
  renumber(byCep, newRecords);
  await setImmediate();
  const ceps = permute(rows.ceps.all, order);
  const names = permute(rows.recordNames.all, order);
  const seenNumbers = rows.seen.toColumn(order);
  const rarities = raritiesOf(rows, order, nameCount);
  free(order);
  rows.seen.free();
  for (
    const it of [rows.recordLeaves, rows.ceps, rows.recordNames, rows.ofCensus]
  ) {
    it.free();
  }
  await setImmediate();
  const { length } = ceps;
  const others = rows.others.map((it) => it.all);
  renumber(others[0]!, newRecords);
  const [otherRecords, otherNames, otherKinds] = sortColumns(others, length);
  const limits = rows.limits.map((it) => it.all);
  renumber(limits[0]!, newRecords);
  free(newRecords);
  const [stretchRecords, stretchFrom, stretchTo, stretchKinds] = sortColumns(
    limits,
    length,
  );
  return {
    ceps,
    recordsByCep: byCep,
    names,
    otherRecords: otherRecords!,
    otherNames: otherNames!,
    otherKinds: toBytes(otherKinds!),
    stretchRecords: stretchRecords!,
    stretchFrom: stretchFrom!,
    stretchTo: stretchTo!,
    stretchKinds: toBytes(stretchKinds!),
    seenNumbers,
    rarities,
  };
}

function raritiesOf(
  rows: IndexRows,
  order: Column,
  nameCount: number,
): Uint8Array<ArrayBuffer> {
  return rows.ofCensus.all.includes(1)
    ? toRarities({
      ...rows,
      addressesOf: (record) => rows.seen.addressesOf(record),
      nameCount,
    }, order)
    : new Uint8Array();
}

/** Returns the records in order of place, then of CEP. */
function sortRecords(
  { leaves, recordLeaves }: IndexRows,
  byCep: Column,
): Column {
  const { starts, items } = groupAll(leaves.length, (visit) => {
    for (let i = 0; i < byCep.length; i++) {
      visit(recordLeaves.at(byCep[i]!), byCep[i]!);
    }
  });
  const order = new Uint32Array(items.length);
  let used = 0;
  leaves.map((_, leaf) => leaf)
    .sort((a, b) => leaves[a]!.rank - leaves[b]!.rank)
    .forEach((leaf) => {
      order.set(items.subarray(starts[leaf], starts[leaf + 1]), used);
      used += starts[leaf + 1]! - starts[leaf]!;
    });
  free(starts, items);
  return order;
}

/** Returns the names, with the new numbers of their words. */
function toNameColumns(
  { starts, words, typeLengths }: NameTable,
  newWords: Uint32Array,
) {
  renumber(words.all, newWords);
  return {
    nameWords: words.all,
    nameWordStarts: starts.all,
    typeLengths: toBytes(typeLengths.all),
  };
}
