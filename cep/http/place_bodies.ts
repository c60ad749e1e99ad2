import { municipalityFacts } from "../record/municipalities.ts";
import { stateFacts } from "../record/states.ts";
import type {
  CepRange,
  Gazetteer,
  GazetteerLocality,
  GazetteerNeighbourhood,
} from "../release/gazetteer.ts";
import type { Release } from "../store/store.ts";

/** Range of CEPs. */
export interface RangeBody {
  /** First CEP, eight digits. */
  readonly inicio: string;
  /** Last CEP, eight digits. */
  readonly fim: string;
}

/** Range of a municipality. */
export interface LocalityRangeBody extends RangeBody {
  /** `T` for all of the municipality, `C` for its seat. */
  readonly tipo: string;
}

/** State. */
export interface StateBody {
  /** Abbreviation. */
  readonly sigla: string;
  /** Name. */
  readonly nome: string;
  /** Region, e.g. `Sudeste`. */
  readonly regiao: string;
  /** IBGE code, two digits. */
  readonly codigo_ibge: string;
  /** Ranges, `null` if their file was not imported. */
  readonly faixas: readonly RangeBody[] | null;
}

/** Municipality. Texts are `""` where unknown. */
export interface MunicipalityBody {
  /** Name. */
  readonly nome: string;
  /** Abbreviation of the state. */
  readonly uf: string;
  /** IBGE code, seven digits. */
  readonly codigo_ibge: string;
  /** Area code of telephone numbers. */
  readonly ddd: string;
  /** SIAFI code. */
  readonly siafi: string;
  /** Latitude of the seat, `null` if unknown. */
  readonly latitude: number | null;
  /** Longitude of the seat, `null` if unknown. */
  readonly longitude: number | null;
  /** General CEP, `""` if the municipality is coded by street. */
  readonly cep: string;
  /** Ranges, `null` if their file was not imported. */
  readonly faixas: readonly LocalityRangeBody[] | null;
}

/** District or village. */
export interface DistrictBody {
  /** Name. */
  readonly nome: string;
  /** `distrito` or `povoado`. */
  readonly tipo: string;
  /** General CEP, `""` if it is coded by street. */
  readonly cep: string;
  /** Ranges, `null` if their file was not imported. */
  readonly faixas: readonly LocalityRangeBody[] | null;
}

/** Neighbourhood. */
export interface NeighbourhoodBody {
  /** Name. */
  readonly nome: string;
  /** District or village that it lies in, `""` in the seat. */
  readonly distrito: string;
  /** Ranges, `null` if their file was not imported. */
  readonly faixas: readonly RangeBody[] | null;
}

/** Municipality in whose range an unknown CEP lies. */
export interface SuggestionBody {
  /** Name of the municipality. */
  readonly cidade: string;
  /** Abbreviation of the state. */
  readonly uf: string;
  /** IBGE code of the municipality. */
  readonly codigo_ibge: string;
}

/** Returns a state. */
export function stateBody(
  gazetteer: Pick<Gazetteer, "release" | "stateRanges">,
  uf: string,
): StateBody {
  const { name = "", region = "", ibge = "" } = stateFacts(uf) ?? {};
  return {
    sigla: uf,
    nome: name,
    regiao: region,
    codigo_ibge: ibge,
    faixas: rangesOf(
      gazetteer.release,
      "LOG_FAIXA_UF.TXT",
      gazetteer.stateRanges(uf),
      toRange,
    ),
  };
}

/** Returns a municipality. */
export function municipalityBody(
  release: Release,
  { name, uf, ibge, cep, ranges }: GazetteerLocality,
): MunicipalityBody {
  const facts = municipalityFacts(ibge);
  return {
    nome: name,
    uf,
    codigo_ibge: ibge,
    ddd: facts?.ddd ?? "",
    siafi: facts?.siafi ?? "",
    latitude: facts?.latitude ?? null,
    longitude: facts?.longitude ?? null,
    cep,
    faixas: localityRanges(release, ranges),
  };
}

const DISTRICT_TYPES: Readonly<Record<string, string>> = {
  D: "distrito",
  P: "povoado",
};

/** Returns a district or village. */
export function districtBody(
  release: Release,
  { name, type, cep, ranges }: GazetteerLocality,
): DistrictBody {
  return {
    nome: name,
    tipo: DISTRICT_TYPES[type] ?? "",
    cep,
    faixas: localityRanges(release, ranges),
  };
}

/** Returns a neighbourhood. */
export function neighbourhoodBody(
  release: Release,
  { name, district, ranges }: GazetteerNeighbourhood,
): NeighbourhoodBody {
  return {
    nome: name,
    distrito: district,
    faixas: rangesOf(release, "LOG_FAIXA_BAIRRO.TXT", ranges, toRange),
  };
}

/** Returns the suggestion for an unknown CEP in the range of a municipality. */
export function suggestionBody(
  { name, uf, ibge }: GazetteerLocality,
): SuggestionBody {
  return { cidade: name, uf, codigo_ibge: ibge };
}

function localityRanges(
  release: Release,
  ranges: GazetteerLocality["ranges"],
): LocalityRangeBody[] | null {
  return rangesOf(release, "LOG_FAIXA_LOCALIDADE.TXT", ranges, (range) => ({
    ...toRange(range),
    tipo: range.type,
  }));
}

/** Converts ranges, unless their file was not imported. */
function rangesOf<R extends CepRange, B>(
  { optionalFiles }: Release,
  file: string,
  ranges: readonly R[],
  convert: (range: R) => B,
): B[] | null {
  return optionalFiles.includes(file) ? ranges.map(convert) : null;
}

function toRange({ first, last }: CepRange): RangeBody {
  return { inicio: toCep(first), fim: toCep(last) };
}

function toCep(number: number): string {
  return `${number}`.padStart(8, "0");
}
