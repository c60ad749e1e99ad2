import { inWords, unaccent } from "../generate_dne/names.ts";
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

/** Returns a street whose name begins with digits with the number in words. */
export function withNumberInWords(street: Street): Street {
  const [digits] = /^\d{1,2}(?= |$)/.exec(street.name) ?? [];
  if (digits === undefined) return street;
  const rest = street.name.slice(digits.length);
  return { ...street, name: toCensusText(inWords(Number(digits))) + rest };
}

/** Names of the columns. */
export const COLUMNS = [
  ..."COD_UNICO_ENDERECO COD_UF COD_MUNICIPIO COD_DISTRITO".split(" "),
  ..."COD_SUBDISTRITO COD_SETOR NUM_QUADRA NUM_FACE CEP".split(" "),
  ..."DSC_LOCALIDADE NOM_TIPO_SEGLOGR NOM_TITULO_SEGLOGR".split(" "),
  ..."NOM_SEGLOGR NUM_ENDERECO DSC_MODIFICADOR".split(" "),
  ..."12345".split("").flatMap((it) => [
    `NOM_COMP_ELEM${it}`,
    `VAL_COMP_ELEM${it}`,
  ]),
  ..."LATITUDE LONGITUDE NV_GEO_COORD COD_ESPECIE".split(" "),
  ..."DSC_ESTABELECIMENTO COD_INDICADOR_ESTAB_ENDERECO".split(" "),
  ..."COD_INDICADOR_CONST_ENDERECO".split(" "),
  ..."COD_INDICADOR_FINALIDADE_CONST COD_TIPO_ESPECI".split(" "),
] as const;

/** First row of a file. */
export const HEADER = COLUMNS.join(";");

/** Address in the file. */
export interface Address {
  /** COD_UNICO_ENDERECO. */
  readonly id: number;
  readonly ibge: string;
  /** Number of the census sector in its municipality, up to 9,999. */
  readonly sector: number;
  readonly block: number;
  readonly face: number;
  readonly cep: string;
  readonly locality: string;
  readonly street: Street;
  /** Building number, 0 without one. */
  readonly number: number;
  readonly modifier: string;
  /** Up to five elements, names and values in turn. */
  readonly complement: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  /** NV_GEO_COORD, from 1. */
  readonly level: number;
}

/** Use of an address. */
export interface Use {
  /** COD_ESPECIE, from 1. */
  readonly kind: number;
  readonly establishment: string;
  /** The four last columns. */
  readonly indicators: string;
}

const EMPTY_PAIRS = ["", ";;", ";;;;", ";;;;;;", ";;;;;;;;", ";;;;;;;;;;"];

/** Writes a row, without its line end. */
export function toLine(address: Address, use: Use): string {
  const { ibge, street, complement } = address;
  const district = `${ibge}05`;
  const subdistrict = `${district}00`;
  const sector = String(address.sector).padStart(4, "0");
  const pairs = complement.length > 0 ? `${complement.join(";")};` : "";
  const empty = EMPTY_PAIRS[5 - complement.length / 2];
  return `${address.id};${ibge.slice(0, 2)};${ibge};${district};` +
    `${subdistrict};${subdistrict}${sector}P;${address.block};` +
    `${address.face};${address.cep};${address.locality};${street.type};` +
    `${street.title};${street.name};${address.number};${address.modifier};` +
    `${pairs}${empty}${address.latitude.toFixed(6)};` +
    `${address.longitude.toFixed(6)};${address.level};${use.kind};` +
    `${use.establishment};${use.indicators}`;
}
