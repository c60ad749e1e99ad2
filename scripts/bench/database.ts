/**
 * The database as the sqlite3 shell sees it, which shares no code with ours.
 *
 * @module
 */
import { join } from "node:path";
import { run } from "./processes.ts";

/** A record, by the names of the answer's fields. */
export type Row = Readonly<Record<string, string>>;

/** Name of the release file in the directory of the database. */
export const RELEASE_FILE = "cep.db";

/** The fields as the README explains them, not as the service queries them. */
const RECORDS = `
  SELECT
    printf('%08d', c.cep) AS cep,
    o.prefixo || c.logradouro AS logradouro,
    c.complemento AS complemento,
    CASE o.tipo_origem
      WHEN 'localidade' THEN iif(l.loc_nu_sub > 0, l.nome, '')
      ELSE coalesce(b.nome, '')
    END AS bairro,
    iif(l.loc_nu_sub > 0, l.nome, '') AS distrito,
    coalesce(m.nome, '') AS cidade,
    o.uf AS uf,
    coalesce(m.mun_nu, '') AS codigo_ibge,
    o.tipo_logradouro AS tipo_logradouro,
    o.tipo_origem AS tipo_origem,
    c.nome AS nome,
    o.nome_origem AS nome_origem
  FROM cep c
  JOIN origem o ON o.id = c.origem
  LEFT JOIN bairro b USING (bai_nu)
  LEFT JOIN localidade l ON l.loc_nu = c.loc_nu
  LEFT JOIN localidade m
    ON m.loc_nu = CASE WHEN l.loc_nu_sub > 0 THEN l.loc_nu_sub ELSE l.loc_nu END`;

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

/** Records drawn uniformly from the whole database, in random order. */
export async function drawRows(
  databasePath: string,
  count: number,
): Promise<Row[]> {
  const query = `${RECORDS}
    WHERE c.cep IN (SELECT cep FROM cep ORDER BY random() LIMIT ${count})
    ORDER BY random()`;
  const text = await sqlite(databasePath, RELEASE_FILE, ".mode json", query);
  return JSON.parse(text);
}

/** Writes all codes in random order, one a line. */
export async function dumpCodes(
  databasePath: string,
  file: string,
): Promise<void> {
  await sqlite(
    databasePath,
    RELEASE_FILE,
    `.output '${file}'`,
    "SELECT printf('%08d', cep) FROM cep ORDER BY random()",
  );
}

/** Counts the records. */
export async function countRows(
  directory: string,
  file = RELEASE_FILE,
): Promise<number> {
  return Number(await sqlite(directory, file, "SELECT count(*) FROM cep"));
}

/** What the table of entries is made of. */
export interface Schema {
  /** Bytes of a page of the file. */
  readonly pageSize: number;
  /** The statement that makes the table, empty. */
  readonly table: string;
  /** The statements that make its indexes. */
  readonly indexes: string;
}

/** Reads from the release file how its table of entries is made. */
export async function readSchema(databasePath: string): Promise<Schema> {
  const ask = (sql: string) => sqlite(databasePath, RELEASE_FILE, sql);
  const statements = (type: string) =>
    // The index of a primary key has no statement of its own.
    ask(`SELECT sql || ';' FROM sqlite_master
      WHERE tbl_name = 'cep' AND type = '${type}' AND sql IS NOT NULL`);
  return {
    pageSize: Number(await ask("PRAGMA page_size")),
    table: await statements("table"),
    indexes: await statements("index"),
  };
}

/**
 * Writes the table of entries as `.import` reads it, in the order in which an
 * import meets them: file by file in the order of precedence, line by line.
 */
export async function dumpEntries(
  databasePath: string,
  directory: string,
  file: string,
): Promise<void> {
  await sqlite(
    directory,
    join(databasePath, RELEASE_FILE),
    ".mode ascii",
    // A field of .import is a text and never NULL, so that 0 stands for it.
    ".nullvalue 0",
    `.output ${file}`,
    // Within a file the directory's numbers ascend.
    `SELECT cep.* FROM cep JOIN origem ON origem.id = cep.origem
     ORDER BY CASE tipo_origem
       WHEN 'localidade' THEN 1
       WHEN 'logradouro' THEN 2
       WHEN 'grande_usuario' THEN 3
       WHEN 'unid_oper' THEN 4
       ELSE 5
     END, nome_origem, numero`,
  );
}
