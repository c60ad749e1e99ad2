/**
 * Fields of a record: the single source of the `Address` type, the queries, the
 * snapshot and the tables in both READMEs.
 *
 * @module
 */
import type { Entry, Place } from "./entry.ts";

/**
 * Variation of a field's values, which determines its form in the snapshot: the
 * CEP itself (`code`), a text per record (`text`), or a text shared by many
 * records. Fields that vary together have the same variation.
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
  /** SQL expression of the value, over the joined tables. */
  readonly sql: string;
  /** Returns the value for an entry that is being imported. */
  readonly value: (entry: Entry, place: Place) => string;
}

/** Every field of a record, in the order of the JSON. */
export const FIELDS = {
  cep: {
    en: "eight digits",
    pt: "oito dígitos",
    variation: "code",
    sql: "printf('%08d', cep.cep)",
    value: (entry: Entry): string => entry.cep,
  },
  logradouro: {
    en:
      "street with its type, or the address of the large user, unit or community mailbox",
    pt:
      "logradouro com o tipo, ou o endereço do grande usuário, da unidade ou da caixa postal comunitária",
    variation: "text",
    sql: "origem.prefixo || cep.logradouro",
    value: (entry: Entry): string =>
      entry.typeInName ? `${entry.streetType} ${entry.street}` : entry.street,
  },
  complemento: {
    en: "section or side of the street, e.g. `de 612 a 1510 - lado par`",
    pt: "trecho ou lado do logradouro, p. ex. `de 612 a 1510 - lado par`",
    variation: "text",
    sql: "cep.complemento",
    value: (entry: Entry): string => entry.complement,
  },
  bairro: {
    en: "neighbourhood; for the general CEP of a district, the district",
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
    en: "district or village, if the CEP is in one",
    pt: "distrito ou povoado, se o CEP estiver em um",
    variation: "locality",
    sql: `CASE WHEN localidade.loc_nu_sub IS NOT NULL
      THEN localidade.nome ELSE '' END`,
    value: (_entry: Entry, place: Place): string => place.district,
  },
  cidade: {
    en: "municipality, never a district",
    pt: "município, nunca um distrito",
    variation: "locality",
    sql: "ifnull(municipio.nome, '')",
    value: (_entry: Entry, place: Place): string => place.municipality,
  },
  uf: {
    en: "abbreviation of the state",
    pt: "sigla do estado",
    variation: "locality",
    sql: "origem.uf",
    value: (entry: Entry): string => entry.uf,
  },
  codigo_ibge: {
    en: "IBGE code of the municipality",
    pt: "código IBGE do município",
    variation: "locality",
    // The code of a new municipality may be missing although its districts have
    // it.
    sql: "coalesce(nullif(municipio.mun_nu, ''), localidade.mun_nu, '')",
    value: (_entry: Entry, place: Place): string => place.ibge,
  },
  tipo_logradouro: {
    en: "street type, e.g. `Avenida`",
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
    en: "name of the large user, unit or community mailbox",
    pt: "nome do grande usuário, da unidade ou da caixa postal comunitária",
    variation: "text",
    sql: "cep.nome",
    value: (entry: Entry): string => entry.name,
  },
  nome_origem: {
    en: "source file in the DNE, e.g. `LOG_LOGRADOURO_SP.TXT`",
    pt: "arquivo de origem no DNE, p. ex. `LOG_LOGRADOURO_SP.TXT`",
    variation: "kind",
    sql: "origem.nome_origem",
    value: (entry: Entry): string => entry.file,
  },
} as const;

/** Name of a field. */
export type FieldName = keyof typeof FIELDS;
