import { type FieldName, FIELDS } from "../../record/address.ts";
import { CENSUS_FIELDS, OWN_FIELDS } from "../../record/fields.ts";
import {
  array,
  CEP_DIGITS,
  described,
  integer,
  named,
  nullable,
  number,
  object,
  oneOfStrings,
  type Properties,
  type Schema,
  STATE,
  STRING,
} from "./schema.ts";

/** Fields with other values than any string. */
const NARROWER: Properties = {
  cep: CEP_DIGITS,
  uf: STATE,
  tipo_origem: oneOfStrings(
    "localidade",
    "logradouro",
    "grande_usuario",
    "unid_oper",
    "cpc",
    "cnefe",
  ),
  latitude: number(-90, 90),
  longitude: number(-180, 180),
  raio_m: integer(),
  enderecos: integer(1),
};

function describe(names: readonly FieldName[]): Properties {
  return Object.fromEntries(
    names.map((name) => [
      name,
      described(FIELDS[name], NARROWER[name] ?? STRING),
    ]),
  );
}

const OWN = describe(OWN_FIELDS);

/** Fields that only CEPs with addresses in the CNEFE have. */
const OF_CENSUS = describe(CENSUS_FIELDS);

/** Record of a CEP. */
export const RECORD: Schema = named("Registro", object(OWN, OF_CENSUS));

/** Record, and the name by which it was found. */
export const FOUND_RECORD: Schema = named(
  "RegistroEncontrado",
  object(OWN, {
    ...OF_CENSUS,
    nome_encontrado: described({
      en: "old or alternative name by which the street was found",
      pt: "nome antigo ou alternativo pelo qual o logradouro foi encontrado",
    }, STRING),
  }),
);

/** Record, and its distance from a place. */
export const NEAR_RECORD: Schema = named(
  "RegistroProximo",
  object({
    ...OWN,
    distancia_m: described({
      en: "distance in metres",
      pt: "distância em metros",
    }, integer()),
  }, OF_CENSUS),
);

/** Page of a list: `{total, data, cursor}`. */
export function pageOf(items: Schema): Schema {
  return object({
    total: described({
      en: "number of items, null where counting them is expensive",
      pt: "quantidade de itens, null se a contagem for cara",
    }, nullable(integer())),
    data: array(items),
    cursor: described({
      en: "cursor of the next page, null on the last",
      pt: "cursor da próxima página, null na última",
    }, nullable(STRING)),
  });
}
