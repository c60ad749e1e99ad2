/** Records of a small invented country. */
import type { Address } from "@carteiro/cep";

/** Returns a record with some members replaced. */
export function record(changes: Partial<Address> = {}): Address {
  return {
    cep: "59000001",
    logradouro: "Rua Coronel Rosa",
    complemento: "",
    bairro: "Centro",
    distrito: "",
    cidade: "Natal",
    uf: "RN",
    codigo_ibge: "2408102",
    tipo_logradouro: "Rua",
    tipo_origem: "logradouro",
    nome: "",
    nome_origem: "LOG_LOGRADOURO_RN.TXT",
    ...changes,
  };
}

/** A street in two neighbourhoods, one with stretches. */
export const STREET: Address = record();
export const STREET_ELSEWHERE: Address = record({
  cep: "59000002",
  bairro: "Ribeira",
});
export const EVEN: Address = record({
  cep: "59000003",
  logradouro: "Avenida Luiz Souza",
  tipo_logradouro: "Avenida",
  complemento: "- até 698 - lado par",
});
export const ODD: Address = record({
  ...EVEN,
  cep: "59000004",
  complemento: "- até 699 - lado ímpar",
});
export const NUMERAL: Address = record({
  cep: "59000005",
  logradouro: "Rua Sete de Setembro",
  bairro: "Alecrim",
});
export const PLOT: Address = record({
  cep: "59000006",
  logradouro: "Rua Projetada 3",
  complemento: "(Lot Santana)",
  bairro: "Jardim Lola (Santana)",
});
export const BLOCK: Address = record({
  cep: "70000001",
  logradouro: "QNN 5 Conjunto A",
  tipo_logradouro: "Quadra",
  bairro: "Ceilândia Sul (Ceilândia)",
  cidade: "Brasília",
  uf: "DF",
});
export const ALAMEDA: Address = record({
  cep: "77000001",
  logradouro: "1103 Sul Alameda 9",
  tipo_logradouro: "Quadra",
  bairro: "Plano Diretor Sul",
  cidade: "Palmas",
  uf: "TO",
});
export const NAMESAKE: Address = record({
  cep: "88000001",
  logradouro: "Rua Olga Wendhausen",
  cidade: "Natal",
  uf: "SC",
});
export const TOWN: Address = record({
  cep: "59500000",
  logradouro: "",
  bairro: "",
  tipo_logradouro: "",
  cidade: "Macau",
  tipo_origem: "localidade",
});

/** All of them. */
export const RECORDS: readonly Address[] = [
  STREET,
  STREET_ELSEWHERE,
  EVEN,
  ODD,
  NUMERAL,
  PLOT,
  BLOCK,
  ALAMEDA,
  NAMESAKE,
  TOWN,
];
