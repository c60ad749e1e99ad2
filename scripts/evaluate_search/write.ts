import type { Random } from "../generate_dne/random.ts";
import type { Draft } from "./draft.ts";

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

/** Removes accents. */
export function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}
