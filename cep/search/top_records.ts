/**
 * Best records of a search.
 *
 * @module
 */

/** Place of a record in the order of results: score, then CEP. */
export interface Rank {
  readonly score: number;
  readonly cep: number;
}

/** Record with its place in the order of results. */
export interface Ranked extends Rank {
  readonly record: number;
}

/** The best records after some place in the order, best first. */
export class TopRecords {
  readonly all: Ranked[] = [];
  readonly #limit: number;
  readonly #after: Rank | undefined;
  /** Highest score, if there are as many records as the limit. */
  #worst = Infinity;

  constructor(limit: number, after: Rank | undefined) {
    this.#limit = limit;
    this.#after = after;
  }

  /** True if a record of a score and CEP would be among the best. */
  accepts(score: number, cep: number): boolean {
    if (this.#after && !isBefore(this.#after, score, cep)) return false;
    if (this.all.length < this.#limit) return true;
    const { score: worst, cep: last } = this.all.at(-1)!;
    return score < worst || score === worst && cep < last;
  }

  /** True if no record of a score or a higher one can be among the best. */
  refuses(score: number): boolean {
    return this.#worst < score;
  }

  /** Adds a record, unless it has been added before. */
  add(ranked: Ranked): void {
    const { score, cep } = ranked;
    let i = this.all.length;
    while (i > 0 && !isBefore(this.all[i - 1]!, score, cep)) i--;
    if (this.all[i]?.cep === cep) return;
    this.all.splice(i, 0, ranked);
    if (this.all.length > this.#limit) this.all.pop();
    if (this.all.length === this.#limit) this.#worst = this.all.at(-1)!.score;
  }
}

function isBefore(rank: Rank, score: number, cep: number): boolean {
  return rank.score < score || rank.score === score && rank.cep < cep;
}
