/**
 * Addresses by CEP as IBGE counted them: rows of the CNEFE (Cadastro Nacional
 * de Endereços para Fins Estatísticos) in the form in which an import passes
 * them to the database, and a server reads them.
 */
/**
 * Place of the addresses of a CEP, estimated from up to 128 of those with the
 * best level of precision.
 */
export interface CensusPoint {
  /** Median latitude, in degrees (SIRGAS 2000), rounded to 5 decimals. */
  readonly latitude: number;
  /** Median longitude, in degrees (SIRGAS 2000), rounded to 5 decimals. */
  readonly longitude: number;
  /** Distance within which 95 % of the addresses lie, in whole metres. */
  readonly radius: number;
}

/** Lowest and highest building number that were seen, inclusive. */
export type NumberRange = readonly [from: number, to: number];

/** Street of a CEP. */
export interface CensusStreet {
  /** Street type in title case, e.g. `Avenida`; `""` without one. */
  readonly type: string;
  /** Title and name in title case, without the type, e.g. `Doutor Arnaldo`. */
  readonly name: string;
  /** Number of addresses with this CEP. */
  readonly addresses: number;
  /** Odd building numbers, `null` if none was seen. */
  readonly odd: NumberRange | null;
  /** Even building numbers, `null` if none was seen. */
  readonly even: NumberRange | null;
}

/** Maximum number of streets that are kept for a CEP. */
export const MAX_CENSUS_STREETS = 8;

/** Addresses of a CEP. */
export interface CensusRow {
  /** Eight digits. */
  readonly cep: string;
  /** IBGE code of the municipality with most of the addresses. */
  readonly ibge: string;
  /** Most frequent DSC_LOCALIDADE in title case, `""` without one. */
  readonly locality: string;
  /** Place of the addresses, `null` if none has usable coordinates. */
  readonly point: CensusPoint | null;
  /** Number of addresses, at least 1. */
  readonly addresses: number;
  /**
   * Named streets, that with most addresses first, at most
   * {@linkcode MAX_CENSUS_STREETS}.
   */
  readonly streets: readonly CensusStreet[];
  /** Number of distinct named streets. */
  readonly streetCount: number;
  /** Name of the source file with most of the addresses, e.g. `35_SP.csv`. */
  readonly file: string;
}
