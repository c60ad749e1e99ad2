import { MAX_CENSUS_STREETS } from "../../record/census.ts";
import { PairTable, type TextList } from "./tables.ts";
import type { StreetCounts } from "./address_counter.ts";

export interface GroupStreet {
  /** Index of the text of the type. */
  readonly type: number;
  /** Index of the text of title and name. */
  readonly name: number;
  addresses: number;
  oddFrom: number;
  oddTo: number;
  evenFrom: number;
  evenTo: number;
}

interface GroupStreets {
  /** The most frequent ones. */
  readonly streets: readonly GroupStreet[];
  readonly count: number;
}

/** Finds the streets of groups, with their names put together. */
export class StreetFinder {
  readonly #counts: StreetCounts;
  readonly #texts: TextList;
  /** Type and name of each street. */
  readonly #names = new PairTable();
  /** Street of each text as written, plus one; 0 for a nameless one. */
  readonly #streets: Uint32Array;

  /** @param texts Texts to which types and names are added. */
  constructor(counts: StreetCounts, texts: TextList) {
    this.#counts = counts;
    this.#texts = texts;
    const written = counts.texts;
    this.#streets = new Uint32Array(written.size);
    for (let i = 0; i < written.size; i++) {
      const street = joinStreet(...splitText(written.at(i)));
      if (street === undefined) continue;
      const type = texts.indexOf(street.type);
      const name = texts.indexOf(street.name);
      this.#streets[i] = this.#names.indexOf(type, name) + 1;
    }
  }

  /**
   * Adds the counts of equal names up, and returns the most frequent streets.
   *
   * @param indexes Streets of a group in the counts.
   */
  find(indexes: Uint32Array): GroupStreets {
    const counts = this.#counts;
    const found = new Map<number, GroupStreet>();
    for (const index of indexes) {
      const number = this.#streets[counts.pairs.seconds.at(index)]!;
      if (number === 0) continue;
      const street = found.get(number);
      if (street !== undefined) addTo(street, counts, index);
      else found.set(number, this.#streetAt(number - 1, index));
    }
    const sorted = [...found.values()].sort((a, b) => this.#compare(a, b));
    return {
      streets: sorted.slice(0, MAX_CENSUS_STREETS),
      count: sorted.length,
    };
  }

  #streetAt(street: number, index: number): GroupStreet {
    const { addresses, oddFrom, oddTo, evenFrom, evenTo } = this.#counts;
    return {
      type: this.#names.firsts.at(street),
      name: this.#names.seconds.at(street),
      addresses: addresses.at(index),
      oddFrom: oddFrom.at(index),
      oddTo: oddTo.at(index),
      evenFrom: evenFrom.at(index),
      evenTo: evenTo.at(index),
    };
  }

  /** Orders by number of addresses, then by name and type. */
  #compare(a: GroupStreet, b: GroupStreet): number {
    return b.addresses - a.addresses ||
      this.#texts.compare(a.name, b.name) ||
      this.#texts.compare(a.type, b.type);
  }
}

function splitText(
  bytes: Uint8Array,
): [type: string, title: string, name: string] {
  const [type = "", title = "", ...name] = decodeText(bytes).split(";");
  return [type.trim(), title.trim(), name.join(";").trim()];
}

function addTo(street: GroupStreet, counts: StreetCounts, index: number): void {
  street.addresses += counts.addresses.at(index);
  street.oddFrom = lowest(street.oddFrom, counts.oddFrom.at(index));
  street.oddTo = Math.max(street.oddTo, counts.oddTo.at(index));
  street.evenFrom = lowest(street.evenFrom, counts.evenFrom.at(index));
  street.evenTo = Math.max(street.evenTo, counts.evenTo.at(index));
}

/** Returns the lower of two building numbers; 0 stands for no number. */
function lowest(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}

/** Street of an address, in the letter case of the file. */
interface StreetName {
  /** Type, `""` without one. */
  readonly type: string;
  /** Title and name. */
  readonly name: string;
}

/** Names of streets that have none. */
const NAMELESS: ReadonlySet<string> = new Set([
  "SEM DENOMINACAO",
  "SEM NOME",
  "PROJETADA",
  "PROJETADO",
  "PARTICULAR",
]);

/** Types that are not of streets, but of buildings. */
const NO_STREETS: ReadonlySet<string> = new Set(["EDF"]);

const utf8 = new TextDecoder("utf-8", { fatal: true });
// The Encoding Standard maps this label to windows-1252.
const latin1 = new TextDecoder("iso-8859-1");

/**
 * Decodes bytes: UTF-8, or ISO-8859-1 if they are not UTF-8. IBGE's files have
 * ASCII only. Spaces and control characters become single spaces.
 */
export function decodeText(bytes: Uint8Array): string {
  return decode(bytes).replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

/**
 * Puts the type, title and name of a street together, none of them twice.
 *
 * @returns `undefined` for a street without a name.
 */
export function joinStreet(
  type: string,
  title: string,
  name: string,
): StreetName | undefined {
  if (NO_STREETS.has(type)) return undefined;
  const bare = withoutPrefix(name, type);
  const full = title === "" || startsWith(bare, title)
    ? bare
    : `${title} ${bare}`.trim();
  return full === "" || NAMELESS.has(full) ? undefined : { type, name: full };
}

/** Removes the type from the beginning of a name, unless nothing is left. */
function withoutPrefix(name: string, type: string): string {
  return type !== "" && name.startsWith(`${type} `)
    ? name.slice(type.length + 1)
    : name;
}

function startsWith(name: string, title: string): boolean {
  return name === title || name.startsWith(`${title} `);
}
