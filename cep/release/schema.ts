import type { DetailTable } from "../record/entry.ts";
import { CENSUS_FIELDS, FIELDS, OWN_FIELDS } from "../record/fields.ts";
import type { TableNames } from "./connection.ts";

/** `PRAGMA application_id` of a file of this program: "CEP1" in ASCII. */
export const APPLICATION_ID = 0x43455031;

/** `PRAGMA user_version`: version of the tables. */
export const SCHEMA_VERSION = 4;

/** Columns of an entry, without its CEP. */
const ENTRY_COLUMNS = `
  numero INTEGER NOT NULL,
  loc_nu INTEGER NOT NULL,
  bai_nu INTEGER,
  origem INTEGER NOT NULL,
  ordem INTEGER NOT NULL,
  logradouro TEXT NOT NULL,
  complemento TEXT NOT NULL,
  nome TEXT NOT NULL`;

/** Table of a release. */
export interface Table {
  /** Its rows, for the tables of the documents. */
  readonly rows: { readonly en: string; readonly pt: string };
  /** Its columns and constraints. */
  readonly columns: string;
  /**
   * Its options.
   *
   * @default {"STRICT"}
   */
  readonly options?: string;
}

/** Tables of the optional files. */
const DETAILS: Readonly<Record<DetailTable, Table>> = {
  faixa_uf: {
    rows: { en: "CEP ranges of states", pt: "faixas de CEP dos estados" },
    columns: `
      uf TEXT NOT NULL,
      cep_ini INTEGER NOT NULL,
      cep_fim INTEGER NOT NULL,
      PRIMARY KEY (uf, cep_ini)`,
    options: "STRICT, WITHOUT ROWID",
  },
  faixa_localidade: {
    rows: {
      en: "CEP ranges of municipalities (`T`) and of their seats (`C`)",
      pt: "faixas de CEP dos municípios (`T`) e de suas sedes (`C`)",
    },
    columns: `
      loc_nu INTEGER NOT NULL,
      cep_ini INTEGER NOT NULL,
      cep_fim INTEGER NOT NULL,
      tipo TEXT NOT NULL,
      PRIMARY KEY (loc_nu, cep_ini, tipo)`,
    options: "STRICT, WITHOUT ROWID",
  },
  faixa_bairro: {
    rows: {
      en: "CEP ranges of neighbourhoods",
      pt: "faixas de CEP dos bairros",
    },
    columns: `
      bai_nu INTEGER NOT NULL,
      cep_ini INTEGER NOT NULL,
      cep_fim INTEGER NOT NULL,
      PRIMARY KEY (bai_nu, cep_ini)`,
    options: "STRICT, WITHOUT ROWID",
  },
  faixa_cpc: {
    rows: {
      en: "box numbers of community mailboxes",
      pt: "números das caixas postais comunitárias",
    },
    columns: `
      cpc_nu INTEGER NOT NULL,
      inicial INTEGER NOT NULL,
      final INTEGER NOT NULL,
      PRIMARY KEY (cpc_nu, inicial)`,
    options: "STRICT, WITHOUT ROWID",
  },
  faixa_uop: {
    rows: {
      en: "PO box numbers of operational units",
      pt: "números das caixas postais das unidades operacionais",
    },
    columns: `
      uop_nu INTEGER NOT NULL,
      inicial INTEGER NOT NULL,
      final INTEGER NOT NULL,
      PRIMARY KEY (uop_nu, inicial)`,
    options: "STRICT, WITHOUT ROWID",
  },
  var_loc: {
    rows: {
      en: "alternative names of localities",
      pt: "nomes alternativos das localidades",
    },
    columns: `
      loc_nu INTEGER NOT NULL,
      ordem INTEGER NOT NULL,
      nome TEXT NOT NULL,
      PRIMARY KEY (loc_nu, ordem)`,
    options: "STRICT, WITHOUT ROWID",
  },
  var_bai: {
    rows: {
      en: "alternative names of neighbourhoods",
      pt: "nomes alternativos dos bairros",
    },
    columns: `
      bai_nu INTEGER NOT NULL,
      ordem INTEGER NOT NULL,
      nome TEXT NOT NULL,
      PRIMARY KEY (bai_nu, ordem)`,
    options: "STRICT, WITHOUT ROWID",
  },
  var_log: {
    rows: {
      en: "alternative names of streets, usually with their type",
      pt: "nomes alternativos dos logradouros, em geral com o tipo",
    },
    columns: `
      log_nu INTEGER NOT NULL,
      ordem INTEGER NOT NULL,
      tipo_logradouro TEXT NOT NULL,
      nome TEXT NOT NULL,
      PRIMARY KEY (log_nu, ordem)`,
    options: "STRICT, WITHOUT ROWID",
  },
  num_sec: {
    rows: {
      en: "house-number ranges of streets, and their side",
      pt: "numeração dos trechos de logradouros, e seu lado",
    },
    columns: `
      log_nu INTEGER NOT NULL,
      inicio TEXT NOT NULL,
      fim TEXT NOT NULL,
      lado TEXT NOT NULL,
      PRIMARY KEY (log_nu, inicio, lado)`,
    options: "STRICT, WITHOUT ROWID",
  },
};

