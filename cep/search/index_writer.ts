/**
 * Writer of the search index.
 *
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { DetailRow, DetailTable, Entry } from "../entry.ts";
import type { Places } from "../places.ts";
import {
  parseComplement,
  parseSection,
  type Stretch,
} from "../street_number.ts";
import {
  concatenate,
  group,
  type Groups,
  inverse,
  PACK,
  permute,
  sortBy,
  sortGroups,
} from "./columns.ts";
import { Growing } from "./growing.ts";
import {
  ALTERNATIVE,
  type ArrayName,
  INDEX_PART_BYTES,
  INDEX_VERSION,
  type IndexArrays,
  type IndexHeader,
  ITEM_BYTES,
  LOCATION,
  STATE,
  STRETCH_KINDS,
} from "./index_layout.ts";
import {
  type Name,
  numberOfAddress,
  placeWords,
  streetName,
  streetOfAddress,
  withFigures,
} from "./names.ts";
import { NameTable } from "./name_table.ts";
import { type PlaceNode, PlaceTree } from "./place_tree.ts";
import { isType } from "./word_kinds.ts";

const NOTHING: Name = { words: [], typeLength: 0 };

/** Takes entries, and returns the parts of their index. */
export class SearchIndexWriter {
  readonly #words = new Map<string, number>();
  readonly #names = new NameTable();
  readonly #tree: PlaceTree;
  readonly #otherLocalities = new Map<number, string[]>();
  readonly #otherNeighbourhoods = new Map<number, string[]>();
  /** Alternative names of streets, by LOG_NU. */
  readonly #otherStreets = new Map<number, number[]>();
  /** Stretches of streets in LOG_NUM_SEC, by LOG_NU. */
  readonly #stretches = new Map<number, Stretch[]>();
  /** Places of the records, by their numbers in this list. */
  readonly #leaves: PlaceNode[] = [];
  readonly #leafNumbers = new Map<PlaceNode, number>();
  readonly #recordLeaves = new Growing();
  readonly #recordCeps = new Growing();
  readonly #recordNames = new Growing();
  /** Further names of records: record, name and kind. */
  readonly #others = [new Growing(), new Growing(), new Growing()] as const;
  /** Stretches of records: record, first and last number, kind. */
  readonly #limits = [
    new Growing(),
    new Growing(),
    new Growing(),
    new Growing(),
  ] as const;
  #last: { entry: Entry; leaf: number; name: number } | undefined;

  constructor({ localities, neighbourhoods }: Places) {
    this.#tree = new PlaceTree({
      localities,
      neighbourhoods,
      otherLocalities: this.#otherLocalities,
      otherNeighbourhoods: this.#otherNeighbourhoods,
    });
    this.#nameOf(NOTHING); // NAMELESS
  }

  /** Adds rows of an optional file. */
  addDetails(table: DetailTable, rows: readonly DetailRow[]): void {
    switch (table) {
      case "var_loc":
        for (const [number, , name] of rows) {
          append(this.#otherLocalities, number, name as string);
        }
        break;
      case "var_bai":
        for (const [number, , name] of rows) {
          append(this.#otherNeighbourhoods, number, name as string);
        }
        break;
      case "var_log":
        for (const [number, , type, name] of rows) {
          const words = streetName(type as string, name as string);
          append(this.#otherStreets, number, this.#nameOf(words));
        }
        break;
      case "num_sec":
        for (const [number, first, last, side] of rows as string[][]) {
          const stretch = parseSection({
            first: first!,
            last: last!,
            side: side!,
          });
          if (stretch) append(this.#stretches, Number(number), stretch);
        }
    }
  }

  /** Adds an entry. */
  add(entry: Entry): void {
    const record = this.#recordCeps.length;
    const last = this.#last;
    const leaf = last !== undefined &&
        last.entry.locality === entry.locality &&
        last.entry.neighbourhood === entry.neighbourhood &&
        last.entry.uf === entry.uf
      ? last.leaf
      : this.#findLeaf(entry);
    this.#leaves[leaf]!.records++;
    this.#recordCeps.push(Number(entry.cep));
    this.#recordLeaves.push(leaf);
    const name = entry.origin === "logradouro"
      ? this.#addStreet(record, entry)
      : this.#addLocated(record, entry);
    this.#recordNames.push(name);
    this.#last = { entry, leaf, name };
  }

  #findLeaf(entry: Entry): number {
    const node = this.#tree.find(entry);
    let leaf = this.#leafNumbers.get(node);
    if (leaf === undefined) {
      leaf = this.#leaves.length;
      this.#leaves.push(node);
      this.#leafNumbers.set(node, leaf);
    }
    return leaf;
  }

  #addStreet(record: number, entry: Entry): number {
    const last = this.#last;
    let name: number;
    if (
      last?.entry.street === entry.street &&
      last.entry.streetType === entry.streetType
    ) {
      name = last.name;
    } else {
      name = this.#nameOf(streetName(entry.streetType, entry.street));
    }
    this.#addFigures(record, streetName, entry);
    for (const other of this.#otherStreets.get(entry.number) ?? []) {
      if (other !== name) this.#addOther(record, other, ALTERNATIVE);
    }
    const stretches = this.#stretches.get(entry.number) ??
      parseComplement(entry.complement);
    for (const stretch of stretches) this.#addStretch(record, stretch);
    return name;
  }

  #addFigures(
    record: number,
    split: typeof streetName,
    { streetType, street }: Entry,
  ): void {
    if (!/nta |vinte /i.test(street)) return;
    const other = withFigures(split(streetType, street));
    if (other) this.#addOther(record, this.#nameOf(other), ALTERNATIVE);
  }

  #addLocated(record: number, entry: Entry): number {
    if (entry.origin === "localidade") return 0;
    const location = this.#nameOf(streetOfAddress(entry.street));
    this.#addOther(record, location, LOCATION);
    const number = numberOfAddress(entry.street);
    if (number !== undefined) {
      const side = "A", unit = "number";
      this.#addStretch(record, { from: number, to: number, side, unit });
    }
    return this.#nameOf({ words: placeWords(entry.name), typeLength: 0 });
  }

  #addOther(record: number, name: number, kind: number): void {
    const [records, names, kinds] = this.#others;
    records.push(record);
    names.push(name);
    kinds.push(kind);
  }

  #addStretch(record: number, { from, to, side, unit }: Stretch): void {
    const [records, first, last, kinds] = this.#limits;
    records.push(record);
    first.push(from);
    last.push(to);
    kinds.push(STRETCH_KINDS.indexOf(`${side} ${unit}`));
  }

  #nameOf({ words, typeLength }: Name): number {
    return this.#names.find(words.map(this.#wordOf), typeLength);
  }

  readonly #wordOf = (word: string): number => {
    let number = this.#words.get(word);
    if (number === undefined) {
      number = this.#words.size;
      this.#words.set(word, number);
    }
    return number;
  };

  /**
   * Yields the parts. No entry can be added afterwards.
   *
   * @returns The header of the index.
   */
  async *finish(): AsyncGenerator<Uint8Array, IndexHeader> {
    const arrays = await this.#build();
    const lengths: Partial<Record<ArrayName, number>> = {};
    let checksum = 0;
    for (const name of Object.keys(ITEM_BYTES) as ArrayName[]) {
      const { buffer, byteOffset, byteLength, length } = arrays[name];
      lengths[name] = length;
      for (let start = 0; start < byteLength; start += INDEX_PART_BYTES) {
        const part = new Uint8Array(
          buffer,
          byteOffset + start,
          Math.min(INDEX_PART_BYTES, byteLength - start),
        );
        checksum = crc32(part, checksum);
        yield part;
      }
    }
    return {
      version: INDEX_VERSION,
      lengths: lengths as Record<ArrayName, number>,
      checksum,
    };
  }

  async #build(): Promise<IndexArrays> {
    const places = this.#buildPlaces();
    const newWords = this.#sortWords();
    await setImmediate();
    const order = await this.#sortRecords();
    const newRecords = inverse(order);
    const newNames = this.#sortNames();
    await setImmediate();
    const names = this.#buildNames(newNames, newWords.ranks);
    const ceps = permute(this.#recordCeps.all, order);
    const recordNames = permute(this.#recordNames.all, order)
      .map((name) => newNames[name]!);
    await setImmediate();
    const [records, otherNames, kinds] = this.#others.map((it) => it.all) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    const others = sortBy(records.map((record) => newRecords[record]!), [
      otherNames.map((name) => newNames[name]!),
      kinds,
    ]);
    const limits = sortBy(
      this.#limits[0].all.map((record) => newRecords[record]!),
      this.#limits.slice(1).map((it) => it.all),
    );
    await setImmediate();
    const nameCount = this.#names.size;
    const recordsOfNames = group(
      nameCount,
      concatenate(recordNames, others[1]!),
      concatenate(
        Uint32Array.from(recordNames, (_, record) => record),
        others[0]!,
      ),
    );
    sortGroups(recordsOfNames);
    await setImmediate();
    const wordCount = this.#words.size;
    const namesOfWords = invert(wordCount, names, this.#typeWords(newWords));
    await setImmediate();
    const texts = places.texts(newWords.ranks);
    const placesOfWords = group(wordCount, texts.pairs[0], texts.pairs[1]);
    return {
      ...newWords.arrays,
      namesOfWords: namesOfWords.items,
      namesOfWordStarts: namesOfWords.starts,
      placesOfWords: placesOfWords.items,
      placesOfWordStarts: placesOfWords.starts,
      ...names,
      recordsOfNames: recordsOfNames.items,
      recordsOfNameStarts: recordsOfNames.starts,
      ceps,
      names: recordNames,
      otherRecords: others[0]!,
      otherNames: others[1]!,
      otherKinds: Uint8Array.from(others[2]!),
      ...places.arrays,
      ...texts.arrays,
      stretchRecords: limits[0]!,
      stretchFrom: limits[1]!,
      stretchTo: limits[2]!,
      stretchKinds: Uint8Array.from(limits[3]!),
    };
  }

  #buildPlaces() {
    const nodes = this.#tree.rankAll();
    const placeStarts = new Uint32Array(nodes.length);
    const placeEnds = new Uint32Array(nodes.length);
    let next = 0;
    nodes.forEach((node, rank) => {
      placeStarts[rank] = next;
      next += node.records;
      placeEnds[rank] = next;
    });
    for (const { rank, parent } of nodes.toReversed()) {
      if (parent === undefined || parent.level === STATE) continue;
      placeEnds[parent.rank] = Math.max(
        placeEnds[parent.rank]!,
        placeEnds[rank]!,
      );
    }
    // Words are added before they are sorted.
    const words = nodes.map(({ names }) => {
      const distinct = new Map<string, number[]>();
      for (const name of names) {
        const words = placeWords(name).map(this.#wordOf);
        if (words.length > 0) distinct.set(words.join(), words);
      }
      return [...distinct.values()];
    });
    return {
      arrays: {
        placeLevels: Uint8Array.from(nodes, ({ level }) => level),
        placeParents: Uint32Array.from(
          nodes,
          ({ parent, rank }) => parent?.rank ?? rank,
        ),
        placeStarts,
        placeEnds,
      },
      texts: (ranks: Uint32Array) => toTexts(words, ranks),
    };
  }

  #sortWords() {
    const words = [...this.#words.keys()];
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
    return { ranks, arrays: { letters, letterStarts } };
  }

  /** Returns the words that are street types, by their new numbers. */
  #typeWords({ ranks }: { ranks: Uint32Array }): Set<number> {
    const types = new Set<number>();
    for (const [word, number] of this.#words) {
      if (isType(word)) types.add(ranks[number]!);
    }
    return types;
  }

  /** Returns the records in order of place, then of CEP. */
  async #sortRecords(): Promise<Uint32Array> {
    const leaves = this.#recordLeaves.all;
    const ceps = this.#recordCeps.all;
    const byRank = this.#leaves.map((_, leaf) => leaf)
      .sort((a, b) => this.#leaves[a]!.rank - this.#leaves[b]!.rank);
    const next = new Uint32Array(byRank.length);
    let total = 0;
    for (const leaf of byRank) {
      next[leaf] = total;
      total += this.#leaves[leaf]!.records;
    }
    const keys = new Float64Array(total);
    for (let record = 0; record < total; record++) {
      keys[next[leaves[record]!]!++] = ceps[record]! * PACK + record;
    }
    const order = new Uint32Array(total);
    let start = 0;
    for (const [i, leaf] of byRank.entries()) {
      if (i % 5000 === 0) await setImmediate();
      const end = start + this.#leaves[leaf]!.records;
      keys.subarray(start, end).sort();
      for (; start < end; start++) order[start] = keys[start]! % PACK;
    }
    return order;
  }

  /** Returns new numbers of names, the most frequent first. */
  #sortNames(): Uint32Array {
    const counts = new Uint32Array(this.#names.size);
    for (const name of this.#recordNames.all) counts[name]!++;
    for (const name of this.#others[1].all) counts[name]!++;
    counts[0] = 0xFFFFFF; // NAMELESS stays first.
    const keys = Float64Array.from(
      counts,
      (count, name) => (0xFFFFFF - count) * PACK + name,
    ).sort();
    const ranks = new Uint32Array(keys.length);
    keys.forEach((key, rank) => ranks[key % PACK] = rank);
    return ranks;
  }

  #buildNames(newNames: Uint32Array, newWords: Uint32Array) {
    const { starts, words, typeLengths } = this.#names;
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
    return { nameWordStarts, nameWords, typeLengths: lengths };
  }
}

