/**
 * Writer of the search index.
 *
 * @module
 */
import { crc32 } from "node:zlib";
import type { DetailRow, DetailTable, Entry } from "../entry.ts";
import type { Places } from "../places.ts";
import { free } from "../free.ts";
import {
  parseComplement,
  parseSection,
  type Side,
  type Stretch,
  type Unit,
} from "../street_number.ts";
import { Chains } from "./chains.ts";
import { Growing } from "./growing.ts";
import {
  ALTERNATIVE,
  type ArrayName,
  INDEX_PART_BYTES,
  INDEX_VERSION,
  type IndexHeader,
  LOCATION,
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
import { buildIndex } from "./index_builder.ts";
import { type PlaceNode, PlaceTree } from "./place_tree.ts";

const NOTHING: Name = { words: [], typeLength: 0 };

/** Takes entries, and returns the parts of their index. */
export class SearchIndexWriter {
  readonly #words = new Map<string, number>();
  readonly #names = new NameTable();
  readonly #tree: PlaceTree;
  readonly #otherLocalities = new Map<number, string[]>();
  readonly #otherNeighbourhoods = new Map<number, string[]>();
  /** Alternative names of streets, by LOG_NU. */
  readonly #otherStreets = { byNumber: new Chains(), names: new Growing() };
  /** Stretches of streets in LOG_NUM_SEC, by LOG_NU. */
  readonly #sections = {
    byNumber: new Chains(),
    from: new Growing(),
    to: new Growing(),
    kinds: new Growing(),
  };
  /** Places of the records, by their numbers in this list. */
  readonly #leaves: PlaceNode[] = [];
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
          if (!isKey(number)) continue;
          this.#otherStreets.byNumber.add(number);
          this.#otherStreets.names.push(this.#nameOf(words));
        }
        break;
      case "num_sec":
        for (const [number, first, last, side] of rows as string[][]) {
          const stretch = parseSection({
            first: first!,
            last: last!,
            side: side!,
          });
          if (stretch) this.#addSection(Number(number), stretch);
        }
    }
  }

  #addSection(number: number, { from, to, side, unit }: Stretch): void {
    if (!isKey(number)) return;
    const sections = this.#sections;
    sections.byNumber.add(number);
    sections.from.push(from);
    sections.to.push(to);
    sections.kinds.push(kindOf(side, unit));
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
    if (node.leaf < 0) node.leaf = this.#leaves.push(node) - 1;
    return node.leaf;
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
    const others = this.#otherStreets;
    let item = others.byNumber.first(entry.number);
    for (; item >= 0; item = others.byNumber.next(item)) {
      const other = others.names.at(item);
      if (other !== name) this.#addOther(record, other, ALTERNATIVE);
    }
    this.#addStretches(record, entry);
    return name;
  }

  #addStretches(record: number, { number, complement }: Entry): void {
    const { byNumber, from, to, kinds } = this.#sections;
    let item = byNumber.first(number);
    if (item < 0) {
      for (const { from, to, side, unit } of parseComplement(complement)) {
        this.#addStretch(record, from, to, kindOf(side, unit));
      }
    }
    for (; item >= 0; item = byNumber.next(item)) {
      this.#addStretch(record, from.at(item), to.at(item), kinds.at(item));
    }
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
      this.#addStretch(record, number, number, kindOf("A", "number"));
    }
    return this.#nameOf({ words: placeWords(entry.name), typeLength: 0 });
  }

  #addOther(record: number, name: number, kind: number): void {
    const [records, names, kinds] = this.#others;
    records.push(record);
    names.push(name);
    kinds.push(kind);
  }

  #addStretch(record: number, from: number, to: number, kind: number): void {
    const [records, first, last, kinds] = this.#limits;
    records.push(record);
    first.push(from);
    last.push(to);
    kinds.push(kind);
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
   * Yields the parts, each of which is valid until the next one is returned. No
   * entry can be added afterwards.
   *
   * @returns The header of the index.
   */
  async *finish(): AsyncGenerator<Uint8Array, IndexHeader> {
    const { byNumber, from, to, kinds } = this.#sections;
    const { byNumber: others, names } = this.#otherStreets;
    for (const it of [byNumber, from, to, kinds, others, names]) it.free();
    const arrays = buildIndex({
      words: this.#words,
      wordOf: this.#wordOf,
      names: this.#names,
      tree: this.#tree,
      leaves: this.#leaves,
      recordLeaves: this.#recordLeaves,
      ceps: this.#recordCeps,
      recordNames: this.#recordNames,
      others: this.#others,
      limits: this.#limits,
    });
    // One part is copied while the previous one is written.
    let copy = new Uint8Array(INDEX_PART_BYTES);
    let spare = new Uint8Array(INDEX_PART_BYTES);
    const lengths: Partial<Record<ArrayName, number>> = {};
    let checksum = 0;
    for await (const [name, array] of arrays) {
      const { buffer, byteOffset, byteLength, length } = array;
      lengths[name] = length;
      for (let start = 0; start < byteLength; start += INDEX_PART_BYTES) {
        const size = Math.min(INDEX_PART_BYTES, byteLength - start);
        copy.set(new Uint8Array(buffer, byteOffset + start, size));
        const part = copy.subarray(0, size);
        checksum = crc32(part, checksum);
        yield part;
        [copy, spare] = [spare, copy];
      }
      free(array);
    }
    return {
      version: INDEX_VERSION,
      lengths: lengths as Record<ArrayName, number>,
      checksum,
    };
  }
}

/** True for a number of {@linkcode Chains}, as every one in a DNE is. */
function isKey(number: string | number | undefined): number is number {
  return number === Number(number) >>> 0;
}

function kindOf(side: Side, unit: Unit): number {
  return STRETCH_KINDS.indexOf(`${side} ${unit}`);
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
