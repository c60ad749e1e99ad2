/**
 * Builder of the arrays of an index.
 *
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { free } from "../free.ts";
import {
  type Column,
  inverse,
  PACK,
  permute,
  renumber,
  sortColumns,
  toBytes,
} from "./columns.ts";
import type { Growing } from "./growing.ts";
import { groupPlaces, groupRecords, invert } from "./index_groups.ts";
import type { ArrayName } from "./index_layout.ts";
import type { NameTable } from "./name_table.ts";
import { toPlaceColumns } from "./place_columns.ts";
import type { PlaceNode, PlaceTree } from "./place_tree.ts";
import { toRarities } from "./rarity_column.ts";
import type { SeenRows } from "./seen_column.ts";
import { isType } from "./word_kinds.ts";

/** Records, names and words of an index, in the order of the entries. */
export interface IndexRows {
  /** Numbers of the words. */
  readonly words: ReadonlyMap<string, number>;
  /** Returns the number of a word, also of a new one. */
  readonly wordOf: (word: string) => number;
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
  const { words, wordOf, names } = rows;
  names.end();
  const places = toPlaceColumns(rows.tree, wordOf);
  const wordCount = words.size;
  const { ranks: newWords, types, arrays } = sortWords(words);
  yield* inOrder(arrays, "letters", "letterStarts");
  const newNames = sortNames(rows);
  await setImmediate();
  const nameColumns = toNameColumns(names, newNames, newWords);
  names.free();
  await setImmediate();
  const namesOfWords = invert(wordCount, nameColumns, types);
  yield ["namesOfWords", namesOfWords.items];
  yield ["namesOfWordStarts", namesOfWords.starts];
  const placesOfWords = groupPlaces(wordCount, places.pairs, newWords);
  yield ["placesOfWords", placesOfWords.items];
  yield ["placesOfWordStarts", placesOfWords.starts];
  yield* inOrder(nameColumns, "nameWords", "nameWordStarts", "typeLengths");
  const records = await toRecordColumns(rows, newNames);
  await setImmediate();
  const { items, starts } = groupRecords(newNames.length, records);
  yield ["recordsOfNames", items];
  yield ["recordsOfNameStarts", starts];
  free(newNames);
  yield* inOrder(
    records,
    "ceps",
    "names",
    "otherRecords",
    "otherNames",
    "otherKinds",
  );
  places.arrays.placeWords.forEach((word, i, all) => all[i] = newWords[word]!);
  free(newWords);
  yield* inOrder(
    places.arrays,
    "placeLevels",
    "placeParents",
    "placeStarts",
    "placeEnds",
    "placeNameStarts",
    "placeWords",
    "placeWordStarts",
  );
  yield* inOrder(
    records,
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

/** Sorts the words, and finds those that are street types. */
function sortWords(numbers: ReadonlyMap<string, number>) {
  const words = [...numbers.keys()];
  const sorted = words.map((_, i) => i)
    .sort((a, b) => words[a]! < words[b]! ? -1 : 1);
  const ranks = new Uint32Array(words.length);
  const letterStarts = new Uint32Array(words.length + 1);
  sorted.forEach((word, rank) => {
    ranks[word] = rank;
    letterStarts[rank + 1] = letterStarts[rank]! + words[word]!.length;
  });
  const text = sorted.map((word) => words[word]!).join("");
  const letters = new TextEncoder().encode(text);
  const types = new Set<number>();
  words.forEach((word, i) => {
    if (isType(word)) types.add(ranks[i]!);
  });
  return { ranks, types, arrays: { letters, letterStarts } };
}

/** Columns of records, in order of place, then of CEP. */
async function toRecordColumns(rows: IndexRows, newNames: Uint32Array) {
  const order = await sortRecords(rows);
  const newRecords = inverse(order);
  const ceps = permute(rows.ceps.all, order);
  const names = permute(rows.recordNames.all, order);
  const seenNumbers = rows.seen.toColumn(order);
  const rarities = raritiesOf(rows, order, newNames.length);
  free(order);
  rows.seen.free();
  for (
    const it of [rows.recordLeaves, rows.ceps, rows.recordNames, rows.ofCensus]
  ) {
    it.free();
  }
  renumber(names, newNames);
  await setImmediate();
  const others = rows.others.map((it) => it.all);
  renumber(others[0]!, newRecords);
  renumber(others[1]!, newNames);
  const [otherRecords, otherNames, otherKinds] = sortColumns(others);
  const limits = rows.limits.map((it) => it.all);
  renumber(limits[0]!, newRecords);
  free(newRecords);
  const [stretchRecords, stretchFrom, stretchTo, stretchKinds] = sortColumns(
    limits,
  );
  return {
    ceps,
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
async function sortRecords(
  { leaves: places, recordLeaves, ceps: { all: ceps } }: IndexRows,
): Promise<Column> {
  const leaves = recordLeaves.all;
  const byRank = places.map((_, leaf) => leaf)
    .sort((a, b) => places[a]!.rank - places[b]!.rank);
  const next = new Uint32Array(byRank.length);
  let total = 0;
  let most = 0;
  for (const leaf of byRank) {
    next[leaf] = total;
    total += places[leaf]!.records;
    most = Math.max(most, places[leaf]!.records);
  }
  const order = new Uint32Array(total);
  for (let record = 0; record < total; record++) {
    order[next[leaves[record]!]!++] = record;
  }
  const keys = new Float64Array(most);
  let start = 0;
  for (const [i, leaf] of byRank.entries()) {
    if (i % 5000 === 0) await setImmediate();
    const { records } = places[leaf]!;
    for (let j = 0; j < records; j++) {
      const record = order[start + j]!;
      keys[j] = ceps[record]! * PACK + record;
    }
    keys.subarray(0, records).sort();
    for (let j = 0; j < records; j++) order[start++] = keys[j]! % PACK;
  }
  free(keys, next);
  return order;
}

/** Returns new numbers of names, the most frequent first. */
function sortNames(
  { names, recordNames, others }: IndexRows,
): Column {
  const counts = new Uint32Array(names.size);
  for (const name of recordNames.all) counts[name]!++;
  for (const name of others[1].all) counts[name]!++;
  counts[0] = 0xFFFFFF; // NAMELESS stays first.
  const keys = new Float64Array(counts.length);
  counts.forEach((count, name) => {
    keys[name] = (0xFFFFFF - count) * PACK + name;
  });
  free(counts);
  keys.sort();
  const ranks = new Uint32Array(keys.length);
  keys.forEach((key, rank) => ranks[key % PACK] = rank);
  free(keys);
  return ranks;
}

/** Returns the words of the names, both by their new numbers. */
function toNameColumns(
  { starts, words, typeLengths }: NameTable,
  newNames: Uint32Array,
  newWords: Uint32Array,
) {
  const order = inverse(newNames);
  const nameWordStarts = new Uint32Array(order.length + 1);
  const nameWords = new Uint32Array(words.length);
  const lengths = new Uint8Array(order.length);
  let used = 0;
  order.forEach((name, rank) => {
    for (let i = starts.at(name); i < starts.at(name + 1); i++) {
      nameWords[used++] = newWords[words.at(i)]!;
    }
    nameWordStarts[rank + 1] = used;
    lengths[rank] = typeLengths.at(name);
  });
  free(order);
  return { nameWordStarts, nameWords, typeLengths: lengths };
}
