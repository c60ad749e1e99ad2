/**
 * Ranking of the records that may be those of an address.
 *
 * @module
 */
import type { Address } from "../address.ts";
import type { SeenNumbers } from "../seen_numbers.ts";
import {
  type Candidate,
  compare,
  type Comparison,
  isAcceptable,
  type Subject,
  toSubject,
} from "./comparison.ts";
import { takePlaces } from "./place_in_street.ts";
import { addressesOf, givesWay } from "./rarer.ts";

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

  /**
   * Adds a record, unless it has been added.
   *
   * @param json The record.
   * @param seen Building numbers that the census saw, if they matter.
   */
  add(json: string, seen?: SeenNumbers): void {
    const record: Address = JSON.parse(json);
    if (this.#comparisons.has(record.cep)) return;
    const ranked = { ...this.#compare({ record, seen }), json };
    this.#comparisons.set(record.cep, ranked);
    if (!isAcceptable(ranked.subject, ranked)) return;
    const { score, similarities: { logradouro = 0, numero } } = ranked;
    this.best = Math.max(this.best, score);
    this.#isGood ||= score >= GOOD && logradouro >= GOOD_STREET && numero !== 0;
  }

  #compare(candidate: Candidate): Omit<Ranked, "json"> {
    const subject = this.subject;
    const plain = { ...compare(subject, candidate), subject };
    const parts = takePlaces(subject.parts, candidate.record);
    if (parts === subject.parts) return plain;
    const other = toSubject(parts, subject.successor);
    const split = compare(other, candidate);
    const score = split.score * WITHOUT_COMMAS;
    return score > plain.score || !isAcceptable(subject, plain)
      ? { ...split, score, subject: other }
      : plain;
  }

  /**
   * Returns the acceptable records, those with the highest score first. A record
   * that gives way follows the one that it gives way to.
   */
  acceptable(): Ranked[] {
    return this.#order().map(({ ranked }) => ranked);
  }

  /** Returns the acceptable records with the highest score. */
  top(): Ranked[] {
    const kept = this.#order().filter(({ isAfter }) => !isAfter);
    const best = kept[0]?.score ?? 0;
    return kept.filter(({ score }) => score > best - EPSILON)
      .map(({ ranked }) => ranked);
  }

  #order(): Place[] {
    const all = [...this.#comparisons.values()]
      .filter((it) => isAcceptable(it.subject, it));
    return all.map((ranked) => {
      const before = all.filter((other) => givesWay(ranked, other));
      const score = Math.max(...before.map(({ score }) => score));
      return before.length === 0
        ? { ranked, score: ranked.score, isAfter: false }
        : { ranked, score: Math.min(score, ranked.score), isAfter: true };
    }).sort(byPlace);
  }
}

/** Place of a record in the order of the answers. */
interface Place {
  readonly ranked: Ranked;
  /** Its score, at most that of a record that it gives way to. */
  readonly score: number;
  /** True if it gives way to another record. */
  readonly isAfter: boolean;
}

function byPlace(one: Place, other: Place): number {
  const difference = other.score - one.score;
  if (Math.abs(difference) > EPSILON) return difference;
  return Number(one.isAfter) - Number(other.isAfter) ||
    rarity(one.ranked) - rarity(other.ranked);
}

/** Order of records that fit equally: those of the DNE, then by addresses. */
function rarity({ record }: Ranked): number {
  return record.tipo_origem === "cnefe" ? 1 / addressesOf(record) : 0;
}
