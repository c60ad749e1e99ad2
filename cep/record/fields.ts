/**
 * Fields of a record: the single source of the `Address` type, the queries, the
 * snapshot and the tables of the documents.
 */
import type { CensusRow } from "./census.ts";
import type { Entry, Place } from "./entry.ts";

/**
 * Variation of a field's values, which determines its form in the snapshot: the
 * CEP itself (`code`), a text per record (`text`), an angle with five decimals
 * (`degrees`), a whole number (`count`), or a text shared by many records.
 * Fields that vary together have the same variation.
 */
export type Variation =
  | "code"
  | "text"
  | "degrees"
  | "count"
  | "neighbourhood"
  | "locality"
  | "kind";

/** Part of a row of the census from which a record has fields. */
export type Counted = Pick<CensusRow, "point" | "addresses">;

/** One field of a record. */
export interface Field {
  /** Meaning, in English. */
  readonly en: string;
  /** Meaning, in Portuguese. */
  readonly pt: string;
  /** Variation of its values. */
  readonly variation: Variation;
  /** Source without which no record has the field; absent for every source. */
  readonly source?: "cnefe";
  /**
   * SQL expression of the value, over the joined tables: a text or, of a field
   * of the CNEFE, a number or NULL.
   */
  readonly sql: string;
  /**
   * Returns the value for an entry that is being imported, as text: of a field
   * of the CNEFE, `""` without a number.
   */
  readonly value: (
    entry: Entry,
    place: Place,
    counted: Counted | undefined,
  ) => string;
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
    en:
      "`localidade`, `logradouro`, `grande_usuario`, `unid_oper`, `cpc`, or `cnefe` for a CEP that only the CNEFE has",
    pt:
      "`localidade`, `logradouro`, `grande_usuario`, `unid_oper`, `cpc`, ou `cnefe` para um CEP que só o CNEFE tem",
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
    en:
      "source file in the DNE, e.g. `LOG_LOGRADOURO_SP.TXT`, or in the CNEFE, e.g. `35_SP.csv`",
    pt:
      "arquivo de origem no DNE, p. ex. `LOG_LOGRADOURO_SP.TXT`, ou no CNEFE, p. ex. `35_SP.csv`",
    variation: "kind",
    sql: "origem.nome_origem",
    value: (entry: Entry): string => entry.file,
  },
  latitude: {
    en:
      "with the CNEFE: median latitude of its addresses, in degrees (SIRGAS 2000), e.g. `-23.56168`",
    pt:
      "com o CNEFE: latitude mediana de seus endereços, em graus (SIRGAS 2000), p. ex. `-23.56168`",
    variation: "degrees",
    source: "cnefe",
    // For NULL, printf would return a zero.
    sql: `CASE WHEN censo.latitude IS NOT NULL
      THEN printf('%.5f', censo.latitude / 100000.0) END`,
    value: (_entry: Entry, _place: Place, counted?: Counted): string =>
      formatDegrees(counted?.point?.latitude),
  },
  longitude: {
    en:
      "with the CNEFE: median longitude of its addresses, in degrees (SIRGAS 2000)",
    pt:
      "com o CNEFE: longitude mediana de seus endereços, em graus (SIRGAS 2000)",
    variation: "degrees",
    source: "cnefe",
    sql: `CASE WHEN censo.longitude IS NOT NULL
      THEN printf('%.5f', censo.longitude / 100000.0) END`,
    value: (_entry: Entry, _place: Place, counted?: Counted): string =>
      formatDegrees(counted?.point?.longitude),
  },
  raio_m: {
    en:
      "with the CNEFE: metres from there within which 95 % of its addresses lie",
    pt:
      "com o CNEFE: metros, a partir dali, em que estão 95 % de seus endereços",
    variation: "count",
    source: "cnefe",
    sql: "censo.raio_m",
    value: (_entry: Entry, _place: Place, counted?: Counted): string =>
      counted?.point ? `${counted.point.radius}` : "",
  },
  enderecos: {
    en: "with the CNEFE: number of its addresses",
    pt: "com o CNEFE: quantidade de seus endereços",
    variation: "count",
    source: "cnefe",
    sql: "censo.enderecos",
    value: (_entry: Entry, _place: Place, counted?: Counted): string =>
      counted ? `${counted.addresses}` : "",
  },
} as const;

function formatDegrees(degrees: number | undefined): string {
  return degrees === undefined ? "" : degrees.toFixed(5);
}

/** Name of a field. */
export type FieldName = keyof typeof FIELDS;

/** Name of a field that only records of addresses in the CNEFE have. */
export type CensusFieldName = {
  [F in FieldName]: (typeof FIELDS)[F] extends { readonly source: "cnefe" } ? F
    : never;
}[FieldName];

/** Name of a field that every record has. */
export type OwnFieldName = Exclude<FieldName, CensusFieldName>;

const NAMES = Object.keys(FIELDS) as FieldName[];

/** Fields that every record has, in order. */
export const OWN_FIELDS: readonly OwnFieldName[] = NAMES.filter(
  (name): name is OwnFieldName => !isOfCensus(name),
);

/** Fields that only records of addresses in the CNEFE have, in order. */
export const CENSUS_FIELDS: readonly CensusFieldName[] = NAMES.filter(
  isOfCensus,
);

function isOfCensus(name: FieldName): name is CensusFieldName {
  return (FIELDS[name] as Field).source === "cnefe";
}
