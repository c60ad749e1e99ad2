import type { Address } from "@carteiro/cep";
import { halvesOf, placeOf } from "../directory.ts";
import { type Change, isBlock } from "../draft.ts";
import { abbreviateBlock } from "../noise/blocks.ts";

/** True for a block of Brasília. */
export function isBrasilia(record: Address): boolean {
  return isBlock(record) && placeOf(record) === "Brasília";
}

/** True for a block of Brasília whose neighbourhood names its town. */
export function hasTown(record: Address): boolean {
  return isBrasilia(record) && halvesOf(record.bairro).length > 0;
}

/** True for a block of Palmas. */
export function isPalmas(record: Address): boolean {
  return isBlock(record) && placeOf(record) === "Palmas";
}

/** Abbreviates the words of a block. */
export const shortenBlock: Change = (draft, random, directory) => {
  const { record } = draft;
  const street = abbreviateBlock(record.logradouro, random, {
    mayAddType: isPalmas(record),
  });
  return street === undefined || directory.hasStreet(record, street)
    ? undefined
    : { ...draft, street };
};

/** Writes the town in place of the neighbourhood and of Brasília. */
export const useTown: Change = (draft) => {
  const [, town] = halvesOf(draft.record.bairro);
  return town === undefined ? undefined : {
    ...draft,
    neighbourhood: "",
    city: town,
    uf: "",
    told: { ...draft.told, neighbourhood: town, state: false },
  };
};

/** Adds a numbered unit, unless the text would be another block. */
export function addToBlock(name: string): Change {
  return (draft, random, directory) => {
    const { record } = draft;
    const unit = `${name} ${1 + random.int(30)}`;
    return directory.hasStreet(record, `${record.logradouro} ${unit}`)
      ? undefined
      : { ...draft, unit };
  };
}
