/**
 * Names as the CNEFE spells them: in capitals, without accents and marks, and
 * with the title of a street in a column of its own.
 */
import { unaccent } from "../generate_dne/names.ts";
import { WORDS } from "../generate_dne/random.ts";

/** Street as a row has it. */
export interface Street {
  /** NOM_TIPO_SEGLOGR. */
  readonly type: string;
  /** NOM_TITULO_SEGLOGR. */
  readonly title: string;
  /** NOM_SEGLOGR. */
  readonly name: string;
}

const TITLED = [
  ...WORDS.titles,
  "Nossa Senhora",
  "São",
  "Santa",
  "Santo",
  "Barão",
]
  .map(toCensusText);

/** Names that do not tell a street from another. */
const NAMELESS = new Set([
  "SEM DENOMINACAO",
  "SEM NOME",
  "PROJETADA",
  "PROJETADO",
  "PARTICULAR",
]);
/** Type of a building, in the place of a street type. */
export const BUILDING_TYPE = "EDF";

/** Writes a text in capitals, ASCII and single blanks. */
export function toCensusText(text: string): string {
  return unaccent(text).toUpperCase().replaceAll(/ª/g, "A")
    .replaceAll(/[º°]/g, "O").replaceAll(/[^A-Z0-9]+/g, " ").trim();
}

/** Spells a street of the DNE, without its type in the name. */
export function toStreet(type: string, name: string): Street {
  const text = toCensusText(name);
  const spelledType = toCensusText(type);
  const own = text.startsWith(`${spelledType} `)
    ? text.slice(spelledType.length + 1)
    : text;
  const title = TITLED.find((it) => own.startsWith(`${it} `)) ?? "";
  return {
    type: spelledType,
    title,
    name: title ? own.slice(title.length + 1) : own,
  };
}

/**
 * Returns type, title and name, none of them twice, and `""` for a street
 * without a name.
 */
export function joinStreet({ type, title, name }: Street): string {
  if (type === BUILDING_TYPE) return "";
  const own = name.startsWith(`${type} `) ? name.slice(type.length + 1) : name;
  const repeated = title === "" || own === title ||
    own.startsWith(`${title} `);
  const full = repeated ? own : `${title} ${own}`;
  return full === "" || NAMELESS.has(full) ? "" : `${type} ${full}`.trim();
}

const ONES =
  ("ZERO UM DOIS TRES QUATRO CINCO SEIS SETE OITO NOVE DEZ ONZE DOZE " +
    "TREZE QUATORZE QUINZE DEZESSEIS DEZESSETE DEZOITO DEZENOVE").split(" ");
const TENS = "VINTE TRINTA QUARENTA CINQUENTA SESSENTA SETENTA OITENTA NOVENTA"
  .split(" ");

/** Writes a number from 0 to 99 in words. */
export function inWords(number: number): string {
  const ten = TENS[Math.floor(number / 10) - 2];
  if (ten === undefined) return ONES[number]!;
  return number % 10 === 0 ? ten : `${ten} E ${ONES[number % 10]}`;
}

/** Returns a street whose name begins with digits with the number in words. */
export function withNumberInWords(street: Street): Street {
  const [digits] = /^\d{1,2}(?= |$)/.exec(street.name) ?? [];
  if (digits === undefined) return street;
  const rest = street.name.slice(digits.length);
  return { ...street, name: inWords(Number(digits)) + rest };
}
