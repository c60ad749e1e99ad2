import type { StreetDraft } from "../locality.ts";

/** Street row without the place that it gets. */
export interface Row
  extends Omit<StreetDraft, "locality" | "index" | "neighbourhood"> {
  /** Identity of a street that has several rows. */
  readonly street?: symbol;
}

/** Rows of one neighbourhood, each different from the others. */
export class Rows {
  readonly #rows: Row[] = [];
  readonly #count: number;
  readonly #streets = new Map<string, symbol | undefined>();
  readonly #complements = new Set<string>();

  constructor(count: number) {
    this.#count = count;
  }

  get list(): readonly Row[] {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows.length >= this.#count;
  }

  /**
   * Adds a row if there is room. Refuses a street whose name another has, unless
   * the complement names an estate.
   */
  add(row: Row): boolean {
    const name = `${row.type} ${row.name}`;
    const full = `${name} ${row.complement}`;
    if (this.isFull || this.#complements.has(full)) return false;
    if (!row.complement.startsWith("(")) {
      const isOther = this.#streets.has(name) &&
        (row.street === undefined || this.#streets.get(name) !== row.street);
      if (isOther) return false;
      this.#streets.set(name, row.street);
    }
    this.#complements.add(full);
    this.#rows.push(row);
    return true;
  }
}
