import { type Kind, mustBe } from "../settings/setting.ts";
import {
  ADDRESS_COLUMNS,
  type AddressColumn,
  type ColumnNames,
} from "./columns.ts";

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
