/**
 * Records that match all required terms of a query, the most promising first.
 *
 * @module
 */
import { Bounds } from "./bounds.ts";
import { NAMELESS, STATE } from "./index_layout.ts";
import { intersect, merge, totalOf } from "./intervals.ts";
import { isIn, type RecordSet, RecordSets } from "./record_sets.ts";
import { type Interval, lowerBound, type SearchIndex } from "./search_index.ts";
import { countBits, DIFFERENCES, type Scorer, UNIT } from "./scorer.ts";
import type { Term } from "./terms.ts";
import type { TopRecords } from "./top_records.ts";

/** Names and records that a search visits at most. */
const MAX_WORK = 100_000;

/** Names of one term that are visited, if it is the only one. */
const MAX_NAMES = 4000;

/** Places of a term above which they are not listed. */
const MAX_PLACES = 3000;

/** Names of a term above which the terms of names are marked in advance. */
const MARKED_FROM = 1000;

/** Names that are marked for each record that is visited, at most. */
const MARKED_PER_RECORD = 3;

/** Records of a name above which they are found by place. */
const MANY_RECORDS = 64;

/** Names to mark for each one that is visited, at most. */
const MAX_MARKED = 20;

/** Estimated work of one name, in records. */
const NAME_WORK = 2;

/** Score of the least cost of a record in which no word of its name matches. */
const PLACE_ONLY = DIFFERENCES.wholeName * UNIT;

/** Generator of candidates. Its arrays serve one search after another. */
export class Candidates {
  /** True if the last search found a record, even if `adjust` left it out. */
  hasMatched = false;
  readonly #index: SearchIndex;
  readonly #scorer: Scorer;
  /** Terms of each name, below the number of the search. */
  readonly #nameMarks: Uint32Array;
  /** Number of words of each name, without its type. */
  readonly #nameLengths: Uint8Array;
  readonly #bounds = new Bounds();
  readonly #sets: RecordSets;
  #search = 0;
  #work = 0;
  #required = 0;
  /** Bits of the required terms that no place matches. */
  #must = 0;
  /** Number of terms that may be missing, and whose names are not marked. */
  #optional = 0;
  #top!: TopRecords;
  #within: readonly Interval[] | undefined;
  #adjust: ((record: number) => number) | undefined;
  readonly #intervals = new Map<number, Interval[]>();
  readonly #needs = new Map<number, readonly Interval[] | undefined>();
  #terms: readonly Term[] = [];

