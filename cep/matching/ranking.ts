/**
 * Ranking of the records that may be those of an address.
 *
 * @module
 */
import type { Address } from "../address.ts";
import {
  compare,
  type Comparison,
  isAcceptable,
  type Subject,
  toSubject,
} from "./comparison.ts";
import { takePlaces } from "./place_in_street.ts";

/** Score at which no further query is made. */
const GOOD = 0.8;
/** Similarity of the street at which no further query is made. */
const GOOD_STREET = 0.85;
/** Scores that are equal except for rounding. */
const EPSILON = 1e-6;
/** Factor for an address whose places are at the end of its street. */
const WITHOUT_COMMAS = 0.97;

/** Comparison of an address, in one of its readings, with a record. */
export interface Ranked extends Comparison {
  /** The address, as it was read for this record. */
  readonly subject: Subject;
  /** JSON of the record. */
  readonly json: string;
}

/** Records in order of their scores. */
export class Ranking {
  /** The address. */
  readonly subject: Subject;
  readonly #comparisons = new Map<string, Ranked>();
  /** Highest score of an acceptable record. */
  best = 0;
  #isGood = false;

  constructor(subject: Subject) {
    this.subject = subject;
  }

  /** Existence of an acceptable record. */
  get hasAcceptable(): boolean {
    return this.best > 0;
  }

  /** True if a better record is unlikely. */
  get isGood(): boolean {
    return this.#isGood;
  }

  /** True if the record of the given CEP agrees in every part. */
  get isSettled(): boolean {
    return this.best > 1 - EPSILON;
  }

  add(json: string): void {
    const record: Address = JSON.parse(json);
    if (this.#comparisons.has(record.cep)) return;
    const ranked = { ...this.#compare(record), json };
    this.#comparisons.set(record.cep, ranked);
    if (!isAcceptable(ranked.subject, ranked)) return;
    const { score, similarities: { logradouro = 0, numero } } = ranked;
    this.best = Math.max(this.best, score);
    this.#isGood ||= score >= GOOD && logradouro >= GOOD_STREET && numero !== 0;
  }

  #compare(record: Address): Omit<Ranked, "json"> {
    const subject = this.subject;
    const plain = { ...compare(subject, record), subject };
    const parts = takePlaces(subject.parts, record);
    if (parts === subject.parts) return plain;
    const other = toSubject(parts, subject.successor);
    const split = compare(other, record);
    const score = split.score * WITHOUT_COMMAS;
    return score > plain.score || !isAcceptable(subject, plain)
      ? { ...split, score, subject: other }
      : plain;
  }

  /** Returns the acceptable records, those with the highest score first. */
  acceptable(): Ranked[] {
    return [...this.#comparisons.values()]
      .filter((it) => isAcceptable(it.subject, it))
      .sort((a, b) => b.score - a.score);
  }

  /** Returns the acceptable records with the highest score. */
  top(): Ranked[] {
    return this.acceptable().filter(({ score }) => score > this.best - EPSILON);
  }
}