/**
 * Tables of a release. They mirror the DNE, are linked by its numbers, and are
 * joined by queries.
 */
export const TABLES: Readonly<Record<string, Table>> = {
  localidade: {
    rows: {
      en: "municipalities, districts and villages, by their number in the DNE",
      pt: "municípios, distritos e povoados, pelo número no DNE",
    },
    columns: `
      loc_nu INTEGER PRIMARY KEY,
      uf TEXT NOT NULL,
      nome TEXT NOT NULL,
      cep TEXT NOT NULL,
      situacao TEXT NOT NULL,
      tipo TEXT NOT NULL,
      loc_nu_sub INTEGER,
      mun_nu TEXT NOT NULL,
      nome_abrev TEXT NOT NULL,
      ordem INTEGER NOT NULL`,
  },
  bairro: {
    rows: {
      en: "neighbourhoods, by their number in the DNE",
      pt: "bairros, pelo número no DNE",
    },
    columns: `
      bai_nu INTEGER PRIMARY KEY,
      uf TEXT NOT NULL,
      loc_nu INTEGER NOT NULL,
      nome TEXT NOT NULL,
      nome_abrev TEXT NOT NULL`,
  },
  cep: {
    rows: {
      en:
        "entries by CEP: number, locality, neighbourhood, `origem`, street, " +
        "complement, name",
      pt: "entradas por CEP: número, localidade, bairro, `origem`, " +
        "logradouro, complemento, nome",
    },
    columns: `cep INTEGER PRIMARY KEY, ${ENTRY_COLUMNS}`,
  },
  origem: {
    rows: {
      en: "source file, kind, state and street type, shared by many entries",
      pt: "arquivo de origem, tipo, UF e tipo de logradouro, comuns a várias " +
        "entradas",
    },
    columns: `
      id INTEGER PRIMARY KEY,
      prefixo TEXT NOT NULL,
      tipo_logradouro TEXT NOT NULL,
      tipo_origem TEXT NOT NULL,
      uf TEXT NOT NULL,
      nome_origem TEXT NOT NULL`,
  },
  // In order of precedence, to replace an entry that an update deletes.
  duplicado: {
    rows: {
      en: "entries whose CEP belongs to another entry",
      pt: "entradas cujo CEP já pertence a outra",
    },
    columns: `id INTEGER PRIMARY KEY, cep INTEGER NOT NULL, ${ENTRY_COLUMNS}`,
  },
  ...DETAILS,
  censo: {
    rows: {
      en: "addresses by CEP in the CNEFE: municipality, locality, place in " +
        "1/100000 degree, radius, counts",
      pt: "endereços por CEP no CNEFE: município, localidade, lugar em " +
        "1/100000 de grau, raio, quantidades",
    },
    columns: `
      cep INTEGER PRIMARY KEY,
      mun_nu TEXT NOT NULL,
      localidade TEXT NOT NULL,
      latitude INTEGER,
      longitude INTEGER,
      raio_m INTEGER,
      enderecos INTEGER NOT NULL,
      logradouros INTEGER NOT NULL,
      arquivo TEXT NOT NULL`,
  },
  censo_logradouro: {
    rows: {
      en: "streets of each CEP in the CNEFE, that with most addresses first, " +
        "and the building numbers seen on each side",
      pt:
        "logradouros de cada CEP no CNEFE, a começar pelo de mais endereços, " +
        "e os números vistos em cada lado",
    },
    columns: `
      cep INTEGER NOT NULL,
      ordem INTEGER NOT NULL,
      tipo_logradouro TEXT NOT NULL,
      nome TEXT NOT NULL,
      enderecos INTEGER NOT NULL,
      impar_ini INTEGER,
      impar_fim INTEGER,
      par_ini INTEGER,
      par_fim INTEGER,
      PRIMARY KEY (cep, ordem)`,
    options: "STRICT, WITHOUT ROWID",
  },
  // Totals, because counting rows is slow.
  setor: {
    rows: {
      en: "number of CEPs by their first five digits",
      pt: "quantidade de CEPs pelos cinco primeiros dígitos",
    },
    columns: "setor INTEGER PRIMARY KEY, total INTEGER NOT NULL",
  },
  historico: {
    rows: {
      en: "replaced and removed CEPs, with the release that changed them; " +
        "each release inherits those of the previous one",
      pt: "CEPs substituídos e removidos, com a base que os alterou; " +
        "cada base herda os da anterior",
    },
    columns: `
      id INTEGER PRIMARY KEY,
      cep INTEGER NOT NULL,
      cep_novo INTEGER,
      dne_version TEXT NOT NULL,
      seeded_at TEXT NOT NULL`,
  },
  release: {
    rows: {
      en: "one row: version of the DNE, time of the import, sources, totals, " +
        "report",
      pt: "uma linha: versão do DNE, momento da importação, fontes, totais, " +
        "relatório",
    },
    columns: `
      id INTEGER PRIMARY KEY,
      dne_version TEXT NOT NULL,
      seeded_at TEXT NOT NULL,
      total_ceps INTEGER NOT NULL,
      total_by_state TEXT NOT NULL,
      total_by_file TEXT NOT NULL,
      optional_files TEXT NOT NULL,
      sources TEXT NOT NULL,
      total_censo INTEGER NOT NULL,
      report TEXT NOT NULL,
      snapshot TEXT NOT NULL,
      busca TEXT NOT NULL,
      pontos TEXT NOT NULL`,
  },
  snapshot: {
    rows: {
      en: "all records in compact form, which servers load into memory",
      pt:
        "todos os registros em formato compacto, que o servidor carrega na memória",
    },
    columns: "part INTEGER PRIMARY KEY, bytes BLOB NOT NULL",
  },
  busca: {
    rows: {
      en: "search index, which servers load into memory",
      pt: "índice da busca, que o servidor carrega na memória",
    },
    columns: "part INTEGER PRIMARY KEY, bytes BLOB NOT NULL",
  },
  pontos: {
    rows: {
      en: "places of the records, which servers load into memory to find the " +
        "nearest",
      pt: "lugares dos registros, que o servidor carrega na memória para " +
        "encontrar os mais próximos",
    },
    columns: "part INTEGER PRIMARY KEY, bytes BLOB NOT NULL",
  },
};

