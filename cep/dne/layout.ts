/**
 * The files of the national address directory (e-DNE Básico, delimited) that
 * are imported and their columns, as the layout document of Correios names
 * them.
 *
 * @module
 */
import { STATES } from "../address.ts";

/** The columns of each family of files, in order. */
// deno-fmt-ignore
export const COLUMNS = {
  LOG_LOCALIDADE: [
    "LOC_NU", "UFE_SG", "LOC_NO", "CEP", "LOC_IN_SIT", "LOC_IN_TIPO_LOC",
    "LOC_NU_SUB", "LOC_NO_ABREV", "MUN_NU",
  ],
  LOG_BAIRRO: ["BAI_NU", "UFE_SG", "LOC_NU", "BAI_NO", "BAI_NO_ABREV"],
  LOG_LOGRADOURO: [
    "LOG_NU", "UFE_SG", "LOC_NU", "BAI_NU_INI", "BAI_NU_FIM", "LOG_NO",
    "LOG_COMPLEMENTO", "CEP", "TLO_TX", "LOG_STA_TLO", "LOG_NO_ABREV",
  ],
  LOG_GRANDE_USUARIO: [
    "GRU_NU", "UFE_SG", "LOC_NU", "BAI_NU", "LOG_NU", "GRU_NO",
    "GRU_ENDERECO", "CEP", "GRU_NO_ABREV",
  ],
  LOG_UNID_OPER: [
    "UOP_NU", "UFE_SG", "LOC_NU", "BAI_NU", "LOG_NU", "UOP_NO",
    "UOP_ENDERECO", "CEP", "UOP_IN_CP", "UOP_NO_ABREV",
  ],
  LOG_CPC: ["CPC_NU", "UFE_SG", "LOC_NU", "CPC_NO", "CPC_ENDERECO", "CEP"],
} as const;

/** A family of files that share a layout. */
export type Family = keyof typeof COLUMNS;

/** The fields of one line, trimmed, under the names of their columns. */
export type Row<F extends Family> = {
  readonly [C in (typeof COLUMNS)[F][number]]: string;
};

/** A file that an import needs. */
export interface RequiredFile {
  /** Its name in upper case, e.g. `LOG_LOGRADOURO_SP.TXT`. */
  readonly name: string;
  /** Its layout. */
  readonly family: Family;
  /** The state whose streets it holds. */
  readonly uf?: string;
}

/**
 * The files that an import needs: localities and neighbourhoods first, for the
 * others refer to them, then in the order of precedence of their codes.
 */
export const REQUIRED_FILES: readonly RequiredFile[] = [
  { name: "LOG_LOCALIDADE.TXT", family: "LOG_LOCALIDADE" },
  { name: "LOG_BAIRRO.TXT", family: "LOG_BAIRRO" },
  ...STATES.map((uf): RequiredFile => ({
    name: `LOG_LOGRADOURO_${uf}.TXT`,
    family: "LOG_LOGRADOURO",
    uf,
  })),
  { name: "LOG_GRANDE_USUARIO.TXT", family: "LOG_GRANDE_USUARIO" },
  { name: "LOG_UNID_OPER.TXT", family: "LOG_UNID_OPER" },
  { name: "LOG_CPC.TXT", family: "LOG_CPC" },
];

/** Reason for which a row cannot be used. */
export type Rejection =
  | "wrong column count"
  | "unusable CEP"
  | "unknown state"
  | "unusable number"
  | "NUL character";

/** A row that cannot be used. */
export class RejectedRow extends Error {
  /** Always `RejectedRow`. */
  override readonly name = "RejectedRow";

  /** Made by whatever reads a field of the row. */
  constructor(
    /** Code of the reason. */
    readonly reason: Rejection,
    /** Value that was found instead. */
    readonly detail: string,
  ) {
    super(`Cannot use row: ${reason}, ${detail}`);
  }
}

const EMPTY_ROWS = Object.fromEntries(
  Object.entries(COLUMNS).map(([family, columns]) => [
    family,
    Object.fromEntries(columns.map((column) => [column, ""])),
  ]),
) as { readonly [F in Family]: Row<F> };

/**
 * Splits a line into its fields, trimmed. The separator is `@`; there is no
 * quoting, quotes are data.
 *
 * @throws {RejectedRow} If the line has not as many columns as the layout, or
 * holds a NUL, where a text of the database would end.
 *
 * @example
 * ```ts
 * import { parseRow } from "@carteiro/cep/dne";
 *
 * const row = parseRow("LOG_CPC", '1@AC@2@Posto "A"@Rua B@69900990');
 * console.assert(row.CPC_NO === 'Posto "A"');
 * ```
 */
export function parseRow<F extends Family>(family: F, line: string): Row<F> {
  if (line.includes("\0")) throw new RejectedRow("NUL character", "");
  const columns = COLUMNS[family];
  // A copy has its place for every column from the start.
  const row: Record<string, string> = { ...EMPTY_ROWS[family] };
  let start = 0;
  let count = 0;
  while (start <= line.length) {
    const at = line.indexOf("@", start);
    const end = at === -1 ? line.length : at;
    const column = columns[count++];
    if (column !== undefined) row[column] = line.slice(start, end).trim();
    start = end + 1;
  }
  if (count !== columns.length) {
    throw new RejectedRow(
      "wrong column count",
      `${count} instead of ${columns.length}`,
    );
  }
  return row as Row<F>;
}
