/**
 * The nouns that importing and serving share: an address with its postal code,
 * and the localities and neighbourhoods that it lies in.
 *
 * @module
 */

/** The five sources of the directory, in the order of precedence. */
export type Origin =
  | "localidade"
  | "logradouro"
  | "grande_usuario"
  | "unid_oper"
  | "cpc";

/**
 * The record of one postal code. Every field is a string, `""` where the
 * directory has nothing. The fields bear the names of the HTTP answer.
 */
export interface Address {
  /** Eight digits. */
  readonly cep: string;
  /** Street with its type; the address of a large user, unit or community post. */
  readonly logradouro: string;
  /** Stretch or side of the street, e.g. `de 612 a 1510 - lado par`. */
  readonly complemento: string;
  /** Neighbourhood; the district's name for the general code of a district. */
  readonly bairro: string;
  /** District or village inside the municipality. */
  readonly distrito: string;
  /** Municipality, never a district. */
  readonly cidade: string;
  /** State, two letters. */
  readonly uf: string;
  /** The municipality's code at IBGE, seven digits. */
  readonly codigo_ibge: string;
  /** Street type, e.g. `Avenida`. */
  readonly tipo_logradouro: string;
  /** Which of the directory's sources the record comes from. */
  readonly tipo_origem: Origin;
  /** Name of the large user, operational unit or community post. */
  readonly nome: string;
  /** Name of the source text file, e.g. `LOG_LOGRADOURO_SP.TXT`. */
  readonly nome_origem: string;
}

/** A line of LOG_LOCALIDADE: a municipality, district or village. */
export interface Locality {
  /** LOC_NU. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NO. */
  readonly name: string;
  /** CEP, `""` for a locality that is coded by street. */
  readonly cep: string;
  /** LOC_IN_SIT. */
  readonly situation: string;
  /** LOC_IN_TIPO_LOC. */
  readonly type: string;
  /** LOC_NU_SUB, the municipality of a district or village. */
  readonly parent: number | null;
  /** MUN_NU, the code at IBGE. */
  readonly ibge: string;
}

/** A line of LOG_BAIRRO. */
export interface Neighbourhood {
  /** BAI_NU. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NU. */
  readonly locality: number;
  /** BAI_NO. */
  readonly name: string;
}

/** An address with the directory's own numbers. */
export interface Entry {
  /** LOC_NU, LOG_NU, GRU_NU, UOP_NU or CPC_NU, by the address' origin. */
  readonly number: number;
  /** LOC_NU. */
  readonly locality: number;
  /** BAI_NU, `null` where the file has none. */
  readonly neighbourhood: number | null;
  /** The record. */
  readonly address: Address;
}

/** The 26 states and the Federal District, by their two letters. */
// deno-fmt-ignore
export const STATES: readonly string[] = [
  "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO",
  "MA", "MG", "MS", "MT", "PA", "PB", "PE", "PI", "PR",
  "RJ", "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO",
];

const WRITTEN_CEP = /^\d{2}(?:\d{3}-?|\.\d{3}-)\d{3}$/;

/**
 * Reads a postal code in one of its written forms: `01310100`, `01310-100` or
 * `01.310-100`.
 *
 * @returns The eight digits, or `undefined` for any other text.
 *
 * @example
 * ```ts
 * import { parseCep } from "@carteiro/cep";
 *
 * console.assert(parseCep("01310-100") === "01310100");
 * console.assert(parseCep("1310-100") === undefined);
 * ```
 */
export function parseCep(text: string): string | undefined {
  if (!WRITTEN_CEP.test(text)) return undefined;
  return text.length === 8 ? text : text.replaceAll(/[.-]/g, "");
}

/**
 * Writes eight digits the way they stand on an envelope.
 *
 * @example
 * ```ts
 * import { formatCep } from "@carteiro/cep";
 *
 * console.assert(formatCep("01310100") === "01310-100");
 * ```
 */
export function formatCep(cep: string): string {
  return `${cep.slice(0, 5)}-${cep.slice(5)}`;
}
