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

const IBGE = described({
  en: "IBGE code, empty if the DNE has none",
  pt: "código IBGE, vazio se o DNE não o tiver",
}, matching(/^(?:\d{7})?$/, "3550308"));

const GENERAL_CEP = described({
  en: "general CEP, empty if streets have CEPs of their own",
  pt: "CEP geral, vazio se houver CEPs por logradouro",
}, matching(/^(?:\d{8})?$/, "18280000"));

const RANGE = named(
  "Faixa",
  object({ inicio: CEP_DIGITS, fim: CEP_DIGITS }),
);

const LOCALITY_RANGE = named(
  "FaixaDeLocalidade",
  object({
    inicio: CEP_DIGITS,
    fim: CEP_DIGITS,
    tipo: described({
      en: "T, the whole municipality; C, its seat",
      pt: "T, município inteiro; C, sede",
    }, STRING),
  }),
);

/** Ranges, null if their file was not imported. */
function ranges(file: string, range: Schema): Schema {
  return described(
    {
      en: `ranges of CEPs, null if ${file} was not imported`,
      pt: `faixas de CEP, null se ${file} não foi importado`,
    },
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
    ddd: described({
      en: "area code, empty if unknown",
      pt: "código de área, vazio se desconhecido",
    }, matching(/^(?:\d{2})?$/, "11")),
    siafi: described({
      en: "SIAFI code, empty if unknown",
      pt: "código SIAFI, vazio se desconhecido",
    }, matching(/^(?:\d{4})?$/, "7107")),
    latitude: described({
      en: "of the seat, in degrees",
      pt: "da sede, em graus",
    }, nullable(number(-90, 90))),
    longitude: described({
      en: "of the seat, in degrees",
      pt: "da sede, em graus",
    }, nullable(number(-180, 180))),
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
    distrito: described({
      en: "empty in the seat of the municipality",
      pt: "vazio na sede do município",
    }, STRING),
    faixas: ranges("LOG_FAIXA_BAIRRO.TXT", RANGE),
  }),
);

/** Municipality in whose range an unknown CEP lies. */
export const SUGGESTION: Schema = named(
  "Sugestao",
  described({
    en: "municipality in whose range the CEP is",
    pt: "município em cuja faixa o CEP está",
  }, object({ cidade: STRING, uf: STATE, codigo_ibge: IBGE })),
);
