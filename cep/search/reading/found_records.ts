import type { Aligner, Alignment } from "./alignment.ts";
import { type Budget, WORK } from "./budget.ts";

/** Cost up to which a street is certainly meant, if its city is named. */
const GOOD = 0.7;

/** Records that were found for one query, each with its best alignment. */
export class FoundRecords {
  readonly #aligner: Aligner;
  readonly #budget: Budget;
  readonly #alignments = new Map<number, Alignment>();

  constructor(aligner: Aligner, budget: Budget) {
    this.#aligner = aligner;
    this.#budget = budget;
  }

  /** Number of records. */
  get size(): number {
    return this.#alignments.size;
  }

  /**
   * Adds records that have enough of the query.
   *
   * @param excluded Tokens that are no part of the street.
   */
  add(records: Iterable<number>, excluded: number): void {
    for (const record of records) {
      if (!this.#budget.spend(WORK.alignment)) return;
      const alignment = this.#aligner.align(record, excluded);
      if (alignment === undefined) continue;
      const known = this.#alignments.get(record);
      if (known === undefined || alignment.cost < known.cost) {
        this.#alignments.set(record, alignment);
      }
    }
  }

  /** True if the street is found in a city that the address names. */
  hasStreetInCity(): boolean {
    for (const it of this.#alignments.values()) {
      const street = it.nameCost + it.typeCost + it.streetRest;
      if (it.cityAgrees === "same" && street <= GOOD && !it.isGeneral) {
        return true;
      }
    }
    return false;
  }

  /** Returns the records, the one that is most likely meant first. */
  ranked(): Alignment[] {
    return [...this.#alignments.values()].sort((a, b) =>
      a.cost - b.cost || a.record - b.record
    );
  }
}
