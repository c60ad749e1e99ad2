/**
 * Invented DNE with the shapes of names that Brazilian cities have: blocks of
 * Brasília and Palmas, names that end in numbers or letters, neighbourhoods
 * `A (B)`, complements that alone tell streets apart, cities of one name. All
 * CEPs are invented.
 */
import { openStore, type Store } from "../../../../cep/store/mod.ts";
import { type Files, line } from "../../_directory.ts";
import { seedFiles } from "../../_seeding.ts";

/** Name of a city, and its general CEP or its streets. */
type City = readonly [city: string, content: string];

const CITIES: readonly City[] = [
  [
    "Brasília/DF",
    `
    70900005 | SHIN QI 9 Conjunto 5 | Setor de Habitações Individuais Norte
    70900010 | SHIN QI 9 Conjunto 6 | Setor de Habitações Individuais Norte
    70900015 | SHIN QI 9 Conjunto 15 | Setor de Habitações Individuais Norte
    70900020 | SHIN QL 9 Conjunto 5 | Setor de Habitações Individuais Norte
    70900025 | SHIN QI 19 Conjunto 5 | Setor de Habitações Individuais Norte
    70900030 | SHIS QI 9 Conjunto 5 | Setor de Habitações Individuais Sul
    70900035 | EQS 509/510 | Asa Sul
    70900040 | EQS 508/509 | Asa Sul
    70900045 | EQS 510/511 | Asa Sul
    70900050 | SQS 308 Bloco A | Asa Sul
    70900055 | SQS 308 Bloco B | Asa Sul
    70900060 | SQS 208 Bloco A | Asa Sul
    70900065 | SQN 308 Bloco A | Asa Norte
    70900070 | CLN 308 Bloco C | Asa Norte
    70900075 | CLN 308 Bloco E | Asa Norte
    72900005 | QNM 18 Conjunto B | Ceilândia Sul (Ceilândia)
    72900010 | QNM 18 Conjunto D | Ceilândia Sul (Ceilândia)
    72900015 | Quadra 8 Conjunto G | Sobradinho
    72900020 | Quadra 8 Conjunto H | Sobradinho
    72900025 | Quadra 18 Conjunto G | Sobradinho
    72900030 | Rua 12 | Setor Habitacional Vicente Pires
  `,
  ],
  [
    "Palmas/TO",
    `
    77900005 | Quadra 1103 Sul Alameda 9 | Plano Diretor Sul
    77900010 | Quadra 1103 Sul Alameda 19 | Plano Diretor Sul
    77900015 | Quadra 1103 Sul Alameda 10 | Plano Diretor Sul
    77900020 | Quadra 103 Sul Alameda 9 | Plano Diretor Sul
    77900025 | Quadra 103 Norte Alameda 9 | Plano Diretor Norte
    77900030 | Quadra 1106 Sul Alameda 9 | Plano Diretor Sul
    77900035 | Quadra 104 Norte Avenida NS 2 | Plano Diretor Norte
    77900040 | Rua 9 | Jardim Aureny III
  `,
  ],
  [
    "Chapecó/SC",
    `
    89900005 | Rua Uruguai - E | Centro
    89900010 | Rua Uruguai - D | Centro
    89900015 | Rua Marechal Bormann - D | Centro
    89900020 | Avenida Nereu Ramos - N | Centro
    89900025 | Avenida Nereu Ramos - S | Centro
  `,
  ],
  [
    "Goiânia/GO",
    `
    74900005 | Rua C-149 | Jardim América
    74900010 | Rua C-159 | Jardim América
    74900015 | Rua 149 | Setor Marista
    74900020 | Rua C-14 | Jardim América
    74900025 | Avenida T-63 | Setor Bueno
    74900030 | Avenida T-3 | Setor Bueno
    74900035 | Avenida 136 | Setor Sul
    74900040 | Rua 1 | Setor Oeste
    74900045 | Rua 15 | Setor Oeste
    74900050 | Rua Sobradinho | Setor Oeste
  `,
  ],
  [
    "Belo Horizonte/MG",
    `
    30900005 | Rua São Geraldo | Floresta
    30900010 | Rua São Geraldo 3 | Jardim Vitória
    30900015 | Rua São Geraldo 4 | Jardim Vitória
    30900020 | Rua das Acácias | Santo Antônio
    30900025 | Rua das Acácias | Santo Antônio (Barreiro)
    30900030 | Rua das Acácias | Barreiro
    30900035 | Rua Jacarandá | Serra Verde (Venda Nova)
    30900040 | Rua Jacarandá | Lagoinha (Pampulha)
    30900045 | Rua Pau-Brasil | Serra Verde (Venda Nova)
    30900050 | Rua Guilherme Mattos | Floresta
    30900055 | Avenida Afonso Pena | Centro | até 1499/1500
    30900060 | Avenida Afonso Pena | Centro | de 1501/1502 ao fim
  `,
  ],
  [
    "Fortaleza/CE",
    `
    60900005 | Rua A | Mondubim | (Lot Esplanada Araturi)
    60900010 | Rua A | Mondubim | (Cj Novo Horizonte)
    60900015 | Rua B | Mondubim | (Lot Esplanada Araturi)
    60900020 | Rua Barão de Aratanha | Benfica
    60900025 | Avenida Beira-Mar | Meireles
    60900030 | Rua Um | Passaré | (Lot Parque Veraneio)
    60900035 | Rua Um | Passaré
  `,
  ],
  [
    "Macapá/AP",
    `
    68900105 | Rua Leopoldo Machado | Trem
    68900110 | Avenida Cora de Carvalho | Centro
  `,
  ],
  ["Fortaleza (Macapá)/AP", "68900900"],
  [
    "Florianópolis/SC",
    `
    88900005 | Rua Felipe Schmidt | Centro | até 500/501
    88900010 | Rua Felipe Schmidt | Centro | de 502/503 ao fim
    88900015 | Rodovia José Carlos Daux | João Paulo | | SC-401
    88900020 | Rodovia Admar Gonzaga | Itacorubi | | SC-404
    88900025 | Rua Presidente João Goulart | Coqueiros
    88900030 | Rua Coronel Wanderley Júnior | Coqueiros
    88900035 | Rua das Camélias | Itacorubi | | Rua do Antigo Engenho
    88900040 | Rua do Antigo Moinho | Itacorubi
    88900045 | Servidão Thiago Philomeno | Ribeirão da Ilha
    88900050 | Rua Bocaiúva | Centro | | Rua São Sebastião
    88900055 | Rua São Sebastião | Ribeirão da Ilha
    88900060 | Rua Doutor Heitor Blum | Estreito
    88900065 | Avenida Paulo Fontes | Centro
    88900070 | Rua da Luz | Coqueiros
    88900075 | Rua Avoluz | Coqueiros
    88900900 | Universidade do Planalto | Rua Felipe Schmidt, 200 | Centro
    88900910 | Banco Aurora | Avenida Paulo Fontes, 10 | Centro
  `,
  ],
  [
    "Curitiba/PR",
    `
    80900005 | Rua Luiz de Souza | Água Verde
    80900010 | Rua Luís Xavier | Centro
    80900015 | Rua Excelentíssimo Gonçalves | Água Verde
    80900020 | Rua Jeronymo Cunha | Água Verde
    80900025 | Rua Joaquim Assumpção | Água Verde
    80900030 | Rua Vicente Machado | Batel
    80900035 | Rua Chapada Diamantina | Batel
    80900040 | Rua Dom João I | Batel
  `,
  ],
  [
    "São Paulo/SP",
    `
    01900005 | Avenida Paulicéia | Bela Vista | até 999 - lado ímpar
    01900010 | Avenida Paulicéia | Bela Vista | até 1000 - lado par
    01900015 | Avenida Paulicéia | Bela Vista | de 1001 ao fim - lado ímpar
    01900020 | Rua Augusto Stellfeld | Consolação
    01900025 | Rodovia Raposo do Mar | Butantã | do km 10,000 ao km 15,000
    01900030 | Rodovia Raposo do Mar | Butantã | do km 15,001 ao km 21,000
    01900035 | Praça da Sé | Sé
    01900040 | Rua Sergipe | Consolação
    01900045 | Avenida Pará | Vila Goiás
    01900050 | Rua Rio Grande do Norte | Setor Paraíba
  `,
  ],
  ["João Pessoa/PB", "58900005 | Rua Epitácio Cavalcanti | Tambaú"],
  ["Porto Alegre/RS", "90900005 | Rua dos Andradas Velhos | Centro"],
  [
    "Ji-Paraná/RO",
    `
    76900005 | Rua Abelardo Braun | Urupá
    76900010 | Rua Manoel Franco | Nova Brasília
    `,
  ],
  ["Água Doce do Maranhão/MA", "65900005 | Rua Raimundo Nonato | Sucupira"],
  ["Água Doce/SC", "89660000"],
  [
    "Campo Largo/PR",
    "83600005 | Rua Berlim | Vila Sant'Ana",
  ],
  ["Floriano/PI", "64900000"],
  ["São Domingos/SC", "89950000"],
  ["São Domingos/GO", "73900000"],
  ["São Domingos/BA", "48950000"],
  ["São Domingos/SE", "49950000"],
  ["Lagoa Bonita/SP", "19900000"],
  ["Serra Clara/SP", "19910000"],
  ["Vila Esperança (Serra Clara)/SP", "19911000"],
];

