import { type Address, STATES } from "@carteiro/cep";
import { halvesOf } from "../directory.ts";
import type { Change } from "../draft.ts";
import { NICKNAMES } from "../noise/cities.ts";
import { misspell } from "../noise/letters.ts";
import { keyOf, looseKey, nameOf } from "../text.ts";

/** Makes a typing mistake in the name of the city. */
export const mistypeCity: Change = (draft, random, directory) => {
  const city = misspell(draft.city, random);
  return city === undefined || directory.statesOf(city).size > 0
    ? undefined
    : { ...draft, city };
};

/** Leaves the neighbourhood out. */
export const dropNeighbourhood: Change = (draft) =>
  draft.neighbourhood === "" ? undefined : {
    ...draft,
    neighbourhood: "",
    told: { ...draft.told, neighbourhood: "" },
  };

/** Writes one of the names of a neighbourhood `A (B)`. */
export const halveNeighbourhood: Change = (draft, random) => {
  const halves = halvesOf(draft.record.bairro);
  if (halves.length === 0) return undefined;
  const neighbourhood = random.pick(halves);
  return { ...draft, neighbourhood, told: { ...draft.told, neighbourhood } };
};

/** Writes another neighbourhood of the city, which lacks the street. */
export const changeNeighbourhood: Change = (draft, random, directory) => {
  const { record } = draft;
  const { neighbourhoods, names } = directory.cityOf(record);
  if (record.bairro === "" || neighbourhoods.length < 2) return undefined;
  const sameNames = names.get(looseKey(nameOf(record))) ?? [];
  const taken = [record, ...sameNames].flatMap(({ bairro }) => namesOf(bairro));
  const neighbourhood = random.pick(neighbourhoods);
  const isOther = namesOf(neighbourhood).every((name) =>
    taken.every((it) => !it.includes(name) && !name.includes(it))
  );
  return isOther
    ? { ...draft, neighbourhood, told: { ...draft.told, neighbourhood: "" } }
    : undefined;
};

function namesOf(neighbourhood: string): string[] {
  return [neighbourhood, ...halvesOf(neighbourhood)].map(keyOf);
}

/** Writes another state, which has no city of the name. */
export const changeState: Change = (draft, random, directory) => {
  const uf = random.pick(STATES);
  const taken = directory.statesOf(draft.record.cidade);
  return taken.size > 1 || taken.has(uf) || uf === draft.uf || uf === "DF"
    ? undefined
    : { ...draft, uf };
};

/** Leaves the state out. */
export const dropState: Change = (draft) => ({
  ...draft,
  uf: "",
  told: { ...draft.told, state: false },
});

/** Writes the first half of the city, as while it is being typed. */
export const halveCity: Change = (draft) => {
  const { city } = draft;
  const half = city.slice(0, Math.max(3, Math.ceil(city.length / 2))).trim();
  return {
    ...draft,
    neighbourhood: "",
    city: half,
    uf: "",
    told: {
      ...draft.told,
      neighbourhood: "",
      state: false,
      startOfCity: true,
      mayBeNeighbourhood: true,
    },
  };
};

/** Writes a nickname of the city. */
export const useNickname: Change = (draft, random) => {
  const { cidade, uf } = draft.record;
  const names = NICKNAMES[`${cidade}/${uf}`];
  return names && { ...draft, city: random.pick(names), uf: "" };
};

/** True if people have a nickname for the city of a record. */
export function hasNickname({ cidade, uf }: Address): boolean {
  return Object.hasOwn(NICKNAMES, `${cidade}/${uf}`);
}
