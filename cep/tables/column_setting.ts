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

/** Names of columns by the parts of addresses in them. */
export const columnNames: Kind<ColumnNames> = {
  values: VALUES,
  parse(text) {
    if (text === "") return {};
    const pairs = text.split(",").map((pair) => {
      const [column = "", ...name] = pair.split("=");
      return [column.trim(), name.join("=").trim()] as const;
    });
    return new Set(pairs.map(([column]) => column)).size < pairs.length
      ? undefined
      : valid(Object.fromEntries(pairs));
  },
  check: (value) => valid(value) === undefined ? mustBe(VALUES) : undefined,
};

/** Returns a value if it names columns of addresses. */
function valid(value: unknown): ColumnNames | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).every(([column, name]) =>
      ADDRESS_COLUMNS.includes(column as AddressColumn) &&
      typeof name === "string" && name !== ""
    )
    ? value
    : undefined;
}
