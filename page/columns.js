/** Columns of a table, and the parts of an address in them. */
import { parseCep } from "./dom.js";

/** Names of columns by the parts of an address in them, folded. */
const NAMES = {
  endereco: ["endereco", "endereco completo", "end", "address"],
  logradouro: ["logradouro", "logr", "rua", "avenida", "street"],
  numero: ["numero", "num", "nro", "nr", "no", "n", "number"],
  complemento: ["complemento", "compl", "comp", "apto", "unit"],
  bairro: ["bairro", "neighbourhood", "neighborhood", "district"],
  cidade: ["cidade", "cid", "municipio", "mun", "localidade", "city", "town"],
  uf: ["uf", "u f", "sigla uf", "estado", "est", "state"],
  cep: ["cep", "c e p", "codigo postal", "zip", "zip code", "postal code"],
};

/** Parts of an address that a column may have. */
export const PARTS = Object.keys(NAMES);

/** Words that name a part among others: `CEP de entrega`, `Cidade/Município`. */
const WORDS = {
  endereco: ["endereco"],
  logradouro: ["logradouro", "rua"],
  bairro: ["bairro"],
  cidade: ["cidade", "municipio"],
  uf: ["uf"],
  cep: ["cep"],
};

/** Names of columns with the type of a street, which its name follows. */
const TYPES = ["tipo logradouro", "tipo de logradouro"];

/** Words of columns that have no postal address. */
const OTHERS = ["email", "mail", "ip", "site", "id", "codigo", "cod", "tipo"];

const STATES = "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN " +
  "RO RR RS SC SE SP TO";

/** Rows in which the content of a column is looked at. */
const LOOKED_AT = 50;

/** Share of cells that decide what a column has. */
const MOST = 0.8;

/** Rows that may stand above the header, such as a title. */
const MOST_ABOVE = 20;

/** Names of parts by which a row below others is known to be the header. */
const LEAST_NAMES = 2;

/** Finds the row that names the columns: the first, unless one below does. */
export function findHeader(table) {
  if (table[0]?.some((it) => partOfName(`${it}`) !== "")) return 0;
  const below = table.slice(0, MOST_ABOVE + 1).findIndex((row) =>
    row.filter((it) => isKnown(fold(`${it}`))).length >= LEAST_NAMES
  );
  return Math.max(0, below);
}

function isKnown(folded) {
  return PARTS.some((part) => NAMES[part].includes(folded));
}

/**
 * Divides the row that names the columns from those above and below it. Without
 * one, the columns get the names that `nameOf` gives for their numbers from 1.
 */
export function splitHeader(table, nameOf) {
  const at = findHeader(table);
  const header = table[at] ?? [];
  const isNamed = header.some((it) => partOfName(it) !== "") ||
    !header.some((it) => partOfContent([it]) !== "");
  if (!isNamed) {
    return {
      above: [],
      header: header.map((_, i) => nameOf(i + 1)),
      rows: table,
    };
  }
  return { above: table.slice(0, at), header, rows: table.slice(at + 1) };
}

/** Guesses the part of an address in each column, `""` for none. */
export function guessParts(header, rows) {
  const looked = rows.slice(0, LOOKED_AT);
  const folded = header.map(fold);
  const parts = header.map(() => "");
  for (const part of PARTS) {
    // Of two columns of one part, that with the likelier name.
    const known = NAMES[part].find((it) => folded.includes(it));
    if (known !== undefined) parts[folded.indexOf(known)] = part;
  }
  addGuesses(parts, header.map(partOfWords));
  addGuesses(
    parts,
    header.map((name, i) =>
      isOther(name) ? "" : partOfContent(cells(looked, i))
    ),
  );
  const type = folded.findIndex((it) => TYPES.includes(it));
  const street = ["logradouro", "endereco"].find((it) => parts.includes(it));
  if (type !== -1 && street !== undefined) parts[type] = street;
  return parts;
}

/** Adds guesses for columns without a part, one for each missing part. */
function addGuesses(parts, guesses) {
  guesses.forEach((guess, i) => {
    const isKnown = parts.includes(guess) ||
      guess === "endereco" && parts.includes("logradouro");
    if (parts[i] === "" && !isKnown) parts[i] = guess;
  });
}

function cells(rows, column) {
  return rows.map((row) => `${row[column] ?? ""}`);
}

function partOfName(name) {
  const folded = fold(name);
  return PARTS.find((part) => NAMES[part].includes(folded)) ??
    partOfWords(name);
}

function partOfWords(name) {
  const words = fold(name).split(" ");
  if (isOther(name)) return "";
  const known = Object.keys(WORDS);
  return known.find((part) => WORDS[part].some((it) => words.includes(it))) ??
    "";
}

function isOther(name) {
  return fold(name).split(" ").some((it) => OTHERS.includes(it));
}

/** Part that most of the cells have the form of. */
function partOfContent(given) {
  const filled = given.map((it) => it.trim()).filter(Boolean);
  const isMost = (test) =>
    filled.length > 0 && filled.filter(test).length >= MOST * filled.length;
  if (isMost((it) => parseCep(it) !== undefined)) return "cep";
  if (isMost((it) => STATES.split(" ").includes(it.toUpperCase()))) return "uf";
  return isMost(isAddress) ? "endereco" : "";
}

/** True for words and a number, as in `Rua Uruguai, 30`. */
function isAddress(text) {
  return /\p{L}{2,}.*\s.*\d/u.test(text) && !text.includes("@");
}

function fold(text) {
  return text.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase().replaceAll(/[^a-z0-9]+/g, " ").trim();
}
