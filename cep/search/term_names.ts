/**
 * Names of the terms of a query, by lower bounds of their costs.
 *
 * @module
 */
import type { Bounds } from "./bounds.ts";
import type { NameMarks } from "./name_marks.ts";
import { UNIT } from "./differences.ts";
import type { Scorer } from "./scorer.ts";
import type { SearchIndex } from "./search_index.ts";
import { countBits, toMask } from "./term_mask.ts";
import type { Term } from "./terms.ts";
import type { TopRecords } from "./top_records.ts";

/** Names of one term that are listed, if it is the only one. */
const MAX_NAMES = 4000;

/** Names of a term above which the terms of names are marked in advance. */
const MARKED_FROM = 1000;

/** Names to mark for each one that is listed, at most. */
const MAX_MARKED = 20;

/** Options of {@linkcode TermNames.list}. */
export interface ListOptions {
  /** Terms that the names may match, too. */
  readonly terms: readonly Term[];
  /** Lowest cost, which names of lower costs get. */
  readonly least: number;
  /** Best records so far, which refuse costs. */
  readonly top: Pick<TopRecords, "refuses">;
  /** Takes a name of the lowest cost, and the terms that it matches. */
  readonly visit: (name: number, mask: number) => void;
}

/** Names of a term that are not of the lowest cost. */
export interface ListedNames {
  /** Names, each followed by the terms that it matches, by their costs. */
  readonly byCost: (number[] | undefined)[];
  /** Work of listing them. */
  readonly work: number;
}

/** Lists of the names of terms, one query at a time. */
export class TermNames {
  readonly #index: SearchIndex;
  readonly #scorer: Scorer;
  readonly #bounds: Bounds;
  readonly #marks: NameMarks;
  /** Number of words of each name, without its type. */
  readonly #lengths: Uint8Array;
  #terms: readonly Term[] = [];
  /** Bits of the required terms that no place matches. */
  #must = 0;
  #work = 0;
  /** Number of terms that may be missing, and whose names are not marked. */
  #unmarked = 0;

  constructor({ index, scorer, bounds, marks }: {
    readonly index: SearchIndex;
    readonly scorer: Scorer;
    readonly bounds: Bounds;
    readonly marks: NameMarks;
  }) {
    this.#index = index;
    this.#scorer = scorer;
    this.#bounds = bounds;
    this.#marks = marks;
    const { nameWordStarts, typeLengths } = index.arrays;
    this.#lengths = typeLengths.map((length, name) =>
      Math.min(nameWordStarts[name + 1]! - nameWordStarts[name]! - length, 255)
    );
  }

  /** Begins a query. */
  begin(terms: readonly Term[]): void {
    this.#terms = terms;
    this.#marks.clear();
    this.#must = toMask(
      terms.filter(({ isRequired, places }) => isRequired && places === 0),
    );
  }

  /** Lists the names of a term. */
  list(driver: Term, { terms, least, top, visit }: ListOptions): ListedNames {
    this.#work = 0;
    const isMarked = driver.names > MARKED_FROM && this.#mark(terms, driver);
    const share = terms.length === 1 && driver.names > MAX_NAMES
      ? MAX_NAMES / driver.names
      : 1;
    const { namesOfWords, namesOfWordStarts } = this.#index.arrays;
    const byCost: (number[] | undefined)[] = [];
    const lengths = this.#lengths;
    const bounds = this.#bounds;
    const marks = this.#marks;
    const unmarked = isMarked ? this.#unmarked : 0;
    const must = this.#must;
    const scorer = this.#scorer;
    for (const form of driver.forms) {
      for (let word = form.start; word < form.end; word++) {
        const start = namesOfWordStarts[word]!;
        let end = namesOfWordStarts[word + 1]!;
        if (share < 1) {
          end = Math.min(end, start + Math.round(share * (end - start)));
        }
        this.#work += end - start >> 2;
        const own = scorer.maskOfWord(word);
        for (let i = start; i < end; i++) {
          const name = namesOfWords[i]!;
          let mask = own;
          let missing = lengths[name]!;
          if (isMarked) {
            mask |= marks.of(name);
            missing -= countBits(mask) + unmarked;
          } else {
            mask = scorer.readName(name, missing);
            missing = scorer.missing;
          }
          if ((must & ~mask) !== 0) continue;
          const cost = bounds.ofName(mask, missing);
          if (cost <= least) visit(name, mask);
          else if (!top.refuses(cost * UNIT)) {
            (byCost[cost] ??= []).push(name, mask);
          }
        }
      }
    }
    return { byCost, work: this.#work };
  }

  /**
   * Marks the names of all terms.
   *
   * @returns False if that would be more work than to read the driver's names.
   */
  #mark(terms: readonly Term[], driver: Term): boolean {
    const total = terms.reduce((sum, { names }) => sum + names, 0);
    if (total > MAX_MARKED * driver.names) return false;
    for (const term of terms) this.#add(term, driver);
    this.#unmarked = 0;
    for (const term of this.#terms) {
      if (term.isRequired) continue;
      if (term.names > driver.names) this.#unmarked++;
      else this.#add(term, driver);
    }
    return true;
  }

  #add(term: Term, driver: Term): void {
    if (term === driver) return;
    this.#work += term.names >> 3;
    this.#marks.add(term);
  }
}
