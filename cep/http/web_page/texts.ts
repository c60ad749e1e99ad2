/**
 * Texts of the page, in both of its languages.
 *
 * @module
 */

/** Language of the page. */
export type PageLanguage = "pt" | "en";

const PT = {
  lang: "pt-BR",
  other: "en",
  otherName: "English",
  title: "CEP: busca de endereços",
  description: "Busca de CEPs e endereços do Brasil.",
  skip: "Ir para a busca",
  sections: "Seções",
  table: "Planilha",
  heading: "Do endereço ao CEP, e de volta.",
  label: "CEP, rua ou endereço inteiro, com número",
  placeholder: "Rua, número e cidade",
  find: "Buscar",
  suggestions: "Sugestões",
  forExample: "Por exemplo:",
  copy: "Copiar",
  copyPart: "Copiar {name}",
  parts: "Endereço em partes",
  letter: "No envelope",
  copyLetter: "Copiar endereço",
  recipient: "Destinatário",
  number: "Número",
  unit: "Complemento",
  around: "Mais sobre este CEP",
  neighbours: "CEPs vizinhos",
  ranges: "Faixas de CEP do município",
  history: "Histórico",
  tableTitle: "Uma planilha de endereços, limpa",
  tableText:
    "Solte um arquivo CSV. Cada linha recebe seu CEP, o endereço como " +
    "consta na base e uma pontuação de 0 a 1.",
  tablePrivacy:
    "O arquivo é lido aqui no navegador; só as colunas do endereço " +
    "vão a este servidor, que não as guarda.",
  noScript: "Esta parte precisa de JavaScript.",
  drop: "Escolha ou solte um arquivo CSV",
  dropText: "Vírgula, ponto e vírgula ou tabulação; UTF-8 ou Latin-1",
  clean: "Limpar",
  otherFile: "Outro arquivo",
  cancel: "Cancelar",
  download: "Baixar CSV",
  apiTitle: "A API em um minuto",
  apiText:
    "Estes exemplos rodam neste mesmo servidor. A lista completa está em",
  run: "Executar",
  exampleCep: "O registro de um CEP",
  exampleSearch: "Os CEPs de um endereço",
  exampleMatch: "O registro que corresponde a um endereço",
  exampleBatch: "Vários CEPs de uma vez",
  examplePlace: "Um município, suas faixas e sua sede",
  mapCredit: "Contornos dos estados: Natural Earth, domínio público.",
  noData: "Ainda não há dados: a base está vazia.",
  data: "{count} CEPs, importados em {date}",
  release: "DNE {name}",
  country: "Mapa dos estados do Brasil",
  marked: "Mapa do Brasil com {state} em destaque e um ponto em {city}",
  seat: "O ponto é a sede do município de {city}; o lugar exato do CEP não " +
    "consta nos dados.",
  results: "Resultados",
  noResults: "Nenhum CEP encontrado para “{query}”. Confira a grafia, ou " +
    "escreva só a rua e a cidade.",
  invalid: "“{query}” não é um CEP. Um CEP tem oito dígitos, como 01310-100.",
  notFound: "O CEP {cep} não existe na base.",
  notFoundIn:
    "O CEP {cep} não existe na base; ele está na faixa de {city}, {uf}.",
  replaced: "O CEP {cep} foi substituído.",
  retired: "O CEP {cep} foi extinto.",
  successor: "Ver o CEP {cep}",
  limited: "Muitas consultas: tente de novo em {wait}.",
  unavailable: "A base de dados está indisponível. Tente de novo em instantes.",
  noSearch: "A busca por endereço está desligada; informe um CEP.",
  seconds: "{n} s",
  minutes: "{n} min",
  kinds: {
    logradouro: "Logradouro",
    localidade: "Município ou localidade",
    grande_usuario: "Grande usuário",
    unid_oper: "Unidade dos Correios",
    cpc: "Caixa postal comunitária",
  } as Readonly<Record<string, string>>,
  fields: {
    cep: "CEP",
    nome: "Nome",
    logradouro: "Logradouro",
    complemento: "Trecho",
    bairro: "Bairro",
    distrito: "Distrito",
    cidade: "Município",
    uf: "UF",
    codigo_ibge: "Código IBGE",
  } as Readonly<Record<string, string>>,
};

