import { ZERO_STATES } from "./join.ts";
import {
  COLUMNS,
  type Family,
  FILES,
  RejectedRow,
  type Row,
} from "./layout.ts";
import { toCep } from "./values.ts";

/** Family of files that a delta contains: Correios makes none for others. */
export type DeltaFamily = Exclude<
  Family,
  "LOG_VAR_LOC" | "LOG_VAR_BAI" | "LOG_VAR_LOG"
>;

/** Operation of a row. */
export type Operation = "INS" | "UPD" | "DEL";

/** File of a delta. */
export interface DeltaFile {
  /** Name in upper case, e.g. `DELTA_LOG_LOGRADOURO.TXT`. */
  readonly name: string;
  /** Family of the files that it changes. */
  readonly family: DeltaFamily;
}

/** Names that differ from the family's. */
const SHORT_NAMES: { readonly [F in DeltaFamily]?: string } = {
  LOG_FAIXA_LOCALIDADE: "LOG_FAIXA_LOC",
  LOG_FAIXA_BAIRRO: "LOG_FAIXA_BAI",
};

/**
 * Files of a delta, in the order of import. There is one for the streets of all
 * states. The ranges of localities and neighbourhoods have a short name, but
 * may also have the one of the layout document.
 */
export const DELTA_FILES: readonly DeltaFile[] = [
  ...new Set(FILES.map(({ family }) => family)),
].filter(isDelta)
  .flatMap((family) =>
    [family, ...[SHORT_NAMES[family] ?? []].flat()]
      .map((name) => ({ name: `DELTA_${name}.TXT`, family }))
  );

function isDelta(family: Family): family is DeltaFamily {
  return !family.startsWith("LOG_VAR_");
}

/** Row of a delta. */
export interface DeltaRow<F extends DeltaFamily> {
  /** Operation. */
  readonly operation: Operation;
  /** Columns of the base. */
  readonly row: Row<F>;
  /** CEP_ANT, the previous CEP of an updated row, or `""`. */
  readonly previousCep: string;
}

const OPERATION = "OPERACAO";
const PREVIOUS_CEP = "CEP_ANT";

/** Returns the columns of a delta: those of the base and two more. */
export function deltaColumns(family: DeltaFamily): readonly string[] {
  const columns: readonly string[] = COLUMNS[family];
  // In this file alone, the operation is not behind the columns of the base.
  if (family === "LOG_FAIXA_LOCALIDADE") {
    return [...columns.slice(0, -1), OPERATION, ...columns.slice(-1)];
  }
  return columns.includes("CEP")
    ? [...columns, OPERATION, PREVIOUS_CEP]
    : [...columns, OPERATION];
}

/**
 * Splits a line of a delta into its fields, trimmed.
 *
 * @throws {RejectedRow} If the number of columns or the operation is wrong, or
 * if the line contains a NUL.
 */
export function parseDeltaRow<F extends DeltaFamily>(
  family: F,
  line: string,
): DeltaRow<F> {
  if (line.includes("\0")) throw new RejectedRow("NUL character", "");
  const columns = deltaColumns(family);
  const values = line.split("@");
  if (values.length === COLUMNS[family].length) {
    throw new RejectedRow("unknown operation", "none");
  }
  if (values.length !== columns.length) {
    throw new RejectedRow(
      "wrong column count",
      `${values.length} instead of ${columns.length}`,
    );
  }
  const {
    [OPERATION]: operation = "",
    [PREVIOUS_CEP]: previousCep = "",
    ...row
  } = Object.fromEntries(columns.map((name, i) => [name, values[i]!.trim()]));
  if (operation !== "INS" && operation !== "UPD" && operation !== "DEL") {
    throw new RejectedRow("unknown operation", operation || "none");
  }
  return { operation, row: row as unknown as Row<F>, previousCep };
}

/**
 * Checks CEP_ANT.
 *
 * @param uf State of the row.
 * @returns The CEP, `""` if the column is empty, or `undefined` if it is
 * unusable.
 */
export function toPreviousCep(text: string, uf: string): string | undefined {
  try {
    return text === "" ? "" : toCep(text, () => ZERO_STATES.has(uf), () => {});
  } catch {
    return undefined;
  }
}
