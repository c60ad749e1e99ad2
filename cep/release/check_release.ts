import { MAX_CENSUS_STREETS } from "../record/census.ts";
import { type Connection, failure, one } from "./connection.ts";
import { type Release, type ReleaseFacts, releaseName } from "./release.ts";
import { DatabaseError } from "./errors.ts";
import { readFileKind, UNUSABLE } from "./file_header.ts";
import { connectImmutable } from "./local_connection.ts";
import { OpenRelease } from "./open_release.ts";

/**
 * Compares a database with the counts of the writer and of the importer.
 *
 * @param countedAtOnce CEPs, existing or not, per query that counts them.
 * @throws {DatabaseError} If it is damaged or a count differs.
 */
export async function checkRelease(
  connection: Connection,
  release: Release,
  facts: ReleaseFacts,
  countedAtOnce: number = COUNTED_AT_ONCE,
): Promise<void> {
  const refuse = (reason: string): never => {
    throw new DatabaseError(
      `Cannot publish the import: the new database ${reason}`,
    );
  };
  const damage = await connection.findDamage?.();
  if (damage !== undefined) refuse(`is damaged: ${damage}`);
  if (await readId(connection) !== release.id) {
    refuse("belongs to another import");
  }
  const census = await findCensusDifference(connection, release);
  if (census !== undefined) refuse(census);
  const stored = await countByFile(connection, countedAtOnce);
  const difference = compare(stored, release.totalByFile, facts.totalByFile);
  if (difference === undefined) return;
  const [file, inDatabase, written, imported] = difference;
  refuse(
    `has ${inDatabase} CEPs of ${file}, but ${written} were written and ` +
      `${imported} imported`,
  );
}

/**
 * Compares the copy of a release with the counts that it names.
 *
 * @throws {DatabaseError} If it is damaged, incomplete or of another release.
 */
export async function checkCopy(
  connection: Connection,
  release: Pick<Release, "id" | "totalByFile" | "totalCensus">,
): Promise<void> {
  const refuse = (reason: string): never => {
    throw new DatabaseError(
      `Cannot use the copy of release ${releaseName(release)}: ${reason}`,
    );
  };
  const damage = await connection.findDamage?.();
  if (damage !== undefined) refuse(`it is damaged: ${damage}`);
  if (await readId(connection) !== release.id) refuse("it is of another one");
  const census = await findCensusDifference(connection, release);
  if (census !== undefined) refuse(`it ${census}`);
  const stored = await countByFile(connection, COUNTED_AT_ONCE);
  const difference = compare(stored, release.totalByFile);
  if (difference === undefined) return;
  const [file, copied, expected] = difference;
  refuse(`it has ${copied} CEPs of ${file}, but the release has ${expected}`);
}

function readId(connection: Connection): Promise<number> {
  return one(connection, `SELECT id FROM ${connection.table("release")}`);
}

/** Returns the first file whose counts differ, and the counts. */
function compare(
  ...totals: readonly Readonly<Record<string, number>>[]
): [file: string, ...counts: number[]] | undefined {
  for (const file of new Set(totals.flatMap(Object.keys))) {
    const counts = totals.map((it) => it[file] ?? 0);
    if (new Set(counts).size > 1) return [file, ...counts];
  }
  return undefined;
}

/** Describes a difference between the rows of the CNEFE and their number. */
async function findCensusDifference(
  connection: Connection,
  { totalCensus }: Pick<Release, "totalCensus">,
): Promise<string | undefined> {
  const count = await connection.prepare(
    `SELECT count(*), ifnull(sum(min(logradouros, ${MAX_CENSUS_STREETS})), 0),
     (SELECT count(*) FROM ${connection.table("censo_logradouro")})
     FROM ${connection.table("censo")}`,
  );
  const [rows, expected, streets] = await count.get() as number[];
  if (rows !== totalCensus) {
    return `has ${rows} instead of ${totalCensus} CEPs of the CNEFE`;
  }
  return streets === expected
    ? undefined
    : `has ${streets} instead of ${expected} streets of the CNEFE`;
}

/** CEPs per query: SQLite sorts groups in memory. */
const COUNTED_AT_ONCE = 1_000_000;

async function countByFile(
  connection: Connection,
  countedAtOnce: number,
): Promise<Record<string, number>> {
  const count = await connection.prepare(
    `SELECT nome_origem, count(*) FROM ${connection.table("cep")} AS cep
     JOIN ${connection.table("origem")} AS origem ON origem.id = cep.origem
     WHERE cep BETWEEN ? AND ? GROUP BY nome_origem`,
  );
  const totals: Record<string, number> = {};
  for (let first = 0; first < 100_000_000; first += countedAtOnce) {
    const rows = await count.all([first, first + countedAtOnce - 1]);
    for (const [file, total] of rows as [string, number][]) {
      totals[file] = (totals[file] ?? 0) + total;
    }
  }
  return totals;
}

/**
 * Checks a file as a whole, and returns the facts of its release.
 *
 * @param signal Ends the check of its snapshot and its search index.
 * @throws {DatabaseError} If a store cannot use it.
 */
export async function inspectRelease(
  path: string,
  signal?: AbortSignal,
): Promise<Release> {
  const kind = await readFileKind(path);
  if (kind !== "release") refuse(path, UNUSABLE[kind]);
  const connection = await connectImmutable(path);
  try {
    const damage = await connection.findDamage?.();
    if (damage !== undefined) refuse(path, damage);
    const release = await OpenRelease.open(connection);
    await release.checkParts(signal);
    return release.facts;
  } catch (cause) {
    throw failure(`Cannot use release "${path}"`, cause);
  } finally {
    connection.close();
  }
}

function refuse(path: string, reason: string): never {
  throw new DatabaseError(`Cannot use release "${path}": ${reason}`);
}