/** Cities that also have the streets that every city has. */
const LARGE = [
  "São Paulo/SP",
  "Belo Horizonte/MG",
  "Curitiba/PR",
  "Porto Alegre/RS",
  "Fortaleza/CE",
  "João Pessoa/PB",
  "Goiânia/GO",
  "Florianópolis/SC",
];

/** Streets that every large city has in some of its neighbourhoods. */
const COMMON = `
  Rua Tiradentes; Rua Santos Dumont; Rua Sete de Setembro; Rua das Flores;
  Rua XV de Novembro; Rua Duque de Caxias; Rua Rui Barbosa; Rua Bahia;
  Rua Castro Alves; Rua José Bonifácio; Rua São João; Rua São José;
  Rua Santa Rita; Rua Santa Luzia; Rua do Comércio; Avenida Brasil;
  Avenida Getúlio Vargas; Rua Marechal Deodoro; Rua Floriano Peixoto;
  Rua Machado de Assis; Rua Dom Pedro II; Rua Padre Anchieta; Rua Amazonas;
  Rua João Ferreira; Rua João Batista Ramos; Rua Maria José de Oliveira;
  Rua Antônio Pereira; Rua Pedro Álvares Cabral; Rua Carlos Gomes; Rua Goiás;
  Travessa das Palmeiras; Praça da Matriz; Rua Vinte e Quatro de Maio;
  Rua Francisco Alves; Rua Manoel Ribas; Rua Ana Lúcia Martins
`.split(";").map((name) => name.trim());

