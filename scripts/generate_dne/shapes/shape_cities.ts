/**
 * Streets of every shape that is hard to find, for small DNEs: large ones have
 * them in the frequency of life. All of these names are public or invented, and
 * none has its real CEP.
 */
import { list } from "../list.ts";

/** Streets of a municipality, by neighbourhood. */
export interface ShapeCity {
  readonly uf: string;
  /** Capital, or a municipality that the DNE would not have. */
  readonly name: string;
  /** As written, with its complement, and its old names after "<". */
  readonly streets: Readonly<Record<string, readonly string[]>>;
  /** Other names of the municipality. */
  readonly others?: readonly string[];
}

/** Streets by neighbourhood; a street without type is a block. */
export const SHAPE_CITIES: readonly ShapeCity[] = [
  {
    uf: "DF",
    name: "Brasília",
    streets: {
      "Asa Sul": list(
        `SQS 308 Bloco A, SQS 308 Bloco B, SQS 308 Bloco C, EQS 309/310,
        EQS 509/510, CLS 308 Bloco B, SGAS 605 Conjunto C`,
      ),
      "Asa Norte": list(
        `CLN 203 Bloco A, CLN 203 Bloco B, SHCGN 704 Bloco A, SHCGN 704 Bloco E,
        SCEN Trecho 3 Lotes 7A e 7B, SGAN 601 Módulo H`,
      ),
      "Setor de Habitações Individuais Norte": list(
        `SHIN QI 9 Conjunto 4, SHIN QI 9 Conjunto 5,
        SHIN QI 9 Conjunto 15, SHIN QL 9 Conjunto 5`,
      ),
      "Ceilândia Norte (Ceilândia)": list(`
        QNM 12 Conjunto A, QNM 12 Conjunto B, QNM 12 Conjunto C Comércio,
        QNM 12 Conjunto C Residências`),
      "Taguatinga Norte (Taguatinga)": list(
        `QND 12, QNL 12 Conjunto A, QNL 12 Conjunto E`,
      ),
      "Samambaia Norte (Samambaia)": list(
        `QR 402 Conjunto 1, QR 402 Conjunto 10,
        QR 402 Conjunto 11, QN 402 Conjunto 1`,
      ),
      "Setor Leste (Gama)": list(
        `Quadra 12, Quadra 12 Conjunto A, Quadra 12 Conjunto E`,
      ),
      "Norte (Águas Claras)": list(`
        Rua 24 Norte, Avenida das Castanheiras`),
    },
  },
  {
    uf: "TO",
    name: "Palmas",
    streets: {
      "Plano Diretor Sul": list(
        `1103 Sul Alameda 1, 1103 Sul Alameda 9, 1103 Sul Alameda 19,
        1103 Sul Avenida LO 27, 1104 Sul Alameda 9 (ARSE 112), 1003 Sul, 305 Sul Alameda 9,
        Quadra ARSE 61 Alameda 9`,
      ),
      "Plano Diretor Norte": list(`
        305 Norte Alameda 9, 305 Norte Avenida LO 8,
        305 Norte Rua NS B (ARNO 33)`),
      "Jardim Aureny III": list(`
        Rua 9, Rua 9A, Rua 30, Avenida I`),
    },
  },
  {
    uf: "GO",
    name: "Goiânia",
    streets: {
      "Setor Bueno": list(
        `Rua T-3, Rua T-30, Rua T-63, Avenida T-63, Avenida T-9`,
      ),
      "Jardim América": list(
        `Rua C-14, Rua C-149, Rua C-149 (Quadra 12), Praça C-149`,
      ),
      "Setor Pedro Ludovico": list(
        `Rua 13, Rua 13-A, Rua 13-B, Rua 1005, Alameda 5`,
      ),
    },
  },
  {
    uf: "CE",
    name: "Fortaleza",
    streets: {
      "Jangurussu (Messejana)": list(
        `Rua 1 (Lot Esplanada do Farol), Rua 1 (Res Vila Verde),
        Rua 1 (Cj Coqueiral), Rua 2 (Lot Esplanada do Farol), Rua 2 (Res Vila Verde),
        Rua 2 (Cj Coqueiral), Rua A (Lot Esplanada do Farol), Rua A (Res Vila Verde),
        Rua Quarenta e Seis (Cj Coqueiral), Rua Quarenta e Seis`,
      ),
      "Messejana": list(`
        Rua 1, Rua 2, Rua Jangurussu`),
    },
  },
  {
    uf: "MG",
    name: "Belo Horizonte",
    streets: {
      "Santo Antônio (Barreiro)": list(
        `Rua São Geraldo, Rua São Geraldo 2, Rua São Geraldo 3,
        Rua Padre Anchieta`,
      ),
      "Santo Antônio (Venda Nova)": list(
        `Rua São Geraldo, Rua Projetada 1, Rua Projetada 3,
        Rua Projetada 13, Rua Projetada 03`,
      ),
      "Santo Antônio": list(
        `Rua Barreiro, Rua Doutor Sebastião Araçá, Rua Barão de Araçá`,
      ),
    },
    others: ["BH", "Belô"],
  },
  {
    uf: "BA",
    name: "Salvador",
    streets: {
      "Nordeste": list(`
        Rua São José, Travessa São José, 1ª Travessa São José,
        2ª Travessa São José, Travessa Quatro, Travessa Quatro 2,
        Ladeira do Quatro`),
      "Jardim Nova Esperança (Cajazeiras)": list(
        `Rua Perimetral, Rua Perimetral 1,
        Rua Perimetral 12, Rua Vinte e Quatro de Maio, Rua 24 de Maio, Rua Dois, Rua 2`,
      ),
    },
  },
  {
    uf: "SC",
    name: "Florianópolis",
    streets: {
      "Saco dos Limões": list(`
        Rua Almirante Tamandaré < Rua do Farol,
        Avenida Presidente Tancredo Neves - até 697 - lado ímpar < Avenida da Praia | Estrada Velha,
        Avenida Presidente Tancredo Neves - de 699 ao fim - lado ímpar < Avenida da Praia,
        Avenida Presidente Tancredo Neves - lado par < Avenida da Praia,
        Servidão Manoel Brüggemann, Rua Vereador Brüggemann`),
      "Rio Vermelho": list(`
        Rodovia José Carlos Daux - até km 9,999 < Rodovia SC-401 | SC-401,
        Rodovia José Carlos Daux - do km 10,000 ao fim < Rodovia SC-401 | SC-401,
        Rodovia SC-406 < Rodovia João Gualberto Soares, Rodovia SC-405`),
    },
    others: ["Floripa", "Desterro"],
  },
  {
    uf: "SC",
    name: "Chapecó",
    streets: {
      "Centro": list(`
        Rua Uruguai - E, Rua Uruguai - D, Rua 24 de Maio - E,
        Avenida Getúlio Vargas - até 499/500,
        Avenida Getúlio Vargas - de 501/502 ao fim, Rua Sete de Setembro - D`),
      "Jardim Itália": list(
        `Rua Piero Bianchi - E, Rua Piero Bianchi - D, Rua Uruguai - E`,
      ),
    },
  },
  {
    uf: "PI",
    name: "Floriano",
    streets: {
      "Centro": list(`
        Rua Sete de Setembro, Rua Floriano Peixoto, Rua São José,
        Rua Fernando Drummond`),
      "Irapuá II": list(`
        Rua 24 de Janeiro, Rua Projetada 1, Rua Projetada 12`),
    },
    others: ["Princesa do Sul"],
  },
  {
    uf: "PR",
    name: "Planalto",
    streets: {
      "Centro": list(
        `Rua Sete de Setembro, Avenida Rio Grande do Sul, Rua Padre Anchieta`,
      ),
    },
  },
  {
    uf: "RS",
    name: "Planalto",
    streets: {
      "Centro": list(
        `Rua Sete de Setembro, Rua Padre Anchieta, Rua Ludwig Kowalski`,
      ),
    },
  },
  {
    uf: "MA",
    name: "Santa Luzia",
    streets: {
      "Centro": list(`
        Rua Sete de Setembro, Rua do Sol`),
      "Santa Luzia": list(`
        Rua Santa Luzia, Rua São José`),
    },
  },
  {
    uf: "MG",
    name: "Santa Luzia",
    streets: {
      "Centro": list(`
        Rua Sete de Setembro, Rua Direita < Rua do Serro`),
      "São Benedito": list(`
        Rua São Benedito, Rua São José, Rua J, Rua K`),
    },
  },
];

/** Other names of neighbourhoods of these cities. */
export const NEIGHBOURHOOD_NAMES: Readonly<Record<string, readonly string[]>> =
  {
    "Ceilândia Norte (Ceilândia)": ["Ceilândia Norte", "Ceilândia"],
    "Jardim Aureny III": ["Aureny III", "Aureny"],
    "Santo Antônio (Barreiro)": ["Sto Antônio do Barreiro"],
    "Setor Bueno": ["St Bueno", "Bueno"],
  };
