import data from "./names.json" with { type: "json" };
import { readLists } from "./random.ts";
import type { Side } from "./segments.ts";
import { municipalityNames } from "../../cep/record/municipality_names.ts";
import { stateOfIbge } from "../../cep/record/states.ts";
import {
  createLocality,
  type Locality,
  type Neighbourhood,
  type StatePlan,
  WELL_KNOWN_PREFIXES,
} from "./locality.ts";

/** Building with its own CEP, in the first street of a neighbourhood. */
interface ShapeBuilding {
  readonly uf: string;
  readonly neighbourhood: string;
  readonly kind: "user" | "unit" | "mailbox";
  readonly name: string;
  /** Number, and what follows it. */
  readonly number: string;
}

/** `SC | Rio Vermelho | user | Universidade do Farol | 2081`. */
function parseBuilding(text: string): ShapeBuilding {
  const [uf = "", neighbourhood = "", kind, name = "", number = ""] = text
    .split(" | ");
  return {
    uf,
    neighbourhood,
    kind: kind as ShapeBuilding["kind"],
    name,
    number,
  };
}

/** Streets of a municipality. */
interface ShapeCity {
  readonly uf: string;
  /** Capital, or a municipality that the DNE would not have. */
  readonly name: string;
  /** As written, with its complement, and its old names after "<". */
  readonly streets: Readonly<Record<string, readonly string[]>>;
  /** Other names of the municipality. */
  readonly others?: readonly string[];
}

/**
 * Streets of every shape that is hard to find, by neighbourhood, for small DNEs:
 * large ones have them in the frequency of life. A street without type is a
 * block. All of these names are public or invented, and none has its real CEP.
 */
const CITIES: readonly ShapeCity[] = data.shapes.cities.map((
  { streets, ...city },
) => ({ ...city, streets: readLists(streets as ShapeCity["streets"]) }));

/** Other names of neighbourhoods of these cities. */
export const NEIGHBOURHOOD_NAMES: Readonly<Record<string, readonly string[]>> =
  {
    "Ceilândia Norte (Ceilândia)": ["Ceilândia Norte", "Ceilândia"],
    "Jardim Aureny III": ["Aureny III", "Aureny"],
    "Santo Antônio (Barreiro)": ["Sto Antônio do Barreiro"],
    "Setor Bueno": ["St Bueno", "Bueno"],
  };

/** Street of {@linkcode CITIES}, in the columns of its file. */
interface ShapeStreet {
  readonly type: string;
  readonly name: string;
  readonly typeIsWritten: boolean;
  readonly complement: string;
  readonly section?: readonly [from: string, to: string, side: Side];
  readonly others: readonly string[];
}

const TYPES = readLists({
  all: [
    "Rua, Avenida, Travessa, 1ª Travessa, 2ª Travessa, Praça, Alameda, Ladeira, Servidão, Rodovia, Quadra",
  ],
}).all;
const COMPLEMENT =
  /^(.*?) (\(.*\)|- (?:até|de|do|lado) .*|Comércio|Residências)$/;
const FROM = /- (?:de|do km) (\d[\d,]*)/;
const TO = / (?:até|a|ao)(?: km)? (?:\d+\/)?(\d[\d,]*)/;
const SIDES: Readonly<Record<string, "I" | "P">> = {
  "lado ímpar": "I",
  "lado par": "P",
};
const FIRST = { A: "1", I: "1", P: "2" };
const LAST = { A: "99998", I: "99999", P: "99998" };

/** Parses a street as written: `Rua 1 (Lot Farol) < Rua Velha | Rua X`. */
export function parseShape(text: string): ShapeStreet {
  const [street = "", others] = text.split(" < ");
  const [, written = street, complement = ""] = COMPLEMENT.exec(street) ?? [];
  const type = TYPES.find((it) => written.startsWith(`${it} `));
  const section = sectionOf(complement);
  return {
    type: type ?? (written.includes(" Trecho ") ? "Trecho" : "Quadra"),
    name: type === undefined ? written : written.slice(type.length + 1),
    typeIsWritten: type !== undefined,
    complement,
    ...section && { section },
    others: others?.split(" | ") ?? [],
  };
}

