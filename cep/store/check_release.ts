/**
 * Check of a finished release, before it is published.
 *
 * @module
 */
import { type Connection, one } from "./driver.ts";
import { DatabaseError, type Release, type ReleaseFacts } from "./store.ts";

/**
 * Compares a database with the counts of the writer and of the importer.
 *
 * @throws {DatabaseError} If it is damaged or a count differs.
 */
export async function checkRelease(
  connection: Connection,
  release: Release,
  facts: ReleaseFacts,
): Promise<void> {
  const damage = await one<string>(connection, "PRAGMA quick_check(1)");
  if (damage !== "ok") refuse(`the new database is damaged: ${damage}`);
  const id = await one<number>(connection, "SELECT id FROM release");
  if (id !== release.id) refuse("the new database belongs to another import");
  const stored = await countByFile(connection);
  const files = new Set(
    [stored, release.totalByFile, facts.totalByFile].flatMap(Object.keys),
  );
  for (const file of files) {
    const counts = [stored, release.totalByFile, facts.totalByFile]
      .map((totals) => totals[file] ?? 0);
    if (new Set(counts).size === 1) continue;
    const [inDatabase, written, imported] = counts;
    refuse(
      `the new database has ${inDatabase} CEPs of ${file}, but ` +
        `${written} were written and ${imported} imported`,
    );
  }
}

/** CEPs per query: SQLite sorts groups in memory. */
const COUNTED_AT_ONCE = 1_000_000;

async function countByFile(
  connection: Connection,
): Promise<Record<string, number>> {
  const count = await connection.prepare(
    `SELECT nome_origem, count(*) FROM cep JOIN origem ON origem.id = cep.origem
     WHERE cep BETWEEN ? AND ? GROUP BY nome_origem`,
  );
  const totals: Record<string, number> = {};
  for (let first = 0; first < 100_000_000; first += COUNTED_AT_ONCE) {
    const rows = await count.all([first, first + COUNTED_AT_ONCE - 1]);
    for (const [file, total] of rows as [string, number][]) {
      totals[file] = (totals[file] ?? 0) + total;
    }
  }
  return totals;
}

function refuse(reason: string): never {
  throw new DatabaseError(`Cannot publish the import: ${reason}`);
}
