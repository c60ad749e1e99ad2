/**
 * Search for the record of an address.
 *
 * @module
 */
import { type Address, STATES } from "../address.ts";
import type { Reader, SearchQuery } from "../store/store.ts";
import { CityNames } from "./city_names.ts";
import {
  compare,
  type Comparison,
  type Difference,
  differences,
  isAcceptable,
  type Subject,
  toSubject,
} from "./comparison.ts";
import { parseAddress } from "./parse_address.ts";
import type { AddressParts } from "./parts.ts";
import { correctType } from "./street_in_text.ts";

/** Record that fits an address best. */
export interface Match {
  /** CEP of the record, `null` without one. */
  readonly cep: string | null;
  /** Score from 0 (nothing found) to 1 (every part agrees). */
  readonly pontuacao: number;
  /** Parts that differ. */
  readonly diferencas: readonly Difference[];
  /** CEPs of other records that fit equally well, which lower the score. */
  readonly outros_ceps: readonly string[];
  /** Address as it was understood. */
  readonly endereco: AddressParts;
  /** The record, `null` if none fits. */
  readonly registro: Address | null;
}

/** Store of the records. */
export type MatcherStore = Pick<
  Reader,
  "release" | "findJson" | "search" | "gazetteer"
>;

/** Maximum number of characters of an address. */
export const MAX_ADDRESS = 500;

/** Score at which no further query is made. */
const GOOD = 0.8;
/** Similarity of the street at which no further query is made. */
const GOOD_STREET = 0.85;
/** Records per query. */
const CANDIDATES = 10;
/** Scores that are equal except for rounding. */
const EPSILON = 1e-6;

/** Finds records of addresses. */
export class Matcher {
  readonly #store: MatcherStore;
  readonly #cities: CityNames;

  constructor(store: MatcherStore) {
    this.#store = store;
    this.#cities = new CityNames(store);
  }

  /**
   * Finds the record that fits an address best.
   *
   * @param text Free text, `""` if all parts are known.
   * @returns `undefined` if the database is empty.
   * @throws {DatabaseError} If the database cannot be read.
   */
  async match(
    text: string,
    known: Partial<AddressParts> = {},
  ): Promise<Match | undefined> {
    const isCity = await this.#cities.load();
    if (isCity === undefined) return undefined;
    const parts = parseAddress(text, { known, isCity });
    const subject = toSubject(parts);
    const ranking = new Ranking(subject);
    await this.#collect(subject, ranking);
    return toMatch(subject, ranking);
  }

  async #collect(subject: Subject, ranking: Ranking): Promise<void> {
    const { parts } = subject;
    if (/^\d{8}$/.test(parts.cep)) {
      const found = await this.#store.findJson(parts.cep);
      if (found !== undefined) ranking.add(found.json);
      if (ranking.isSettled) return;
    }
    for (const query of queries(subject, ranking)) {
      const page = await this.#store.search(query);
      page?.data.forEach(({ json }) => ranking.add(json));
    }
  }
}

/** Yields queries, the most specific first, until a good record is found. */
function* queries(
  { parts, number: parsed }: Subject,
  ranking: Ranking,
): Generator<SearchQuery> {
  const { numero, complemento, bairro, cidade, uf } = parts;
  const logradouro = correctType(parts.logradouro);
  const hasNumber = parsed !== undefined && parsed !== null;
  const state = STATES.includes(uf) && { uf };
  const place = { ...state, ...cidade && { city: cidade } };
  const common = { limit: CANDIDATES, prefix: false };
  const exact = { ...common, ...place, misspelt: false };
  if (logradouro !== "") {
    const number = hasNumber && { number: numero };
    const text = logradouro;
    if (bairro !== "") {
      yield { ...exact, ...number, text, neighbourhood: bairro };
      if (ranking.isGood) return;
    }
    yield { ...exact, ...number, text };
    if (ranking.isGood) return;
    if (number) yield { ...exact, text };
    if (ranking.isGood) return;
    // In Brasília, the complement is a part of the street.
    if (complemento !== "") {
      yield { ...exact, text: `${text} ${complemento}` };
      if (ranking.isGood) return;
    }
    const lenient = { ...common, ...place, ...number, text };
    if (bairro !== "") yield { ...lenient, neighbourhood: bairro };
    if (ranking.isGood) return;
    yield lenient;
    if (ranking.isGood) return;
    // The city may be unknown, or be the name of a neighbourhood.
    if (cidade !== "" || bairro !== "") {
      yield { ...common, ...state, text: `${text} ${cidade || bairro}` };
    }
    if (ranking.hasAcceptable) return;
  }
  // A small city or district has one CEP for all its streets.
  if (cidade !== "") yield { ...common, ...place, text: cidade };
  if (bairro !== "" && !ranking.hasAcceptable) {
    yield { ...exact, city: bairro, text: bairro };
  }
}

/** Records in order of their scores. */
class Ranking {
  readonly #subject: Subject;
  readonly #comparisons = new Map<string, Comparison>();
  /** Highest score of an acceptable record. */
  best = 0;
  #isGood = false;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Number of records. */
  get size(): number {
    return this.#comparisons.size;
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
    const comparison = compare(this.#subject, record);
    this.#comparisons.set(record.cep, comparison);
    if (!isAcceptable(this.#subject, comparison)) return;
    const { score, similarities: { logradouro = 0, numero } } = comparison;
    this.best = Math.max(this.best, score);
    this.#isGood ||= score >= GOOD && logradouro >= GOOD_STREET && numero !== 0;
  }

  /** Returns the acceptable records with the highest score. */
  top(): Comparison[] {
    return [...this.#comparisons.values()].filter((it) =>
      it.score > this.best - EPSILON && isAcceptable(this.#subject, it)
    );
  }
}

function toMatch(subject: Subject, ranking: Ranking): Match {
  const [best, ...others] = ranking.top();
  const endereco = subject.parts;
  if (best === undefined) {
    return {
      cep: null,
      pontuacao: 0,
      diferencas: [],
      outros_ceps: [],
      endereco,
      registro: null,
    };
  }
  // Half of the score is the chance that it is this one of the records.
  const chance = 0.5 + 0.5 / (others.length + 1);
  return {
    cep: best.record.cep,
    pontuacao: Math.round(best.score * chance * 100) / 100,
    diferencas: differences(subject, best),
    outros_ceps: others.map(({ record }) => record.cep),
    endereco,
    registro: best.record,
  };
}
