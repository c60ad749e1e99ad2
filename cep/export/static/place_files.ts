import { STATES } from "../../record/address.ts";
import {
  districtBody,
  municipalityBody,
  neighbourhoodBody,
  stateBody,
} from "../../http/place_bodies.ts";
import type { Gazetteer, GazetteerLocality } from "../../release/gazetteer.ts";
import {
  type CompleteList,
  municipalitiesPath,
  type MunicipalityFile,
  municipalityPath,
  STATES_PATH,
} from "./layout.ts";

/** File of a site. */
export interface SiteFile {
  readonly path: string;
  readonly text: string;
}

/** Iterates over the files of the places. */
export async function* listPlaces(
  gazetteer: Gazetteer,
): AsyncGenerator<SiteFile> {
  const { release } = gazetteer;
  yield file(STATES_PATH, list(STATES.map((uf) => stateBody(gazetteer, uf))));
  for (const uf of STATES) {
    const municipalities = gazetteer.municipalities(uf);
    const bodies = municipalities.map((it) => municipalityBody(release, it));
    yield file(municipalitiesPath(uf), list(bodies));
    for (const municipality of municipalities) {
      const { ibge } = municipality;
      // A code may be missing, or be that of two municipalities.
      if (gazetteer.municipality(ibge) !== municipality) continue;
      yield file(
        municipalityPath(ibge),
        await readMunicipality(gazetteer, municipality),
      );
    }
  }
}

async function readMunicipality(
  gazetteer: Gazetteer,
  municipality: GazetteerLocality,
): Promise<MunicipalityFile> {
  const { release } = gazetteer;
  const districts = gazetteer.districts(municipality);
  const neighbourhoods = await gazetteer.neighbourhoods(municipality);
  return {
    municipio: municipalityBody(release, municipality),
    distritos: list(districts.map((it) => districtBody(release, it))),
    bairros: list(neighbourhoods.map((it) => neighbourhoodBody(release, it))),
  };
}

function file(path: string, value: unknown): SiteFile {
  return { path, text: `${JSON.stringify(value)}\n` };
}

function list<T>(data: readonly T[]): CompleteList<T> {
  return { total: data.length, data, cursor: null };
}
