/**
 * Records that match all required terms of a query.
 *
 * The results of a search are the records that its visits offer, in order of
 * score and CEP; a page is a part of them. So that all pages are parts of the
 * same results, the limit and the position of a page decide neither which
 * visits there are, nor their order, nor the work at which the search is cut
 * off. Each visit has a lower bound, and visits are in order of their bounds; a
 * record with a score below the bound of a visit is left to other visits. The
 * visits after the first one whose bound the page refuses can therefore be left
 * out, whatever they would offer.
 *
 * @module
 */
import { Bounds } from "./bounds.ts";
import { DIFFERENCES, UNIT } from "./differences.ts";
import { intersect, totalOf } from "./intervals.ts";
import { NameMarks } from "./name_marks.ts";
import { type Choice, RecordVisitor } from "./record_visitor.ts";
import type { Scorer } from "./scorer.ts";
import type { Interval, SearchIndex } from "./search_index.ts";
import { least, toMask } from "./term_mask.ts";
import { TermNames } from "./term_names.ts";
import { TermPlaces } from "./term_places.ts";
import { costOfWord, type Term } from "./terms.ts";
import type { TopRecords } from "./top_records.ts";

/** Names and records that a search visits at most. */
const MAX_WORK = 100_000;

/** Share of the work that goes into streets of a type. */
const TYPE_SHARE = 0.75;

/** Estimated work of one name, in records. */
const NAME_WORK = 2;

/** Visits with a common lower bound of their costs. */
interface Branch {
  /** Lower bound, in units. */
  readonly cost: number;
  /** Makes the visits of that cost. */
  readonly open: (floor: number) => void;
  /** Names of higher costs, each followed by its mask, by their costs. */
  later?: readonly (readonly number[] | undefined)[];
  /** Records of these names that match the other terms. */
  readonly intervals?: readonly Interval[] | undefined;
}

/** Options of {@linkcode Candidates}. */
export interface CandidatesOptions {
  /**
   * Names and records that a search visits at most.
   *
   * @default {100_000}
   */
  readonly maxWork?: number;
}

/** Generator of candidates. Its arrays serve one search after another. */
export class Candidates {
  readonly #index: SearchIndex;
  readonly #scorer: Scorer;
  readonly #bounds = new Bounds();
  readonly #places: TermPlaces;
  readonly #names: TermNames;
  readonly #visitor: RecordVisitor;
  readonly #maxWork: number;
  #branches: Branch[] = [];
  /** Highest cost of any visit, in units. */
  #last = 0;
  #optional: readonly Term[] = [];
  #top!: TopRecords;

