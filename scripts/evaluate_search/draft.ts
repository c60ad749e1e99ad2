import type { Address } from "@carteiro/cep";
import type { Random } from "../generate_dne/random.ts";
import {
  contains,
  type Directory,
  halvesOf,
  isStreet,
  numberIn,
  placeOf,
} from "./directory.ts";
import { fold, keyOf } from "./text.ts";

/** Facts of a record that the text tells, which others may share. */
export interface Told {
  /** Key of a street by what the text keeps of its name. */
  readonly key: (street: Address) => string;
  /** Neighbourhood that is written, `""` for none. */
  readonly neighbourhood: string;
  readonly state: boolean;
  /** True if only the start of the city is written. */
  readonly startOfCity: boolean;
  /** True if the city may as well be read as a neighbourhood. */
  readonly mayBeNeighbourhood: boolean;
  readonly complement: boolean;
  readonly number: number | undefined;
  /** True if the CEP is written. */
  readonly cep: boolean;
}

/** Parts of an address as they will be written. */
export interface Draft {
  readonly record: Address;
  readonly street: string;
  readonly number: string;
  /** Unit, written after the number. */
  readonly unit: string;
  readonly neighbourhood: string;
  readonly city: string;
  readonly uf: string;
  readonly cep: string;
  readonly told: Told;
}

/** Changes a draft; `undefined` if the change does not suit the record. */
export type Change = (
  draft: Draft,
  random: Random,
  directory: Directory,
) => Draft | undefined;

/** Key of a street that is told in full. */
export function fullKey({ logradouro }: Address): string {
  return keyOf(logradouro);
}

/** True for streets whose buildings have no numbers: blocks of planned cities. */
export function isBlock(record: Address): boolean {
  const place = placeOf(record);
  return (place === "Brasília" || place === "Palmas") &&
    /\d/.test(record.logradouro) && !TYPED.test(record.logradouro);
}

const TYPED =
  /^(?:\d+ª )?(Rua|Avenida|Travessa|Alameda|Praça|Estrada|Rodovia|Via|Beco|Largo|Vila|Viela) /;

/** Starts with all parts of the record and a building number. */
export function draftOf(
  record: Address,
  random: Random,
  directory: Directory,
): Draft {
  const { logradouro, bairro, cidade, uf } = record;
  const draft = {
    record,
    street: logradouro,
    neighbourhood: bairro,
    city: cidade,
    uf,
    cep: "",
  };
  const told = {
    key: fullKey,
    neighbourhood: bairro,
    state: true,
    startOfCity: false,
    mayBeNeighbourhood: false,
    complement: false,
    number: undefined,
    cep: false,
  };
  if (isBlock(record)) {
    const unit = random.pick(["casa", "lote", "casa"]) +
      ` ${1 + random.int(30)}`;
    // "SCEN Trecho 1 Lote 1" is a street.
    const isOther = directory.hasStreet(record, `${logradouro} ${unit}`);
    return { ...draft, number: "", unit: isOther ? "" : unit, told };
  }
  if (/\bkm\b/i.test(record.complemento)) {
    return { ...draft, number: "", unit: "", told };
  }
  const stretch = directory.stretchOf(record);
  const number = stretch === undefined
    ? 1 + random.int(random.chance(70) ? 900 : 3000)
    : numberIn(stretch, random);
  return { ...draft, number: `${number}`, unit: "", told: { ...told, number } };
}

/** Compares records by what a text tells: true for those it may mean. */
export function isToldBy(
  draft: Draft,
  directory: Directory,
): (found: Address) => boolean {
  const { record, told } = draft;
  const key = told.key(record);
  const isPlace = placeTester(draft);
  return (found) => {
    if (found.cep === record.cep) return true;
    if (told.cep || !isStreet(found) || !isPlace(found)) return false;
    if (told.state && found.uf !== record.uf) return false;
    if (told.complement && found.complemento !== record.complemento) {
      return false;
    }
    if (!isNeighbourhood(found.bairro, told.neighbourhood)) return false;
    if (told.key(found) !== key) return false;
    if (told.number === undefined) return true;
    const stretch = directory.stretchOf(found);
    return stretch === undefined || contains(stretch, told.number);
  };
}

/** Returns a test for the written city, or what else its name may mean. */
function placeTester({ record, told, city }: Draft) {
  const written = fold(city);
  const isName = told.startOfCity
    ? (name: string) => name.startsWith(written)
    : (name: string) => name === written;
  return ({ cidade, bairro }: Address) =>
    isName(fold(cidade)) || cidade === record.cidade ||
    told.mayBeNeighbourhood && isName(fold(bairro));
}

