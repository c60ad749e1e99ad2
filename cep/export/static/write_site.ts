import {
  districtBody,
  municipalityBody,
  neighbourhoodBody,
  stateBody,
} from "../../http/place_bodies.ts";
import { type Address, STATES } from "../../record/address.ts";
import { releaseName } from "../../release/release.ts";
import type { Gazetteer, GazetteerLocality } from "../../release/gazetteer.ts";
import type { Dump, Reader } from "../../store/store.ts";
import {
  type CompleteList,
  type Manifest,
  MANIFEST_PATH,
  municipalitiesPath,
  type MunicipalityFile,
  municipalityPath,
  prefixPath,
  SITE_VERSION,
  STATES_PATH,
} from "./layout.ts";
import { formatPrefixFile, PREFIX_DIGITS, PrefixSet } from "./prefixes.ts";
import type { SiteFolder } from "./site_folder.ts";

/** Result of {@linkcode writeSite}. */
interface SiteReport {
  /** Number of records. */
  readonly records: number;
  /** Number of files of the site. */
  readonly files: number;
  /** Number of files whose content is new. */
  readonly written: number;
  /** Number of files that were removed. */
  readonly removed: number;
}

/**
 * Writes the static site of the current release: only the files that change,
 * then the manifest. An export that was interrupted is completed by the next
 * one; until then every file is of one release or the other.
 *
 * @returns A report, or `undefined` before the first import.
 * @throws {DatabaseError} If the database cannot be read.
 * @throws {SiteError} If a file cannot be written.
 */
export async function writeSite(
  store: Pick<Reader, "dump" | "gazetteer">,
  folder: Pick<SiteFolder, "write" | "removeOthers">,
): Promise<SiteReport | undefined> {
  const content = await readContent(store);
  if (content === undefined) return undefined;
  const { gazetteer, dump: { release, pages } } = content;
  let records = 0;
  let files = 0;
  let written = 0;
  const write = async (path: string, text: string) => {
    files++;
    if (await folder.write(path, text)) written++;
  };
  for await (const { path, text } of listPlaces(gazetteer)) {
    await write(path, text);
  }
  const prefixes: string[] = [];
  for await (const group of byPrefix(pages)) {
    const prefix = prefixOf(group[0]!);
    await write(prefixPath(prefix), formatPrefixFile(group));
    prefixes.push(prefix);
    records += group.length;
  }
  const manifest: Manifest = {
    formato: SITE_VERSION,
    release: releaseName(release),
    dne_version: release.dneVersion,
    seeded_at: release.seededAt,
    total_ceps: release.totalCeps,
    prefixos: PrefixSet.of(prefixes).toString(),
  };
  await write(MANIFEST_PATH, `${JSON.stringify(manifest, null, 2)}\n`);
  // Last: the previous manifest refers to them.
  const removed = await folder.removeOthers();
  return { records, files, written, removed };
}

/** Returns the places and the records of one release. */
async function readContent(
  store: Pick<Reader, "dump" | "gazetteer">,
): Promise<{ gazetteer: Gazetteer; dump: Dump } | undefined> {
  while (true) {
    const gazetteer = await store.gazetteer();
    const dump = await store.dump();
    if (gazetteer === undefined || dump === undefined) return undefined;
    // A release may have been published in between.
    if (gazetteer.release.id === dump.release.id) return { gazetteer, dump };
  }
}

function prefixOf({ cep }: Address): string {
  return cep.slice(0, PREFIX_DIGITS);
}

/** Groups records, which are in order of CEP, by prefix. */
async function* byPrefix(
  pages: AsyncIterable<string[]>,
): AsyncGenerator<Address[]> {
  let group: Address[] = [];
  for await (const page of pages) {
    for (const json of page) {
      const record: Address = JSON.parse(json);
      if (group.length > 0 && prefixOf(group[0]!) !== prefixOf(record)) {
        yield group;
        group = [];
      }
      group.push(record);
    }
  }
  if (group.length > 0) yield group;
}

/** File of a site. */
interface SiteFile {
  readonly path: string;
  readonly text: string;
}

/** Iterates over the files of the places. */
async function* listPlaces(
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
