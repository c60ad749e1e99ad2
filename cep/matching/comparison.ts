/**
 * Comparison of an address with a record.
 *
 * @module
 */
import type { Address } from "../address.ts";
import type { Origin } from "../entry.ts";
import { distanceFromSeen, type SeenNumbers } from "../seen_numbers.ts";
import {
  containsNumber,
  parseComplement,
  parseStreetNumber,
  type StreetNumber,
} from "../street_number.ts";
import { type AddressParts, type Part, PARTS } from "./parts.ts";
import { similarity } from "./similarity.ts";
import { correctType, splitStreet } from "./street_in_text.ts";
import { type Name, placeName, streetName } from "./words.ts";

/**
 * Weight of each part in the score. A number is worth more than the CEP, so that
 * of the stretches of a street, the one with the number is found.
 */
const WEIGHTS: Readonly<Record<Part, number>> = {
  logradouro: 40,
  numero: 15,
  complemento: 0,
  bairro: 12,
  cidade: 15,
  uf: 5,
  cep: 13,
};

/** Similarity of two CEPs with the same first five digits. */
const SAME_SECTOR = 0.4;
/** Factor for a large user, unit or mailbox, unless the CEP is its own. */
const NOT_A_STREET = 0.95;
/** Similarity of a number to a street where the census saw only others. */
const UNSEEN_NUMBER = 0.8;
/** Minimum similarity of two names of one place. */
const SAME_PLACE = 0.6;
/** Minimum similarity of the street and the city, unless the CEP is the same. */
const LEAST_SIMILAR = 0.5;

/** Origins of the records of streets. */
export const STREETS: readonly Origin[] = ["logradouro", "cnefe"];

/** Address, prepared to be compared with many records. */
export interface Subject {
  readonly parts: AddressParts;
  readonly number: StreetNumber | null | undefined;
  readonly street: Name;
  readonly neighbourhood: Name;
  readonly city: Name;
  /** CEP that replaced that of the address, `null` without one. */
  readonly successor: string | null;
}

/** Record that may be that of an address. */
export interface Candidate {
  readonly record: Address;
  /** Building numbers that the census saw, if they matter. */
  readonly seen: SeenNumbers | undefined;
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

/** Result of {@linkcode compare}. */
export interface Comparison extends Candidate {
  /** Score from 0 to 1. */
  readonly score: number;
  /** Similarity of each part that both have, from 0 to 1. */
  readonly similarities: Partial<Record<Part, number>>;
}

/** Prepares an address. */
export function toSubject(
  parts: AddressParts,
  successor: string | null = null,
): Subject {
  return {
    parts,
    number: parseStreetNumber(parts.numero),
    street: streetName(correctType(parts.logradouro)),
    neighbourhood: placeName(parts.bairro),
    city: placeName(parts.cidade),
    successor,
  };
}

/** Compares an address with a record. */
export function compare(subject: Subject, candidate: Candidate): Comparison {
  const { record, seen } = candidate;
  const similarities: Partial<Record<Part, number>> = {};
  let [sum, weight] = [0, 0];
  for (const part of PARTS) {
    if (subject.parts[part] === "") continue;
    const similarity = COMPARED[part](subject, record, seen);
    if (similarity === undefined) continue;
    similarities[part] = similarity;
    sum += WEIGHTS[part] * similarity;
    weight += WEIGHTS[part];
  }
  const isStreet = STREETS.includes(record.tipo_origem) ||
    record.tipo_origem === "localidade" || similarities.cep === 1;
  const score = weight === 0 ? 0 : sum / weight;
  return {
    record,
    seen,
    score: isStreet ? score : score * NOT_A_STREET,
    similarities,
  };
}

/** Similarity of each part, `undefined` if the record does not have it. */
const COMPARED: Readonly<
  Record<
    Part,
    (
      subject: Subject,
      record: Address,
      seen: SeenNumbers | undefined,
    ) => number | undefined
  >
> = {
  logradouro({ street }, record) {
    if (record.logradouro === "") return undefined;
    return similarity(street, streetOf(record));
  },
  numero({ number }, { complemento }, seen) {
    if (!number) return undefined;
    const inside = parseComplement(complemento)
      .map((stretch) => containsNumber(stretch, number));
    if (inside.length === 0) return similarityToSeen(number, seen);
    if (inside.includes(true)) return 1;
    return inside.includes(undefined) ? undefined : 0;
  },
  complemento: () => undefined,
  bairro({ neighbourhood }, { bairro, distrito }) {
    return mostSimilar(neighbourhood, bairro, distrito);
  },
  cidade({ city }, { cidade, distrito, bairro }) {
    return mostSimilar(city, cidade, distrito, bairro);
  },
  uf: ({ parts }, { uf }) => parts.uf === uf ? 1 : 0,
  cep({ parts: { cep }, successor }, record) {
    if (record.cep === (successor ?? cep)) return 1;
    return record.cep.slice(0, 5) === cep.slice(0, 5) ? SAME_SECTOR : 0;
  },
};

/** Buildings come after a census: a number beyond those seen is no mistake. */
function similarityToSeen(
  number: StreetNumber,
  seen: SeenNumbers | undefined,
): number {
  const distance = seen && distanceFromSeen(seen, number);
  return distance === undefined || distance === 0 ? 1 : UNSEEN_NUMBER;
}

function mostSimilar(name: Name, ...others: string[]): number | undefined {
  const given = others.filter((other) => other !== "");
  if (given.length === 0) return undefined;
  const best = Math.max(...given.map((it) => similarity(name, placeName(it))));
  return best < SAME_PLACE ? 0 : best;
}

/** Returns the street of a record; large users have their number in it. */
function streetOf({ logradouro, tipo_origem }: Address): Name {
  if (STREETS.includes(tipo_origem)) return streetName(logradouro);
  const [street = ""] = logradouro.split(",");
  return streetName(splitStreet(street).logradouro);
}

/**
 * True if a record may be the answer: a similar street in a similar place, or
 * the CEP of the address, unless it is in another place.
 */
export function isAcceptable(
  { neighbourhood, city }: Subject,
  { record, similarities }: Comparison,
): boolean {
  const { logradouro, cidade, uf, cep } = similarities;
  const isPlace = uf !== 0 && (cidade === undefined || cidade >= LEAST_SIMILAR);
  const isStreet = logradouro !== undefined && logradouro >= LEAST_SIMILAR;
  if (cep === 1) return isPlace || isStreet;
  if (!isPlace) return false;
  if (logradouro !== undefined) return isStreet;
  const { cidade: municipality, distrito, tipo_origem } = record;
  if (tipo_origem !== "localidade" && !isGeneral(record)) return false;
  // The general CEP of a city is not that of its districts.
  const name = placeName(distrito || municipality);
  return similarity(city, name) >= SAME_PLACE ||
    distrito !== "" && similarity(neighbourhood, name) >= SAME_PLACE;
}

/** True for the general CEP of a town that only the census has. */
function isGeneral({ tipo_origem, logradouro, cep }: Address): boolean {
  return tipo_origem === "cnefe" && logradouro === "" && cep.endsWith("000");
}

/** Returns the parts that differ, among them a CEP that was replaced. */
export function differences(
  { parts, successor }: Subject,
  { record, seen, similarities }: Comparison,
): Difference[] {
  return PARTS.filter((part) =>
    (similarities[part] ?? 1) < 1 || part === "cep" && successor !== null
  )
    .map((campo) => ({
      campo,
      informado: parts[campo],
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