function append<T>(
  map: Map<number, T[]>,
  key: string | number | undefined,
  value: T,
): void {
  const found = map.get(key as number);
  if (found === undefined) map.set(key as number, [value]);
  else found.push(value);
}

/**
 * Returns the names of each word, in ascending order. Those of a street type
 * are left out, because it never excludes a name.
 */
function invert(
  count: number,
  { nameWordStarts, nameWords, typeLengths }: Pick<
    IndexArrays,
    "nameWordStarts" | "nameWords" | "typeLengths"
  >,
  typeWords: ReadonlySet<number>,
): Groups {
  const keys = new Growing();
  const names = new Growing();
  for (let name = 0; name < typeLengths.length; name++) {
    const start = nameWordStarts[name]!;
    const end = nameWordStarts[name + 1]!;
    const typeEnd = start + typeLengths[name]!;
    for (let i = start; i < end; i++) {
      const word = nameWords[i]!;
      if (i < typeEnd && typeWords.has(word)) continue;
      if (i > start && nameWords.subarray(start, i).includes(word)) continue;
      keys.push(word);
      names.push(name);
    }
  }
  return group(count, keys.all, names.all);
}

function toTexts(words: number[][][], ranks: Uint32Array) {
  const placeNameStarts = new Uint32Array(words.length + 1);
  const placeWordStarts = new Growing();
  const placeWords = new Growing();
  const keys = new Growing();
  const places = new Growing();
  words.forEach((names, place) => {
    const seen = new Set<number>();
    for (const name of names) {
      placeWordStarts.push(placeWords.length);
      for (const word of name) {
        placeWords.push(ranks[word]!);
        if (seen.has(word)) continue;
        seen.add(word);
        keys.push(ranks[word]!);
        places.push(place);
      }
    }
    placeNameStarts[place + 1] = placeWordStarts.length;
  });
  placeWordStarts.push(placeWords.length);
  return {
    pairs: [keys.all, places.all] as const,
    arrays: {
      placeNameStarts,
      placeWords: placeWords.all.slice(),
      placeWordStarts: placeWordStarts.all.slice(),
    },
  };
}