  constructor(
    index: SearchIndex,
    scorer: Scorer,
    { maxWork = MAX_WORK }: CandidatesOptions = {},
  ) {
    this.#index = index;
    this.#scorer = scorer;
    this.#maxWork = maxWork;
    this.#places = new TermPlaces(index);
    const bounds = this.#bounds;
    const marks = new NameMarks(index);
    this.#visitor = new RecordVisitor({
      index,
      scorer,
      bounds,
      marks,
      places: this.#places,
    });
    this.#names = new TermNames({ index, scorer, bounds, marks });
  }

  /** True if the last search found a record, even if `adjust` left it out. */
  get hasMatched(): boolean {
    return this.#visitor.hasMatched;
  }

  /** Adds the best records to `top`. */
  find(terms: readonly Term[], choice: Choice): void {
    const visitor = this.#visitor;
    const { top, within } = choice;
    this.#top = top;
    this.#scorer.begin(terms);
    this.#bounds.begin(terms);
    this.#places.begin(terms);
    this.#names.begin(terms);
    visitor.begin(choice, this.#maxWork);
    this.#optional = terms.filter((it) => !it.isRequired && it.names > 0);
    this.#branches = [];
    this.#last = 0;
    const required = terms.filter(({ isRequired }) => isRequired);
    if (required.length === 0 && within === undefined) return;
    if (required.some(isUnknown)) return;
    this.#addStreets(required, within, 0);
    const type = required.find(({ isType }) => isType);
    if (type !== undefined) this.#addType(type, within);
    this.#addGeneral(required, terms);
    for (let cost = 0; cost <= this.#last; cost++) {
      if (top.refuses(cost * UNIT)) return;
      for (const branch of this.#branches) { // `open` adds more.
        if (branch.cost === cost) branch.open(cost * UNIT);
        else this.#visit(branch.later?.[cost], branch, cost);
        if (visitor.work <= 0) return;
      }
    }
  }

  #add(branch: Branch): void {
    this.#branches.push(branch);
    this.#last = Math.max(this.#last, branch.cost);
  }

  /** Adds the general CEPs of places that match all terms. */
  #addGeneral(required: readonly Term[], terms: readonly Term[]): void {
    const rarest = least(required, ({ places }) => places);
    if (rarest?.places === 0) return;
    this.#add({
      // A query with a street type is rarely about a place.
      cost: terms.some(({ isType, isRequired }) => isType && !isRequired)
        ? DIFFERENCES.wholeName
        : this.#bounds.ofPlace(toMask(required)) / UNIT,
      open: (floor) => {
        const intervals = rarest && this.#places.of(rarest);
        this.#visitor.visitGeneral(intervals, floor);
      },
    });
  }

  /**
   * Adds the records that match some terms, in intervals whose places match the
   * other required terms at the cost `inPlace`.
   */
  #addStreets(
    terms: readonly Term[],
    intervals: readonly Interval[] | undefined,
    inPlace: number,
  ): void {
    const total = intervals === undefined
      ? this.#index.recordCount
      : totalOf(intervals);
    if (total === 0) return;
    const cost = inPlace + this.#bounds.ofTerms(toMask(terms)) / UNIT;
    const driver = least(terms, ({ names }) => names);
    if (driver === undefined) {
      this.#addPlaces(intervals, total, inPlace);
    } else if (total <= driver.names * NAME_WORK) {
      this.#addScan(terms, intervals, cost);
    } else {
      this.#addNames(driver, terms, intervals, cost, () => {
        if (driver.places === 0) return;
        const places = this.#places.of(driver);
        this.#addStreets(
          terms.filter((it) => it !== driver),
          places === undefined ? intervals : intersect(intervals, places),
          inPlace + this.#bounds.ofPlace(driver.bit) / UNIT,
        );
      });
    }
  }

  /** Adds records whose places alone match the required terms. */
  #addPlaces(
    intervals: readonly Interval[] | undefined,
    total: number,
    inPlace: number,
  ): void {
    const optional = this.#optional;
    if (optional.some(({ names }) => total <= names * NAME_WORK)) {
      this.#addScan([], intervals, inPlace);
      return;
    }
    for (const driver of optional) {
      this.#addNames(driver, [], intervals, inPlace);
    }
    this.#addScan([], intervals, inPlace + DIFFERENCES.wholeName);
  }

  /** Adds the streets of a type, of the largest municipalities only. */
  #addType(type: Term, within: readonly Interval[] | undefined): void {
    let cost: number = DIFFERENCES.writtenType;
    for (const word of this.#index.findTypes()) {
      cost = Math.min(cost, costOfWord(type, word));
    }
    this.#addScan([], this.#first(within), cost);
  }

  /** Returns the first records of some intervals, as many as can be visited. */
  #first(within: readonly Interval[] | undefined): Interval[] {
    let left = Math.floor(this.#maxWork * TYPE_SHARE);
    const first: Interval[] = [];
    for (const [start, end] of within ?? [[0, this.#index.recordCount]]) {
      if (left <= 0) break;
      first.push([start!, Math.min(end!, start! + left)]);
      left -= end! - start!;
    }
    return first;
  }

  #addScan(
    terms: readonly Term[],
    intervals: readonly Interval[] | undefined,
    cost: number,
  ): void {
    this.#add({
      cost,
      open: (floor) => this.#visitor.scan(intervals, terms, floor),
    });
  }

  /**
   * Adds the names of a term.
   *
   * @param whenOpen Adds the records without such a name.
   */
  #addNames(
    driver: Term,
    terms: readonly Term[],
    intervals: readonly Interval[] | undefined,
    cost: number,
    whenOpen?: () => void,
  ): void {
    const branch: Branch = {
      cost,
      intervals,
      open: () => {
        const visitor = this.#visitor;
        const floor = cost * UNIT;
        const { work, byCost } = this.#names.list(driver, {
          terms,
          least: cost,
          top: this.#top,
          visit: (name, mask) =>
            visitor.visitName(name, mask, intervals, floor),
        });
        visitor.work -= work;
        branch.later = byCost;
        this.#last = Math.max(this.#last, byCost.length - 1);
        if (visitor.work > 0) whenOpen?.();
      },
    };
    this.#add(branch);
  }

  #visit(
    names: readonly number[] | undefined,
    { intervals }: Branch,
    cost: number,
  ): void {
    if (names === undefined) return;
    const visitor = this.#visitor;
    for (let i = 0; i < names.length; i += 2) {
      visitor.visitName(names[i]!, names[i + 1]!, intervals, cost * UNIT);
    }
  }
}

/** True for a term that no record matches. */
function isUnknown({ names, places, forms, isType }: Term): boolean {
  return isType ? forms.length === 0 : names + places === 0;
}
