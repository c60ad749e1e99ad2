/** Addresses that fit a record well, and yet may mean another one. */
import { openCities } from "./_brazil.ts";
import { testRows, useBrazil } from "./_rows.ts";

useBrazil(() =>
  openCities([
    [
      "Macapá/AP",
      `
      68900005 | Rua Santa Lúcia | Residencial Lisboa
      68900010 | Rua Santa Luzia | Vila Europa
      68900015 | Rua Um | Jardim Equador
      68900020 | Rua Sergipe | Vila Egito
    `,
    ],
    [
      "Cametá/PA",
      `
      68400005 | Passagem Tamoios | Centro Histórico
      68400010 | Rua Dois 9 | São Benedito
      68400015 | Rua Aparecida | São Benedito
    `,
    ],
    [
      "Sarzedo/MG",
      `
      32450005 | Rodovia MG-409 Km 12 | Chácara Maracanã
      32450010 | Rua Projetada | Liberdade
      32450015 | Rua Projetada | Jardim Paulista
      32450020 | Travessa Projetada 20 | Jardim Paulista
      32450025 | Rua Cinco 5 | Cidade Alta
    `,
    ],
    [
      "Brasília/DF",
      `
      70900005 | QNB 5 | Taguatinga Norte
      70900010 | QNL 5 Conjunto H | Taguatinga Norte
      70900015 | Quadra 11 | Setor Oeste
      70900020 | Quadra 11 Conjunto H | Setor Leste
      70900025 | SQS 415 Bloco A | Asa Sul
      70900030 | SQS 415 Bloco H | Asa Sul
    `,
    ],
    [
      "Caxias do Sul/RS",
      `
      95000005 | Rua Santa Luzia | Jardim São Paulo
      95000010 | Vila São Paulo | Canelas
      95000015 | Rua Tiradentes | São Damião | de 981 ao fim - lado ímpar
      95000020 | Rua Tiradentes | São Damião | de 814 a 1896 - lado par
    `,
    ],
    [
      "Balneário Camboriú/SC",
      `
      88300005 | Avenida Aracati | Vila Bernadete
      88300010 | Avenida Costa Rica | Centro
    `,
    ],
    ["Santana/AP", "68925005 | Rua Sergipe | Vila Egito"],
    [
      "Goiânia/GO",
      `
      74000005 | Rua Ipanema | Setor Sergipe
      74000010 | Rua Anápolis | Centro
      74000015 | Rua Catalão | Centro
    `,
    ],
    ["Palmas/TO", "77000005 | Rua Araguaia | Centro"],
    ["Natal/RN", "59000005 | Rua Mossoró | Centro"],
    ["Recife/PE", "50000005 | Rua Olinda | Centro"],
    ["Maceió/AL", "57000005 | Rua Penedo | Centro"],
    [
      "Rio de Janeiro/RJ",
      `
      20900005 | Vila das Begônias | Jardim Monte Carlo
      20900010 | Rua Presidente Tancredo Neves | Botafogo
    `,
    ],
    ["Presidente Tancredo Neves/BA", "45416000"],
    ["São José do Belmonte/PE", "56950000"],
  ])
);

testRows(`
  # The name in the neighbourhood is spelt in another way, but stands elsewhere.
  doubtful r. sta luzia, 46, residencial lisboa, macapá, ap ->
  # Another type of a lane.
  doubtful Caminho Tamoios, 435, Cametá, Pará ->
  # The number of the building would be within the name.
  doubtful Rodovia MG-409 Km 758, 12, Chácara Maracanã, Sarzedo, MG ->
  doubtful Rua Cinco 514, 5, Cidade Alta, Sarzedo, MG ->
  # The first number may be the end of a name that is in no directory.
  doubtful rua Projetada 180, 774, Loteamento Boa Vista, Sarzedo (MG) ->
  doubtful Rua Projetada 200, 645, Jardim Paulista, Sarzedo/MG Cep.: 32450-020 ->
  # Streets of towns with one CEP are in no directory.
  doubtful Avenida Costa Rica, 746, Centro ->
  doubtful Beco Aracati, 604, Centro ->
  # A municipality, and a street of others.
  doubtful Presidente Tancredo Neves ->
  likely   Presidente Tancredo Neves -> |Presidente Tancredo Neves
  sure     Presidente Tancredo Neves - BA -> |Presidente Tancredo Neves
  # Codes of blocks are never misspelt.
  doubtful QNL 5 Conjunto Q casa 7, Taguatinga Norte, Brasília/DF ->
  doubtful 11 Conjunto P casa 17, Setor Leste, Brasília/DF ->
  likely   bl. a apt 203 - sqs 415 bloco h, nº 866, asa sul, brasília - df -> SQS 415 Bloco H ! logradouro
  # A name with one number, in another neighbourhood.
  doubtful Rua 1, nº 1309, Jardim Sta. Luzia, Macapá, AP ->
  # The city may have a longer name.
  doubtful Rua Sergipe nr 177, Aeroporto, F. de Santana ->
  doubtful Rua Sergipe nr 177, parque Santana ->
  # The CEP is that of another street.
  doubtful VILA SAO PAULO, 869, CAXIAS DO SUL, RIO GRANDE DO SUL CEP 95000 005 ->
  found    R Tiradentes, 832, S. Damião, Caxias do Sul CEP 95000 015 -> Rua Tiradentes|de 814 a 1896 - lado par ! cep
  # The street stands before, and what was found is a neighbourhood or a unit.
  doubtful AC SANTO ANTÔNIO 220, vila begônias, rio de janeiro, rj ->
  doubtful R: E QD. 80 LT. 29, VL IPANEMA - GOIÂNIA/GO ->
  doubtful R SANT CRUZ 99 AP34 ATRAS DO SUPERMERCADO, CAMETA ->
  doubtful r: tiresa cavaucante pinto 62 ap. 1201 perto da igreja sao jose ->
`);
