/**
 * Schemas of a record and of lists of records.
 *
 * @module
 */
import { FIELDS } from "../../address.ts";
import {
  array,
  CEP_DIGITS,
  described,
  integer,
  named,
  nullable,
  object,
  oneOfStrings,
  type Properties,
  type Schema,
  STATE,
  STRING,
} from "./schema.ts";

/** Fields with fewer values than any string. */
const NARROWER: Properties = {
  cep: CEP_DIGITS,
  uf: STATE,
  tipo_origem: oneOfStrings(
    "localidade",
    "logradouro",
    "grande_usuario",
    "unid_oper",
    "cpc",
  ),
};

/** Record of a CEP. */
export const RECORD: Schema = named(
  "Registro",
  object(Object.fromEntries(
    Object.entries(FIELDS).map((
      [name, { pt }],
    ) => [name, described(pt, NARROWER[name] ?? STRING)]),
  )),
);

/** Page of a list: `{total, data, proximo}`. */
export function pageOf(items: Schema): Schema {
  return object({
    total: described(
      "quantidade de itens, null se a contagem for cara",
      nullable(integer()),
    ),
    data: array(items),
    proximo: described(
      "cursor da próxima página, null na última",
      nullable(STRING),
    ),
  });
}
