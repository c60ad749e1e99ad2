/**
 * The fields of a record: one table from which the type, the answers of the
 * database and the tables of both READMEs come.
 *
 * @module
 */
import type { Entry, Place } from "./entry.ts";

/**
 * Variation of a field, by which the snapshot keeps it: the CEP itself, a text
 * of every record, or one of a few texts that many records share.
 */
export type Variation = "code" | "text" | "neighbourhood" | "locality" | "kind";

/** One field of a record. */
export interface Field {
  /** Meaning, in English. */
  readonly en: string;
  /** Meaning, in Portuguese. */
  readonly pt: string;
  /** Variation of its values. */
  readonly variation: Variation;
  /** The value as an expression over the joined tables of the database. */
  readonly sql: string;
  /** The value of an entry that is on its way into the database. */
  readonly value: (entry: Entry, place: Place) => string;
}

/** Every field of a record, in the order of the answer. */
export const FIELDS = {
  cep: {
    en: "eight digits",
    pt: "oito dígitos",
    variation: "code",
    sql: "printf('%08d', cep.cep)",
    value: (entry: Entry): string => entry.cep,
  },
  logradouro: {
    en: "street with its type; the address of a large user, unit or post",
    pt:
      "logradouro com o tipo; o endereço do grande usuário, da unidade ou da caixa",
    variation: "text",
    sql: "origem.prefixo || cep.logradouro",
    value: (entry: Entry): string =>
      entry.typeInName ? `${entry.streetType} ${entry.street}` : entry.street,
  },
  complemento: {
    en: "stretch or side of the street, e.g. `de 612 a 1510 - lado par`",
    pt: "trecho ou lado do logradouro, p. ex. `de 612 a 1510 - lado par`",
    variation: "text",
    sql: "cep.complemento",
    value: (entry: Entry): string => entry.complement,
  },
  bairro: {
    en: "neighbourhood; for the general code of a district, the district",
    pt: "bairro; no CEP geral de um distrito, o distrito",
    variation: "neighbourhood",
    sql: `CASE WHEN cep.bai_nu IS NOT NULL THEN ifnull(bairro.nome, '')
      WHEN origem.tipo_origem = 'localidade' AND localidade.loc_nu_sub IS NOT NULL
      THEN localidade.nome ELSE '' END`,
    value: (entry: Entry, place: Place): string =>
      entry.origin === "localidade" && entry.neighbourhood === null
        ? place.district
        : place.neighbourhood,
  },
  distrito: {
    en: "the district or village, if the code lies in one",
    pt: "o distrito ou povoado, se o CEP ficar em um",
    variation: "locality",
    sql: `CASE WHEN localidade.loc_nu_sub IS NOT NULL
      THEN localidade.nome ELSE '' END`,
    value: (_entry: Entry, place: Place): string => place.district,
  },
  cidade: {
    en: "the municipality, never a district",
    pt: "o município, nunca um distrito",
    variation: "locality",
    sql: "ifnull(municipio.nome, '')",
    value: (_entry: Entry, place: Place): string => place.municipality,
  },
  uf: {
    en: "two letters",
    pt: "duas letras",
    variation: "locality",
    sql: "origem.uf",
    value: (entry: Entry): string => entry.uf,
  },
  codigo_ibge: {
    en: "the municipality's code at IBGE",
    pt: "o código do município no IBGE",
    variation: "locality",
    // A district may carry the code of its municipality, and one that became a
    // municipality lately may lack its own.
    sql: "coalesce(nullif(municipio.mun_nu, ''), localidade.mun_nu, '')",
    value: (_entry: Entry, place: Place): string => place.ibge,
  },
  tipo_logradouro: {
    en: "type of a street, e.g. `Avenida`",
    pt: "tipo do logradouro, p. ex. `Avenida`",
    variation: "kind",
    sql: "origem.tipo_logradouro",
    value: (entry: Entry): string => entry.streetType,
  },
  tipo_origem: {
    en: "`localidade`, `logradouro`, `grande_usuario`, `unid_oper` or `cpc`",
    pt: "`localidade`, `logradouro`, `grande_usuario`, `unid_oper` ou `cpc`",
    variation: "kind",
    sql: "origem.tipo_origem",
    value: (entry: Entry): string => entry.origin,
  },
  nome: {
    en: "name of the large user, unit or post",
    pt: "nome do grande usuário, da unidade ou da caixa",
    variation: "text",
    sql: "cep.nome",
    value: (entry: Entry): string => entry.name,
  },
  nome_origem: {
    en: "the directory's file, e.g. `LOG_LOGRADOURO_SP.TXT`",
    pt: "o arquivo do diretório, p. ex. `LOG_LOGRADOURO_SP.TXT`",
    variation: "kind",
    sql: "origem.nome_origem",
    value: (entry: Entry): string => entry.file,
  },
} as const;

/** Name of a field. */
export type FieldName = keyof typeof FIELDS;
