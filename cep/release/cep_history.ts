import {
  type Connection,
  readRows,
  type Statement,
  type Value,
} from "./connection.ts";
import type { CepChange } from "./queries.ts";
import type { Entry, Move } from "../record/entry.ts";
import type { Literal } from "./row_batch.ts";

/** Maximum number of changes in the history of a CEP. */
const MAX_CHANGES = 1000;

/** Changes and current CEPs of a release. */
export interface Changes {
  /** Changes of a CEP, in order of time. */
  of(cep: string): Promise<readonly NumberedChange[]>;
  /** Changes by which a CEP replaced others, in order of time. */
  to(cep: string): Promise<readonly NumberedChange[]>;
  /** True if the release has a record of the CEP. */
  isCurrent(cep: string): Promise<boolean>;
}

/** Change with its position in the order of time. */
export interface NumberedChange extends CepChange {
  readonly id: number;
}

/**
 * Returns the changes of a CEP, of its successors and of the CEPs that it
 * replaced, in order of time; at most a thousand.
 */
export async function listChanges(
  cep: string,
  changes: Changes,
): Promise<CepChange[]> {
  const found = new Map<number, NumberedChange>();
  for (const direction of ["of", "to"] as const) {
    const queue = [cep];
    const queued = new Set(queue);
    for (const code of queue) {
      for (const change of await changes[direction](code)) {
        if (found.size >= MAX_CHANGES) break;
        found.set(change.id, change);
        const next = direction === "of" ? change.successor : change.cep;
        if (next === null || queued.has(next)) continue;
        queued.add(next);
        queue.push(next);
      }
    }
  }
  return [...found.values()].sort((a, b) => a.id - b.id)
    .map(({ id: _, ...change }) => change);
}

/**
 * Returns the last change of a CEP, with the CEP at the end of the chain as
 * its successor; `null` if that one was removed, too.
 */
export async function lastChange(
  cep: string,
  changes: Changes,
): Promise<CepChange | undefined> {
  const [last] = newest(await changes.of(cep));
  if (last === undefined) return undefined;
  const { id: _, ...change } = last;
  return { ...change, successor: await findSuccessor(cep, changes) };
}

/** Follows the last changes of a CEP to one that is current. */
async function findSuccessor(
  cep: string,
  changes: Changes,
): Promise<string | null> {
  const seen = new Set([cep]);
  const open = [cep];
  while (open.length > 0 && seen.size <= MAX_CHANGES) {
    const successors = newest(await changes.of(open.pop()!))
      .flatMap(({ successor }) => successor ?? [])
      .filter((successor) => !seen.has(successor));
    for (const successor of successors) {
      if (await changes.isCurrent(successor)) return successor;
    }
    for (const successor of successors.toReversed()) {
      seen.add(successor);
      open.push(successor);
    }
  }
  return null;
}

/** Returns the changes by the last import, the latest first. */
function newest(changes: readonly NumberedChange[]): NumberedChange[] {
  const time = changes.at(-1)?.seededAt;
  return changes.filter(({ seededAt }) => seededAt === time).toReversed();
}

/** Changes in the table `historico`. */
export class StoredChanges implements Changes {
  readonly #of: Statement;
  readonly #to: Statement;
  readonly #find: Statement;

  private constructor(of: Statement, to: Statement, find: Statement) {
    this.#of = of;
    this.#to = to;
    this.#find = find;
  }

  /** Prepares the queries. */
  static async prepare(connection: Connection): Promise<StoredChanges> {
    const history = connection.table("historico");
    return new StoredChanges(
      await connection.prepare(selectChanges(history, "cep")),
      await connection.prepare(selectChanges(history, "cep_novo")),
      await connection.prepare(
        `SELECT 1 FROM ${connection.table("cep")} WHERE cep = ?`,
      ),
    );
  }

  of(cep: string): Promise<NumberedChange[]> {
    return parse(this.#of, cep);
  }

  to(cep: string): Promise<NumberedChange[]> {
    return parse(this.#to, cep);
  }

  async isCurrent(cep: string): Promise<boolean> {
    return await this.#find.get([Number(cep)]) !== undefined;
  }
}

/** Query for changes as one JSON text, because `first` returns one row. */
function selectChanges(table: string, column: "cep" | "cep_novo"): string {
  return `SELECT json_group_array(json_array(
      id, printf('%08d', cep),
      iif(cep_novo IS NULL, NULL, printf('%08d', cep_novo)),
      dne_version, seeded_at))
    FROM (SELECT * FROM ${table} WHERE ${column} = ? ORDER BY id DESC
      LIMIT ${MAX_CHANGES})`;
}

async function parse(
  select: Statement,
  code: string,
): Promise<NumberedChange[]> {
  const [text] = (await select.get([Number(code)]))!;
  const rows: [number, string, string | null, string, string][] = JSON.parse(
    text as string,
  );
  return rows.sort(([a], [b]) => a - b)
    .map(([id, cep, successor, dneVersion, seededAt]) => ({
      id,
      cep,
      successor,
      dneVersion,
      seededAt,
    }));
}

/** Numbers per query. */
const NUMBERS = 500;

/** CEP that changed, and its successor, `null` if it was removed. */
interface Change {
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

const LAST_CEP = 99_999_999;

/**
 * Reads the rows, which are the same in every version of the tables that has
 * them.
 *
 * @throws {Error} If one is damaged: the next release could not store it.
 */
export async function readHistory(
  connection: Connection,
): Promise<Literal[][]> {
  const rows = await readRows<Literal[]>(connection, {
    table: "historico",
    columns: "id, cep, cep_novo, dne_version, seeded_at",
    key: ["id"],
  });
  if (!rows.every(isChange)) throw new Error("a row is damaged");
  return rows;
}

function isChange(row: readonly (Value | undefined)[]): boolean {
  const [id, cep, successor, version, time] = row;
  return isCode(id, Number.MAX_SAFE_INTEGER) && isCode(cep) &&
    (successor === null || isCode(successor)) &&
    typeof version === "string" && typeof time === "string";
}

function isCode(value: Value | undefined, max = LAST_CEP): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 &&
    value <= max;
}
