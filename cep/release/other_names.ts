import { streetName } from "../search/names.ts";
import type { Connection } from "./connection.ts";

/**
 * Finds the alternative name of the street of a CEP that has some words.
 *
 * @param words Words of the name and its type, folded.
 */
export async function findOtherName(
  connection: Connection,
  cep: string,
  words: string,
): Promise<string | undefined> {
  const { table } = connection;
  const select = await connection.prepare(
    `SELECT tipo_logradouro, v.nome FROM ${table("var_log")} v
     JOIN ${table("cep")} c ON c.numero = v.log_nu WHERE c.cep = ?`,
  );
  for (const row of await select.all([Number(cep)])) {
    const [type, name] = row as [string, string];
    const found = streetName(type, name);
    if (found.words.join(" ") !== words) continue;
    // Most names contain their type.
    return name.startsWith(`${type} `) ? name : `${type} ${name}`.trim();
  }
  return undefined;
}
