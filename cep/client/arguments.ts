import { readCep } from "../record/address.ts";
import type { Parameters } from "./base_url.ts";
import { CepError } from "./error.ts";

/** Search of addresses, with the parameters of `GET /busca`. */
export interface SearchQuery {
  /** Words in any order, the last of which may be incomplete; or a CEP. */
  readonly q: string;
  /** Abbreviation of the state. */
  readonly uf?: string | undefined;
  /** Municipality. */
  readonly cidade?: string | undefined;
  /** Neighbourhood. */
  readonly bairro?: string | undefined;
  /** Building number. */
  readonly numero?: string | number | undefined;
  /**
   * Number of results per page, at most 100.
   *
   * @default {10}
   */
  readonly limite?: number | undefined;
}

/** Query of one page. */
export interface SearchPageQuery extends SearchQuery {
  /** `cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** Query for the records nearest to a place. */
export interface NearestQuery {
  /** Latitude in degrees, from -90 to 90. */
  readonly latitude: number;
  /** Longitude in degrees, from -180 to 180. */
  readonly longitude: number;
  /**
   * Maximum number of records, at most 100.
   *
   * @default {10}
   */
  readonly limit?: number | undefined;
}

/** Returns the parameters of a query. */
export function nearestParameters(
  { latitude, longitude, limit }: NearestQuery,
): Parameters {
  return {
    lat: formatDegrees(latitude),
    lng: formatDegrees(longitude),
    limite: limit,
  };
}

/** Formats degrees to the centimetre, without an exponent. */
function formatDegrees(degrees: number): string {
  return Number(degrees).toFixed(7);
}

/**
 * Returns the eight digits of a CEP in one of its written forms.
 *
 * @throws {CepError} With the code `cep_invalid` for anything else.
 */
export function requireCep(cep: string): string {
  const digits = readCep(cep);
  if (digits !== undefined) return digits;
  throw new CepError(
    "cep_invalid",
    "CEP inválido: informe oito dígitos, como 01310-100.",
  );
}

/**
 * Returns the abbreviation of a state in upper case.
 *
 * @throws {CepError} If it is not two letters.
 */
export function requireState(uf: string): string {
  if (/^[a-z]{2}$/i.test(uf)) return uf.toUpperCase();
  throw refused("uf", "deve ser a sigla de um estado, como SP");
}

/**
 * Returns an IBGE code.
 *
 * @throws {CepError} If it is not seven digits.
 */
export function requireIbge(ibge: string): string {
  if (/^\d{7}$/.test(ibge)) return `${ibge}`;
  throw refused("ibge", "deve ter sete dígitos, como 3550308");
}

/** Error of the API for a parameter, without a request. */
function refused(parametro: string, motivo: string): CepError {
  return new CepError(
    "parameter_invalid",
    `Parâmetro ${parametro} inválido: ${motivo}.`,
    { details: { parametro, motivo } },
  );
}
