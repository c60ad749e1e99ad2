import type { Row, Table } from "../generate_dne/table.ts";

/** Record of a CEP, with the fields of the API. */
export type OracleRecord = Readonly<Record<string, string>>;

/** Records of a release. */
export interface Oracle {
  /** Records by CEP. */
  readonly records: ReadonlyMap<string, OracleRecord>;
  /** CEPs by kind and number of the row, which keeps its number. */
  readonly cepsByRow: ReadonlyMap<string, string>;
}

/** Kinds of rows with a CEP, those with precedence first. */
const KINDS = [
  "LOG_LOCALIDADE",
  "LOG_LOGRADOURO",
  "LOG_GRANDE_USUARIO",
  "LOG_UNID_OPER",
  "LOG_CPC",
] as const;

type Kind = typeof KINDS[number];

/** Computes the records of a release. */
export function computeOracle(tables: Iterable<Table>): Oracle {
  const all = [...tables];
  const rowsOf = (name: string) =>
    all.find((table) => table.name === `${name}.TXT`)?.rows ?? [];
  const places = {
    localities: byNumber(rowsOf("LOG_LOCALIDADE")),
    neighbourhoods: byNumber(rowsOf("LOG_BAIRRO")),
  };
  const records = new Map<string, OracleRecord>();
  const cepsByRow = new Map<string, string>();
  for (const kind of KINDS) {
    for (const { name, rows } of all) {
      if (!isOf(name, kind)) continue;
      for (const row of rows) {
        const record = toRecord(kind, name, row, places);
        const { cep = "" } = record;
        if (cep === "" || records.has(cep)) continue;
        records.set(cep, record);
        cepsByRow.set(`${kind} ${row[0]}`, cep);
      }
    }
  }
  return { records, cepsByRow };
}

/**
 * Returns the CEPs that a release no longer has, with the CEP that the same row
 * has now, `null` if the row was deleted.
 */
export function findReplaced(
  before: Oracle,
  after: Oracle,
): Map<string, string | null> {
  const replaced = new Map<string, string | null>();
  for (const [row, cep] of before.cepsByRow) {
    if (after.records.has(cep)) continue;
    replaced.set(cep, after.cepsByRow.get(row) ?? null);
  }
  return replaced;
}

/** Rows of places by number. */
interface Places {
  readonly localities: ReadonlyMap<string, Row>;
  readonly neighbourhoods: ReadonlyMap<string, Row>;
}

function byNumber(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row[0]!, row]));
}

/** True for the file of a kind; those of streets end with the state. */
function isOf(name: string, kind: Kind): boolean {
  return kind === "LOG_LOGRADOURO"
    ? /^LOG_LOGRADOURO_..\.TXT$/.test(name)
    : name === `${kind}.TXT`;
}

function toRecord(
  kind: Kind,
  file: string,
  columns: Row,
  { localities, neighbourhoods }: Places,
): OracleRecord {
  const row = columns.map((column) => column.trim());
  const own = OWN_FIELDS[kind](row);
  const locality = localities.get(kind === "LOG_LOCALIDADE" ? row[0]! : row[2]!)
    ?.map((column) => column.trim());
  const [, , name = "", , , , parent = "", , ibge = ""] = locality ?? [];
  const city = parent === ""
    ? { name, ibge }
    : { name: localities.get(parent)?.[2] ?? "", ibge: "" };
  const cityIbge = parent === "" ? ibge : localities.get(parent)?.[8]?.trim();
  const district = parent === "" ? "" : name;
  const neighbourhood = own.neighbourhood === undefined
    ? kind === "LOG_LOCALIDADE" ? district : ""
    : neighbourhoods.get(own.neighbourhood)?.[3] ?? "";
  return {
    cep: own.cep,
    logradouro: own.street,
    complemento: own.complement ?? "",
    bairro: neighbourhood,
    distrito: district,
    cidade: city.name,
    uf: row[1]!,
    codigo_ibge: cityIbge || ibge,
    tipo_logradouro: own.type ?? "",
    tipo_origem: ORIGINS[kind],
    nome: own.name ?? "",
    nome_origem: file,
  };
}

const ORIGINS: Readonly<Record<Kind, string>> = {
  LOG_LOCALIDADE: "localidade",
  LOG_LOGRADOURO: "logradouro",
  LOG_GRANDE_USUARIO: "grande_usuario",
  LOG_UNID_OPER: "unid_oper",
  LOG_CPC: "cpc",
};

/** Fields that differ between the kinds. */
interface OwnFields {
  readonly cep: string;
  readonly street: string;
  readonly complement?: string;
  /** Number of the neighbourhood. */
  readonly neighbourhood?: string;
  readonly type?: string;
  readonly name?: string;
}

/** Reads the columns of a kind, in the order of the layout document. */
const OWN_FIELDS: Readonly<Record<Kind, (row: Row) => OwnFields>> = {
  LOG_LOCALIDADE: ([, , , cep = ""]) => ({ cep, street: "" }),
  LOG_LOGRADOURO: (
    [, , , neighbourhood = "", , name = "", extra = "", cep = "", type = "", s],
  ) => ({
    cep,
    neighbourhood,
    type,
    street: s === "N" || startsWithWord(name, type) ? name : `${type} ${name}`,
    complement: extra.replace(/^- ?/, ""),
  }),
  LOG_GRANDE_USUARIO: addressed,
  LOG_UNID_OPER: addressed,
  LOG_CPC: ([, , , name = "", street = "", cep = ""]) => ({
    cep,
    street,
    name,
  }),
};

/** Reads the columns that large users and operational units share. */
function addressed(
  [, , , neighbourhood = "", , name = "", street = "", cep = ""]: Row,
): OwnFields {
  return { cep, neighbourhood, name, street };
}

function startsWithWord(text: string, word: string): boolean {
  return `${text} `.toLowerCase().startsWith(`${word} `.toLowerCase());
}
