import type { Entry, Move } from "../record/entry.ts";
import type { Connection } from "./connection.ts";

/** Numbers per query. */
const NUMBERS = 500;

/** CEP that changed, and its successor, `null` if it was removed. */
export interface Change {
  readonly cep: string;
  readonly successor: string | null;
}

/**
 * Returns the changes to a new release. The successor of a CEP that it lacks is
 * the CEP that the same number in the DNE has now.
 *
 * @param connection Database of the new release.
 * @param missing Entries of the present release whose CEP the new one lacks.
 * @param moves Changes that are already known.
 */
export async function findChanges(
  connection: Connection,
  missing: readonly Entry[],
  moves: readonly Move[],
): Promise<Change[]> {
  const known = new Set(moves.map(({ from }) => from));
  const unknown = missing.filter(({ cep }) => !known.has(cep));
  const successors = await findSuccessors(connection, unknown);
  return [
    ...moves.map(({ from, to }) => ({ cep: from, successor: to })),
    ...unknown.map((entry) => ({
      cep: entry.cep,
      successor: successors.get(keyOf(entry)) ?? null,
    })),
  ];
}

async function findSuccessors(
  connection: Connection,
  entries: readonly Entry[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let i = 0; i < entries.length; i += NUMBERS) {
    const numbers = entries.slice(i, i + NUMBERS).map(({ number }) => number);
    const select = await connection.prepare(
      ["duplicado", "cep"].map((table) =>
        `SELECT tipo_origem, numero, printf('%08d', cep) FROM ${
          connection.table(table)
        } JOIN ${connection.table("origem")} AS origens
         ON origens.id = origem WHERE numero IN (${numbers})`
      ).join(" UNION ALL "),
    );
    for (const [origin, number, cep] of await select.all()) {
      found.set(`${origin}/${number}`, cep as string);
    }
  }
  return found;
}

function keyOf({ origin, number }: Entry): string {
  return `${origin}/${number}`;
}
