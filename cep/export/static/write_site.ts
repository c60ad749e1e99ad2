import type { Address } from "../../record/address.ts";
import { releaseName } from "../../release/release.ts";
import type { Gazetteer } from "../../release/gazetteer.ts";
import type { Dump, Reader } from "../../store/store.ts";
import {
  type Manifest,
  MANIFEST_PATH,
  prefixPath,
  SITE_VERSION,
} from "./layout.ts";
import { listPlaces } from "./place_files.ts";
import { formatPrefixFile, PREFIX_DIGITS } from "./prefix_file.ts";
import { PrefixSet } from "./prefix_set.ts";
import type { SiteFolder } from "./site_folder.ts";

/** Result of {@linkcode writeSite}. */
export interface SiteReport {
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
