/**
 * Search for the record of an address.
 *
 * @module
 */
import type { Address } from "../address.ts";
import type { SeenNumbers } from "../seen_numbers.ts";
import { inOneRelease } from "../store/one_release.ts";
import type { Reader, Rendered } from "../store/store.ts";
import { parseComplement } from "../street_number.ts";
import { CityNames } from "./city_names.ts";
import {
  type Difference,
  differences,
  STREETS,
  toSubject,
} from "./comparison.ts";
import { parseAddress } from "./parse_address.ts";
import type { AddressParts } from "./parts.ts";
import { queries } from "./queries.ts";
import { Ranking } from "./ranking.ts";

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
  /** Successor of the given CEP, `null` if it was not replaced. */
  readonly cep_novo: string | null;
  /** Address as it was understood. */
  readonly endereco: AddressParts;
  /** The record, `null` if none fits. */
  readonly registro: Address | null;
}

/** Store of the records. */
export type MatcherStore = Pick<
  Reader,
  "release" | "findJson" | "search" | "gazetteer" | "lastChange" | "census"
>;

/** Maximum number of characters of an address. */
export const MAX_ADDRESS = 500;

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
    return await inOneRelease(this.#store, async () => {
      const reading = await this.read(text, known);
      return reading && toMatch(reading, await this.rank(reading));
    });
  }

  /**
   * Reads an address.
   *
   * @returns `undefined` if the database is empty.
   */
  async read(
    text: string,
    known: Partial<AddressParts> = {},
  ): Promise<AddressParts | undefined> {
    const isCity = await this.#cities.load();
    return isCity && parseAddress(text, { known, isCity });
  }

  /** Finds the records that fit an address. */
  async rank(parts: AddressParts): Promise<Ranking> {
    const { cep } = parts;
    const store = this.#store;
    let found: Rendered | undefined;
    let successor: string | null = null;
    if (/^\d{8}$/.test(cep)) {
      found = await store.findJson(cep);
      if (found === undefined) {
        successor = (await store.lastChange(cep))?.successor ?? null;
        if (successor !== null) found = await store.findJson(successor);
      }
    }
    const subject = toSubject(parts, successor);
    const ranking = new Ranking(subject);
    if (found !== undefined) {
      const { json } = found;
      ranking.add(json, subject.number ? await this.#seenAt(json) : undefined);
    }
    if (ranking.isSettled) return ranking;
    for (const query of queries(subject, ranking)) {
      const page = await store.search(query);
      page?.data.forEach(({ json, seen }) => ranking.add(json, seen));
    }
    return ranking;
  }

  /**
   * Returns the building numbers that the census saw at the record of a CEP,
   * which the search returns with other records.
   */
  async #seenAt(json: string): Promise<SeenNumbers | undefined> {
    const record: Address = JSON.parse(json);
    if (record.enderecos === "" || !isStreet(record)) return undefined;
    if (parseComplement(record.complemento).length > 0) return undefined;
    const census = await this.#store.census(record.cep);
    const [street] = census?.row?.streets ?? [];
    return street && (street.odd ?? street.even) !== null ? street : undefined;
  }
}

function isStreet({ tipo_origem, logradouro }: Address): boolean {
  return STREETS.includes(tipo_origem) && logradouro !== "";
}

function toMatch(parts: AddressParts, ranking: Ranking): Match {
  const [best, ...others] = ranking.top();
  const { successor: cep_novo } = ranking.subject;
  if (best === undefined) {
    return {
      cep: null,
      pontuacao: 0,
      diferencas: [],
      outros_ceps: [],
      cep_novo,
      endereco: parts,
      registro: null,
    };
  }
  // Half of the score is the chance that it is this one of the records.
  const chance = 0.5 + 0.5 / (others.length + 1);
  return {
    cep: best.record.cep,
    pontuacao: Math.round(best.score * chance * 100) / 100,
    diferencas: differences(best.subject, best),
    outros_ceps: others.map(({ record }) => record.cep),
    cep_novo,
    endereco: best.subject.parts,
    registro: best.record,
  };
}
