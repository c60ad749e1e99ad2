import {
  type AddressParts,
  type Part,
  PARTS,
} from "../record/address_parts.ts";
import { foldText } from "../search/fold.ts";
import { type Kind, mustBe } from "../settings/setting.ts";

export type { Part } from "../record/address_parts.ts";

/** Free text of an address, or one of its parts. */
export type AddressColumn = "endereco" | Part;

/** Every {@linkcode AddressColumn}. */
const ADDRESS_COLUMNS: readonly AddressColumn[] = ["endereco", ...PARTS];

/** Names of columns, folded, the likeliest first; the page knows them, too. */
const NAMES: Readonly<Record<AddressColumn, readonly string[]>> = {
  endereco: ["endereco", "endereco completo", "end", "address"],
  logradouro: ["logradouro", "logr", "rua", "avenida", "street"],
  numero: ["numero", "num", "nro", "nr", "no", "n", "number"],
  complemento: ["complemento", "compl", "comp", "apto", "unit"],
  bairro: ["bairro", "neighbourhood", "neighborhood", "district"],
  cidade: ["cidade", "cid", "municipio", "mun", "localidade", "city", "town"],
  uf: ["uf", "u f", "sigla uf", "estado", "est", "state"],
  cep: ["cep", "c e p", "codigo postal", "zip", "zip code", "postal code"],
};

/** Words that name a column among others: `CEP de entrega`. */
const WORDS: Readonly<Partial<Record<AddressColumn, RegExp>>> = {
  endereco: /\bendereco\b/,
  logradouro: /\b(?:logradouro|rua)\b/,
  bairro: /\bbairro\b/,
  cidade: /\b(?:cidade|municipio)\b/,
  uf: /\buf\b/,
  cep: /\bcep\b/,
};

/** Names of columns with the type of a street, which its name follows. */
const TYPES = ["tipo logradouro", "tipo de logradouro"];

/** Words of columns without a postal address: `Endereço de e-mail`. */
const OTHERS = /\b(?:e?mail|ip|site|id|codigo|cod|tipo)\b/;

/**
 * Names of columns in a table by the parts of addresses in them. Columns of one
 * part are joined, e.g. a street's type and its name.
 */
export type ColumnNames = Readonly<
  Partial<Record<AddressColumn, string | readonly string[]>>
>;

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
  const missing = Object.values(given).flat().find((name) =>
    !present.includes(name)
  );
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

/** Finds the columns with known names, then those with a word of one. */
export function findColumns(present: readonly string[]): ColumnNames {
  const folded = present.map(foldText);
  const columns: Partial<Record<AddressColumn, string>> = {};
  for (const column of ADDRESS_COLUMNS) {
    const known = NAMES[column].find((it) => folded.includes(it));
    if (known !== undefined) columns[column] = present[folded.indexOf(known)]!;
  }
  const chosen = new Set(Object.values(columns));
  for (const [column, word] of Object.entries(WORDS)) {
    const i = folded.findIndex((it, i) =>
      word.test(it) && !OTHERS.test(it) && !chosen.has(present[i]!)
    );
    // A street in a column of its own says more than a text beside it.
    const isTold = column === "endereco" && columns.logradouro !== undefined;
    const isKnown = columns[column as AddressColumn] !== undefined;
    if (i === -1 || isTold || isKnown) continue;
    columns[column as AddressColumn] = present[i]!;
    chosen.add(present[i]!);
  }
  return withType(
    columns,
    present[folded.findIndex((it) => TYPES.includes(it))],
  );
}

/** Joins the column with the types of streets to that with their names. */
function withType(
  columns: Partial<Record<AddressColumn, string>>,
  type: string | undefined,
): ColumnNames {
  const column = columns.logradouro === undefined ? "endereco" : "logradouro";
  const name = columns[column];
  if (type === undefined || name === undefined) return columns;
  return { ...columns, [column]: [type, name] };
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
    if (columns[part] !== undefined) known[part] = joined(columns[part]);
  }
  return { text: joined(columns.endereco ?? []), known };

  function joined(names: string | readonly string[]): string {
    return [names].flat().map(valueOf).filter((it) => it !== "").join(" ");
  }
}

const VALUES = {
  en: "a list such as `endereco=Local,cep=Código`, of " +
    ADDRESS_COLUMNS.map((column) => `\`${column}\``).join(", "),
  pt: "lista como `endereco=Local,cep=Código`, de " +
    ADDRESS_COLUMNS.map((column) => `\`${column}\``).join(", "),
};

/** Columns that may be several, which are joined. */
const TEXTS: readonly string[] = ["endereco", "logradouro", "complemento"];

/** Names of columns by the parts of addresses in them. */
export const columnNames: Kind<ColumnNames> = {
  values: VALUES,
  parse(text) {
    const columns: Record<string, string[]> = {};
    for (const pair of text === "" ? [] : text.split(",")) {
      const [column = "", ...name] = pair.split("=");
      const names = columns[column.trim()] ??= [];
      names.push(name.join("=").trim());
    }
    return valid(columns);
  },
  check: (value) => valid(value) === undefined ? mustBe(VALUES) : undefined,
};

/** Returns a value if it names columns of addresses. */
function valid(value: unknown): ColumnNames | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const isValid = Object.entries(value).every(([column, given]) => {
    const names: unknown[] = [given].flat();
    return ADDRESS_COLUMNS.includes(column as AddressColumn) &&
      names.every((it) => typeof it === "string" && it !== "") &&
      (names.length === 1 || TEXTS.includes(column));
  });
  return isValid ? value : undefined;
}