/** True for the written neighbourhood; `A` and `B` are `A (B)`, too. */
export function isNeighbourhood(name: string, written: string): boolean {
  if (written === "") return true;
  const key = keyOf(written);
  return keyOf(name) === key || halvesOf(name).some((it) => keyOf(it) === key);
}

/** Writes a draft as one line. */
export type Writer = (draft: Draft, random: Random) => string;

/** Writes an address like on a letter, in one of the usual forms. */
export const writeAddress: Writer = (draft, random) => {
  const { street, neighbourhood, city, uf, cep } = draft;
  const numbered = writeNumbered(draft, random);
  const end = random.pick([" - ", "/", ", ", " "]);
  const place = uf === "" ? city : `${city}${end}${uf}`;
  const between = random.pick([", ", ", ", " - ", " "]);
  const code = cep === "" ? "" : random.pick([
    `, ${cep.slice(0, 5)}-${cep.slice(5)}`,
    ` CEP ${cep.slice(0, 5)}-${cep.slice(5)}`,
    ` - ${cep}`,
  ]);
  // Without any comma, a number alone would end a name.
  const comma = street === numbered || between !== " " ? between : ", ";
  return [numbered, neighbourhood, place].filter(Boolean).join(comma) + code;
};

function writeNumbered(
  { street, number, unit }: Draft,
  random: Random,
): string {
  const mark = /^\d/.test(number) ? random.pick(["", "", "", "nº ", "n "]) : "";
  const before = random.pick([", ", ", ", " "]);
  const numbered = number === ""
    ? street
    : `${street}${before}${mark}${number}`;
  if (unit === "") return numbered;
  return `${numbered}${random.pick([", ", ", ", " ", " - "])}${unit}`;
}

/** Writes the unit before the number: `apto 12, nº 340`. */
export const writeUnitFirst: Writer = (draft, random) => {
  const { street, number, unit, ...others } = draft;
  const middle = random.pick([
    `, ${unit}, nº ${number}`,
    `, ${unit}, ${number}`,
    ` ${unit} nº ${number}`,
  ]);
  const first = { ...others, street: street + middle, number: "", unit: "" };
  return writeAddress(first, random);
};

/** Writes the number and the unit without a comma. */
export const writeUnitWithoutComma: Writer = (draft, random) => {
  const { street, number, unit, ...others } = draft;
  const numbered = number === "" ? street : `${street} ${number}`;
  const first = {
    ...others,
    street: `${numbered} ${unit}`,
    number: "",
    unit: "",
  };
  return writeAddress(first, random);
};

/** Writes the city before the street. */
export const writeCityFirst: Writer = (draft, random) => {
  const { neighbourhood, city, uf, cep } = draft;
  const place = uf === "" ? city : `${city}${random.pick(["/", " - "])}${uf}`;
  const parts = random.chance(70)
    ? [place, neighbourhood, writeNumbered(draft, random)]
    : [place, writeNumbered(draft, random), neighbourhood];
  return parts.filter(Boolean).join(random.pick([", ", " - ", ", "])) + cep;
};

/** Writes a search: few commas, often small letters. */
export const writeSearch: Writer = (draft, random) => {
  const { neighbourhood, city, uf } = draft;
  const { street, number, unit } = draft;
  const numbered = [street, number, unit].filter(Boolean).join(" ");
  const parts = [numbered, neighbourhood, city];
  const text = parts.filter(Boolean).join(random.pick([" ", " ", ", "]));
  const place = uf === ""
    ? text
    : `${text}${random.pick([" ", "/", " - "])}${uf}`;
  return random.chance(60) ? place.toLowerCase() : place;
};

/** Writes a search in another order. */
export const writeSearchCityFirst: Writer = (draft, random) => {
  const { street, number, unit, neighbourhood, city, uf } = draft;
  const numbered = [street, number, unit].filter(Boolean).join(" ");
  const place = [city, uf].filter(Boolean).join(" ");
  const parts = neighbourhood === "" ? [place, numbered] : random.pick([
    [place, numbered, neighbourhood],
    [place, neighbourhood, numbered],
    [neighbourhood, numbered, place],
  ]);
  const text = parts.join(random.pick([" ", ", ", " "]));
  return random.chance(60) ? text.toLowerCase() : text;
};
