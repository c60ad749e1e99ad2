import type { CensusRow, CensusStreet, NumberRange } from "../record/census.ts";

/** Building numbers that were seen. */
export interface NumberRangeBody {
  /** Lowest number. */
  readonly inicio: number;
  /** Highest number. */
  readonly fim: number;
}

/** Street of a CEP. */
export interface CensusStreetBody {
  /** Street with its type. */
  readonly logradouro: string;
  /** Street type, `""` without one. */
  readonly tipo_logradouro: string;
  /** Number of addresses. */
  readonly enderecos: number;
  /** Part of the addresses of the CEP, from 0 to 1. */
  readonly participacao: number;
  /** Odd numbers seen, `null` without one. */
  readonly impares: NumberRangeBody | null;
  /** Even numbers seen, `null` without one. */
  readonly pares: NumberRangeBody | null;
}

/** Addresses of a CEP in the CNEFE. */
export interface CensusBody {
  /** Eight digits. */
  readonly cep: string;
  /** Most frequent neighbourhood, village or settlement, `""` without one. */
  readonly localidade: string;
  /** Municipality with most of the addresses, `""` if unknown. */
  readonly cidade: string;
  /** Abbreviation of its state. */
  readonly uf: string;
  /** Its IBGE code, seven digits. */
  readonly codigo_ibge: string;
  /** Median latitude in degrees (SIRGAS 2000), `null` if unknown. */
  readonly latitude: number | null;
  /** Median longitude in degrees (SIRGAS 2000), `null` if unknown. */
  readonly longitude: number | null;
  /** Metres from there within which 95 % of the addresses lie. */
  readonly raio_m: number | null;
  /** Number of addresses. */
  readonly enderecos: number;
  /** Number of named streets. */
  readonly total_logradouros: number;
  /** Streets with most addresses, that with the most first. */
  readonly logradouros: readonly CensusStreetBody[];
  /** Source file, e.g. `35_SP.csv`. */
  readonly nome_origem: string;
}

/** Municipality of {@linkcode censusBody}. */
export interface CensusTown {
  readonly name: string;
  readonly uf: string;
}

/** Returns the body of a row. */
export function censusBody(row: CensusRow, town: CensusTown): CensusBody {
  return {
    cep: row.cep,
    localidade: row.locality,
    cidade: town.name,
    uf: town.uf,
    codigo_ibge: row.ibge,
    latitude: row.point?.latitude ?? null,
    longitude: row.point?.longitude ?? null,
    raio_m: row.point?.radius ?? null,
    enderecos: row.addresses,
    total_logradouros: row.streetCount,
    logradouros: row.streets.map((it) => streetBody(it, row.addresses)),
    nome_origem: row.file,
  };
}

function streetBody(
  { type, name, addresses, odd, even }: CensusStreet,
  total: number,
): CensusStreetBody {
  return {
    logradouro: type === "" ? name : `${type} ${name}`,
    tipo_logradouro: type,
    enderecos: addresses,
    participacao: Math.round(addresses / total * 1000) / 1000,
    impares: rangeBody(odd),
    pares: rangeBody(even),
  };
}

function rangeBody(range: NumberRange | null): NumberRangeBody | null {
  return range && { inicio: range[0], fim: range[1] };
}
