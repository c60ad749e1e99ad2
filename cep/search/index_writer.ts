import { crc32 } from "node:zlib";
import type { CensusRow } from "../census.ts";
import type { DetailRow, DetailTable, Entry } from "../entry.ts";
import type { Places } from "../places.ts";
import { free } from "../free.ts";
import { parseComplement } from "../street_number.ts";
import { complementWords } from "./complement.ts";
import { Growing } from "./growing.ts";
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
import { SeenRows } from "./seen_column.ts";
import { kindOf, StreetDetails } from "./street_details.ts";

/** No CEP of a row. */
const NO_CEP = -1;

const NOTHING: Name = { words: [], typeLength: 0 };

/** Takes entries, and returns the parts of their index. */
export class SearchIndexWriter {
  readonly #words = new Map<string, number>();
  readonly #names = new NameTable();
  readonly #tree: PlaceTree;
  readonly #otherLocalities = new Map<number, string[]>();
  readonly #otherNeighbourhoods = new Map<number, string[]>();
  readonly #streets = new StreetDetails();
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
          this.#streets.addName(number, () => this.#nameOf(words));
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
    const stretches = this.#limits[0].length;
    const isStreet = hasStreetName(entry);
    const name = isStreet
      ? this.#addStreet(record, entry)
      : this.#addLocated(record, entry);
    this.#recordNames.push(name);
    this.#addComplement(record, entry.complement);
    const isLimited = !isStreet || this.#limits[0].length > stretches;
    this.#seen.addRecord(isCounted ? Number(entry.cep) : NO_CEP, !isLimited);
    this.#ofCensus.push(Number(entry.origin === "cnefe"));
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
    if (entry.origin === "cnefe") return name; // Its number is its CEP.
    for (const other of this.#streets.names(entry.number)) {
      if (other !== name) this.#addOther(record, other, ALTERNATIVE);
    }
    this.#addStretches(record, entry);
    return name;
  }

  #addStretches(record: number, { number, complement }: Entry): void {
    const before = this.#limits[0].length;
    for (const { from, to, kind } of this.#streets.stretches(number)) {
      this.#addStretch(record, from, to, kind);
    }
    if (this.#limits[0].length > before) return;
    for (const { from, to, side, unit } of parseComplement(complement)) {
      this.#addStretch(record, from, to, kindOf(side, unit));
    }
  }

  #addFigures(
    record: number,
    split: typeof streetName,
    { streetType, street }: Entry,
  ): void {
    if (!/nta |vinte /i.test(street)) return;
    const other = withFigures(split(streetType, street));
    if (other) this.#addOther(record, this.#nameOf(other), FIGURES);
  }

  #addComplement(record: number, complement: string): void {
    if (complement === "") return;
    const words = complementWords(complement);
    if (words.length === 0) return;
    this.#addOther(record, this.#nameOf({ words, typeLength: 0 }), COMPLEMENT);
  }

  #addLocated(record: number, entry: Entry): number {
    if (entry.origin === "localidade" || entry.origin === "cnefe") return 0;
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
    this.#streets.free();
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
