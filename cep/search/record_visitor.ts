/**
 * Visits to records, which offer them to the best of a search.
 *
 * @module
 */
import type { Bounds } from "./bounds.ts";
import { NAMELESS } from "./index_layout.ts";
import { contains, intersect, totalOf } from "./intervals.ts";
import type { NameMarks } from "./name_marks.ts";
import { RARITIES } from "./rarity_column.ts";
import { isIn, type RecordSet, RecordSets } from "./record_sets.ts";
import type { Scorer } from "./scorer.ts";
import { type Interval, lowerBound, type SearchIndex } from "./search_index.ts";
import { toMask } from "./term_mask.ts";
import type { TermPlaces } from "./term_places.ts";
import type { Term } from "./terms.ts";
import type { TopRecords } from "./top_records.ts";

/** Names that are marked for each record that is visited, at most. */
const MARKED_PER_RECORD = 3;

/** Records of a name above which they are found by place. */
const MANY_RECORDS = 64;

/** Choice of the best records of one search. */
export interface Choice {
  /** Best records so far. */
  readonly top: TopRecords;
  /** Records to choose from, `undefined` for all. */
  readonly within: readonly Interval[] | undefined;
  /**
   * Returns what to add to the score of a record, `Infinity` to leave it out.
   */
  readonly adjust?: ((record: number) => number) | undefined;
}

/** Parts of a search that a visitor shares with the candidates. */
export interface Shared {
  readonly index: SearchIndex;
  readonly scorer: Scorer;
  readonly bounds: Bounds;
  readonly marks: NameMarks;
  readonly places: TermPlaces;
}

/**
 * Visitor of records. A visit takes a floor: a record with a lower score is not
 * offered, because another visit either has offered it or will not happen.
 */
export class RecordVisitor {
  /** True if a record has matched, even if `adjust` left it out. */
  hasMatched = false;
  /** Names and records that may still be visited. */
  work = 0;
  readonly #index: SearchIndex;
  readonly #scorer: Scorer;
  readonly #bounds: Bounds;
  readonly #marks: NameMarks;
  readonly #places: TermPlaces;
  readonly #sets: RecordSets;
  #required = 0;
  #choice!: Choice;

  constructor({ index, scorer, bounds, marks, places }: Shared) {
    this.#index = index;
    this.#scorer = scorer;
    this.#bounds = bounds;
    this.#marks = marks;
    this.#places = places;
    this.#sets = new RecordSets(index.recordCount);
  }

  /** Begins a search. */
  begin(choice: Choice, work: number): void {
    this.#choice = choice;
    this.#required = this.#scorer.required;
    this.#sets.clear();
    this.work = work;
    this.hasMatched = false;
  }

