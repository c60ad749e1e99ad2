/**
 * Places in the text of a street: `Avenida Paulista Bela Vista São Paulo`.
 *
 * @module
 */
import type { Address, OwnFieldName } from "../address.ts";
import { isPreposition } from "../search/word_kinds.ts";
import type { AddressParts, Part } from "./parts.ts";
import { fold, isType } from "./words.ts";

/** Parts that a street may end with, and the fields of a record with them. */
const PLACES: readonly (readonly [Part, OwnFieldName])[] = [
  ["cidade", "cidade"],
  ["bairro", "bairro"],
  ["bairro", "distrito"],
];

/**
 * Moves the places of a record from the end of the street to missing parts.
 * Only if the record has the CEP of the address, nothing else may be left.
 *
 * @returns The same object if the street does not end with a place of the
 * record.
 */
export function takePlaces(parts: AddressParts, record: Address): AddressParts {
  let found = parts;
  for (let i = 0; i < PLACES.length; i++) {
    const [part, field] = PLACES[i]!;
    if (found[part] !== "" || record[field] === "") continue;
    const split = splitEnd(found.logradouro, record[field]);
    if (split === undefined) continue;
    if (split.before === "" && record.cep !== parts.cep) continue;
    if (split.before !== "" && !isName(split.before)) continue;
    found = { ...found, logradouro: split.before, [part]: split.end };
    i = -1; // An earlier place may precede this one.
  }
  return found;
}

/** True for more than a type: `Rua`, `Praça da`. */
function isName(street: string): boolean {
  const words = fold(street).split(" ");
  return !isPreposition(words.at(-1)!) && !isType(words.join(" "));
}

/** Splits a text that ends with the words of a name. */
function splitEnd(
  text: string,
  name: string,
): { before: string; end: string } | undefined {
  const words = text.split(" ");
  const start = words.length - name.split(" ").length;
  if (start < 0) return undefined;
  const end = words.slice(start).join(" ");
  return fold(end) === fold(name)
    ? { before: words.slice(0, start).join(" "), end }
    : undefined;
}
