import {
  type AddressParts,
  type Part,
  PARTS,
} from "../record/address_parts.ts";
import { foldText } from "../search/fold.ts";

export type { Part } from "../record/address_parts.ts";

/** Free text of an address, or one of its parts. */
export type AddressColumn = "endereco" | Part;

/** Every {@linkcode AddressColumn}. */
export const ADDRESS_COLUMNS: readonly AddressColumn[] = ["endereco", ...PARTS];

/** Other names of columns, folded. */
const SYNONYMS: Readonly<Record<AddressColumn, readonly string[]>> = {
  endereco: ["endereco completo", "address"],
  logradouro: ["rua"],
  numero: ["num", "no", "n"],
  complemento: ["compl"],
  bairro: [],
  cidade: ["municipio", "localidade"],
  uf: ["estado"],
  cep: ["codigo postal"],
};

/** Names of columns in a table by the parts of addresses in them. */
export type ColumnNames = Readonly<Partial<Record<AddressColumn, string>>>;

/** Address in a row of a table. */
export interface RowAddress {
  /** Free text, `""` without one. */
  readonly text: string;
  /** Parts in columns of their own. */
  readonly known: Partial<AddressParts>;
}

/** Failure of a table as a whole. */
export class TableError extends Error {
  /** Always `TableError`. */
  override readonly name = "TableError";
}

/**
 * Chooses the columns of a table: those given, else those with known names.
 *
 * @param present Names of all columns.
 * @throws {TableError} If a given column is missing, or no name is known.
 */
export function chooseColumns(
  given: ColumnNames,
  present: readonly string[],
): ColumnNames {
  const header = present.slice(0, 20).map((name) => `"${name.slice(0, 40)}"`)
    .join(", ");
  const missing = Object.values(given).find((name) => !present.includes(name));
  if (missing !== undefined) {
    throw new TableError(
      `Cannot find the column "${missing}": the columns are ${header}`,
    );
  }
  const chosen = isEmpty(given) ? findColumns(present) : given;
  if (!isEmpty(chosen)) return chosen;
  throw new TableError(
    `Cannot find addresses in the columns ${header}: name them in ` +
      "MATCH_COLUMNS, e.g. endereco=COLUMN",
  );
}

/** Finds the columns with known names. */
export function findColumns(present: readonly string[]): ColumnNames {
  return Object.fromEntries(ADDRESS_COLUMNS.flatMap((column) => {
    const names = [column, ...SYNONYMS[column]];
    const name = present.find((it) => names.includes(foldText(it)));
    return name === undefined ? [] : [[column, name]];
  }));
}

/** True if no column is named. */
export function isEmpty(columns: ColumnNames): boolean {
  return Object.keys(columns).length === 0;
}

/** Collects the address of a row from its columns. */
export function collectAddress(
  columns: ColumnNames,
  valueOf: (name: string) => string,
): RowAddress {
  const known: Partial<Record<Part, string>> = {};
  for (const part of PARTS) {
    const name = columns[part];
    if (name !== undefined) known[part] = valueOf(name);
  }
  const text = columns.endereco === undefined ? "" : valueOf(columns.endereco);
  return { text, known };
}
