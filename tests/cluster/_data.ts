/**
 * Versions of a small DNE whose streets all differ, each with the same CNEFE,
 * and their records.
 */
import type { Writer } from "../../cep/store/mod.ts";
import { deltaLine, updateFiles } from "../cep/_delta.ts";
import { CEPS, line } from "../cep/_directory.ts";
import { OpenedStore } from "../cep/_stores.ts";
import {
  CENSUS,
  seedBoth,
  type Sources,
  writeSources,
} from "../cep/import/_both.ts";

/** Number of streets that differ from version to version. */
const STREETS = 300;

/** Version of the data. */
export type Version = "one" | "two" | "three";

/** Versions of the DNE, which must rise. */
const DNE_VERSIONS: Readonly<Record<Version, string>> = {
  one: "25011",
  two: "25012",
  three: "25021",
};

/** Records as JSON texts, by CEP. */
export type Records = ReadonlyMap<string, string>;

function streetsOf(version: Version) {
  return Array.from({ length: STREETS }, (_, i) => ({
    LOG_NU: String(100 + i),
    LOG_NO: `da Versão ${version}`,
    CEP: String(2_000_000 + i).padStart(8, "0"),
  }));
}

/**
 * CEPs of every version: those that differ, then the others, with those of the
 * CNEFE.
 */
export const CODES: readonly string[] = [
  ...streetsOf("one").map(({ CEP }) => CEP),
  ...CEPS.filter((cep) => cep !== "01900002"),
  "01900005",
];

function sourcesOf(version: Version): Sources {
  const streets = streetsOf(version);
  return {
    dne: {
      "LOG_LOGRADOURO_SP.TXT": streets.map((it) => line("LOG_LOGRADOURO", it)),
    },
    cnefe: CENSUS,
  };
}

/** Writes the files of a version, and returns the settings that name them. */
export function writeVersion(
  folder: string,
  version: Version,
): Record<"DB_RAW_PATH" | "CNEFE_PATH", string> {
  const { directory, cnefe } = writeSources(folder, sourcesOf(version));
  return { DB_RAW_PATH: `${directory}`, CNEFE_PATH: `${cnefe}` };
}

/** Imports a version. */
export async function importVersion(
  store: Writer,
  version: Version,
): Promise<void> {
  await seedBoth(store, sourcesOf(version), {
    dneVersion: DNE_VERSIONS[version],
  });
}

/** Applies the delta from the previous version. */
export async function updateTo(
  store: Writer,
  version: Version,
): Promise<void> {
  await updateFiles(store, {
    "DELTA_LOG_LOGRADOURO.TXT": streetsOf(version).map((it) =>
      deltaLine("LOG_LOGRADOURO", "UPD", it, it.CEP)
    ),
  }, { dneVersion: DNE_VERSIONS[version] });
}

const oracles = new Map<Version, Promise<Records>>();

/** Returns the records of a version, from a store in memory. */
export function recordsOf(version: Version): Promise<Records> {
  let records = oracles.get(version);
  if (records === undefined) {
    records = readVersion(version);
    oracles.set(version, records);
  }
  return records;
}

async function readVersion(version: Version): Promise<Records> {
  await using opened = await OpenedStore.inMemory();
  await importVersion(opened.store, version);
  const records = new Map<string, string>();
  for await (const page of opened.store.scan()) {
    for (const record of page) records.set(record.cep, JSON.stringify(record));
  }
  return records;
}
