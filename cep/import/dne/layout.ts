import { STATES } from "../../record/address.ts";

/** Columns of each family of files, in order. */
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
  LOG_FAIXA_UF: ["UFE_SG", "UFE_CEP_INI", "UFE_CEP_FIM"],
  LOG_FAIXA_LOCALIDADE: [
    "LOC_NU", "LOC_CEP_INI", "LOC_CEP_FIM", "LOC_TIPO_FAIXA",
  ],
  LOG_FAIXA_BAIRRO: ["BAI_NU", "FCB_CEP_INI", "FCB_CEP_FIM"],
  LOG_FAIXA_CPC: ["CPC_NU", "CPC_INICIAL", "CPC_FINAL"],
  LOG_FAIXA_UOP: ["UOP_NU", "FNC_INICIAL", "FNC_FINAL"],
  LOG_VAR_LOC: ["LOC_NU", "VAL_NU", "VAL_TX"],
  LOG_VAR_BAI: ["BAI_NU", "VDB_NU", "VDB_TX"],
  LOG_VAR_LOG: ["LOG_NU", "VLO_NU", "TLO_TX", "VLO_TX"],
  LOG_NUM_SEC: ["LOG_NU", "SEC_NU_INI", "SEC_NU_FIM", "SEC_IN_LADO"],
} as const;

/** Family of files that share a layout. */
export type Family = keyof typeof COLUMNS;

/** Fields of one line, trimmed, by the names of their columns. */
export type Row<F extends Family> = {
  readonly [C in (typeof COLUMNS)[F][number]]: string;
};

/** File of the DNE. */
export interface DneFile {
  /** Name in upper case, e.g. `LOG_LOGRADOURO_SP.TXT`. */
  readonly name: string;
  /** Layout of its lines. */
  readonly family: Family;
  /** State, for a file of streets. */
  readonly uf?: string;
}

/**
 * Files that an import needs: localities and neighbourhoods first, because the
 * others refer to them, then the others in the order of precedence.
 */
export const REQUIRED_FILES: readonly DneFile[] = [
  { name: "LOG_LOCALIDADE.TXT", family: "LOG_LOCALIDADE" },
  { name: "LOG_BAIRRO.TXT", family: "LOG_BAIRRO" },
  ...STATES.map((uf): DneFile => ({
    name: `LOG_LOGRADOURO_${uf}.TXT`,
    family: "LOG_LOGRADOURO",
    uf,
  })),
  { name: "LOG_GRANDE_USUARIO.TXT", family: "LOG_GRANDE_USUARIO" },
  { name: "LOG_UNID_OPER.TXT", family: "LOG_UNID_OPER" },
  { name: "LOG_CPC.TXT", family: "LOG_CPC" },
];

/** Family of an optional file. */
export type DetailFamily = Extract<
  Family,
  `LOG_FAIXA_${string}` | `LOG_VAR_${string}` | "LOG_NUM_SEC"
>;

/** Files that an import uses if they exist. */
export const OPTIONAL_FILES: readonly DneFile[] =
  (Object.keys(COLUMNS) as Family[])
    .map((family) => ({ name: `${family}.TXT`, family })).filter(isOptional);

/** True for a file that an import does not need. */
export function isOptional({ family }: DneFile): boolean {
  return !REQUIRED_FILES.some((it) => it.family === family);
}

/**
 * Every file, in the order of import: the optional ones before the entries,
 * which they describe.
 */
export const FILES: readonly DneFile[] = [
  ...REQUIRED_FILES.slice(0, 2),
  ...OPTIONAL_FILES,
  ...REQUIRED_FILES.slice(2),
];

/** Reason for rejecting a row. */
export type Rejection =
  | "unusable range"
  | "wrong column count"
  | "unusable CEP"
  | "unknown state"
  | "unusable number"
  | "unknown operation"
  | "NUL character";

/** Error for a row that cannot be used. */
export class RejectedRow extends Error {
  /** Always `RejectedRow`. */
  override readonly name = "RejectedRow";

  /** Created by {@linkcode parseRow} and by the methods of `Join`. */
  constructor(
    /** Reason for the rejection. */
    readonly reason: Rejection,
    /** The unusable value. */
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
 * @throws {RejectedRow} If the number of columns is wrong, or if the line
 * contains a NUL, where SQLite would truncate a text.
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
  const street = family === "LOG_LOGRADOURO" ? parseStreet(line) : undefined;
  if (street !== undefined) return street as Row<F>;
  const columns = COLUMNS[family];
  // Copying an object with all columns is faster than adding them one by one.
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

/**
 * Splits a line of a street, in half the time: they are nearly all lines.
 *
 * @returns `undefined` if the number of columns is wrong.
 */
function parseStreet(line: string): Row<"LOG_LOGRADOURO"> | undefined {
  const a = line.indexOf("@");
  const b = line.indexOf("@", a + 1);
  const c = line.indexOf("@", b + 1);
  const d = line.indexOf("@", c + 1);
  const e = line.indexOf("@", d + 1);
  const f = line.indexOf("@", e + 1);
  const g = line.indexOf("@", f + 1);
  const h = line.indexOf("@", g + 1);
  const i = line.indexOf("@", h + 1);
  const j = line.indexOf("@", i + 1);
  const hasAll = a !== -1 && b !== -1 && c !== -1 && d !== -1 && e !== -1 &&
    f !== -1 && g !== -1 && h !== -1 && i !== -1 && j !== -1;
  if (!hasAll || line.includes("@", j + 1)) return undefined;
  return {
    LOG_NU: line.slice(0, a).trim(),
    UFE_SG: line.slice(a + 1, b).trim(),
    LOC_NU: line.slice(b + 1, c).trim(),
    BAI_NU_INI: line.slice(c + 1, d).trim(),
    BAI_NU_FIM: line.slice(d + 1, e).trim(),
    LOG_NO: line.slice(e + 1, f).trim(),
    LOG_COMPLEMENTO: line.slice(f + 1, g).trim(),
    CEP: line.slice(g + 1, h).trim(),
    TLO_TX: line.slice(h + 1, i).trim(),
    LOG_STA_TLO: line.slice(i + 1, j).trim(),
    LOG_NO_ABREV: line.slice(j + 1).trim(),
  };
}

const STATE_NAMES: ReadonlySet<string> = new Set(STATES);

const EIGHT_DIGITS = /^\d{8}$/;

/**
 * Checks the abbreviation of a state.
 *
 * @throws {RejectedRow} If there is no such state.
 */
export function toState(text: string): string {
  if (!STATE_NAMES.has(text)) throw new RejectedRow("unknown state", text);
  return text;
}

/**
 * Parses up to eight digits, in a loop because each row has three numbers.
 *
 * @throws {RejectedRow} For any other text.
 */
export function toNumber(text: string): number {
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) throw new RejectedRow("unusable number", text);
    number = number * 10 + digit;
  }
  if (text === "" || text.length > 8) {
    throw new RejectedRow("unusable number", text);
  }
  return number;
}

/**
 * Checks a CEP. Pads one whose leading zero a spreadsheet dropped, if its state
 * has such CEPs.
 *
 * @param hasZeros Called for seven digits; true if the state has such CEPs.
 * @param onPadded Called if the CEP was padded.
 * @throws {RejectedRow} If it is not a CEP.
 */
export function toCep(
  text: string,
  hasZeros: () => boolean,
  onPadded: () => void,
): string {
  if (EIGHT_DIGITS.test(text)) return text;
  if (!/^\d{7}$/.test(text) || !hasZeros()) {
    throw new RejectedRow("unusable CEP", text);
  }
  onPadded();
  return `0${text}`;
}
