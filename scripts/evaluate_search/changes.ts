import { type Address, STATES } from "@carteiro/cep";
import { type Directory, halvesOf, placeOf } from "./directory.ts";
import {
  type Change,
  type Draft,
  fullKey,
  isBlock,
  type Told,
} from "./draft.ts";
import * as noise from "./noise.ts";
import {
  isPreposition,
  keyOf,
  looseKey,
  nameOf,
  otherNumerals,
  soundKey,
  typeOf,
} from "./text.ts";

/** Changes what is written, and what the text tells by it. */
function changed(draft: Draft, parts: Partial<Draft>, told: Partial<Told>) {
  return { ...draft, ...parts, told: { ...draft.told, ...told } };
}

/** Replaces the name of the street, and keeps its type. */
function renamed(draft: Draft, name: string): Draft {
  const type = typeOf(draft.record);
  return { ...draft, street: type === "" ? name : `${type} ${name}` };
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
  const key = (it: Address) => soundKey(it.logradouro);
  return written && changed(written, {}, { key });
}

export const keep: Change = (draft) => draft;

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
  return changed(draft, { street }, { key: (it) => looseKey(nameOf(it)) });
};

/** Abbreviates the type and the titles. */
export const shorten: Change = (draft, random) => {
  const street = noise.abbreviate(draft.record.logradouro, random);
  const key = (it: Address) => noise.abbreviationKey(it.logradouro);
  return street === undefined ? undefined : changed(draft, { street }, { key });
};

/** Abbreviates like the directory. */
export const useShortName: Change = (draft, _random, { details }) => {
  const { shortNames } = details;
  const street = shortNames?.get(draft.record.cep) ?? "";
  const key = (it: Address) => shortNames?.get(it.cep) ?? fullKey(it);
  return street === "" ? undefined : changed(draft, { street }, { key });
};

/** Makes typing mistakes in the name. */
export function mistype(times: number, slip?: noise.Slip): Change {
  return (draft, random, directory) => {
    const options = slip === undefined ? { times } : { times, slip };
    const name = noise.misspell(nameOf(draft.record), random, options);
    return misnamed(draft, name, directory);
  };
}

export const writeByEar: Change = (draft, random, directory) => {
  const name = noise.misspellNameByEar(nameOf(draft.record), random);
  return misheard(draft, name, directory);
};

/** Writes a person's name in its other spelling. */
export const respell: Change = (draft, _random, directory) =>
  misheard(draft, noise.respellPersons(nameOf(draft.record)), directory);

/** Writes a numeral in another way. */
export const renumber: Change = (draft, random) => {
  const others = otherNumerals(nameOf(draft.record));
  return others.length === 0 ? undefined : renamed(draft, random.pick(others));
};

/** Leaves blanks out. */
export const glue: Change = (draft, random) => {
  const street = noise.glueWords(draft.record.logradouro, random);
  return street === undefined ? undefined : { ...draft, street };
};

export const addTitle: Change = (draft, random, directory) =>
  misnamed(draft, noise.withTitle(nameOf(draft.record), random), directory);

export const dropTitle: Change = (draft, _random, directory) =>
  misnamed(draft, noise.withoutTitle(nameOf(draft.record)), directory);

export const changeTitle: Change = (draft, random, directory) => {
  const name = noise.withOtherTitle(nameOf(draft.record), random);
  return misnamed(draft, name, directory);
};

/** Writes only the initials of all names but the last, or but both ends. */
export const useInitials: Change = (draft, random) => {
  const options = { keepsFirst: random.chance(50) };
  const short = noise.initials(nameOf(draft.record), options);
  if (short === undefined) return undefined;
  const key = (it: Address) => {
    const name = nameOf(it);
    const written = noise.initials(name, options) ?? name;
    return looseKey(`${typeOf(it)} ${written}`);
  };
  return changed(renamed(draft, short), {}, { key });
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
  return changed(draft, { street }, { key });
};

const IN_PARENTHESES = /\(([^()]+)\)/;

/** Writes the complement in parentheses: `(Lot Santana)`. */
export const addComplement: Change = (draft, random) => {
  const { complemento, logradouro } = draft.record;
  const [, inside] = IN_PARENTHESES.exec(complemento) ?? [];
  if (inside === undefined) return undefined;
  const written = random.chance(60) ? `(${inside})` : inside;
  const street = `${logradouro} ${written}`;
  return changed(draft, { street }, { complement: true });
};

/** Writes the complement of the directory as the unit: `Lot Santana`. */
export const useComplement: Change = (draft, random) => {
  const found = IN_PARENTHESES.exec(draft.record.complemento);
  if (found === null) return undefined;
  return changed(draft, { unit: random.pick([...found]) }, {
    complement: true,
  });
};

/** Makes a typing mistake in the name of the city. */
export const mistypeCity: Change = (draft, random, directory) => {
  const city = noise.misspell(draft.city, random);
  return city === undefined || directory.statesOf(city).size > 0
    ? undefined
    : { ...draft, city };
};

export const dropNeighbourhood: Change = (draft) =>
  draft.neighbourhood === ""
    ? undefined
    : changed(draft, { neighbourhood: "" }, { neighbourhood: "" });

/** Writes one of the names of a neighbourhood `A (B)`. */
export const halveNeighbourhood: Change = (draft, random) => {
  const halves = halvesOf(draft.record.bairro);
  if (halves.length === 0) return undefined;
  const neighbourhood = random.pick(halves);
  return changed(draft, { neighbourhood }, { neighbourhood });
};