  /** Visits the general CEPs in some intervals, `undefined` for all. */
  visitGeneral(
    intervals: readonly Interval[] | undefined,
    floor: number,
  ): void {
    const index = this.#index;
    const all = index.generalRecords;
    for (const [start, end] of intervals ?? [[0, index.recordCount] as const]) {
      let i = lowerBound(all, start, 0, all.length);
      for (; i < all.length && all[i]! < end; i++) {
        const record = all[i]!;
        this.work--;
        if (!contains(this.#choice.within, record)) continue;
        const place = index.placeOf(record);
        const mask = this.#scorer.maskOfPlace(place);
        if ((mask & this.#required) === this.#required) {
          this.#offer(record, place, floor);
        }
      }
    }
  }

  /**
   * Visits the records of a name.
   *
   * @param mask Terms that the name matches.
   * @param intervals Intervals that contain all of these records that match the
   * other terms.
   */
  visitName(
    name: number,
    mask: number,
    intervals: readonly Interval[] | undefined,
    floor: number,
  ): void {
    if (this.work <= 0) return;
    const { recordsOfNames, recordsOfNameStarts } = this.#index.arrays;
    let start = recordsOfNameStarts[name]!;
    const end = recordsOfNameStarts[name + 1]!;
    const need = this.#required & ~mask;
    let set: RecordSet | undefined;
    let chosen: readonly Interval[] | undefined;
    this.work--;
    if (need !== 0) {
      const places = this.#places.ofMask(need);
      if (places?.length === 0) return;
      set = places && this.#sets.find(need, places);
      if (end - start > MANY_RECORDS) {
        chosen = places === undefined
          ? intervals
          : intersect(intervals, places);
      } else if (set !== undefined) {
        while (start < end && !isIn(set, recordsOfNames[start]!)) start++;
      }
    } else if (end - start > MANY_RECORDS) {
      chosen = intervals;
    }
    if (chosen !== undefined && chosen.length * 10 >= end - start) {
      chosen = undefined;
    }
    // The work is that without bounds, which depend on the page.
    this.work -= chosen === undefined
      ? end - start
      : this.#countIn(chosen, start, end);
    if (start === end || this.work <= 0) return;
    const bound = this.#scorer.scoreName(name) + this.#bounds.ofPlace(need);
    if (this.#choice.top.refuses(bound)) return;
    const least = Math.max(bound, floor);
    if (chosen !== undefined) {
      for (const [first, last] of chosen) {
        let i = lowerBound(recordsOfNames, first, start, end);
        for (; i < end && recordsOfNames[i]! < last; i++) {
          if (!this.#visitRecord(recordsOfNames[i]!, need, least)) return;
        }
      }
      return;
    }
    for (let i = start; i < end; i++) {
      const record = recordsOfNames[i]!;
      if (set !== undefined && !isIn(set, record)) continue;
      if (!this.#visitRecord(record, need, least)) return;
    }
  }

  /** Returns the number of records of a name in some intervals. */
  #countIn(
    intervals: readonly Interval[],
    start: number,
    end: number,
  ): number {
    const { recordsOfNames } = this.#index.arrays;
    let count = 0;
    for (const [first, last] of intervals) {
      const from = lowerBound(recordsOfNames, first, start, end);
      count += lowerBound(recordsOfNames, last, from, end) - from;
    }
    return count;
  }

  /**
   * Visits a record of the last name.
   *
   * @returns False if no later record of the name can be among the best.
   */
  #visitRecord(record: number, need: number, floor: number): boolean {
    if (!contains(this.#choice.within, record)) return true;
    const { top } = this.#choice;
    const place = this.#index.placeOf(record);
    // Later records are in smaller municipalities.
    const least = floor + this.#index.sizeRanks[place]!;
    if (top.refuses(least)) return false;
    if (need !== 0) {
      const mask = this.#scorer.maskOfPlace(place);
      if ((mask & need) !== need) return true;
    }
    this.hasMatched = true;
    const score = this.#scorer.scoreInPlace(place);
    if (!top.refuses(score)) {
      this.#offer(record, place, Math.max(least, score));
    }
    return true;
  }

  /** Adds a record with its final score. */
  #offer(
    record: number,
    place: number,
    floor: number,
    cep: number = this.#index.arrays.ceps[record]!,
  ): void {
    const { top, adjust } = this.#choice;
    let score = this.#scorer.scoreRecord(record, place);
    if (score === Infinity) return;
    this.hasMatched = true;
    if (score < floor || top.refuses(score)) return;
    if (adjust !== undefined) score += adjust(record);
    score += this.#rarityOf(record);
    if (score < Infinity && top.accepts(score, cep)) {
      top.add({ score, cep, record });
    }
  }

  /** Returns a part of a score that only decides between equal ones. */
  #rarityOf(record: number): number {
    const { rarities } = this.#index.arrays;
    return rarities.length === 0 ? 0 : rarities[record]! / RARITIES;
  }

  /**
   * Visits all records of some intervals.
   *
   * @param terms Terms that are in none of the places, or not in all of them.
   */
  scan(
    intervals: readonly Interval[] | undefined,
    terms: readonly Term[],
    floor: number,
  ): void {
    const { top, adjust } = this.#choice;
    const total = intervals ? totalOf(intervals) : this.#index.recordCount;
    const marked = this.#markFor(terms, total);
    const { names, otherRecords, otherNames, placeStarts, ceps } =
      this.#index.arrays;
    const { sizeRanks } = this.#index;
    let left = Math.max(0, Math.min(total, this.work));
    this.work -= left;
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
        if (left-- <= 0) return;
        if (record >= placeEnd) {
          place = this.#index.placeOf(record);
          // Later records are in smaller municipalities.
          if (top.refuses(floor + sizeRanks[place]!)) return;
          placeEnd = placeStarts[place + 1] ?? end;
          inPlace = scorer.maskOfPlace(place);
          need = required & ~inPlace;
          known = (need & ~marked) === 0;
        }
        let matches = need === 0;
        if (!matches) {
          const name = names[record]!;
          const mask = known ? this.#marks.of(name) : scorer.maskOfName(name);
          matches = (mask & need) === need;
        }
        let others = 0;
        for (; otherRecords[other] === record; other++, others++) {
          matches ||= (scorer.maskOfName(otherNames[other]!) & need) === need;
        }
        if (!matches || !contains(this.#choice.within, record)) continue;
        const cep = ceps[record]!;
        this.hasMatched = true;
        if (need === 0 && others === 0 && names[record] !== NAMELESS) {
          // Skips most records of a place, which have equal scores.
          scorer.scoreName(names[record]!);
          const score = scorer.scoreInPlace(place);
          if (top.refuses(score)) continue;
          const rarity = this.#rarityOf(record);
          if (!adjust && !top.accepts(score + rarity, cep)) continue;
        }
        this.#offer(record, place, floor, cep);
      }
    }
  }

  /**
   * Marks the names of terms if that is less work than to read those of as many
   * records.
   *
   * @returns Bits of the marked terms.
   */
  #markFor(terms: readonly Term[], records: number): number {
    const toMark = terms.reduce((sum, { names }) => sum + names, 0);
    if (toMark >= MARKED_PER_RECORD * records) return 0;
    for (const term of terms) {
      this.work -= term.names >> 3;
      this.#marks.add(term);
    }
    return toMask(terms);
  }
}
