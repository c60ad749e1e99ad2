/**
 * Comparison of an address with a record.
 *
 * @module
 */
import type { Address } from "../address.ts";
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
/** Minimum similarity of two names of one place. */
const SAME_PLACE = 0.6;
/** Minimum similarity of the street and the city, unless the CEP is the same. */
const LEAST_SIMILAR = 0.5;

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
export interface Comparison {
  readonly record: Address;
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
export function compare(subject: Subject, record: Address): Comparison {
  const similarities: Partial<Record<Part, number>> = {};
  let [sum, weight] = [0, 0];
  for (const part of PARTS) {
    if (subject.parts[part] === "") continue;
    const similarity = COMPARED[part](subject, record);
    if (similarity === undefined) continue;
    similarities[part] = similarity;
    sum += WEIGHTS[part] * similarity;
    weight += WEIGHTS[part];
  }
  const isStreet = record.tipo_origem === "logradouro" ||
    record.tipo_origem === "localidade" || similarities.cep === 1;
  const score = weight === 0 ? 0 : sum / weight;
  return {
    record,
    score: isStreet ? score : score * NOT_A_STREET,
    similarities,
  };
}

/** Similarity of each part, `undefined` if the record does not have it. */
const COMPARED: Readonly<
  Record<Part, (subject: Subject, record: Address) => number | undefined>
> = {
  logradouro({ street }, record) {
    if (record.logradouro === "") return undefined;
    return similarity(street, streetOf(record));
  },
  numero({ number }, { complemento }) {
    if (!number) return undefined;
    const inside = parseComplement(complemento)
      .map((stretch) => containsNumber(stretch, number));
    if (inside.length === 0 || inside.includes(true)) return 1;
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

function mostSimilar(name: Name, ...others: string[]): number | undefined {
  const given = others.filter((other) => other !== "");
  if (given.length === 0) return undefined;
  const best = Math.max(...given.map((it) => similarity(name, placeName(it))));
  return best < SAME_PLACE ? 0 : best;
}

/** Returns the street of a record; large users have their number in it. */
function streetOf({ logradouro, tipo_origem }: Address): Name {
  if (tipo_origem === "logradouro") return streetName(logradouro);
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
  if (tipo_origem !== "localidade") return false;
  // The general CEP of a city is not that of its districts.
  const name = placeName(distrito || municipality);
  return similarity(city, name) >= SAME_PLACE ||
    distrito !== "" && similarity(neighbourhood, name) >= SAME_PLACE;
}

/** Returns the parts that differ, among them a CEP that was replaced. */
export function differences(
  { parts, successor }: Subject,
  { record, similarities }: Comparison,
): Difference[] {
  return PARTS.filter((part) =>
    (similarities[part] ?? 1) < 1 || part === "cep" && successor !== null
  )
    .map((campo) => ({
      campo,
      informado: parts[campo],
      encontrado: campo === "numero" ? record.complemento : record[campo],
    }));
}
