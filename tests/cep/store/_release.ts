/** Entries, and releases made of them. */
import { DatabaseSync } from "node:sqlite";
import { connect } from "../../../cep/release/local_connection.ts";
import type {
  CensusRow,
  DataSource,
  Entry,
  Release,
  Staging,
  Writer,
} from "../../../cep/store/mod.ts";
import { ReleaseWriter } from "../../../cep/release/release_writer.ts";

/** Version and time of the releases of these tests. */
export const FACTS = {
  dneVersion: "25041",
  seededAt: "2025-04-15T12:00:00.000Z",
  optionalFiles: [],
  sources: ["dne"],
} as const;

/** Returns a street in SP with some fields replaced. */
export function entry(cep: string, fields: Partial<Entry> = {}): Entry {
  return {
    cep,
    number: 7,
    uf: "SP",
    locality: 1,
    neighbourhood: 1,
    streetType: "Rua",
    typeInName: true,
    street: `das Flores ${cep}`,
    complement: "até 99",
    name: "",
    origin: "logradouro",
    file: "LOG_LOGRADOURO_SP.TXT",
    order: Number(cep),
    ...fields,
  };
}

/** Returns a row of the CNEFE with some fields replaced. */
export function censusRow(
  cep: string,
  fields: Partial<CensusRow> = {},
): CensusRow {
  return {
    cep,
    ibge: "3599901",
    locality: "Vila D'Água",
    point: { latitude: -23.56168, longitude: -46.65598, radius: 312 },
    addresses: 187,
    streets: [
      {
        type: "Rua",
        name: "das Flores",
        addresses: 150,
        odd: [1, 99],
        even: [2, 980],
      },
      { type: "", name: "Beco", addresses: 7, odd: null, even: [4, 4] },
    ],
    streetCount: 2,
    file: "35_SP.csv",
    ...fields,
  };
}

/** Returns streets in SP with these CEPs. */
export function entries(...codes: readonly string[]): Entry[] {
  return codes.map((cep) => entry(cep));
}

/** Returns the number of entries by file. */
export function countByFile(all: readonly Entry[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { file } of all) totals[file] = (totals[file] ?? 0) + 1;
  return totals;
}

/** Publishes a release of these entries. */
export async function publish(
  staging: Staging,
  all: readonly Entry[],
  facts: Partial<Release> = {},
): Promise<void> {
  const totalByFile = countByFile(all);
  await staging.publish({ ...FACTS, totalByFile, ...facts }, {});
}

/** Returns the sources of a release with these rows of the CNEFE. */
function sourcesOf(census: readonly CensusRow[]): DataSource[] {
  return census.length > 0 ? ["dne", "cnefe"] : ["dne"];
}

/** Imports one locality, these entries and these rows of the CNEFE. */
export async function fill(
  store: Writer,
  all: readonly Entry[],
  facts: Partial<Release> = {},
  census: readonly CensusRow[] = [],
): Promise<void> {
  const staging = await store.stage("test");
  await addPlaces(staging);
  await staging.addCensus(census);
  await staging.addEntries(all);
  await publish(staging, all, { sources: sourcesOf(census), ...facts });
}

/** Adds the locality and neighbourhood of {@linkcode entry}. */
export async function addPlaces(
  staging: Staging,
  ibge: string = "3599901",
): Promise<void> {
  await staging.addLocalities([{
    number: 1,
    uf: "SP",
    name: "Vila Grande",
    cep: "",
    situation: "1",
    type: "M",
    parent: null,
    ibge,
    abbreviation: "Vl Grande",
  }]);
  await staging.addNeighbourhoods([
    { number: 1, uf: "SP", locality: 1, name: "Centro", abbreviation: "" },
  ]);
}

/** Writes a release file of these entries and rows of the CNEFE. */
export async function writeRelease(
  path: string,
  all: readonly Entry[] = entries("01310100"),
  census: readonly CensusRow[] = [],
): Promise<void> {
  const connection = await connect(path);
  const writer = await ReleaseWriter.begin(connection);
  await writer.addCensus(census);
  await writer.addEntries(all);
  await writer.finish({ ...FACTS, sources: sourcesOf(census) }, {});
  connection.close();
}

/** Runs statements on a file with the SQLite of the runtime. */
export function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
