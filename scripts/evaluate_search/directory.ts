import type { Address } from "@carteiro/cep";
import type { Random } from "../generate_dne/random.ts";
import { fold, looseKey, nameOf } from "./text.ts";
import type { Store } from "@carteiro/cep/store";
import { parseRow } from "@carteiro/cep/dne";
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Numbers of a street that one CEP is for. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Numbers of both sides, or the even or odd ones. */
  readonly side: "both" | "even" | "odd";
}

const SIDES: Readonly<Record<string, Stretch["side"]>> = {
  A: "both",
  P: "even",
  I: "odd",
};

/** Last number of a street that has no last number. */
const END = 99_999;

/**
 * Reads a row of LOG_NUM_SEC; `undefined` for kilometres, and for sides that the
 * number does not tell.
 */
export function parseSection(
  row: { SEC_NU_INI: string; SEC_NU_FIM: string; SEC_IN_LADO: string },
): Stretch | undefined {
  const side = SIDES[row.SEC_IN_LADO];
  const [from, to] = [row.SEC_NU_INI, row.SEC_NU_FIM];
  if (side === undefined || !/^\d+$/.test(from) || !/^\d+$/.test(to)) {
    return undefined;
  }
  return { from: Number(from), to: Number(to), side };
}

// "- até 697 - lado ímpar", "- de 4121/4122 a 7799/7800", "- lado par"
const COMPLEMENT =
  /^- ((de (?<from>\d+)(\/\d+)? )?((até|a) (\d+\/)?(?<to>\d+)|ao fim))?( - )?(lado (?<side>ímpar|par))?$/;

/** Reads the same from LOG_COMPLEMENTO; `undefined` if it has other text. */
export function parseComplement(text: string): Stretch | undefined {
  const { groups } = COMPLEMENT.exec(text.trim()) ?? {};
  if (groups === undefined) return undefined;
  const { from = "1", to = END, side } = groups;
  return {
    from: Number(from),
    to: Number(to),
    side: side === "par" ? "even" : side === "ímpar" ? "odd" : "both",
  };
}

/** True if a number is on a stretch. */
export function contains(
  stretch: Stretch | undefined,
  number: number,
): boolean {
  if (stretch === undefined) return false;
  const { from, to, side } = stretch;
  return from <= number && number <= to &&
    (side === "both" || number % 2 === (side === "odd" ? 1 : 0));
}

/** Returns a number of the stretch, below a thousand after its first. */
export function numberIn(
  { from, to, side }: Stretch,
  random: { int(limit: number): number },
): number {
  const last = Math.min(to, from + 1000);
  const number = from + random.int(last - from + 1);
  if (side === "both" || number % 2 === (side === "odd" ? 1 : 0)) return number;
  return number < last ? number + 1 : number - 1;
}

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
interface Details {
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

/** Records of a {@linkcode Directory} by what they are of. */
export type Pool = "streets" | "largeUsers" | "towns" | "districts";

/** Streets of a municipality. */
interface City {
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
  readonly places: ReadonlyMap<Place, readonly Address[]>;
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
        const key = cityKey(record);
        this.#streetsOf.set(key, this.#streetsOf.get(key) ?? []);
        this.#streetsOf.get(key)!.push(record);
      } else if (origin === "localidade" && distrito === "") {
        towns.push(record);
      } else if (
        origin === "grande_usuario" && !/clique e retire/i.test(nome)
      ) {
        largeUsers.push(record);
      }
    }
    this.places = Map.groupBy(streets, placeOf);
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

  /** Streets of the municipalities with the name of that of a record. */
  namesakeStreets({ cidade }: Address): readonly Address[] {
    return [...this.statesOf(cidade)].flatMap((uf) =>
      this.#streetsOf.get(`${fold(cidade)}/${uf}`) ?? []
    );
  }

  /** States with a municipality of a name. */
  statesOf(city: string): ReadonlySet<string> {
    return this.#states.get(fold(city)) ?? new Set();
  }

  /** Returns the numbers that the CEP of a street is for. */
  stretchOf({ cep, complemento }: Address): Stretch | undefined {
    return this.details.sections?.get(cep) ?? parseComplement(complemento);
  }

  /** Draws a record, by default a street; `undefined` if there is none. */
  draw(from: Filter | Pool | undefined, random: Random): Address | undefined {
    if (from === undefined) return this.drawStreet(random);
    const records = typeof from === "string" ? this[from] : this.#passing(from);
    return records.length === 0 ? undefined : random.pick(records);
  }

  #passing(filter: Filter): readonly Address[] {
    let passed = this.#filtered.get(filter);
    if (passed === undefined) {
      passed = this.streets.filter((record) => filter(record, this));
      this.#filtered.set(filter, passed);
    }
    return passed;
  }

  /** Draws a street: a tenth of each group, if there are any, else others. */
  drawStreet(random: Random): Address {
    const [others, ...groups] = PLACES;
    const group = groups[random.int(10)] ?? others!;
    return random.pick(this.places.get(group) ?? this.streets);
  }
}

