import { crc32 } from "node:zlib";
import type { CensusRow } from "../record/census.ts";
import type { DetailRow, DetailTable, Entry } from "../record/entry.ts";
import type { Places } from "../record/places.ts";
import { free } from "../util/free.ts";
import { parseComplement } from "../record/street_number.ts";
import {
  complementWords,
  type Name,
  numberOfAddress,
  streetName,
  streetOfAddress,
  withFigures,
  withType,
} from "./names.ts";
import { Growing } from "../util/growing.ts";
import {
  ALTERNATIVE,
  type ArrayName,
  COMPLEMENT,
  FIGURES,
  INDEX_PART_BYTES,
  INDEX_VERSION,
  type IndexHeader,
  LOCATION,
} from "./index_layout.ts";
import { NameTable, WordTable } from "./word_table.ts";
import { buildIndex } from "./index_builder.ts";
import { type PlaceNode, PlaceTree } from "./place_tree.ts";
import { SeenRows } from "./stretches.ts";
import { kindOf, StreetDetails } from "./street_details.ts";

/** No CEP of a row. */
const NO_CEP = -1;

/** Texts of numerals that {@linkcode withFigures} may replace. */
const NUMERAL = /nta |vinte /i;

/** Takes entries, and returns the parts of their index. */
export class SearchIndexWriter {
  readonly #words = new WordTable();
  readonly #names = new NameTable();
  readonly #tree: PlaceTree;
  readonly #otherLocalities = new Map<number, string[]>();
  readonly #otherNeighbourhoods = new Map<number, string[]>();
  readonly #streets = new StreetDetails();
  /** Words of street types. */
  readonly #types = new Map<string, readonly number[]>();
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
  /** Addresses of records, and building numbers of those without stretches. */
  readonly #seen = new SeenRows();
  /** 1 for each record that only the census has, else 0. */
  readonly #ofCensus = new Growing();
  #lastEntry: Entry | undefined;
  #lastName = 0;

  constructor({ localities, neighbourhoods }: Places) {
    this.#tree = new PlaceTree({
      localities,
      neighbourhoods,
      otherLocalities: this.#otherLocalities,
      otherNeighbourhoods: this.#otherNeighbourhoods,
    });
    this.#names.find([], 0); // NAMELESS
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
          const found = this.#streetName(type as string, name as string);
          this.#streets.addName(number, () => this.#nameOf(found));
        }
        break;
      case "num_sec":
        for (const row of rows as string[][]) this.#streets.addSection(row);
    }
  }

  /** Adds a row of the census, in order of CEP and before all entries. */
  addCensus(row: CensusRow): void {
    this.#seen.add(row);
  }

  /**
   * Adds an entry.
   *
   * @param isCounted False if the census row of its CEP is of another
   * municipality.
   */
  add(entry: Entry, isCounted = true): void {
    const record = this.#recordCeps.length;
    const cep = Number(entry.cep);
    const leaf = this.#findLeaf(entry);
    this.#leaves[leaf]!.records++;
    this.#recordCeps.push(cep);
    this.#recordLeaves.push(leaf);
    const stretches = this.#limits[0].length;
    const isStreet = hasStreetName(entry);
    const name = isStreet
      ? this.#addStreet(record, entry)
      : this.#addLocated(record, entry);
    this.#recordNames.push(name);
    this.#addComplement(record, entry.complement);
    const isLimited = !isStreet || this.#limits[0].length > stretches;
    this.#seen.addRecord(isCounted ? cep : NO_CEP, !isLimited);
    this.#ofCensus.push(Number(entry.origin === "cnefe"));
    this.#lastEntry = entry;
    this.#lastName = name;
  }

  #findLeaf(entry: Entry): number {
    const node = this.#tree.find(entry);
    if (node.leaf < 0) node.leaf = this.#leaves.push(node) - 1;
    return node.leaf;
  }

  #addStreet(record: number, entry: Entry): number {
    const last = this.#lastEntry;
    const name = last?.street === entry.street &&
        last.streetType === entry.streetType
      ? this.#lastName
      : this.#nameOf(this.#streetName(entry.streetType, entry.street));
    this.#addFigures(record, entry);
    if (entry.origin === "cnefe") return name; // Its number is its CEP.
    const { byNumber, names } = this.#streets.names;
    for (
      let item = byNumber.first(entry.number);
      item >= 0;
      item = byNumber.next(item)
    ) {
      const other = names.at(item);
      if (other !== name) this.#addOther(record, other, ALTERNATIVE);
    }
    this.#addStretches(record, entry);
    return name;
  }

  #addStretches(record: number, { number, complement }: Entry): void {
    const { byNumber, from, to, kinds } = this.#streets.sections;
    const first = byNumber.first(number);
    for (let item = first; item >= 0; item = byNumber.next(item)) {
      this.#addStretch(record, from.at(item), to.at(item), kinds.at(item));
    }
    if (first >= 0 || complement === "") return;
    for (const { from, to, side, unit } of parseComplement(complement)) {
      this.#addStretch(record, from, to, kindOf(side, unit));
    }
  }

  #addFigures(record: number, { streetType, street }: Entry): void {
    if (!NUMERAL.test(street)) return;
    const other = withFigures(streetName(streetType, street));
    if (other) this.#addOther(record, this.#find(other), FIGURES);
  }

  #addComplement(record: number, complement: string): void {
    if (complement === "") return;
    const words = complementWords(complement);
    if (words.length === 0) return;
    this.#addOther(record, this.#find({ words, typeLength: 0 }), COMPLEMENT);
  }

  #addLocated(record: number, entry: Entry): number {
    if (entry.origin === "localidade" || entry.origin === "cnefe") return 0;
    const location = this.#find(streetOfAddress(entry.street));
    this.#addOther(record, location, LOCATION);
    const number = numberOfAddress(entry.street);
    if (number !== undefined) {
      this.#addStretch(record, number, number, kindOf("A", "number"));
    }
    return this.#names.find(this.#words.wordsOf(entry.name), 0);
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

  #streetName(type: string, name: string): Name<number> {
    let typeWords = this.#types.get(type);
    if (typeWords === undefined) {
      typeWords = this.#words.wordsOf(type);
      this.#types.set(type, typeWords);
    }
    return withType(typeWords, this.#words.wordsOf(name));
  }

  /** Returns the number of a name in texts. */
  #find({ words, typeLength }: Name): number {
    return this.#names.find(words.map(this.#words.find), typeLength);
  }

  #nameOf({ words, typeLength }: Name<number>): number {
    return this.#names.find(words, typeLength);
  }

  /**
   * Yields the parts, each of which is valid until the next one is returned. No
   * entry can be added afterwards.
   *
   * @returns The header of the index.
   */
  async *finish(): AsyncGenerator<Uint8Array, IndexHeader> {
    this.#streets.free();
    const arrays = buildIndex({
      words: this.#words,
      names: this.#names,
      tree: this.#tree,
      leaves: this.#leaves,
      recordLeaves: this.#recordLeaves,
      ceps: this.#recordCeps,
      recordNames: this.#recordNames,
      others: this.#others,
      limits: this.#limits,
      seen: this.#seen,
      ofCensus: this.#ofCensus,
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

/** True for the street of a CEP, false for the address of a large user. */
function hasStreetName({ origin, street }: Entry): boolean {
  return origin === "logradouro" || origin === "cnefe" && street !== "";
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
