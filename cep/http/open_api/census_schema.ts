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
    participacao: described(
      "parte dos endereços do CEP, de 0 a 1",
      number(0, 1),
    ),
    impares: described("números ímpares vistos", NUMBERS),
    pares: described("números pares vistos", NUMBERS),
  }),
);

/** Addresses of a CEP in the CNEFE. */
export const CENSUS: Schema = named(
  "Censo",
  object({
    cep: CEP_DIGITS,
    localidade: described(
      "bairro, povoado ou vila mais frequente, vazio se não houver",
      STRING,
    ),
    cidade: described("município com mais endereços", STRING),
    uf: STATE,
    codigo_ibge: matching(/^\d{7}$/, "3550308"),
    latitude: described(
      "mediana dos endereços, em graus (SIRGAS 2000)",
      nullable(number(-90, 90)),
    ),
    longitude: described(
      "mediana dos endereços, em graus (SIRGAS 2000)",
      nullable(number(-180, 180)),
    ),
    raio_m: described(
      "metros, a partir dali, em que estão 95 % dos endereços",
      nullable(integer()),
    ),
    enderecos: described("quantidade de endereços", integer(1)),
    total_logradouros: described(
      "quantidade de logradouros com nome",
      integer(),
    ),
    logradouros: described(
      "os logradouros com mais endereços, a começar pelo que tem mais",
      array(STREET, MAX_CENSUS_STREETS),
    ),
    nome_origem: described("arquivo do CNEFE, p. ex. 35_SP.csv", STRING),
  }),
);
