/**
 * Facts about municipalities that the DNE does not contain. Sources and license
 * of the data: NOTICE.md.
 *
 * @module
 */
import data from "./municipalities.json" with { type: "json" };

/** Facts about a municipality. */
export interface MunicipalityFacts {
  /** Telephone area code, two digits. */
  readonly ddd: string;
  /** SIAFI code, four digits. */
  readonly siafi: string;
  /** Latitude of the seat, in degrees. */
  readonly latitude: number;
  /** Longitude of the seat, in degrees. */
  readonly longitude: number;
}

let municipalities: ReadonlyMap<string, MunicipalityFacts> | undefined;

/** Returns all municipalities by their IBGE codes, in order of the codes. */
export function allMunicipalities(): ReadonlyMap<string, MunicipalityFacts> {
  municipalities ??= new Map(data.rows.map(parseRow));
  return municipalities;
}

/**
 * Returns the facts about a municipality by its IBGE code, `undefined` for an
 * unknown code.
 */
export function municipalityFacts(ibge: string): MunicipalityFacts | undefined {
  return allMunicipalities().get(ibge);
}

function parseRow(row: string): [ibge: string, facts: MunicipalityFacts] {
  const [ibge = "", ddd = "", siafi = "", latitude, longitude] = row.split(" ");
  return [ibge, {
    ddd,
    siafi,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }];
}
