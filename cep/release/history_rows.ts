import type { Connection, Value } from "./connection.ts";
import type { Literal } from "./row_batch.ts";
import { readRows } from "./row_pages.ts";

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
