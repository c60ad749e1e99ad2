/**
 * Release that cannot be served, because it is damaged or an older version of
 * this program wrote it: what an import needs to know before it replaces it.
 */
import { type Connection, one, type Value } from "./connection.ts";
import { readHistory } from "./cep_history.ts";
import { StoredRows } from "./present_rows.ts";
import type { Present } from "./release_staging.ts";
import { UnreachableError } from "./errors.ts";
import type { DataSource, Release } from "./release.ts";

/** Columns of its facts, and the values of versions that lack one. */
const COLUMNS: Readonly<Record<string, string | undefined>> = {
  id: undefined,
  dne_version: undefined,
  seeded_at: undefined,
  total_ceps: undefined,
  total_by_state: "'{}'",
  total_by_file: "'{}'",
  optional_files: "'[]'",
  // Versions without the CNEFE imported only the DNE.
  sources: `'["dne"]'`,
  total_censo: "0",
};

/**
 * Reads a release.
 *
 * @param onLost Called if its history cannot be read.
 * @throws {Error} If its facts cannot be read.
 */
export async function readPartially(
  connection: Connection,
  onLost: (error: unknown) => [],
): Promise<Present> {
  const orNothing = (error: unknown): [] => {
    if (error instanceof UnreachableError) throw error;
    return onLost(error);
  };
  const rows = new StoredRows(connection);
  return {
    state: "partial",
    facts: await readFacts(connection),
    rows,
    history: await readHistory(connection).catch(orNothing),
    missingFrom: (codes) => rows.missingFrom(codes).catch(orNothing),
    close: () => connection.close(),
  };
}

async function readFacts(connection: Connection): Promise<Release> {
  const release = connection.table("release");
  const names = await one<string>(
    connection,
    `SELECT group_concat(name) FROM pragma_table_info('${release}')`,
  );
  const present = new Set(`${names}`.split(","));
  const values = Object.entries(COLUMNS).map(([name, missing]) =>
    present.has(name) ? name : missing ?? name
  );
  const select = await connection.prepare(`SELECT ${values} FROM ${release}`);
  const row = await select.get();
  if (row === undefined) throw new Error("it contains no release");
  return toFacts(row);
}

function toFacts(row: readonly Value[]): Release {
  const [id, dneVersion, seededAt, totalCeps, ...others] = row;
  const [byState, byFile, optionalFiles, sources, totalCensus] = others;
  const facts = {
    id: Number(id),
    dneVersion: `${dneVersion}`,
    seededAt: `${seededAt}`,
    totalCeps: Number(totalCeps),
    totalByState: JSON.parse(`${byState}`) as Record<string, number>,
    totalByFile: JSON.parse(`${byFile}`) as Record<string, number>,
    optionalFiles: JSON.parse(`${optionalFiles}`) as string[],
    sources: JSON.parse(`${sources}`) as DataSource[],
    totalCensus: Number(totalCensus),
  };
  if (!isPlausible(facts)) throw new Error("its facts are damaged");
  return facts;
}

function isPlausible({ totalCeps, totalByFile, sources }: Release): boolean {
  return Number.isInteger(totalCeps) && totalByFile !== null &&
    Object.values(totalByFile).every(Number.isInteger) &&
    Array.isArray(sources);
}
