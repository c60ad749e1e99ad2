/**
 * The tables of a release file.
 *
 * @module
 */
import { FIELDS } from "../fields.ts";

/** Marks a file as one of this program's (`PRAGMA application_id`): "CEP1". */
export const APPLICATION_ID = 0x43455031;

/** Version of the tables (`PRAGMA user_version`). */
export const SCHEMA_VERSION = 2;

/** Columns of an entry; the code is an integer, by which SQLite clusters. */
const ENTRY_COLUMNS = `
  numero INTEGER NOT NULL,
  loc_nu INTEGER NOT NULL,
  bai_nu INTEGER,
  origem INTEGER NOT NULL,
  logradouro TEXT NOT NULL,
  complemento TEXT NOT NULL,
  nome TEXT NOT NULL`;

/**
 * The tables are the directory's, tied by its numbers, and joined when they are
 * read: a neighbourhood that is renamed is one row.
 */
export const TABLES = `
  CREATE TABLE localidade (
    loc_nu INTEGER PRIMARY KEY,
    uf TEXT NOT NULL,
    nome TEXT NOT NULL,
    cep TEXT NOT NULL,
    situacao TEXT NOT NULL,
    tipo TEXT NOT NULL,
    loc_nu_sub INTEGER,
    mun_nu TEXT NOT NULL
  ) STRICT;
  CREATE TABLE bairro (
    bai_nu INTEGER PRIMARY KEY,
    uf TEXT NOT NULL,
    loc_nu INTEGER NOT NULL,
    nome TEXT NOT NULL
  ) STRICT;

  -- What entries of one file, state and street type have in common.
  CREATE TABLE origem (
    id INTEGER PRIMARY KEY,
    prefixo TEXT NOT NULL,
    tipo_logradouro TEXT NOT NULL,
    tipo_origem TEXT NOT NULL,
    uf TEXT NOT NULL,
    nome_origem TEXT NOT NULL
  ) STRICT;
  CREATE TABLE cep (cep INTEGER PRIMARY KEY, ${ENTRY_COLUMNS}) STRICT;
  CREATE INDEX cep_numero ON cep (numero, origem);

  -- Entries whose code another entry has, by precedence. An update that deletes
  -- the one brings the other back.
  CREATE TABLE duplicado (
    id INTEGER PRIMARY KEY, cep INTEGER NOT NULL, ${ENTRY_COLUMNS}
  ) STRICT;

  -- Number of codes by their first five digits, so that no total is counted.
  CREATE TABLE setor (setor INTEGER PRIMARY KEY, total INTEGER NOT NULL) STRICT;

  -- Codes that were replaced. Every release has those of the one before.
  CREATE TABLE historico (
    cep INTEGER NOT NULL,
    cep_novo INTEGER,
    dne_version TEXT NOT NULL,
    PRIMARY KEY (cep, dne_version)
  ) STRICT, WITHOUT ROWID;

  -- One row.
  CREATE TABLE release (
    id INTEGER PRIMARY KEY,
    dne_version TEXT NOT NULL,
    seeded_at TEXT NOT NULL,
    total_ceps INTEGER NOT NULL,
    total_by_state TEXT NOT NULL,
    total_by_file TEXT NOT NULL,
    report TEXT NOT NULL,
    snapshot TEXT NOT NULL
  ) STRICT;
  CREATE TABLE snapshot (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`;

/** Tables that hold the fields of a record, joined. */
const JOINED_TABLES = `cep
  JOIN origem ON origem.id = cep.origem
  LEFT JOIN bairro ON bairro.bai_nu = cep.bai_nu
  LEFT JOIN localidade ON localidade.loc_nu = cep.loc_nu
  LEFT JOIN localidade AS municipio ON
    municipio.loc_nu = ifnull(localidade.loc_nu_sub, localidade.loc_nu)`;

const RECORD_JSON = `json_object(${
  Object.entries(FIELDS).map(([name, { sql }]) => `'${name}', ${sql}`)
    .join(", ")
})`;

/** The record of a code, as JSON. */
export const SELECT_RECORD =
  `SELECT ${RECORD_JSON} FROM ${JOINED_TABLES} WHERE cep.cep = ?`;

/** Records from one code to another, as JSON and in order, at most so many. */
export const SELECT_RECORDS = `SELECT cep.cep, ${RECORD_JSON}
  FROM ${JOINED_TABLES} WHERE cep.cep BETWEEN ? AND ?
  ORDER BY cep.cep LIMIT ?`;
