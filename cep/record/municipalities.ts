/**
 * Facts about municipalities that the DNE does not contain. Sources and license
 * of the data: NOTICE.md.
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
  return municipalities ??= new Map(listMunicipalities());
}

/**
 * Returns the facts about a municipality by its IBGE code, `undefined` for an
 * unknown code.
 */
export function municipalityFacts(ibge: string): MunicipalityFacts | undefined {
  return allMunicipalities().get(ibge);
}

/**
 * Lists the facts of the file, which has a text for each column: rows would
 * compress less.
 */
function* listMunicipalities(): Generator<[string, MunicipalityFacts]> {
  const codes = data.codigo_ibge.split(" ");
  const ddds = data.ddd.split(" ");
  const siafis = data.siafi.split(" ");
  const latitudes = data.latitude.split(" ");
  const longitudes = data.longitude.split(" ");
  for (const [i, code] of codes.entries()) {
    yield [code, {
      ddd: ddds[i]!,
      siafi: siafis[i]!,
      latitude: Number(latitudes[i]),
      longitude: Number(longitudes[i]),
    }];
  }
}
