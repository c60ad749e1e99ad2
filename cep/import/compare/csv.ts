import { municipalityNames } from "../../record/municipality_names.ts";
import { joinCells } from "../../tables/csv.ts";
import { type Compared, nameOf } from "./difference.ts";

/** Columns, with the value of each. */
const COLUMNS: Readonly<Record<string, (compared: Compared) => string>> = {
  cep: ({ cep }) => cep,
  diferenca: ({ kind }) => kind ?? "",
  uf: ({ uf }) => uf,
  tipo_origem: ({ record }) => record?.tipo_origem ?? "",
  codigo_ibge_dne: ({ record }) => record?.codigo_ibge ?? "",
  cidade_dne: ({ record }) => record?.cidade ?? "",
  logradouro_dne: ({ record }) => record?.logradouro ?? "",
  codigo_ibge_cnefe: ({ row }) => row?.ibge ?? "",
  cidade_cnefe: ({ row, record }) =>
    row?.ibge === record?.codigo_ibge
      ? record?.cidade ?? ""
      : municipalityNames().get(row?.ibge ?? "") ?? "",
  logradouro_cnefe: ({ street }) => street === undefined ? "" : nameOf(street),
  semelhanca: ({ similarity }) => similarity?.toFixed(2) ?? "",
  enderecos: ({ row }) => row === undefined ? "" : `${row.addresses}`,
  enderecos_logradouro: ({ street }) =>
    street === undefined ? "" : `${street.addresses}`,
};

/** Header. */
export const DIFFERENCES_HEADER: string = toLine(Object.keys(COLUMNS));

/** Formats a difference as a line. */
export function toDifferenceLine(compared: Compared): string {
  return toLine(Object.values(COLUMNS).map((valueOf) => valueOf(compared)));
}

function toLine(cells: readonly string[]): string {
  return `${joinCells(cells, ",")}\r\n`;
}
