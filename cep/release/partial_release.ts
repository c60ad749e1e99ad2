/**
 * Release that cannot be served, because it is damaged or an older version of
 * this program wrote it: what an import needs to know before it replaces it.
 */
import { type Connection, one } from "./connection.ts";
import { readHistory } from "./cep_history.ts";
import { StoredRows } from "./present_rows.ts";
import type { Present } from "./release_staging.ts";
import { UnreachableError } from "./errors.ts";
import { FACT_COLUMNS, type Release, toFacts } from "./release.ts";

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
  const values = Object.entries(FACT_COLUMNS).map(([name, missing]) =>
    present.has(name) ? name : missing ?? name
  );
  const select = await connection.prepare(`SELECT ${values} FROM ${release}`);
  const row = await select.get();
  if (row === undefined) throw new Error("it contains no release");
  const facts = toFacts(row);
  if (!isPlausible(facts)) throw new Error("its facts are damaged");
  return facts;
}

function isPlausible({ totalCeps, totalByFile, sources }: Release): boolean {
  return Number.isInteger(totalCeps) && totalByFile !== null &&
    Object.values(totalByFile).every(Number.isInteger) &&
    Array.isArray(sources);
}
