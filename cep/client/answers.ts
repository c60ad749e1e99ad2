import type {
  Address,
  CensusFieldName,
  OwnFieldName,
} from "../record/address.ts";
import type { Match } from "../search/matcher.ts";
import { CepError } from "./error.ts";

/** Page of a list. */
export interface Page<T> {
  /** Number of all items, `null` if it is not cheap to count them. */
  readonly total: number | null;
  /** Items of this page. */
  readonly data: readonly T[];
  /** Cursor of the next page, `null` on the last one. */
  readonly cursor: string | null;
}

/** Change of a CEP. */
export interface CepChangeBody {
  /** Changed CEP. */
  readonly cep: string;
  /** CEP that replaced it, `null` if it was removed. */
  readonly cep_novo: string | null;
  /** Version of the DNE that changed it, `""` if unknown. */
  readonly release: string;
  /** Time of the import that changed it, ISO 8601. */
  readonly alterado_em: string;
}

/** Record near a place. */
export interface NearAddress extends Address {
  /** Distance in whole metres. */
  readonly distancia_m: number;
}

/** Converts a value of the API, or throws. */
export type Reader<T> = (value: unknown) => T;

/**
 * Fields of a record, true for texts and false for numbers, which may be absent;
 * the compiler reports a missing one.
 */
const FIELDS:
  & Readonly<Record<OwnFieldName, true>>
  & Readonly<Record<CensusFieldName, false>> = {
    cep: true,
    logradouro: true,
    complemento: true,
    bairro: true,
    distrito: true,
    cidade: true,
    uf: true,
    codigo_ibge: true,
    tipo_logradouro: true,
    tipo_origem: true,
    nome: true,
    nome_origem: true,
    latitude: false,
    longitude: false,
    raio_m: false,
    enderecos: false,
  };

/**
 * Checks a record.
 *
 * @throws {CepError} If it has no CEP, or a field of another type. A text that
 * an older server does not know is `""`.
 */
export function toAddress(value: unknown): Address {
  const record = toObject(value);
  if (!/^\d{8}$/.test(`${record["cep"]}`)) throw wrong("a record has no CEP");
  const known: Record<string, unknown> = { ...record };
  for (const [name, isText] of Object.entries(FIELDS)) {
    const { [name]: value = isText ? "" : undefined } = record;
    if (value === undefined) continue;
    const isRight = isText
      ? typeof value === "string"
      : typeof value === "number";
    if (!isRight) {
      const type = isText ? "text" : "number";
      throw wrong(`the field "${name}" of a record is not a ${type}`);
    }
    known[name] = value;
  }
  return known as unknown as Address;
}

/**
 * Checks the record of a CEP.
 *
 * @throws {CepError} If it is not a record, or that of another CEP.
 */
export function toAddressOf(cep: string, value: unknown): Address {
  const address = toAddress(value);
  if (address.cep === cep) return address;
  throw wrong(`it has the record of ${address.cep}, not of ${cep}`);
}

/**
 * Checks a list.
 *
 * @throws {CepError} If it is not of the form `{total, data, cursor}`.
 */
export function toPage<T>(value: unknown, toItem: Reader<T>): Page<T> {
  const { total = null, data, cursor = null } = toObject(value);
  if (
    !Array.isArray(data) ||
    !(total === null || typeof total === "number") ||
    !(cursor === null || typeof cursor === "string")
  ) {
    throw wrong("it is not a list");
  }
  return { total, data: data.map(toItem), cursor };
}

/**
 * Checks a record near a place.
 *
 * @throws {CepError} If it is not a record, or has no distance.
 */
export function toNearAddress(value: unknown): NearAddress {
  const address = toAddress(value);
  const { distancia_m } = value as Record<string, unknown>;
  if (typeof distancia_m !== "number") throw wrong("a record has no distance");
  return { ...address, distancia_m };
}

/**
 * Checks the result of matching an address.
 *
 * @throws {CepError} If it has no score, or a record that is not one.
 */
export function toMatch(value: unknown): Match {
  const match = toObject(value);
  const { pontuacao, registro } = match;
  if (typeof pontuacao !== "number") throw wrong("it has no score");
  return {
    ...match,
    registro: registro === null ? null : toAddress(registro),
  } as Match;
}

/**
 * Checks an object, such as a place.
 *
 * @throws {CepError} If it is not one.
 */
export function toObject<T = Readonly<Record<string, unknown>>>(
  value: unknown,
): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong("it has a value that is not an object");
  }
  return value as T;
}

/**
 * Iterates over the items of all pages.
 *
 * @param read Returns the page of a cursor, `undefined` for the first one.
 * @throws {CepError} If a page refers to itself.
 */
export async function* iteratePages<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T> {
  let cursor: string | undefined;
  while (true) {
    const { data, cursor: next } = await read(cursor);
    yield* data;
    if (next === null) return;
    if (next === cursor) throw wrong("its cursor refers to the same page");
    cursor = next;
  }
}

/** Error of a response whose values are not those of the API. */
export function wrong(state: string): CepError {
  return new CepError(
    "response_invalid",
    `Cannot read the response: ${state}`,
  );
}
