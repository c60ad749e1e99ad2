import type { Address } from "../record/address.ts";
import {
  type AddressParts,
  type Part,
  PARTS,
} from "../record/address_parts.ts";
import type { SeenNumbers } from "../record/seen_numbers.ts";
import type {
  AddressPage,
  AddressResult,
  ReleaseReader,
} from "../release/queries.ts";
import type { Reader } from "../store/store.ts";

/** Record that fits an address best. */
export interface Match {
  /** CEP of the record, `null` without one. */
  readonly cep: string | null;
  /** Probability that the CEP is right, from 0 to 1. */
  readonly pontuacao: number;
  /** Parts that differ. */
  readonly diferencas: readonly Difference[];
  /** CEPs of other records that the address may mean, the likeliest first. */
  readonly outros_ceps: readonly string[];
  /** Alternative name by which the street was found, `null` otherwise. */
  readonly nome_encontrado: string | null;
  /** Successor of the given CEP, `null` if it was not replaced. */
  readonly cep_novo: string | null;
  /** Address as it was understood. */
  readonly endereco: AddressParts;
  /** The record, `null` if none is likely enough. */
  readonly registro: Address | null;
  /**
   * True if the search was ended because it took too much work: there may be a
   * better answer. Absent otherwise.
   */
  readonly parcial?: true;
}

/** Part that differs between an address and a record. */
export interface Difference {
  /** Name of the part. */
  readonly campo: Part;
  /** Value in the address. */
  readonly informado: string;
  /** Value in the record. */
  readonly encontrado: string;
}

/** Store of the records. */
export type MatcherStore = Pick<Reader, "read">;

/** Maximum number of characters of an address. */
export const MAX_ADDRESS = 500;

/** Probability from which a record is an answer. */
const LIKELY = 0.5;

/** Maximum number of records beside the best one. */
const MAX_OTHERS = 10;

/** Options of {@linkcode Matcher.match}. */
export interface MatchOptions {
  readonly inBulk?: boolean;
  readonly onWork?: (work: number) => void;
}

/** Finds records of addresses. */
export class Matcher {
  readonly #store: MatcherStore;

  constructor(store: MatcherStore) {
    this.#store = store;
  }

  /**
   * Finds the record that fits an address best, as {@linkcode matchAddress}.
   *
   * @returns `undefined` if the database is empty.
   * @throws {DatabaseError} If the database cannot be read.
   */
  async match(
    text: string,
    parts?: Partial<AddressParts>,
    options?: MatchOptions,
  ): Promise<Match | undefined> {
    return await this.#store.read((release) =>
      matchAddress(release, text, parts, options)
    );
  }
}

/**
 * Finds the record of a release that fits an address best.
 *
 * @param text Free text, `""` if all parts are known.
 * @param options `inBulk`, if the address is one of many, and `onWork`, which
 * is called with the work of each search, from 0 to 1.
 */
export async function matchAddress(
  release: ReleaseReader,
  text: string,
  parts: Partial<AddressParts> = {},
  { inBulk = false, onWork = () => {} }: MatchOptions = {},
): Promise<Match> {
  const query = { text, parts, limit: MAX_OTHERS, inBulk };
  const page = await release.findAddress(query);
  onWork(page.work);
  const successor = await successorOf(release, page.parts.cep);
  if (successor === null) return toMatch(page, null);
  const moved = await release.findAddress({ ...query, successor });
  onWork(moved.work);
  return toMatch(moved, successor);
}

/** Returns the CEP that replaced one, `null` if none did. */
async function successorOf(
  release: ReleaseReader,
  cep: string,
): Promise<string | null> {
  if (cep === "" || await release.findJson(cep) !== undefined) return null;
  return (await release.lastChange(cep))?.successor ?? null;
}

function toMatch(
  { parts, probability, work, best, others }: AddressPage,
  cep_novo: string | null,
): Match {
  const pontuacao = Math.round(probability * 100) / 100;
  const found: Match = {
    cep: null,
    pontuacao,
    diferencas: [],
    outros_ceps: others,
    nome_encontrado: null,
    cep_novo,
    endereco: parts,
    registro: null,
    ...work >= 1 ? { parcial: true } : {},
  };
  if (best === undefined) return found;
  const { cep, json } = best;
  if (pontuacao < LIKELY) {
    return { ...found, outros_ceps: [cep, ...others].slice(0, MAX_OTHERS) };
  }
  const registro: Address = JSON.parse(json);
  const diferencas = differences(found, best, registro);
  const nome_encontrado = best.foundName ?? null;
  return { ...found, cep, nome_encontrado, registro, diferencas };
}

/** Returns the parts that differ, among them a CEP that was replaced. */
function differences(
  { endereco, cep_novo }: Match,
  { agreements, seen }: AddressResult,
  record: Address,
): Difference[] {
  return PARTS.filter((part) =>
    agreements[part] === false || part === "cep" && cep_novo !== null
  ).map((campo) => ({
    campo,
    informado: endereco[campo],
    encontrado: campo === "numero" ? numbersOf(record, seen) : record[campo],
  }));
}

/** Returns the building numbers of a record, as text. */
function numbersOf({ complemento }: Address, seen?: SeenNumbers): string {
  if (complemento !== "" || seen === undefined) return complemento;
  const sides = [["ímpares", seen.odd], ["pares", seen.even]] as const;
  const ranges = sides.filter(([, range]) => range !== null)
    .map(([side, range]) => `${side} de ${range![0]} a ${range![1]}`);
  return `${ranges.join(", ")} (vistos no Censo 2022)`;
}