  constructor(index: SearchIndex, scorer: Scorer) {
    this.#index = index;
    this.#scorer = scorer;
    this.#sets = new RecordSets(index.recordCount);
    const { nameWordStarts, typeLengths } = index.arrays;
    this.#nameMarks = new Uint32Array(typeLengths.length);
    this.#nameLengths = typeLengths.map((length, name) =>
      Math.min(nameWordStarts[name + 1]! - nameWordStarts[name]! - length, 255)
    );
  }

  /**
   * Adds the best records to `top`.
   *
   * @param within Records to choose from, `undefined` for all.
   * @param adjust Returns what to add to the score of a record, `Infinity` to
   * leave it out.
   */
  find(
    terms: readonly Term[],
    top: TopRecords,
    within: readonly Interval[] | undefined,
    adjust?: (record: number) => number,
  ): void {
    this.#scorer.begin(terms);
    this.#terms = terms;
    this.#required = this.#scorer.required;
    this.#bounds.begin(terms);
    this.#top = top;
    this.#within = within;
    this.#adjust = adjust;
    this.#work = MAX_WORK;
    this.hasMatched = false;
    this.#intervals.clear();
    this.#needs.clear();
    this.#sets.clear();
    this.#search = this.#search + 1 & 0xFFFF;
    if (this.#search === 0) {
      this.#nameMarks.fill(0);
      this.#search = 1;
    }
    const required = terms.filter(({ isRequired }) => isRequired);
    this.#must = toMask(required.filter(({ places }) => places === 0));
    if (required.length === 0 && within === undefined) return;
    if (required.some(({ names, places }) => names + places === 0)) return;
    // A query with a street type is rarely about a place.
    const isTyped = terms.some(({ isType }) => isType);
    if (!isTyped) this.#addGeneral(required);
    this.#solve(required, within, 0);
    if (isTyped && !top.refuses(PLACE_ONLY)) this.#addGeneral(required);
  }

  /** Adds the general CEPs of places that match all terms. */
  #addGeneral(required: readonly Term[]): void {
    const rarest = least(required, ({ places }) => places);
    if (rarest?.places === 0) return;
    const index = this.#index;
    const all = index.generalRecords;
    const intervals = rarest && this.#intervalsOf(rarest);
    for (const [start, end] of intervals ?? [[0, index.recordCount] as const]) {
      let i = lowerBound(all, start, 0, all.length);
      for (; i < all.length && all[i]! < end; i++) {
        const record = all[i]!;
        if (!this.#isWithin(record)) continue;
        const place = index.placeOf(record);
        const mask = this.#scorer.maskOfPlace(place);
        if ((mask & this.#required) === this.#required) {
          this.#offer(record, place);
        }
      }
    }
  }

  /**
   * Finds the records that match some terms, in intervals whose places match
   * the others.
   */
  #solve(
    terms: readonly Term[],
    intervals: readonly Interval[] | undefined,
    inPlace: number,
  ): void {
    const bound = inPlace + this.#bounds.ofTerms(toMask(terms));
    if (this.#work <= 0 || this.#top.refuses(bound)) return;
    const total = intervals === undefined
      ? this.#index.recordCount
      : totalOf(intervals);
    if (total === 0) return;
    const driver = least(terms, ({ names }) => names);
    if (driver === undefined) {
      if (!this.#top.refuses(inPlace + PLACE_ONLY)) this.#scan(intervals, []);
      return;
    }
    if (total <= driver.names * NAME_WORK) {
      this.#scan(intervals, terms);
      return;
    }
    this.#visitNames(driver, terms, intervals);
    if (driver.places === 0) return;
    const places = this.#intervalsOf(driver);
    const rest = terms.filter((it) => it !== driver);
    const cost = inPlace + this.#bounds.ofPlace(driver.bit);
    if (places !== undefined) {
      this.#solve(rest, intersect(intervals, places), cost);
    } else if (rest.length > 0) {
      this.#solve(rest, intervals, cost);
    }
  }

  /** Visits the names of a term, the most promising first. */
  #visitNames(
    driver: Term,
    terms: readonly Term[],
    intervals: readonly Interval[] | undefined,
  ): void {
    const isMarked = driver.names > MARKED_FROM && this.#mark(terms, driver);
    const share = terms.length === 1 && driver.names > MAX_NAMES
      ? MAX_NAMES / driver.names
      : 1;
    const later = this.#visitLists(driver, share, isMarked, intervals);
    for (const [cost, names] of later.entries()) {
      if (names === undefined) continue;
      if (this.#top.refuses(cost * UNIT)) return;
      for (let i = 0; i < names.length; i += 2) {
        if (this.#work <= 0) return;
        this.#visitName(names[i]!, names[i + 1]!, intervals);
      }
    }
  }

  /**
   * Visits the names of a term that lack no term and have no further word.
   *
   * @returns The others, each followed by its mask, by their least costs.
   */
  #visitLists(
    { forms, bit }: Term,
    share: number,
    isMarked: boolean,
    intervals: readonly Interval[] | undefined,
  ): (number[] | undefined)[] {
    const { namesOfWords, namesOfWordStarts } = this.#index.arrays;
    const later: (number[] | undefined)[] = [];
    const lengths = this.#nameLengths;
    const bounds = this.#bounds;
    const marks = this.#nameMarks;
    const search = this.#search;
    const optional = isMarked ? this.#optional : 0;
    const must = this.#must;
    const scorer = this.#scorer;
    const complete = bounds.ofName(this.#required, 0);
    const isRange = forms.length > 1 || forms[0]!.end - forms[0]!.start > 1;
    for (const form of forms) {
      for (let word = form.start; word < form.end; word++) {
        const start = namesOfWordStarts[word]!;
        let end = namesOfWordStarts[word + 1]!;
        if (share < 1) {
          end = Math.min(end, start + Math.round(share * (end - start)));
        }
        this.#work -= end - start >> 2;
        const own = scorer.maskOfWord(word);
        // One word is at most one term, unless others match the same terms.
        const surplus = isRange ? 0 : countBits(own) - 1;
        for (let i = start; i < end; i++) {
          const name = namesOfWords[i]!;
          let mask = own;
          let missing = lengths[name]!;
          if (!isMarked) {
            mask = scorer.readName(name, missing);
            missing = scorer.missing;
          } else {
            const mark = marks[name]!;
            let others = 0;
            if (mark >>> 16 === search) others = mark & 0xFFFF & ~bit;
            mask |= others;
            missing -= surplus === 0 ? countBits(mask) : 1 + countBits(others);
          }
          if ((must & ~mask) !== 0) continue;
          const cost = bounds.ofName(mask, missing - optional);
          if (cost <= complete) {
            this.#visitName(name, mask, intervals);
            if (this.#work <= 0) return [];
          } else if (!this.#top.refuses(cost * UNIT)) {
            (later[cost] ??= []).push(name, mask);
          }
        }
      }
    }
    return later;
  }

  /**
   * Marks the names of all terms.
   *
   * @returns False if that would be more work than to read the driver's names.
   */
  #mark(terms: readonly Term[], driver: Term): boolean {
    const total = terms.reduce((sum, { names }) => sum + names, 0);
    if (total > MAX_MARKED * driver.names) return false;
    for (const term of terms) {
      if (term !== driver) this.#markTerm(term, driver.bit);
    }
    this.#optional = 0;
    for (const term of this.#terms) {
      if (term.isRequired) continue;
      if (term.names > driver.names) this.#optional++;
      else this.#markTerm(term, driver.bit);
    }
    return true;
  }

  /** Marks the names of a term, but not those of words of the driver. */
  #markTerm({ forms, bit, names }: Term, driver: number): void {
    const { namesOfWords, namesOfWordStarts } = this.#index.arrays;
    const marks = this.#nameMarks;
    const search = this.#search;
    const base = search << 16 >>> 0;
    this.#work -= names >> 3;
    for (const { start, end } of forms) {
      for (let word = start; word < end; word++) {
        if ((this.#scorer.maskOfWord(word) & driver) !== 0) continue;
        const last = namesOfWordStarts[word + 1]!;
        for (let i = namesOfWordStarts[word]!; i < last; i++) {
          const name = namesOfWords[i]!;
          const mark = marks[name]!;
          marks[name] = mark >>> 16 === search ? mark | bit : base | bit;
        }
      }
    }
  }

  #visitName(
    name: number,
    mask: number,
    intervals: readonly Interval[] | undefined,
  ): void {
    const { recordsOfNames, recordsOfNameStarts } = this.#index.arrays;
    let start = recordsOfNameStarts[name]!;
    const end = recordsOfNameStarts[name + 1]!;
    const need = this.#required & ~mask;
    let set: RecordSet | undefined;
    this.#work--;
    if (need !== 0) {
      const places = this.#placesOfNeed(need);
      if (places?.length === 0) return;
      set = places && this.#sets.find(need, places);
      if (set !== undefined && end - start <= MANY_RECORDS) {
        while (start < end && !isIn(set, recordsOfNames[start]!)) start++;
        if (start === end) return;
      }
    }
    const bound = this.#scorer.scoreName(name) + this.#bounds.ofPlace(need);
    if (this.#top.refuses(bound)) return;
    if (end - start > MANY_RECORDS) {
      const places = need === 0 ? undefined : this.#placesOfNeed(need);
      const chosen = places === undefined
        ? intervals
        : intersect(intervals, places);
      if (chosen !== undefined && chosen.length * 10 < end - start) {
        for (const [first, last] of chosen) {
          let i = lowerBound(recordsOfNames, first, start, end);
          for (; i < end && recordsOfNames[i]! < last; i++) {
            if (!this.#visitRecord(recordsOfNames[i]!, need, bound)) return;
          }
        }
        return;
      }
    }
    for (let i = start; i < end; i++) {
      const record = recordsOfNames[i]!;
      if (set !== undefined && !isIn(set, record)) continue;
      if (!this.#visitRecord(record, need, bound)) return;
    }
  }

  /**
   * Visits a record of the last name.
   *
   * @returns False if no later record of the name can be among the best.
   */
  #visitRecord(record: number, need: number, bound: number): boolean {
    this.#work--;
    if (!this.#isWithin(record)) return true;
    const place = this.#index.placeOf(record);
    // Later records are in smaller municipalities.
    if (this.#top.refuses(bound + this.#index.sizeRanks[place]!)) return false;
    if (need !== 0) {
      const mask = this.#scorer.maskOfPlace(place);
      if ((mask & need) !== need) return true;
    }
    this.hasMatched = true;
    if (!this.#top.refuses(this.#scorer.scoreInPlace(place))) {
      this.#offer(record, place);
    }
    return true;
  }

  /** Adds a record with its final score. */
  #offer(
    record: number,
    place: number,
    cep: number = this.#index.arrays.ceps[record]!,
  ): void {
    let score = this.#scorer.scoreRecord(record, place);
    if (score === Infinity) return;
    this.hasMatched = true;
    if (this.#top.refuses(score)) return;
    if (this.#adjust !== undefined) score += this.#adjust(record);
    if (score < Infinity && this.#top.accepts(score, cep)) {
      this.#top.add({ score, cep, record });
    }
  }

  /** Visits all records of some intervals. */
  #scan(
    intervals: readonly Interval[] | undefined,
    terms: readonly Term[],
  ): void {
    const total = intervals ? totalOf(intervals) : this.#index.recordCount;
    const toMark = terms.reduce((sum, { names }) => sum + names, 0);
    const isMarked = terms.length > 0 &&
      toMark < MARKED_PER_RECORD * total &&
      !terms.some((term) => this.#index.hasTypeWord(term.forms));
    const marked = isMarked ? toMask(terms) : 0;
    if (isMarked) { for (const term of terms) this.#markTerm(term, 0); }
    const marks = this.#nameMarks;
    const search = this.#search;
    const { names, otherRecords, otherNames, placeStarts } = this.#index.arrays;
    const scorer = this.#scorer;
    const required = this.#required;
    for (
      const [start, end] of intervals ?? [[0, this.#index.recordCount] as const]
    ) {
      let place = -1;
      let placeEnd = 0;
      let inPlace = 0;
      let need = 0;
      let known = false;
      let other = lowerBound(otherRecords, start, 0, otherRecords.length);
      for (let record = start; record < end; record++) {
        if (this.#work-- <= 0) return;
        if (record >= placeEnd) {
          place = this.#index.placeOf(record);
          placeEnd = placeStarts[place + 1] ?? end;
          inPlace = scorer.maskOfPlace(place);
          need = required & ~inPlace;
          known = (need & ~marked) === 0;
        }
        let matches = need === 0;
        if (!matches) {
          const name = names[record]!;
          let mask: number;
          if (known) {
            const mark = marks[name]!;
            mask = mark >>> 16 === search ? mark : 0;
          } else {
            mask = scorer.maskOfName(name);
          }
          matches = (mask & need) === need;
        }
        while (otherRecords[other]! === record) {
          matches ||= (scorer.maskOfName(otherNames[other]!) & need) === need;
          other++;
        }
        if (!matches || !this.#isWithin(record)) continue;
        const cep = this.#index.arrays.ceps[record]!;
        this.hasMatched = true;
        if (
          need === 0 && names[record] !== NAMELESS && other > 0 &&
          otherRecords[other - 1] !== record
        ) {
          // Skips most records of a place, which have equal scores.
          scorer.scoreName(names[record]!);
          const score = scorer.scoreInPlace(place);
          if (this.#top.refuses(score)) continue;
          if (!this.#adjust && !this.#top.accepts(score, cep)) continue;
        }
        this.#offer(record, place, cep);
      }
    }
  }

  #isWithin(record: number): boolean {
    const within = this.#within;
    if (within === undefined) return true;
    if (within.length === 1) {
      return within[0]![0] <= record && record < within[0]![1];
    }
    let low = 0;
    let high = within.length;
    while (low < high) {
      const middle = low + high >>> 1;
      if (within[middle]![1] <= record) low = middle + 1;
      else high = middle;
    }
    return low < within.length && within[low]![0] <= record;
  }

  /** Returns the records in places of all needed terms, `undefined` if many. */
  #placesOfNeed(need: number): readonly Interval[] | undefined {
    if (this.#needs.has(need)) return this.#needs.get(need);
    let found: readonly Interval[] | undefined;
    for (const term of this.#terms) {
      if ((need & term.bit) === 0) continue;
      const places = this.#intervalsOf(term);
      if (places !== undefined) found = intersect(found, places);
      if (found?.length === 0) break;
    }
    this.#needs.set(need, found);
    return found;
  }

  /** Returns the records in the places of a term, `undefined` if too many. */
  #intervalsOf(term: Term): Interval[] | undefined {
    if (term.places > MAX_PLACES) return undefined;
    let found = this.#intervals.get(term.bit);
    if (found === undefined) {
      const all: Interval[] = [];
      const { placeStarts, placeEnds, placeLevels } = this.#index.arrays;
      this.#eachPlace(term, (place) => {
        if (placeLevels[place] === STATE) {
          all.push(...this.#index.recordsIn(place));
        } else {
          all.push([placeStarts[place]!, placeEnds[place]!]);
        }
      });
      found = merge(all);
      this.#intervals.set(term.bit, found);
    }
    return found;
  }

  #eachPlace({ forms }: Term, visit: (place: number) => void): void {
    const { placesOfWords, placesOfWordStarts } = this.#index.arrays;
    for (const { start, end } of forms) {
      const last = placesOfWordStarts[end]!;
      for (let i = placesOfWordStarts[start]!; i < last; i++) {
        visit(placesOfWords[i]!);
      }
    }
  }
}

function toMask(terms: readonly Term[]): number {
  return terms.reduce((mask, { bit }) => mask | bit, 0);
}

function least(
  terms: readonly Term[],
  value: (term: Term) => number,
): Term | undefined {
  let best: Term | undefined;
  for (const term of terms) {
    if (best === undefined || value(term) < value(best)) best = term;
  }
  return best;
}
