/**
 * Neighbourhood and city in the text of an address.
 *
 * @module
 */
import type { AddressParts } from "./parts.ts";
import { fold } from "./words.ts";

/** True if a state has a municipality of a name; `""` is any state. */
export type IsCity = (name: string, uf: string) => boolean;

/** Places of an address. */
export interface Places extends Pick<AddressParts, "cidade" | "bairro"> {
  /** Other texts. */
  readonly others: readonly string[];
}

/**
 * Assigns the texts that are neither street nor complement. The city is the last
 * one with the name of a city, else the last one of several; the neighbourhood
 * is the last one of the others.
 */
export function assignPlaces(
  texts: readonly string[],
  { cidade: known, uf }: Pick<AddressParts, "cidade" | "uf">,
  isCity: IsCity | undefined,
): Places {
  const city = known === ""
    ? findCity(texts, uf, isCity)
    : { cidade: known, left: texts.filter((it) => fold(it) !== fold(known)) };
  const { cidade, left } = city;
  return { cidade, bairro: left.at(-1) ?? "", others: left.slice(0, -1) };
}

interface Found {
  readonly cidade: string;
  readonly left: readonly string[];
}

function findCity(
  texts: readonly string[],
  uf: string,
  isCity: IsCity | undefined,
): Found {
  if (isCity !== undefined) {
    const at = texts.findLastIndex((text) => isCity(text, uf));
    if (at >= 0) return { cidade: texts[at]!, left: texts.toSpliced(at, 1) };
    for (let i = texts.length - 1; i >= 0; i--) {
      const ending = findEnding(texts[i]!, uf, isCity);
      if (ending === undefined) continue;
      const { before, cidade } = ending;
      return { cidade, left: texts.with(i, before) };
    }
  }
  // A single text is a neighbourhood, except beside a state: a misspelt city.
  if (texts.length < 2 && (uf === "" || isCity === undefined && uf === "")) {
    return { cidade: "", left: texts };
  }
  return { cidade: texts.at(-1) ?? "", left: texts.slice(0, -1) };
}

/** Splits a text that ends with a city: `Centro Curitiba`. */
function findEnding(
  text: string,
  uf: string,
  isCity: IsCity,
): { before: string; cidade: string } | undefined {
  const words = text.split(" ");
  for (let i = 1; i < words.length; i++) {
    const cidade = words.slice(i).join(" ");
    if (!isCity(cidade, uf)) continue;
    return { before: words.slice(0, i).join(" "), cidade };
  }
  return undefined;
}
