import type { Address } from "@carteiro/cep";
import type { Random } from "../generate_dne/random.ts";
import { fold, looseKey, nameOf } from "./text.ts";
import { parseComplement, type Stretch } from "./stretch.ts";

/** Groups of streets whose addresses are written differently. */
export const PLACES = [
  "others",
  "Brasília",
  "Palmas",
  "neighbourhood with parentheses",
  "name ending in a number",
] as const;

/** Group of streets. */
export type Place = (typeof PLACES)[number];

/** Facts of the files that no record has. */
export interface Details {
  /** LOG_NO_ABREV by CEP. */
  readonly shortNames?: ReadonlyMap<string, string>;
  /** Old names of streets by CEP. */
  readonly oldNames?: ReadonlyMap<string, readonly string[]>;
  /** Rows of LOG_NUM_SEC by CEP. */
  readonly sections?: ReadonlyMap<string, Stretch>;
}

/** Tells to which group a street belongs. */
export function placeOf({ uf, cidade, bairro, logradouro }: Address): Place {
  if (uf === "DF") return "Brasília";
  if (uf === "TO" && cidade === "Palmas") return "Palmas";
  if (/\(.+\)/.test(bairro)) return "neighbourhood with parentheses";
  if (/\d$|\b\p{L}$/u.test(logradouro)) return "name ending in a number";
  return "others";
}

/** True for a street, of the DNE or of the CNEFE. */
export function isStreet({ tipo_origem, logradouro }: Address): boolean {
  return tipo_origem === "logradouro" ||
    tipo_origem === "cnefe" && logradouro !== "";
}

/** Key of a municipality. */
export function cityKey({ uf, cidade }: Address): string {
  return `${fold(cidade)}/${uf}`;
}

/** Tells which streets suit a kind of questions. */
export type Filter = (record: Address, directory: Directory) => boolean;

/** Streets of a municipality. */
export interface City {
  readonly streets: readonly Address[];
  /** Keys of names without type and prepositions. */
  readonly names: ReadonlyMap<string, readonly Address[]>;
  /** Words of the names. */
  readonly words: ReadonlySet<string>;
  readonly neighbourhoods: readonly string[];
  /** Their keys without prepositions; of `A (B)` also those of A and of B. */
  readonly neighbourhoodNames: ReadonlySet<string>;
}

/** Records that the questions are made of, and their neighbours. */
export class Directory {
  /** Streets by group. */
  readonly places: Readonly<Record<Place, readonly Address[]>>;
  readonly streets: readonly Address[];
  /** Large users with a name of their own. */
  readonly largeUsers: readonly Address[];
  /** Municipalities with one CEP. */
  readonly towns: readonly Address[];
  /** Records in a district or village. */
  readonly districts: readonly Address[];
  readonly details: Details;
  readonly #byCep = new Map<string, Address>();
  readonly #streetsOf = new Map<string, Address[]>();
  readonly #cities = new Map<string, City>();
  readonly #filtered = new Map<Filter, readonly Address[]>();
  /** States by the folded name of a municipality. */
  readonly #states = new Map<string, Set<string>>();

  constructor(records: Iterable<Address>, details: Details = {}) {
    this.details = details;
    const places: Record<Place, Address[]> = {
      "others": [],
      "Brasília": [],
      "Palmas": [],
      "neighbourhood with parentheses": [],
      "name ending in a number": [],
    };
    const streets: Address[] = [];
    const largeUsers: Address[] = [];
    const towns: Address[] = [];
    const districts: Address[] = [];
    for (const record of records) {
      this.#byCep.set(record.cep, record);
      const { distrito, tipo_origem: origin, nome } = record;
      const city = fold(record.cidade);
      const states = this.#states.get(city) ?? new Set();
      this.#states.set(city, states.add(record.uf));
      if (distrito !== "") districts.push(record);
      if (isStreet(record)) {
        streets.push(record);
        places[placeOf(record)].push(record);
        const key = cityKey(record);
        const others = this.#streetsOf.get(key);
        if (others === undefined) this.#streetsOf.set(key, [record]);
        else others.push(record);
      } else if (origin === "localidade" && distrito === "") {
        towns.push(record);
      } else if (
        origin === "grande_usuario" && !/clique e retire/i.test(nome)
      ) {
        largeUsers.push(record);
      }
    }
    this.places = places;
    this.streets = streets;
    this.largeUsers = largeUsers;
    this.towns = towns;
    this.districts = districts;
  }

  /** Returns the record of a CEP. */
  find(cep: string): Address | undefined {
    return this.#byCep.get(cep);
  }

  /** Returns the streets of the municipality of a record. */
  cityOf(record: Address): City {
    const key = cityKey(record);
    let city = this.#cities.get(key);
    if (city === undefined) {
      city = toCity(this.#streetsOf.get(key) ?? []);
      this.#cities.set(key, city);
    }
    return city;
  }

  /** True if the municipality of a record has a street of a name. */
  hasStreet(record: Address, name: string): boolean {
    return this.cityOf(record).names.has(looseKey(name));
  }

  /** States with a municipality of a name. */
  statesOf(city: string): ReadonlySet<string> {
    return this.#states.get(fold(city)) ?? new Set();
  }

  /** Returns the numbers that the CEP of a street is for. */
  stretchOf({ cep, complemento }: Address): Stretch | undefined {
    return this.details.sections?.get(cep) ?? parseComplement(complemento);
  }

  /** Draws a street that a filter passes; `undefined` if there is none. */
  drawFrom(filter: Filter, random: Random): Address | undefined {
    let passed = this.#filtered.get(filter);
    if (passed === undefined) {
      passed = this.streets.filter((record) => filter(record, this));
      this.#filtered.set(filter, passed);
    }
    return passed.length === 0 ? undefined : random.pick(passed);
  }

  /** Draws a street: a tenth of each group, if there are any, else others. */
  drawStreet(random: Random): Address {
    const [others, ...groups] = PLACES;
    const group = groups[random.int(10)] ?? others!;
    const streets = this.places[group];
    return random.pick(streets.length > 0 ? streets : this.streets);
  }
}

function toCity(streets: readonly Address[]): City {
  const names = new Map<string, Address[]>();
  const words = new Set<string>();
  const neighbourhoods = new Set<string>();
  for (const street of streets) {
    const key = looseKey(nameOf(street));
    const others = names.get(key);
    if (others === undefined) names.set(key, [street]);
    else others.push(street);
    key.split(" ").forEach((word) => words.add(word));
    if (street.bairro !== "") neighbourhoods.add(street.bairro);
  }
  const neighbourhoodNames = new Set(
    [...neighbourhoods].flatMap((name) =>
      [name, ...halvesOf(name)].map(looseKey)
    ),
  );
  return {
    streets,
    names,
    words,
    neighbourhoods: [...neighbourhoods],
    neighbourhoodNames,
  };
}

/** Returns both names of a neighbourhood `A (B)`, none of another. */
export function halvesOf(neighbourhood: string): string[] {
  const [, first, second] = /^(.+?) \((.+)\)$/.exec(neighbourhood) ?? [];
  return first === undefined ? [] : [first, second!];
}