const NEIGHBOURHOODS = ["Centro", "Vila Nova", "Boa Vista", "Jardim Europa"];

const TYPES = [
  "Rua",
  "Avenida",
  "Rodovia",
  "Servidão",
  "Quadra",
  "Travessa",
  "Ladeira",
]
  .concat("Praça", "2ª Travessa");

/** Opens a store of the invented DNE. */
export function openBrazil(): Promise<Store> {
  return openCities(CITIES, LARGE);
}

/** Opens a store of cities; some of them get the common streets, too. */
export async function openCities(
  cities: readonly City[],
  large: readonly string[] = [],
): Promise<Store> {
  const store = await openStore({ path: ":memory:" });
  await seedFiles(store, writeFiles(cities, large));
  return store;
}

function writeFiles(
  cities: readonly City[],
  large: readonly string[],
): Files {
  const files = {
    "LOG_LOCALIDADE.TXT": [] as string[],
    "LOG_BAIRRO.TXT": [] as string[],
    "LOG_GRANDE_USUARIO.TXT": [] as string[],
    "LOG_VAR_LOG.TXT": [] as string[],
    "LOG_UNID_OPER.TXT": [],
    "LOG_CPC.TXT": [],
  };
  const streets: Record<string, string[]> = { AC: [], SP: [] };
  const numbers = new Map<string, string>();
  let last = 0;
  const numberOf = (name: string) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const number = `${++last}`;
    numbers.set(name, number);
    return number;
  };
  const addNeighbourhood = (city: string, name: string) => {
    const key = `${name}, ${city}`;
    const isNew = !numbers.has(key);
    const BAI_NU = numberOf(key);
    if (isNew) {
      files["LOG_BAIRRO.TXT"].push(line("LOG_BAIRRO", {
        BAI_NU,
        UFE_SG: city.slice(-2),
        LOC_NU: numberOf(city),
        BAI_NO: name,
      }));
    }
    return BAI_NU;
  };
  const addStreet = (city: string, row: readonly string[]) => {
    const [CEP = "", street = "", neighbourhood = ""] = row;
    const [, , , complement = "", alternative = ""] = row;
    const UFE_SG = city.slice(-2);
    const type = TYPES.find((it) => street.startsWith(`${it} `));
    const name = type === undefined ? street : street.slice(type.length + 1);
    const LOG_NU = `${++last}`;
    (streets[UFE_SG] ??= []).push(line("LOG_LOGRADOURO", {
      LOG_NU,
      UFE_SG,
      LOC_NU: numberOf(city),
      BAI_NU_INI: addNeighbourhood(city, neighbourhood),
      LOG_NO: name,
      LOG_COMPLEMENTO: complement === "" ? "" : `- ${complement}`,
      CEP,
      TLO_TX: type ?? "Quadra",
      LOG_STA_TLO: type === undefined ? "N" : "S",
    }));
    if (alternative === "") return;
    files["LOG_VAR_LOG.TXT"].push(line("LOG_VAR_LOG", {
      LOG_NU,
      VLO_NU: "1",
      TLO_TX: type ?? "",
      VLO_TX: alternative,
    }));
  };
  for (const [i, [name, content]] of cities.entries()) {
    const [, city = "", around, uf = ""] = /^([^(]+?)(?: \((.+)\))?\/(..)$/
      .exec(name)!;
    const isGeneral = /^\d+$/.test(content);
    const key = around ? `${city} (${around})/${uf}` : `${city}/${uf}`;
    files["LOG_LOCALIDADE.TXT"].push(line("LOG_LOCALIDADE", {
      LOC_NU: numberOf(key),
      UFE_SG: uf,
      LOC_NO: city,
      CEP: isGeneral ? content : "",
      LOC_IN_SIT: isGeneral ? "0" : "1",
      LOC_IN_TIPO_LOC: around ? "P" : "M",
      LOC_NU_SUB: around ? numberOf(`${around}/${uf}`) : "",
      MUN_NU: around ? "" : String(9_900_000 + i),
    }));
    if (isGeneral) continue;
    for (const text of content.trim().split("\n")) {
      const row = text.split("|").map((cell) => cell.trim());
      if (!/, \d+$/.test(row[2]!)) {
        addStreet(key, row);
        continue;
      }
      const [CEP = "", GRU_NO = "", GRU_ENDERECO = "", neighbourhood = ""] =
        row;
      files["LOG_GRANDE_USUARIO.TXT"].push(line("LOG_GRANDE_USUARIO", {
        GRU_NU: `${++last}`,
        UFE_SG: uf,
        LOC_NU: numberOf(key),
        BAI_NU: addNeighbourhood(key, neighbourhood),
        GRU_NO,
        GRU_ENDERECO,
        CEP,
      }));
    }
  }
  for (const city of large) {
    const [, content] = cities.find(([name]) => name === city)!;
    const first = Number(content.trim().slice(0, 5)) * 1000 + 200;
    COMMON.forEach((street, i) => {
      const neighbourhood = NEIGHBOURHOODS[i % NEIGHBOURHOODS.length]!;
      const cep = String(first + i).padStart(8, "0");
      addStreet(city, [cep, street, neighbourhood]);
    });
  }
  for (const [uf, lines] of Object.entries(streets)) {
    Object.assign(files, { [`LOG_LOGRADOURO_${uf}.TXT`]: lines });
  }
  return files;
}