/** Returns the numbers that a complement says, for LOG_NUM_SEC. */
function sectionOf(complement: string): ShapeStreet["section"] {
  if (!complement.startsWith("-")) return undefined;
  const side = SIDES[/lado .*/.exec(complement)?.[0] ?? ""] ?? "A";
  const isHighway = complement.includes("km");
  return [
    FROM.exec(complement)?.[1] ?? (isHighway ? "0,000" : FIRST[side]),
    TO.exec(complement)?.[1] ?? LAST[side],
    side,
  ];
}

/** Municipality, or village of a capital, with one CEP. */
interface ShapeTown {
  readonly uf: string;
  readonly name: string;
  readonly type: "M" | "P";
}

/** `AP P Fortaleza`. */
function parseTown(text: string): ShapeTown {
  const [uf = "", type, ...name] = text.split(" ");
  return { uf, type: type as ShapeTown["type"], name: name.join(" ") };
}

/** LOG_NU of the first street, above those of all releases. */
export const FIRST_SHAPE_NUMBER = 90_000_001;

const STREET_STEP = 4;
const NEIGHBOURHOOD_STEP = 20;
// Leaves the last CEPs of an area as they are.
const PREFIXES_FROM_THE_END = 20;

/** Street of a shape, with its place and numbers. */
interface PlacedStreet extends ShapeStreet {
  readonly nu: number;
  readonly cep: number;
  readonly neighbourhood: Neighbourhood;
}

/** Building of a shape, with its place. */
export interface PlacedBuilding extends Pick<ShapeBuilding, "kind" | "name"> {
  readonly locality: Locality;
  readonly neighbourhood: Neighbourhood;
  readonly streetNu?: number;
  readonly cep: number;
  readonly address: string;
}

/** Shapes of a DNE, whose rows follow all others of a file. */
export interface Shapes {
  /** New localities. */
  readonly localities: readonly Locality[];
  /** Other names of new localities and of capitals, by locality. */
  readonly localityNames: ReadonlyMap<Locality, readonly string[]>;
  /** New neighbourhoods. */
  readonly neighbourhoods: readonly Neighbourhood[];
  readonly streets: readonly PlacedStreet[];
  readonly buildings: readonly PlacedBuilding[];
}

/** Numbers of localities and neighbourhoods. */
interface NumberSource {
  locality: number;
  neighbourhood: number;
}

/** Places the shapes in the states, on CEPs that nothing else uses. */
export function planShapes(
  states: readonly StatePlan[],
  numbers: NumberSource,
): Shapes {
  return new Placement(states, numbers).shapes();
}

class Placement {
  readonly #states: ReadonlyMap<string, StatePlan>;
  readonly #numbers: NumberSource;
  readonly #localities: Locality[] = [];
  readonly #localityNames = new Map<Locality, readonly string[]>();
  readonly #neighbourhoods: Neighbourhood[] = [];
  readonly #streets: PlacedStreet[] = [];
  readonly #buildings: PlacedBuilding[] = [];
  #nextStreet = FIRST_SHAPE_NUMBER;

  constructor(states: readonly StatePlan[], numbers: NumberSource) {
    this.#states = new Map(states.map((it) => [it.uf, it]));
    this.#numbers = numbers;
  }

  shapes(): Shapes {
    for (const city of CITIES) this.#addCity(city);
    for (const text of data.shapes.towns) this.#addTown(parseTown(text));
    for (const text of data.shapes.buildings) {
      this.#addBuilding(parseBuilding(text));
    }
    return {
      localities: this.#localities,
      localityNames: this.#localityNames,
      neighbourhoods: this.#neighbourhoods,
      streets: this.#streets,
      buildings: this.#buildings,
    };
  }