/** Writes another neighbourhood of the city, which lacks the street. */
export const changeNeighbourhood: Change = (draft, random, directory) => {
  const { record } = draft;
  const { neighbourhoods, names } = directory.cityOf(record);
  if (record.bairro === "" || neighbourhoods.length < 2) return undefined;
  const keysOf = (it: string) => [it, ...halvesOf(it)].map(keyOf);
  const sameNames = names.get(looseKey(nameOf(record))) ?? [];
  const taken = [record, ...sameNames].flatMap(({ bairro }) => keysOf(bairro));
  const neighbourhood = random.pick(neighbourhoods);
  const isOther = keysOf(neighbourhood).every((name) =>
    taken.every((it) => !it.includes(name) && !name.includes(it))
  );
  return isOther
    ? changed(draft, { neighbourhood }, { neighbourhood: "" })
    : undefined;
};

/** Writes another state, which has no city of the name. */
export const changeState: Change = (draft, random, directory) => {
  const uf = random.pick(STATES);
  const taken = directory.statesOf(draft.record.cidade);
  return taken.size > 1 || taken.has(uf) || uf === draft.uf || uf === "DF"
    ? undefined
    : { ...draft, uf };
};

export const dropState: Change = (draft) =>
  changed(draft, { uf: "" }, { state: false });

/** Writes the first half of the city, as while it is being typed. */
export const halveCity: Change = (draft) => {
  const { city } = draft;
  const half = city.slice(0, Math.max(3, Math.ceil(city.length / 2))).trim();
  return changed(draft, { neighbourhood: "", city: half, uf: "" }, {
    neighbourhood: "",
    state: false,
    startOfCity: true,
    mayBeNeighbourhood: true,
  });
};

/** Writes a nickname of the city. */
export const useNickname: Change = (draft, random) => {
  const { cidade, uf } = draft.record;
  const names = noise.NICKNAMES[`${cidade}/${uf}`];
  return names && { ...draft, city: random.pick(names), uf: "" };
};

export const addUnit: Change = (draft, random) =>
  draft.number === "" ? undefined : { ...draft, unit: noise.unit(random) };

/** Adds a unit with a number of its own to a building with a number. */
export const addNumberedUnit: Change = (draft, random) =>
  draft.number === ""
    ? undefined
    : { ...draft, unit: noise.numberedUnit(random) };

/** Writes the plot in place of a number. */
export const usePlot: Change = (draft, random) => {
  if (draft.number === "") return undefined;
  const unit = noise.plot(random);
  return changed(draft, { number: "", unit }, { number: undefined });
};

export const dropNumber: Change = (draft) =>
  changed(draft, { number: "", unit: "" }, { number: undefined });

/** Writes `s/n` in place of a number. */
export const useNoNumber: Change = (draft, random, directory) => {
  // Such a street has stretches because its buildings have numbers.
  const hasStretch = directory.stretchOf(draft.record) !== undefined;
  if (hasStretch || draft.number === "") return undefined;
  const number = random.pick(["s/n", "S/N", "sn", "s/nº"]);
  return changed(draft, { number }, { number: undefined });
};

/** Writes a kilometre of a highway in place of a number. */
export const useKilometre: Change = (draft, random) => {
  const { complemento, logradouro } = draft.record;
  // "Rodovia BR-319 Km 12" has its kilometre.
  if (/\bkm\b/i.test(logradouro)) return undefined;
  const hasStretch = /\bkm\b/i.test(complemento);
  const [, from = "1", to] =
    /do km (\d+),\d+ ao (?:km (\d+)|fim)/.exec(complemento) ?? [];
  const first = Number(from) + 1;
  const last = to === undefined ? first + 30 : Number(to) - 1;
  if (last < first || hasStretch && !complemento.includes("do km")) {
    return undefined;
  }
  const kilometre = first + random.int(last - first + 1);
  const unit = random.pick(["km ", "KM ", "Km "]) + kilometre;
  return changed(draft, { number: "", unit }, {
    number: undefined,
    complement: hasStretch,
  });
};

export const addCep: Change = (draft) =>
  changed(draft, { cep: draft.record.cep }, { cep: true });

/** Adds the CEP with a mistake. */
export const addWrongCep: Change = (draft, random) => ({
  ...draft,
  cep: noise.wrongCode(draft.record.cep, random),
});

/** True for a block of Brasília. */
export function isBrasilia(record: Address): boolean {
  return isBlock(record) && placeOf(record) === "Brasília";
}

/** True for a block of Palmas. */
export function isPalmas(record: Address): boolean {
  return isBlock(record) && placeOf(record) === "Palmas";
}

/** Abbreviates the words of a block. */
export const shortenBlock: Change = (draft, random, directory) => {
  const { record } = draft;
  const street = noise.abbreviateBlock(record.logradouro, random, {
    mayAddType: isPalmas(record),
  });
  return street === undefined || directory.hasStreet(record, street)
    ? undefined
    : { ...draft, street };
};

/** Writes the town in place of the neighbourhood and of Brasília. */
export const useTown: Change = (draft) => {
  const [, town] = halvesOf(draft.record.bairro);
  if (town === undefined) return undefined;
  return changed(draft, { neighbourhood: "", city: town, uf: "" }, {
    neighbourhood: town,
    state: false,
  });
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
