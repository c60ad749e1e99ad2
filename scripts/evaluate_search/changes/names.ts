import type { Address } from "@carteiro/cep";
import type { Directory } from "../directory.ts";
import { type Change, type Draft, fullKey } from "../draft.ts";
import { glueWords } from "../noise/glue.ts";
import { initials } from "../noise/initials.ts";
import { misspell, type Slip } from "../noise/letters.ts";
import { otherNumerals } from "../noise/numerals.ts";
import { misspellNameByEar, respellPersons } from "../noise/spelling.ts";
import {
  abbreviate,
  abbreviationKey,
  withOtherTitle,
  withoutTitle,
  withTitle,
} from "../noise/titles.ts";
import {
  isPreposition,
  keyOf,
  looseKey,
  nameOf,
  soundKey,
  typeOf,
} from "../text.ts";

/** Replaces the name of the street, and keeps its type. */
function renamed(draft: Draft, name: string): Draft {
  const type = typeOf(draft.record);
  return { ...draft, street: type === "" ? name : `${type} ${name}` };
}

/** Replaces the key by which the text tells a street. */
function toldBy(draft: Draft, key: (street: Address) => string): Draft {
  return { ...draft, told: { ...draft.told, key } };
}

/**
 * Renames the street, unless another street of the city has the new name: the
 * text would mean that one.
 */
function misnamed(
  draft: Draft,
  name: string | undefined,
  directory: Directory,
): Draft | undefined {
  return name === undefined || directory.hasStreet(draft.record, name)
    ? undefined
    : renamed(draft, name);
}

/** Renames the street by ear: the text tells its sound. */
function misheard(
  draft: Draft,
  name: string | undefined,
  directory: Directory,
): Draft | undefined {
  const written = misnamed(draft, name, directory);
  return written && toldBy(written, (it) => soundKey(it.logradouro));
}

/** Leaves the type out, unless what is left is a neighbourhood. */
export const dropType: Change = (draft, _random, directory) => {
  const { record } = draft;
  const name = nameOf(record);
  const isBare = name !== record.logradouro &&
    // A number or a letter alone is no street.
    /\p{L}{3}/u.test(name) &&
    !directory.cityOf(record).neighbourhoodNames.has(looseKey(name));
  if (!isBare) return undefined;
  const [first = "", ...others] = name.split(" ");
  const street = isPreposition(first) ? others.join(" ") : name;
  return toldBy({ ...draft, street }, (it) => looseKey(nameOf(it)));
};

/** Abbreviates the type and the titles. */
export const shorten: Change = (draft, random) => {
  const street = abbreviate(draft.record.logradouro, random);
  if (street === undefined) return undefined;
  return toldBy({ ...draft, street }, (it) => abbreviationKey(it.logradouro));
};

/** Abbreviates like the directory. */
export const useShortName: Change = (draft, _random, { details }) => {
  const { shortNames } = details;
  const street = shortNames?.get(draft.record.cep) ?? "";
  if (street === "") return undefined;
  const key = (it: Address) => shortNames?.get(it.cep) ?? fullKey(it);
  return toldBy({ ...draft, street }, key);
};

/** Makes typing mistakes in the name. */
export function mistype(times: number, slip?: Slip): Change {
  return (draft, random, directory) => {
    const options = slip === undefined ? { times } : { times, slip };
    const name = misspell(nameOf(draft.record), random, options);
    return misnamed(draft, name, directory);
  };
}

/** Writes the name by ear. */
export const writeByEar: Change = (draft, random, directory) =>
  misheard(draft, misspellNameByEar(nameOf(draft.record), random), directory);

/** Writes a person's name in its other spelling. */
export const respell: Change = (draft, _random, directory) =>
  misheard(draft, respellPersons(nameOf(draft.record)), directory);

/** Writes a numeral in another way. */
export const renumber: Change = (draft, random) => {
  const others = otherNumerals(nameOf(draft.record));
  return others.length === 0 ? undefined : renamed(draft, random.pick(others));
};

/** Leaves blanks out. */
export const glue: Change = (draft, random) => {
  const street = glueWords(draft.record.logradouro, random);
  return street === undefined ? undefined : { ...draft, street };
};

/** Writes a title that the name does not have. */
export const addTitle: Change = (draft, random, directory) =>
  misnamed(draft, withTitle(nameOf(draft.record), random), directory);

/** Leaves the title out. */
export const dropTitle: Change = (draft, _random, directory) =>
  misnamed(draft, withoutTitle(nameOf(draft.record)), directory);

/** Writes another title. */
export const changeTitle: Change = (draft, random, directory) =>
  misnamed(draft, withOtherTitle(nameOf(draft.record), random), directory);

/** Writes only the initials of all names but the last, or but both ends. */
export const useInitials: Change = (draft, random) => {
  const options = { keepsFirst: random.chance(50) };
  const short = initials(nameOf(draft.record), options);
  if (short === undefined) return undefined;
  const key = (it: Address) => {
    const name = nameOf(it);
    return looseKey(`${typeOf(it)} ${initials(name, options) ?? name}`);
  };
  return toldBy(renamed(draft, short), key);
};

/** Writes a former name. */
export const useOldName: Change = (draft, random, directory) => {
  const { oldNames } = directory.details;
  const known = oldNames?.get(draft.record.cep);
  if (known === undefined) return undefined;
  const street = random.pick(known);
  const name = street.replace(/^\S+\s/u, "");
  if (directory.hasStreet(draft.record, name)) return undefined;
  const written = keyOf(street);
  const key = (it: Address) =>
    oldNames!.get(it.cep)?.some((old) => keyOf(old) === written)
      ? written
      : fullKey(it);
  return toldBy({ ...draft, street }, key);
};

/** Writes the complement in parentheses: `(Lot Santana)`. */
export const addComplement: Change = (draft, random) => {
  const [, inside] = /\(([^()]+)\)/.exec(draft.record.complemento) ?? [];
  if (inside === undefined) return undefined;
  const street = draft.record.logradouro;
  return {
    ...draft,
    street: random.chance(60) ? `${street} (${inside})` : `${street} ${inside}`,
    told: { ...draft.told, complement: true },
  };
};
