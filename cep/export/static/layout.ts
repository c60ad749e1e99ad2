/**
 * Layout of a static site: the files of all records and places, for a CDN.
 *
 * ```text
 * manifest.json               release, and the prefixes that have a file
 * cep/01310.json              records of the CEPs that begin with 01310
 * estados.json                states, as in `GET /estados`
 * estados/SP/municipios.json  municipalities, as in the API
 * municipios/3550308.json     a municipality, its districts and neighbourhoods
 * ```
 *
 * A file other than the manifest depends only on its own records, so its bytes
 * are the same in every release in which they are.
 */
import type { Address } from "../../record/address.ts";
import type {
  DistrictBody,
  MunicipalityBody,
  NeighbourhoodBody,
} from "../../http/place_bodies.ts";

/** Version of the layout. */
export const SITE_VERSION = 1;

/** Path of the manifest. */
export const MANIFEST_PATH = "manifest.json";

/** Returns the path of the records of a five-digit prefix. */
export function prefixPath(prefix: string): string {
  return `cep/${prefix}.json`;
}

/** Path of the states. */
export const STATES_PATH = "estados.json";

/** Returns the path of the municipalities of a state. */
export function municipalitiesPath(uf: string): string {
  return `estados/${uf}/municipios.json`;
}

/** Returns the path of a municipality. */
export function municipalityPath(ibge: string): string {
  return `municipios/${ibge}.json`;
}

/** Content of the manifest. */
export interface Manifest {
  /** {@linkcode SITE_VERSION}. */
  readonly formato: number;
  /** Id of the release, as eight hexadecimal digits. */
  readonly release: string;
  /** Version of the DNE, `""` if unknown. */
  readonly dne_version: string;
  /** Time of the import, ISO 8601. */
  readonly seeded_at: string;
  /** Number of records. */
  readonly total_ceps: number;
  /** Five-digit prefixes that have a file, in the form of `PrefixSet`. */
  readonly prefixos: string;
}

/** Fields of a record except its CEP. */
export type Fields = Omit<Address, "cep">;

/** Content of the file of a prefix. */
export interface PrefixFile {
  /** Most frequent value of each field. */
  readonly padrao: Fields;
  /** Fields with other values, by the last three digits of the CEP. */
  readonly ceps: Readonly<Record<string, Partial<Fields>>>;
}

/** List of the API that is complete. */
export interface CompleteList<T> {
  /** Number of items. */
  readonly total: number;
  /** All items. */
  readonly data: readonly T[];
  /** No other page. */
  readonly cursor: null;
}

/** Content of the file of a municipality: answers of the API. */
export interface MunicipalityFile {
  /** Answer to `GET /municipios/:ibge`. */
  readonly municipio: MunicipalityBody;
  /** Answer to `GET /municipios/:ibge/distritos`. */
  readonly distritos: CompleteList<DistrictBody>;
  /** Answer to `GET /municipios/:ibge/bairros`. */
  readonly bairros: CompleteList<NeighbourhoodBody>;
}