function toCity(streets: readonly Address[]): City {
  const names = Map.groupBy(streets, (street) => looseKey(nameOf(street)));
  const neighbourhoods = [...new Set(streets.map(({ bairro }) => bairro))]
    .filter((name) => name !== "");
  return {
    names,
    words: new Set([...names.keys()].flatMap((key) => key.split(" "))),
    neighbourhoods,
    neighbourhoodNames: new Set(
      neighbourhoods.flatMap((it) => [it, ...halvesOf(it)].map(looseKey)),
    ),
  };
}

/** Returns both names of a neighbourhood `A (B)`, none of another. */
export function halvesOf(neighbourhood: string): string[] {
  const [, first, second] = /^(.+?) \((.+)\)$/.exec(neighbourhood) ?? [];
  return first === undefined ? [] : [first, second!];
}

/** Reads all records of a release, and what only the files of its DNE have. */
export async function readDirectory(
  folder: string,
  store: Store,
): Promise<Directory> {
  const codes = new Map<string, string>();
  const shortNames = new Map<string, string>();
  for await (const text of linesOf(folder, /^LOG_LOGRADOURO_..\.TXT$/i)) {
    const row = parseRow("LOG_LOGRADOURO", text);
    codes.set(row.LOG_NU, row.CEP);
    shortNames.set(row.CEP, row.LOG_NO_ABREV);
  }
  const sections = new Map<string, Stretch>();
  for await (const text of linesOf(folder, /^LOG_NUM_SEC\.TXT$/i)) {
    const row = parseRow("LOG_NUM_SEC", text);
    const stretch = parseSection(row);
    const cep = codes.get(row.LOG_NU);
    if (stretch !== undefined && cep !== undefined) sections.set(cep, stretch);
  }
  const oldNames = new Map<string, string[]>();
  const release = await store.release();
  // The CNEFE has no old names.
  const hasOldNames = release?.sources.includes("dne") ?? false;
  for await (const text of linesOf(folder, /^LOG_VAR_LOG\.TXT$/i)) {
    const row = parseRow("LOG_VAR_LOG", text);
    const cep = codes.get(row.LOG_NU);
    if (cep === undefined || !hasOldNames) continue;
    oldNames.set(cep, [...oldNames.get(cep) ?? [], row.VLO_TX]);
  }
  const records: Address[] = [];
  for await (const page of store.scan()) {
    for (const record of page) records.push(record);
  }
  return new Directory(records, { sections, oldNames, shortNames });
}

async function* linesOf(
  directory: string,
  pattern: RegExp,
): AsyncIterable<string> {
  for (const name of readdirSync(directory).sort()) {
    if (!pattern.test(name)) continue;
    const input = createReadStream(join(directory, name), "latin1");
    for await (const line of createInterface({ input })) {
      if (line !== "") yield line;
    }
  }
}