/** Texts by name. */
export type PageTexts = typeof PT;

const EN: PageTexts = {
  lang: "en",
  other: "pt-BR",
  otherName: "Português",
  title: "CEP: Brazilian postal codes",
  description: "Search for Brazilian postal codes and addresses.",
  skip: "Skip to the search",
  sections: "Sections",
  table: "Spreadsheet",
  heading: "From an address to its CEP, and back.",
  label: "CEP, street or whole address, with its number",
  placeholder: "Street, number and city",
  find: "Search",
  suggestions: "Suggestions",
  forExample: "For example:",
  copy: "Copy",
  copyPart: "Copy {name}",
  parts: "Address in parts",
  letter: "On the envelope",
  copyLetter: "Copy address",
  recipient: "Recipient",
  number: "Number",
  unit: "Unit",
  around: "More about this CEP",
  neighbours: "Neighbouring CEPs",
  ranges: "CEP ranges of the municipality",
  history: "History",
  tableTitle: "A spreadsheet of addresses, cleaned",
  tableText:
    "Drop a CSV file. Each row gets its CEP, the address as recorded, " +
    "and a score from 0 to 1.",
  tablePrivacy:
    "The file is read here in the browser; only the columns of the " +
    "address go to this server, which does not keep them.",
  noScript: "This part needs JavaScript.",
  drop: "Choose or drop a CSV file",
  dropText: "Comma, semicolon or tab; UTF-8 or Latin-1",
  clean: "Clean",
  otherFile: "Another file",
  cancel: "Cancel",
  download: "Download CSV",
  apiTitle: "The API at a glance",
  apiText: "These examples run on this very server. The full list is in",
  run: "Run",
  exampleCep: "The record of a CEP",
  exampleSearch: "The CEPs of an address",
  exampleMatch: "The record that matches an address",
  exampleBatch: "Several CEPs at once",
  examplePlace: "A municipality, its ranges and its seat",
  mapCredit: "Outlines of the states: Natural Earth, public domain.",
  noData: "No data yet: the database is empty.",
  data: "{count} CEPs, imported on {date}",
  release: "DNE {name}",
  country: "Map of the states of Brazil",
  marked: "Map of Brazil with {state} highlighted and a dot at {city}",
  seat:
    "The dot is the seat of the municipality of {city}; the exact place of " +
    "the CEP is not in the data.",
  results: "Results",
  noResults: "No CEP found for “{query}”. Check the spelling, or write only " +
    "street and city.",
  invalid: "“{query}” is not a CEP. A CEP has eight digits, like 01310-100.",
  notFound: "The CEP {cep} is not in the data.",
  notFoundIn: "The CEP {cep} is not in the data; it lies in the range of " +
    "{city}, {uf}.",
  replaced: "The CEP {cep} has been replaced.",
  retired: "The CEP {cep} has been retired.",
  successor: "See the CEP {cep}",
  limited: "Too many requests: try again in {wait}.",
  unavailable: "The database is unavailable. Try again in a moment.",
  noSearch: "The search for addresses is turned off; enter a CEP.",
  seconds: "{n} s",
  minutes: "{n} min",
  kinds: {
    logradouro: "Street",
    localidade: "Municipality or locality",
    grande_usuario: "Large user",
    unid_oper: "Post office",
    cpc: "Community post box",
  },
  fields: {
    cep: "CEP",
    nome: "Name",
    logradouro: "Street",
    complemento: "Stretch",
    bairro: "Neighbourhood",
    distrito: "District",
    cidade: "Municipality",
    uf: "State",
    codigo_ibge: "IBGE code",
  },
};

/** Texts of the page by language. */
export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = {
  pt: PT,
  en: EN,
};

/** Replaces names in braces by their values. */
export function fill(
  text: string,
  values: Readonly<Record<string, string>>,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Formats seconds to wait. */
export function formatWait(texts: PageTexts, seconds: number): string {
  return seconds < 90
    ? fill(texts.seconds, { n: `${seconds}` })
    : fill(texts.minutes, { n: `${Math.ceil(seconds / 60)}` });
}
