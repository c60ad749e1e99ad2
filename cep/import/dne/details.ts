/**
 * Rows of the optional files: CEP ranges, box numbers, alternative names and
 * sections of streets.
 */
import type { DetailRow, DetailTable } from "../../record/entry.ts";
import type { Warning } from "./join.ts";
import {
  COLUMNS,
  type DetailFamily,
  type Family,
  parseRow,
  RejectedRow,
  type Row,
  toCep,
  toNumber,
  toState,
} from "./layout.ts";

/** Row of an optional file, and the table that it belongs to. */
export interface Detail {
  readonly table: DetailTable;
  readonly row: DetailRow;
}

/** Kind of a column. */
type Kind = "number" | "state" | "first" | "last" | "text";

interface Columns {
  readonly table: DetailTable;
  readonly kinds: readonly Kind[];
}

const TABLES: Readonly<Record<DetailFamily, Columns>> = {
  LOG_FAIXA_UF: { table: "faixa_uf", kinds: ["state", "first", "last"] },
  LOG_FAIXA_LOCALIDADE: {
    table: "faixa_localidade",
    kinds: ["number", "first", "last", "text"],
  },
  LOG_FAIXA_BAIRRO: {
    table: "faixa_bairro",
    kinds: ["number", "first", "last"],
  },
  LOG_FAIXA_CPC: { table: "faixa_cpc", kinds: ["number", "number", "number"] },
  LOG_FAIXA_UOP: { table: "faixa_uop", kinds: ["number", "number", "number"] },
  LOG_VAR_LOC: { table: "var_loc", kinds: ["number", "number", "text"] },
  LOG_VAR_BAI: { table: "var_bai", kinds: ["number", "number", "text"] },
  LOG_VAR_LOG: {
    table: "var_log",
    kinds: ["number", "number", "text", "text"],
  },
  LOG_NUM_SEC: { table: "num_sec", kinds: ["number", "text", "text", "text"] },
};

/** Returns the table of an optional file, `undefined` for another file. */
export function tableOf(family: Family): DetailTable | undefined {
  return (TABLES as { readonly [F in Family]?: Columns })[family]?.table;
}

/** Tables of all optional files. */
export const DETAIL_TABLES: readonly DetailTable[] = Object.values(TABLES)
  .map(({ table }) => table);

/**
 * Returns false if CEPs of a row cannot begin with 0, from its first column.
 */
export type HasZeros = (family: DetailFamily, key: string | number) => boolean;

/**
 * Parses a line of an optional file. CEPs become numbers. References are not
 * checked: a row that refers to an unknown place describes nothing.
 *
 * @param warn Called for each warning about a line that is kept.
 * @param hasZeros Called for a CEP of seven digits.
 * @throws {RejectedRow} If the number of columns or a value is unusable.
 */
export function parseDetail(
  family: DetailFamily,
  line: string,
  warn: (warning: Warning) => void,
  hasZeros: HasZeros = () => true,
): Detail {
  return toDetail(family, parseRow(family, line), warn, hasZeros);
}

/**
 * Converts a row of an optional file.
 *
 * @param warn Called for each warning about a row that is kept.
 * @param hasZeros Called for a CEP of seven digits.
 * @throws {RejectedRow} If a value is unusable.
 */
export function toDetail<F extends DetailFamily>(
  family: F,
  fields: Row<F>,
  warn: (warning: Warning) => void,
  hasZeros: HasZeros = () => true,
): Detail {
  const { table, kinds } = TABLES[family];
  const columns: readonly (keyof Row<F>)[] = COLUMNS[family];
  const row: (string | number)[] = [];
  for (const [i, kind] of kinds.entries()) {
    const text = fields[columns[i]!];
    row.push(toValue(kind, text, warn, () => hasZeros(family, row[0]!)));
  }
  requireRange(kinds, row);
  return { table, row };
}

function toValue(
  kind: Kind,
  text: string,
  warn: (warning: Warning) => void,
  hasZeros: () => boolean,
): string | number {
  switch (kind) {
    case "number":
      return toNumber(text);
    case "state":
      return toState(text);
    case "first":
    case "last":
      return Number(
        toCep(text, hasZeros, () => warn("CEP padded with a zero")),
      );
    default:
      return text.replaceAll(/\s+/g, " ");
  }
}

function requireRange(kinds: readonly Kind[], row: DetailRow): void {
  const first = row[kinds.indexOf("first")];
  const last = row[kinds.indexOf("last")];
  if (first === undefined || last === undefined || first <= last) return;
  throw new RejectedRow("unusable range", `${first} to ${last}`);
}
