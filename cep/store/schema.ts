/**
 * The tables of the database.
 *
 * @module
 */

/** Written to the file, so that another version of this program notices. */
export const SCHEMA_VERSION = 1;

/**
 * The tables that an import replaces. A record keeps the directory's own
 * numbers beside its text, and localities and neighbourhoods are kept whole, so
 * that a later change of one of them can find the records concerned. The code
 * is a number because SQLite then clusters the table by it.
 */
export const TABLES: Readonly<Record<string, string>> = {
  localidade: `(
    loc_nu INTEGER PRIMARY KEY,
    uf TEXT NOT NULL,
    nome TEXT NOT NULL,
    cep TEXT NOT NULL,
    situacao TEXT NOT NULL,
    tipo TEXT NOT NULL,
    loc_nu_sub INTEGER,
    mun_nu TEXT NOT NULL
  ) STRICT`,
  bairro: `(
    bai_nu INTEGER PRIMARY KEY,
    uf TEXT NOT NULL,
    loc_nu INTEGER NOT NULL,
    nome TEXT NOT NULL
  ) STRICT`,
  cep: `(
    cep INTEGER PRIMARY KEY,
    numero INTEGER NOT NULL,
    loc_nu INTEGER NOT NULL,
    bai_nu INTEGER,
    logradouro TEXT NOT NULL,
    complemento TEXT NOT NULL,
    bairro TEXT NOT NULL,
    distrito TEXT NOT NULL,
    cidade TEXT NOT NULL,
    uf TEXT NOT NULL,
    codigo_ibge TEXT NOT NULL,
    tipo_logradouro TEXT NOT NULL,
    tipo_origem TEXT NOT NULL,
    nome TEXT NOT NULL,
    nome_origem TEXT NOT NULL
  ) STRICT`,
  // Counts by the first five digits, so that no total scans the records.
  cep_total: `(
    setor INTEGER NOT NULL,
    uf TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (setor, uf)
  ) STRICT, WITHOUT ROWID`,
};

/** One row an import; the last is the present one. */
export const RELEASE_TABLE = `CREATE TABLE IF NOT EXISTS release (
  number INTEGER PRIMARY KEY,
  id INTEGER NOT NULL,
  dne_version TEXT NOT NULL,
  seeded_at TEXT NOT NULL,
  total_ceps INTEGER NOT NULL,
  report TEXT NOT NULL
) STRICT`;
