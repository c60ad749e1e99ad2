import { contains, type Interval, type SearchIndex } from "../search_index.ts";
import { firstOf } from "./bits.ts";
import type { Query } from "./query.ts";
import type { Budget } from "./budget.ts";
import { lowerBound } from "../../util/bisect.ts";

/** Records with a word of which every one is a candidate. */
const MAX_ADDED = 30_000;
/** Weight of the number of a unit, which may be that of a street. */
const OF_UNIT = 0.5;

/** Weight of a neighbourhood or a sector of CEPs that agrees. */
const NEARBY = 0.5;

/** Ranks of a weight. */
const STEPS = 16;
const MAX_RANK = 64 * STEPS - 1;

/** Options of {@linkcode Candidates.find}. */
export interface CandidateOptions {
  /** Tokens that may be words of a record. */
  readonly tokens: number;
  /** Records to choose from, `undefined` for all. */
  readonly within: readonly Interval[] | undefined;
  /** Records that come first among equal ones. */
  readonly preferred: readonly Interval[];
  readonly limit: number;
}

/** Generator of candidates. Its arrays serve one query after another. */
export class Candidates {
  readonly #index: SearchIndex;
  /** Weight of the words of each record that were found. */
  readonly #weights: Float32Array;
  /** Token that each record was last found by. */
  readonly #tokens: Uint8Array;
  /** Records that were found, up to `#foundCount`. */
  readonly #found: number[] = [];
  #foundCount = 0;
  /** Ranks of those records, and how many have each. */
  readonly #ranks: number[] = [];
  readonly #countsOfRanks = new Uint32Array(MAX_RANK + 1);
  readonly #budget: Budget;

  constructor(index: SearchIndex, budget: Budget) {
    this.#index = index;
    this.#budget = budget;
    this.#weights = new Float32Array(index.recordCount);
    this.#tokens = new Uint8Array(index.recordCount);
  }

  /** Returns the records with most of the rare words of a query. */
  find(query: Query, options: CandidateOptions): number[] {
    const { within, limit } = options;
    const terms = this.#termsOf(query, options);
    for (const { token, count, weight } of terms) {
      const isAdding = this.#foundCount === 0 ||
        this.#foundCount + count <= MAX_ADDED;
      for (const { key, cost } of query.forms[token]!.keys) {
        this.#visit(key, within, token + 1, weight * (1 - cost), isAdding);
      }
    }
    const best = this.#best(query, options, limit);
    for (let i = 0; i < this.#foundCount; i++) {
      const record = this.#found[i]!;
      this.#weights[record] = 0;
      this.#tokens[record] = 0;
    }
    this.#foundCount = 0;
    return best;
  }

  /** Returns the tokens with records, those with the fewest first. */
  #termsOf({ forms, units }: Query, { tokens, within }: CandidateOptions) {
    const terms = [];
    for (let rest = tokens; rest !== 0; rest &= rest - 1) {
      const token = firstOf(rest);
      let count = 0;
      for (const { key } of forms[token]!.keys) {
        count += this.#count(key, within);
      }
      if (count === 0) continue;
      const { weight } = forms[token]!;
      const isUnit = (units & 1 << token) !== 0;
      terms.push({ token, count, weight: isUnit ? weight * OF_UNIT : weight });
    }
    return terms.sort((a, b) => a.count - b.count);
  }

  #count(key: number, within: readonly Interval[] | undefined): number {
    const { recordsOfKeys, recordsOfKeyStarts } = this.#index.arrays;
    const start = recordsOfKeyStarts[key]!;
    const end = recordsOfKeyStarts[key + 1]!;
    if (within === undefined || within.length > 2) return end - start;
    let count = 0;
    for (const [low, high] of within) {
      const first = lowerBound(recordsOfKeys, low, start, end);
      count += lowerBound(recordsOfKeys, high, first, end) - first;
    }
    return count;
  }

  #visit(
    key: number,
    within: readonly Interval[] | undefined,
    token: number,
    weight: number,
    isAdding: boolean,
  ): void {
    const { recordsOfKeys, recordsOfKeyStarts } = this.#index.arrays;
    const weights = this.#weights;
    const tokens = this.#tokens;
    const end = recordsOfKeyStarts[key + 1]!;
    let i = recordsOfKeyStarts[key]!;
    for (const [low, high] of within ?? [[0, this.#index.recordCount]]) {
      i = lowerBound(recordsOfKeys, low!, i, end);
      const first = i;
      for (; i < end; i++) {
        const record = recordsOfKeys[i]!;
        if (record >= high!) break;
        if (tokens[record] === token) continue;
        if (weights[record] === 0) {
          if (!isAdding) continue;
          this.#found[this.#foundCount++] = record;
        }
        tokens[record] = token;
        weights[record]! += weight;
      }
      if (!this.#budget.spend(i - first) || i === end) return;
    }
  }

  /** Returns the best records; of equal ones, those of the largest cities. */
  #best(
    { cep }: Query,
    { preferred }: CandidateOptions,
    limit: number,
  ): number[] {
    const { names, nameWordStarts, typeLengths, ceps } = this.#index.arrays;
    const found = this.#found;
    const count = this.#foundCount;
    if (count <= limit) return found.slice(0, count);
    const sector = cep === "" ? -1 : Math.floor(Number(cep) / 1000);
    const ranks = this.#ranks;
    for (let i = 0; i < count; i++) {
      const record = found[i]!;
      const isNear = sector >= 0 &&
          Math.floor(ceps[record]! / 1000) === sector ||
        preferred.length > 0 && contains(preferred, record);
      const weight = this.#weights[record]! + (isNear ? NEARBY : 0);
      ranks[i] = Math.min(weight * STEPS, MAX_RANK) | 0;
    }
    const [best, ties] = this.#split(found, count, limit);
    // Short names have fewer words that the address lacks.
    for (let i = 0; i < ties.length; i++) {
      const name = names[ties[i]!]!;
      const length = nameWordStarts[name + 1]! - nameWordStarts[name]! -
        typeLengths[name]!;
      ranks[i] = Math.max(0, 15 - length);
    }
    const [first, equal] = this.#split(
      ties,
      ties.length,
      limit - best.length,
    );
    equal.sort((a, b) => a - b);
    return [...best, ...first, ...equal].slice(0, limit);
  }

  /**
   * Splits records into those with the highest ranks, fewer than a limit, and
   * those of the next rank.
   */
  #split(
    records: readonly number[],
    count: number,
    limit: number,
  ): [best: number[], ties: number[]] {
    if (count <= limit) return [records.slice(0, count), []];
    const ranks = this.#ranks;
    const counts = this.#countsOfRanks.fill(0);
    for (let i = 0; i < count; i++) counts[ranks[i]!]!++;
    let least = MAX_RANK;
    for (let total = counts[least]!; total < limit && least > 0;) {
      total += counts[--least]!;
    }
    const best: number[] = [];
    const ties: number[] = [];
    for (let i = 0; i < count; i++) {
      const rank = ranks[i]!;
      if (rank > least) best.push(records[i]!);
      else if (rank === least) ties.push(records[i]!);
    }
    return [best, ties];
  }
}
