/** Parts of invented names, chosen by hand, not from address data. */
import { list } from "./list.ts";

/** First and second halves of invented municipality names. */
export const CITY_HEADS = list(`
  Abu, Aiu, Arumi, Barai, Biri, Bocu, Cambu, Canu, Catu, Coru, Curua, Emba,
  Gravi, Iba, Igua, Imbu, Jabu, Jaga, Jeri, Jutu, Macu, Mandi, Muru, Nhandu,
  Opa, Pacu, Pindo, Quixa, Sapu, Sura, Tabo, Timbu, Tuca, Ubu, Urubi, Xica`);
export const CITY_TAILS = list(`
  tinga, mirim, guaçu, pira, nema, tuba, runa, quara, poranga, pema, biara,
  coara, rema, tiba, beba, noá, vera, mambi, jubá, cica, dema, taí, lândia,
  nópolis, porã, çaba`);
export const CITY_QUALIFIERS = list(`
  do Sul, do Norte, da Serra, do Oeste, dos Campos, do Vale, das Missões,
  da Mata, da Barra, d´Oeste`);

/** Districts and villages; the same name occurs in many municipalities. */
export const DISTRICTS = list(`
  Barra Velha, Boa União, Bom Retiro, Cachoeirinha, Campo Novo, Capela Nova,
  Córrego Fundo, Encruzilhada, Engenho Novo, Estação Nova, Ilha das Garças,
  Lagoa Rasa, Monte Alto, Morro Grande, Nova Aliança, Olho d´Água, Pedra Lisa,
  Pontal do Norte, Porto Velho do Sul, Ribeirão Preto do Meio, Riacho Seco,
  Santa Cruz, Santa Rita, Santo Antônio, São Benedito, São José, São Miguel,
  Serra Nova, Tabuleiro Alto, Três Barras, Várzea Comprida, Vila Nova`);

export const FIRST_NAMES = list(`
  José, João, Maria, Ana, Antônio, Francisco, Carlos, Paulo, Pedro, Luiz,
  Manoel, Marcos, Raimundo, Sebastião, Joaquim, Geraldo, Benedito, Cecília,
  Helena, Tereza, Rosa, Lúcia, Inês, Joana, Aparecida, Conceição, Vicente,
  Armando, Otávio, Rubens, Nelson, Osvaldo, Waldemar, Júlio, César, Augusto,
  Alberto, Eduardo, Henrique, Fernando, Jorge, Miguel, Rafael, Américo, Zélia,
  Olga, Irene, Dirce, Ângela, Íris, Estêvão, Ézio, Ubirajara, Moacir, Iracema`);
export const SURNAMES = list(`
  da Silva, dos Santos, de Oliveira, de Souza, Pereira, Lima, Ferreira, Costa,
  Ribeiro, Martins, Carvalho, Almeida, Lopes, Soares, Fernandes, Vieira,
  Barbosa, Rocha, Dias, Nascimento, Andrade, Moreira, Nunes, Marques, Machado,
  Mendes, Freitas, Cardoso, Ramos, Gonçalves, Santana, Teixeira, Araújo, Pinto,
  Cavalcante, Monteiro, Moura, Correia, Borges, Farias, Brandão, Guimarães,
  Magalhães, Leão, Simões, Conceição, Assunção, Müller, Schmidt, Rossi,
  Bianchi, Tanaka, Kowalski, Brüning, Sant'Anna`);
export const TITLES = list(`
  Doutor, Doutora, Professor, Professora, Coronel, Capitão, Tenente, General,
  Padre, Frei, Vereador, Prefeito, Deputado, Senador, Comendador, Maestro`);

/** Names with their article, for streets. */
export const NATURE = list(`
  das Acácias, das Azaleias, dos Ipês, das Palmeiras, dos Jacarandás, das Rosas,
  das Hortênsias, das Orquídeas, dos Lírios, das Violetas, dos Cedros, do Sol,
  dos Pinheiros, das Mangueiras, do Cajueiro, das Andorinhas, dos Sabiás, da Paz,
  dos Canários, das Garças, do Bem-te-vi, da Lua, das Estrelas, da Esperança,
  da Alegria, da Fonte, do Campo, da Serra, do Vale, dos Coqueiros, da Colina,
  da Saudade, das Laranjeiras, dos Girassóis, do Limoeiro, da Lagoa`);

/** Names without an article, for streets and neighbourhoods. */
export const PLACES = list(`
  Amazonas, Bahia, Ceará, Espírito Santo, Goiás, Maranhão, Mato Grosso, Pará,
  Paraíba, Paraná, Pernambuco, Rondônia, Sergipe, Tocantins, Argentina, Bolívia,
  Chile, Colômbia, Itália, Japão, Portugal, Uruguai, Lisboa, Madri, Roma, Veneza,
  Rio Negro, Rio Tapajós, Rio Xingu, Rio Doce, Rio Paraguai, São Francisco,
  Santa Luzia, São Pedro, São Jorge, Santa Clara, Santo Expedito, São Brás,
  Nossa Senhora das Graças, Bom Jesus, Divino, Santa Bárbara, São Sebastião`);
