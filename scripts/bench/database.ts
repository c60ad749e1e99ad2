/**
 * The database as the sqlite3 shell sees it, which shares no code with ours.
 *
 * @module
 */
import { join } from "node:path";
import { run } from "./processes.ts";

/** A record, by the names of the answer's fields. */
export type Row = Record<string, string>;

/** Name of the file in the directory of the database. */
const FILE = "cep.db";

const COLUMNS =
  "printf('%08d', cep) AS cep, logradouro, complemento, bairro, " +
  "distrito, cidade, uf, codigo_ibge, tipo_logradouro, tipo_origem, nome, " +
  "nome_origem";

/** Runs SQL and dot commands on a file, with file names as in a directory. */
export function sqlite(
  directory: string,
  file: string,
  ...commands: string[]
): Promise<string> {
  // Without the commands that somebody may keep in ~/.sqliterc.
  const args = ["-init", "/dev/null", file, ...commands];
  return run("sqlite3", { args, cwd: directory });
}

/** Records drawn at random from the whole database, in random order. */
export async function drawRows(
  databasePath: string,
  count: number,
): Promise<Row[]> {
  const query = `SELECT ${COLUMNS} FROM cep ORDER BY random() LIMIT ${count}`;
  return JSON.parse(await sqlite(databasePath, FILE, ".mode json", query));
}

/** How many records there are. */
export async function countRows(
  directory: string,
  file = FILE,
): Promise<number> {
  return Number(await sqlite(directory, file, "SELECT count(*) FROM cep"));
}

/** The statements that make the table of records, empty. */
export function readSchema(databasePath: string): Promise<string> {
  return sqlite(databasePath, FILE, ".schema cep");
}

/** Writes the records in the order of their import, as `.import` reads them. */
export async function dumpRows(
  databasePath: string,
  directory: string,
  file: string,
): Promise<void> {
  await sqlite(
    directory,
    join(databasePath, FILE),
    ".mode ascii",
    `.output ${file}`,
    // A field of .import is a text and never NULL, so that 0 stands for it.
    `SELECT cep, numero, loc_nu, coalesce(bai_nu, 0), logradouro, complemento,
       bairro, distrito, cidade, uf, codigo_ibge, tipo_logradouro, tipo_origem,
       nome, nome_origem
     FROM cep
     ORDER BY CASE tipo_origem
       WHEN 'localidade' THEN 1
       WHEN 'logradouro' THEN 2
       WHEN 'grande_usuario' THEN 3
       WHEN 'unid_oper' THEN 4
       ELSE 5
     END, numero`,
  );
}
