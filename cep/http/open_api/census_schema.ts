import { MAX_CENSUS_STREETS } from "../../record/census.ts";
import {
  array,
  CEP_DIGITS,
  described,
  integer,
  matching,
  named,
  nullable,
  number,
  object,
  type Schema,
  STATE,
  STRING,
} from "./schema.ts";

const NUMBERS = nullable(named(
  "NumerosVistos",
  object({ inicio: integer(), fim: integer() }),
));

const STREET: Schema = named(
  "LogradouroDoCenso",
  object({
    logradouro: STRING,
    tipo_logradouro: STRING,
    enderecos: integer(1),
    participacao: described({
      en: "share of the addresses of the CEP, from 0 to 1",
      pt: "parte dos endereços do CEP, de 0 a 1",
    }, number(0, 1)),
    impares: described(
      { en: "odd numbers seen", pt: "números ímpares vistos" },
      NUMBERS,
    ),
    pares: described(
      { en: "even numbers seen", pt: "números pares vistos" },
      NUMBERS,
    ),
  }),
);

/** Addresses of a CEP in the CNEFE. */
export const CENSUS: Schema = named(
  "Censo",
  object({
    cep: CEP_DIGITS,
    localidade: described({
      en: "most frequent neighbourhood or village, empty without one",
      pt: "bairro, povoado ou vila mais frequente, vazio se não houver",
    }, STRING),
    cidade: described({
      en: "municipality with most addresses",
      pt: "município com mais endereços",
    }, STRING),
    uf: STATE,
    codigo_ibge: matching(/^\d{7}$/, "3550308"),
    latitude: described({
      en: "median of the addresses, in degrees (SIRGAS 2000)",
      pt: "mediana dos endereços, em graus (SIRGAS 2000)",
    }, nullable(number(-90, 90))),
    longitude: described({
      en: "median of the addresses, in degrees (SIRGAS 2000)",
      pt: "mediana dos endereços, em graus (SIRGAS 2000)",
    }, nullable(number(-180, 180))),
    raio_m: described({
      en: "metres from there within which 95 % of the addresses are",
      pt: "metros, a partir dali, em que estão 95 % dos endereços",
    }, nullable(integer())),
    enderecos: described({
      en: "number of addresses",
      pt: "quantidade de endereços",
    }, integer(1)),
    total_logradouros: described({
      en: "number of streets with a name",
      pt: "quantidade de logradouros com nome",
    }, integer()),
    logradouros: described({
      en: "streets with most addresses, that with most first",
      pt: "os logradouros com mais endereços, a começar pelo que tem mais",
    }, array(STREET, MAX_CENSUS_STREETS)),
    nome_origem: described({
      en: "file of the CNEFE, e.g. 35_SP.csv",
      pt: "arquivo do CNEFE, p. ex. 35_SP.csv",
    }, STRING),
  }),
);