export const NEIGHBOURHOODS = list(`
  Alvorada, América, Aurora, Bandeirantes, Bela Vista, Boa Vista, Brasil,
  Califórnia, Campestre, Canaã, Colonial, Cruzeiro, Esmeralda, Europa, Florença,
  Floresta, Guarani, Horizonte, Imperial, Independência, Industrial, Ipanema,
  Itália, Jatobá, Liberdade, Marabá, Mirante, Nacional, Olímpia, Operária,
  Palmares, Paraíso, Petrópolis, Planalto, Primavera, Progresso, Quitandinha,
  Real, Renascença, Santana, Tamoio, Tiradentes, Tropical, União, Verde,
  Vitória, Xavante, Ypê, Olho d´Água, Vista d\`Alva`);
export const NEIGHBOURHOOD_TYPES = ["", "Vila ", "Jardim ", "Parque ", "Nova "]
  .concat(["Alto ", "Conjunto ", "Residencial "]);

export const MONTHS = list(`
  Janeiro, Março, Abril, Maio, Julho, Setembro, Outubro, Novembro, Dezembro`);
export const DAYS = list(`
  1º, 2, Três, 7, Nove, 11, Treze, 15, Dezenove, 20, Vinte e Um, 25, 31`);
export const SPELLED = list(`
  Um, Dois, Três, Quatro, Cinco, Seis, Sete, Oito, Nove, Dez, Onze, Doze,
  Quinze, Vinte, Trinta e Dois, Projetada 03, Projetada A, Principal, B, C, D`);
export const HIGHWAYS = list(`
  BR-010, BR-101, BR-116, BR-153, BR-230, BR-364, do Café, dos Tropeiros`);

/** Street types, with their frequency per thousand and their abbreviations. */
export const STREET_TYPES: readonly (readonly [string, number])[] = [
  ["Rua", 723],
  ["Avenida", 80],
  ["Travessa", 62],
  ["Alameda", 24],
  ["Praça", 18],
  ["Estrada", 18],
  ["Beco", 14],
  ["Servidão", 10],
  ["1ª Travessa", 9],
  ["2ª Travessa", 6],
  ["Viela", 8],
  ["Vila", 8],
  ["Acesso", 5],
  ["Caminho", 4],
  ["3ª Travessa", 3],
  ["Largo", 3],
  ["Via", 3],
  ["4ª Travessa", 1],
  ["1ª Avenida", 1],
];

/** Blocks of planned cities, whose type is not part of the address. */
export const PLANNED_BLOCKS = list(`
  SQS, SQN, SHIS QI, SHIN QL, CLN, CLS, QNM, QNL, QSD, QC, SGAN, SGAS, ARSE`);
export const PLANNED_PARTS = list(`Bloco, Conjunto, Módulo, Lote, Alameda`);
export const LETTERS = list(
  `A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q`,
);

/** Large users; `*` stands for a name. */
export const LARGE_USERS = list(`
  Edifício *, Condomínio *, Condomínio Residencial *, Residencial *, Banco *,
  Universidade *, Hospital *, Shopping Center *, Supermercado *, Fórum *,
  Ministério do Trabalho - Agência *, Companhia de Seguros *, Colégio *,
  Gráfica * Ltda - Jornal "o Farol"`);
/** Community mailboxes, named after their operators. */
export const POST_KEEPERS = list(`
  Associação de Moradores *, Associação Comunitária *, Povoado *, Mercearia *,
  Prefeitura Municipal - Posto *, Conjunto *`);

const SHORT_FORMS = list(`
  Avenida Av, Rua R, Travessa Tv, Alameda Al, Praça Pç, Estrada Est, Beco Bc,
  Servidão Serv, Viela Vla, Vila Vl, Rodovia Rod, Acesso Ac, Caminho Cam,
  Largo Lg, Via V, Quadra Q, Setor St, Conjunto Cj, Bloco Bl, Módulo Mod,
  Lote Lt, Santa Sta, Santo Sto, São S, Nossa N, Senhora Sra, Doutor Dr,
  Doutora Dra, Professor Prof, Professora Profa, Coronel Cel, Capitão Cap,
  Tenente Ten, General Gen, Padre Pe, Vereador Ver, Prefeito Pref, Deputado Dep,
  Senador Sen, Comendador Com, Jardim Jd, Parque Pq, Residencial Res,
  Edifício Ed, Condomínio Cond, Universidade Univ, Hospital Hosp, Área A,
  Rural Rur, Porto Pto, Monte Mte, Campo Cpo, Grande Gde, Projetada Proj`);

/** Abbreviations that the DNE uses for words. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  SHORT_FORMS.map((pair) => pair.split(" ") as [string, string]),
);

/** Code, longer code, and the Portuguese, English and French names. */
export const COUNTRIES: readonly (readonly string[])[] = [
  ["BR", "BRA", "Brasil", "Brazil", "Brésil"],
  ["AR", "ARG", "Argentina", "Argentina", "Argentine"],
  ["CL", "CHL", "Chile", "Chile", "Chili"],
  ["FR", "FRA", "França", "France", "France"],
  ["JP", "JPN", "Japão", "Japan", "Japon"],
  ["MZ", "MOZ", "Moçambique", "Mozambique", "Mozambique"],
  ["PT", "PRT", "Portugal", "Portugal", "Portugal"],
  ["US", "USA", "Estados Unidos", "United States", ""],
];
