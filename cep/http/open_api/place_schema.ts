import {
  array,
  CEP_DIGITS,
  described,
  matching,
  named,
  nullable,
  number,
  object,
  oneOfStrings,
  type Schema,
  STATE,
  STRING,
} from "./schema.ts";

const IBGE = described(
  "código IBGE, vazio se o DNE não o tiver",
  matching(/^(?:\d{7})?$/, "3550308"),
);

const GENERAL_CEP = described(
  "CEP geral, vazio se houver CEPs por logradouro",
  matching(/^(?:\d{8})?$/, "18280000"),
);

const RANGE = named(
  "Faixa",
  object({ inicio: CEP_DIGITS, fim: CEP_DIGITS }),
);

const LOCALITY_RANGE = named(
  "FaixaDeLocalidade",
  object({
    inicio: CEP_DIGITS,
    fim: CEP_DIGITS,
    tipo: described("T, município inteiro; C, sede", STRING),
  }),
);

/** Ranges, null if their file was not imported. */
function ranges(file: string, range: Schema): Schema {
  return described(
    `faixas de CEP, null se ${file} não foi importado`,
    nullable(array(range)),
  );
}

const LOCALITY_RANGES = ranges("LOG_FAIXA_LOCALIDADE.TXT", LOCALITY_RANGE);

/** State. */
export const STATE_PLACE: Schema = named(
  "Estado",
  object({
    sigla: STATE,
    nome: STRING,
    regiao: oneOfStrings("Norte", "Nordeste", "Centro-Oeste", "Sudeste", "Sul"),
    codigo_ibge: matching(/^\d{2}$/, "35"),
    faixas: ranges("LOG_FAIXA_UF.TXT", RANGE),
  }),
);

/** Municipality. */
export const MUNICIPALITY_PLACE: Schema = named(
  "Municipio",
  object({
    nome: STRING,
    uf: STATE,
    codigo_ibge: IBGE,
    ddd: described(
      "código de área, vazio se desconhecido",
      matching(/^(?:\d{2})?$/, "11"),
    ),
    siafi: described(
      "código SIAFI, vazio se desconhecido",
      matching(/^(?:\d{4})?$/, "7107"),
    ),
    latitude: described("da sede, em graus", nullable(number(-90, 90))),
    longitude: described("da sede, em graus", nullable(number(-180, 180))),
    cep: GENERAL_CEP,
    faixas: LOCALITY_RANGES,
  }),
);

/** District or village. */
export const DISTRICT_PLACE: Schema = named(
  "Distrito",
  object({
    nome: STRING,
    tipo: oneOfStrings("distrito", "povoado", ""),
    cep: GENERAL_CEP,
    faixas: LOCALITY_RANGES,
  }),
);

/** Neighbourhood. */
export const NEIGHBOURHOOD_PLACE: Schema = named(
  "Bairro",
  object({
    nome: STRING,
    distrito: described("vazio na sede do município", STRING),
    faixas: ranges("LOG_FAIXA_BAIRRO.TXT", RANGE),
  }),
);

/** Municipality in whose range an unknown CEP lies. */
export const SUGGESTION: Schema = named(
  "Sugestao",
  described(
    "município em cuja faixa o CEP está",
    object({ cidade: STRING, uf: STATE, codigo_ibge: IBGE }),
  ),
);