/** Indexes of the tables. */
const INDEXES: readonly [name: string, table: string, columns: string][] = [
  ["cep_numero", "cep", "numero, origem"],
  ["bairro_localidade", "bairro", "loc_nu"],
  ["historico_cep", "historico", "cep"],
  ["historico_cep_novo", "historico", "cep_novo"],
];

/** Returns the statements that create every table and index. */
export function createTables(table: TableNames): string[] {
  return [
    ...Object.entries(TABLES).map(([name, { columns, options = "STRICT" }]) =>
      `CREATE TABLE ${table(name)} (${columns}) ${options};`
    ),
    ...INDEXES.map(([name, of, columns]) =>
      `CREATE INDEX ${table(name)} ON ${table(of)} (${columns});`
    ),
  ];
}

/** Returns the joined tables with the fields of a record. */
function joinedTables(table: TableNames, counted: boolean): string {
  return `${table("cep")} AS cep
    JOIN ${table("origem")} AS origem ON origem.id = cep.origem
    LEFT JOIN ${table("bairro")} AS bairro ON bairro.bai_nu = cep.bai_nu
    LEFT JOIN ${table("localidade")} AS localidade ON
      localidade.loc_nu = cep.loc_nu
    LEFT JOIN ${table("localidade")} AS municipio ON
      municipio.loc_nu = ifnull(localidade.loc_nu_sub, localidade.loc_nu)${
    counted
      // Misread addresses of another municipality are not those of a record.
      ? ` LEFT JOIN ${table("censo")} AS censo ON censo.cep = cep.cep AND
        ${FIELDS.codigo_ibge.sql} IN ('', censo.mun_nu)`
      : ""
  }`;
}

function recordJson(counted: boolean): string {
  const texts = OWN_FIELDS.map((name) => `'${name}', ${FIELDS[name].sql}`);
  const record = `json_object(${texts.join(", ")})`;
  if (!counted) return record;
  // A function of SQLite would add the missing numbers as null.
  const numbers = CENSUS_FIELDS.map((name) =>
    `ifnull(',"${name}":' || ${FIELDS[name].sql}, '')`
  );
  return `rtrim(${record}, '}') || ${numbers.join(" || ")} || '}'`;
}

/**
 * Returns the query for the record of a CEP, as JSON.
 *
 * @param counted True for a release with the CNEFE.
 */
export function selectRecord(table: TableNames, counted: boolean): string {
  return `SELECT ${recordJson(counted)} FROM ${joinedTables(table, counted)}
    WHERE cep.cep = ?`;
}

/**
 * Returns the query for the first records of a range of CEPs, as JSON.
 *
 * @param counted True for a release with the CNEFE.
 */
export function selectRecords(table: TableNames, counted: boolean): string {
  return `SELECT cep.cep, ${recordJson(counted)}
    FROM ${joinedTables(table, counted)}
    WHERE cep.cep BETWEEN ? AND ? ORDER BY cep.cep LIMIT ?`;
}