  #addCity({ uf, name, streets, others }: ShapeCity): void {
    const state = this.#states.get(uf)!;
    const isCapital = state.capital.name === name;
    const prefix = isCapital
      ? freePrefix(state.capital)
      : takePrefix(lastMunicipality(state));
    const locality = isCapital
      ? state.capital
      : this.#addLocality({ uf, name, type: "M" }, prefix, 1);
    if (others) this.#localityNames.set(locality, others);
    let cep = prefix * 1000;
    for (const [name, texts] of Object.entries(streets)) {
      const last = cep + STREET_STEP * (texts.length - 1);
      const neighbourhood = this.#neighbourhood(locality, name, [cep, last]);
      for (const text of texts) {
        const nu = this.#nextStreet++;
        this.#streets.push({ ...parseShape(text), nu, cep, neighbourhood });
        cep += STREET_STEP;
      }
      cep += NEIGHBOURHOOD_STEP;
    }
  }

  #addTown(town: ShapeTown): void {
    const state = this.#states.get(town.uf)!;
    const isMunicipality = town.type === "M";
    const prefix = isMunicipality
      ? takePrefix(lastMunicipality(state))
      : freePrefix(state.capital);
    const locality = this.#addLocality(town, prefix, 0);
    if (!isMunicipality) return;
    const neighbourhood = this.#neighbourhood(locality, "Centro");
    this.#buildings.push({
      kind: "unit",
      name: `AC ${town.name}`,
      locality,
      neighbourhood,
      cep: prefix * 1000 + SUFFIXES.unit,
      address: "Rua Sete de Setembro, 340",
    });
  }

  #addLocality(
    { uf, name, type }: ShapeTown,
    prefix: number,
    situation: 0 | 1,
  ): Locality {
    const isMunicipality = type === "M";
    const locality = createLocality({
      nu: this.#numbers.locality++,
      uf,
      name,
      situation,
      type,
      parent: isMunicipality ? undefined : this.#states.get(uf)!.capital,
      ibge: isMunicipality ? ibgeOf(uf, name) : "",
      streets: 0,
    });
    locality.area = isMunicipality ? [prefix] : [];
    locality.home = prefix;
    this.#localities.push(locality);
    return locality;
  }

  /** Finds or creates a neighbourhood. */
  #neighbourhood(
    locality: Locality,
    name: string,
    ceps?: readonly [first: number, last: number],
  ): Neighbourhood {
    const found = locality.neighbourhoods.find((it) => it.name === name);
    if (found) return found;
    const nu = this.#numbers.neighbourhood++;
    const neighbourhood = { nu, name, locality, ...ceps && { ceps } };
    this.#neighbourhoods.push(neighbourhood);
    return neighbourhood;
  }

  #addBuilding({ uf, neighbourhood: name, kind, ...facts }: ShapeBuilding) {
    const street = this.#streets.find(({ neighbourhood }) =>
      neighbourhood.name === name && neighbourhood.locality.uf === uf
    )!;
    const { neighbourhood } = street;
    const first = SUFFIXES[kind];
    const taken =
      this.#buildings.filter((it) =>
        it.kind === kind && it.locality === neighbourhood.locality
      ).length;
    const written = street.typeIsWritten
      ? `${street.type} ${street.name}`
      : street.name;
    this.#buildings.push({
      kind,
      name: facts.name,
      locality: neighbourhood.locality,
      neighbourhood,
      streetNu: street.nu,
      cep: Math.floor(street.cep / 1000) * 1000 + first + taken,
      address: `${written}, ${facts.number}`,
    });
  }
}

const SUFFIXES = { user: 900, unit: 970, mailbox: 990 };

/** Returns a prefix of a municipality that has no CEP. */
function freePrefix({ area }: Locality): number {
  const free = area.filter((it) => !WELL_KNOWN_PREFIXES.has(it));
  const fromEnd = Math.min(PREFIXES_FROM_THE_END, Math.ceil(free.length / 3));
  return free.at(-fromEnd)!;
}

/** Takes a prefix from the area of a municipality, for another one. */
function takePrefix(owner: Locality): number {
  const prefix = freePrefix(owner);
  owner.area = owner.area.filter((it) => it !== prefix);
  return prefix;
}

function lastMunicipality({ localities }: StatePlan): Locality {
  return localities.findLast((it) => it.type === "M")!;
}

function ibgeOf(uf: string, name: string): string {
  const found = [...municipalityNames()].find(([ibge, other]) =>
    other === name && stateOfIbge(ibge) === uf
  );
  return found![0];
}
