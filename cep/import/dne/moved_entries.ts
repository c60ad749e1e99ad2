import type { CensusRow } from "../../record/census.ts";
import type { Entry } from "../../record/entry.ts";
import type { Places } from "../../record/places.ts";
import { DnePlaces } from "./dne_places.ts";
import { Growing } from "../../util/growing.ts";

/** CEPs of the CNEFE, and their places as an import would find them. */
export class MovedEntries {
  readonly #places: DnePlaces;
  /** CEP, LOC_NU and BAI_NU of each row, 0 without one. */
  readonly #rows = new Growing();
  #next = 0;

  constructor({ localities, neighbourhoods }: Places) {
    this.#places = new DnePlaces(localities.values(), neighbourhoods.values());
  }

  /** Adds a row. Rows come in order of CEP. */
  add(row: CensusRow): void {
    const place = this.#places.find(row);
    this.#rows.push(Number(row.cep));
    this.#rows.push(place?.locality ?? 0);
    this.#rows.push(place?.neighbourhood ?? 0);
  }

  /**
   * Returns an entry in its place, `undefined` if its municipality is unknown;
   * one of the DNE is returned unchanged. Entries come in order of CEP, after
   * all rows.
   */
  move(entry: Entry): Entry | undefined {
    if (entry.origin !== "cnefe") return entry;
    const cep = Number(entry.cep);
    const rows = this.#rows;
    while (this.#next < rows.length && rows.at(this.#next) < cep) {
      this.#next += 3;
    }
    const isFound = this.#next < rows.length && rows.at(this.#next) === cep;
    const locality = isFound ? rows.at(this.#next + 1) : 0;
    if (locality === 0) return undefined;
    const neighbourhood = rows.at(this.#next + 2) || null;
    return { ...entry, locality, neighbourhood };
  }
}
