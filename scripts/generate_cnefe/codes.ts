import { WELL_KNOWN_STREETS } from "../generate_dne/well_known.ts";
import { allMunicipalities } from "../../cep/record/municipalities.ts";
import { stateOfIbge } from "../../cep/record/states.ts";
import {
  parseComplement,
  type Stretch,
} from "../../cep/record/street_number.ts";
import {
  generalCep,
  type Locality,
  type StatePlan,
} from "../generate_dne/locality.ts";
import type { Plan } from "../generate_dne/plan.ts";
import { Choices, Random, weights, WORDS } from "../generate_dne/random.ts";
import {
  padCep,
  streetFile,
  type StreetOutput,
} from "../generate_dne/files.ts";
import { toTables } from "../generate_dne/text_file.ts";
import { type Street, toCensusText, toStreet } from "./spelling.ts";

/** Point in degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Seat of a municipality, and the direction in which its streets extend. */
interface Seat extends Point {
  /** IBGE code of the real municipality. */
  readonly ibge: string;
  /** Unit vector in metres: to the east, to the north. */
  readonly inland: readonly [east: number, north: number];
}

const METRES_A_DEGREE = 111_320;
const METRES_A_STREET = 130;
/** Fernando de Noronha, an island. */
const ISLANDS = ["2605459"];
// A prime, so that neighbouring numbers are far from each other.
const SEAT_STEP = 37;

/**
 * Seats of a state. An invented municipality lies where a real one of its state
 * does.
 */
export class StateSeats {
  readonly #capital: string;
  readonly #others: readonly [string, Point][];
  readonly #seats: ReadonlyMap<string, Point>;
  readonly #middle: Point;

  constructor(uf: string, capital: string) {
    const all = [...allMunicipalities()].filter(([ibge]) =>
      stateOfIbge(ibge) === uf && !ISLANDS.includes(ibge)
    );
    this.#capital = capital;
    this.#seats = new Map(all);
    this.#others = all.filter(([ibge]) => ibge !== capital);
    this.#middle = {
      latitude: mean(all.map(([, { latitude }]) => latitude)),
      longitude: mean(all.map(([, { longitude }]) => longitude)),
    };
  }

  /** Returns the seat of the `index`th municipality, the capital being 0. */
  at(index: number): Seat {
    const count = this.#others.length;
    return index === 0 || count === 0
      ? this.of(this.#capital)!
      : this.#seat(...this.#others[(index * SEAT_STEP) % count]!);
  }

  /** Returns the seat of a real municipality. */
  of(ibge: string): Seat | undefined {
    const point = this.#seats.get(ibge);
    return point && this.#seat(ibge, point);
  }

  #seat(ibge: string, point: Point): Seat {
    const { latitude, longitude } = point;
    const [east, north] = metresBetween(point, this.#middle);
    const length = Math.hypot(east, north);
    return {
      ibge,
      latitude,
      longitude,
      inland: length < 1 ? [0, 1] : [east / length, north / length],
    };
  }
}

/** Straight street. */
interface Line {
  readonly start: Point;
  /** Unit vector in metres: to the east, to the north. */
  readonly direction: readonly [east: number, north: number];
}

/**
 * Places the `index`th of `count` streets of a municipality: they fill a grid in
 * the order of their CEPs, which extends from the seat towards the middle of the
 * state, away from the coast and from other countries.
 */
function placeStreet(seat: Seat, index: number, count: number): Line {
  const width = Math.max(3, Math.ceil(Math.sqrt(count / 2)));
  const row = Math.floor(index / width);
  const column = index % width;
  // Back and forth, so that each CEP is beside the next one.
  const across = (row % 2 === 0 ? column : width - 1 - column) - width / 2;
  const [east, north] = seat.inland;
  const start = move(seat, [
    METRES_A_STREET * (row * east - across * north),
    METRES_A_STREET * (row * north + across * east),
  ]);
  const isAcross = index % 2 === 0;
  return { start, direction: isAcross ? [-north, east] : [east, north] };
}

/** Moves a point by metres to the east and to the north. */
export function move(
  { latitude, longitude }: Point,
  [east, north]: readonly [east: number, north: number],
): Point {
  return {
    latitude: latitude + north / METRES_A_DEGREE,
    longitude: longitude +
      east / (METRES_A_DEGREE * Math.cos(latitude * Math.PI / 180)),
  };
}

/** Metres to the east and to the north from one point to another. */
export function metresBetween(from: Point, to: Point): [number, number] {
  const scale = METRES_A_DEGREE * Math.cos(from.latitude * Math.PI / 180);
  return [
    (to.longitude - from.longitude) * scale,
    (to.latitude - from.latitude) * METRES_A_DEGREE,
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const LANDMARKS: ReadonlyMap<string, Line> = new Map(
  WELL_KNOWN_STREETS.map(({ cep, place: [latitude, longitude, bearing] }) => {
    const angle = bearing * Math.PI / 180;
    const direction = [Math.sin(angle), Math.cos(angle)] as const;
    return [cep, { start: { latitude, longitude }, direction }];
  }),
);

/** Returns the place of a well-known address by its CEP. */
export function landmarkLine(cep: string): Line | undefined {
  return LANDMARKS.get(cep);
}

/**
 * Relation of a CEP to the DNE: the same street, another name of the street, a
 * CEP that the census assigns to another municipality, several streets none of
 * which has half of the addresses, the general CEP of a locality, or a CEP that
 * the DNE does not have.
 */
export type Kind = "same" | "renamed" | "moved" | "split" | "town" | "new";

/** CEP with its streets. */
export interface Code {
  /** Eight digits. */
  readonly cep: string;
  readonly kind: Kind;
  /** COD_MUNICIPIO. */
  readonly ibge: string;
  /** DSC_LOCALIDADE of most rows. */
  readonly locality: string;
  /** The most frequent one first, except in `split` and `town`. */
  readonly streets: readonly Street[];
  /** Percentage of the addresses on the first street. */
  readonly share: number;
  /** Numbers that the DNE assigns to the CEP. */
  readonly stretch: Stretch | undefined;
  /** Share of the rows of the state. */
  readonly weight: number;
  readonly line: Line;
  /** Metres between streets. */
  readonly spread: number;
}

/** Codes of a state, and those of the DNE that it lacks. */
interface StateCodes {
  readonly codes: readonly Code[];
  /** CEPs of streets that only the DNE has. */
  readonly missing: readonly string[];
}

// Frequencies in a thousand CEPs of streets.
const KINDS = new Choices(
  [
    ["same", 950],
    ["missing", 30],
    ["renamed", 10],
    ["split", 7],
    ["moved", 3],
  ] as const,
);
const SEVERAL_STREETS_PERCENT = 6;
const NEW_PERCENT = 1;
const STREETS_OF_A_SPLIT = 6;
const LAST_OF_STREETS = 899;
const TOWN_WEIGHT = 40;
const LANDMARK_WEIGHT = 40;
const CODES_A_SHUFFLE = 512;
const USUAL_TYPES = new Choices(weights(WORDS.streetTypes).slice(0, 8));

// Columns of LOG_LOGRADOURO.
const [LOCALITY, NEIGHBOURHOOD, NAME, COMPLEMENT] = [2, 3, 5, 6] as const;
const [CEP, TYPE] = [7, 8] as const;

/** Returns the rows to expect in a state, relative to other states. */
export function weightOf({ localities }: StatePlan): number {
  return localities.reduce(
    (sum, it) => sum + it.streets + (generalCep(it) ? TOWN_WEIGHT / 6 : 0),
    0,
  );
}

/** Options of {@linkcode planCodes}. */
interface CodeOptions {
  /**
   * Municipalities get the IBGE codes of those in whose places they lie, for an
   * import without a DNE.
   */
  readonly alone: boolean;
}

/**
 * Plans the CEPs of a state as the CNEFE has them, nearly those of the generated
 * DNE. The states must be planned in order.
 */
export function planCodes(
  plan: Plan,
  state: StatePlan,
  output: StreetOutput,
  { alone }: CodeOptions,
): StateCodes {
  return new Codes(plan, state, alone).plan(output);
}

/** Reads the rows of a state without using them, to keep the sequence. */
export function skipState(
  plan: Plan,
  state: StatePlan,
  output: StreetOutput,
): void {
  streetFile(plan, state, output);
}

class Codes {
  readonly #random: Random;
  readonly #seats: StateSeats;
  readonly #localities: ReadonlyMap<string, Locality>;
  readonly #neighbourhoods: ReadonlyMap<string, string>;
  readonly #ranks = new Map<string, number>();
  readonly #codes: Code[] = [];
  readonly #missing: string[] = [];
  readonly #used = new Set<string>();

  constructor(
    readonly dne: Plan,
    readonly state: StatePlan,
    readonly alone: boolean,
  ) {
    const { uf, capital, localities } = state;
    this.#random = new Random(dne.seed, `${uf} census codes`);
    this.#seats = new StateSeats(uf, capital.ibge);
    this.#localities = new Map(localities.map((it) => [`${it.nu}`, it]));
    this.#neighbourhoods = new Map(
      localities.flatMap((it) => it.neighbourhoods)
        .map(({ nu, name }) => [`${nu}`, toCensusText(name)]),
    );
  }

  plan(output: StreetOutput): StateCodes {
    const file = streetFile(this.dne, this.state, output);
    const [table] = toTables(file.chunks());
    const rows = table?.rows ?? [];
    this.#rank(rows);
    for (const row of rows) this.#addStreet(row);
    for (const locality of this.state.localities) this.#addTown(locality);
    this.#random.shuffle(this.#codes, CODES_A_SHUFFLE);
    return { codes: this.#codes, missing: this.#missing };
  }

  /** Numbers the CEPs of each locality in their order. */
  #rank(rows: readonly (readonly string[])[]): void {
    const byLocality = new Map<string, string[]>();
    for (const row of rows) {
      this.#used.add(row[CEP]!);
      const ceps = byLocality.get(row[LOCALITY]!);
      if (ceps === undefined) byLocality.set(row[LOCALITY]!, [row[CEP]!]);
      else ceps.push(row[CEP]!);
    }
    for (const ceps of byLocality.values()) {
      ceps.sort().forEach((cep, i) => this.#ranks.set(cep, i));
    }
  }

  #addStreet(row: readonly string[]): void {
    const locality = this.#localities.get(row[LOCALITY]!)!;
    const cep = row[CEP]!;
    const seat = this.#seatOf(locality);
    const ibge = this.#ibgeOf(locality);
    const landmark = landmarkLine(cep);
    const random = this.#random;
    const kind = landmark ? "same" : KINDS.pick(random);
    // Founded after the census, as is its municipality.
    if (kind === "missing" || ibge === "") {
      this.#missing.push(cep);
      return;
    }
    const street = toStreet(row[TYPE]!, row[NAME]!);
    const others = kind === "split"
      ? Array.from({ length: STREETS_OF_A_SPLIT - 1 }, () => this.#street())
      : !landmark && random.chance(SEVERAL_STREETS_PERCENT)
      ? Array.from({ length: 1 + random.int(3) }, () => this.#street())
      : [];
    const line = landmark ?? this.#lineOf(cep, locality, seat);
    const code: Code = {
      cep,
      kind,
      ibge: kind === "moved" ? this.#neighbourOf(locality) : ibge,
      locality: this.#neighbourhoods.get(row[NEIGHBOURHOOD]!) ?? "",
      streets: [kind === "renamed" ? this.#street() : street, ...others],
      share: kind === "split" ? 0 : 60 + random.int(36),
      stretch: parseComplement(row[COMPLEMENT]!)[0],
      weight: landmark ? LANDMARK_WEIGHT : 1 + random.int(8) * random.int(8),
      line,
      spread: 0,
    };
    this.#codes.push(code);
    if (!landmark && random.chance(NEW_PERCENT)) this.#addNew(code);
  }

  /** Adds a CEP beside another that the DNE does not have. */
  #addNew(near: Code): void {
    const number = Number(near.cep) + 1;
    const cep = padCep(number);
    if (number % 1000 > LAST_OF_STREETS || this.#used.has(cep)) return;
    this.#used.add(cep);
    this.#codes.push({
      ...near,
      cep,
      kind: "new",
      streets: [this.#street()],
      share: 100,
      stretch: undefined,
    });
  }

  /** Adds the general CEP of a locality, with all of its streets. */
  #addTown(locality: Locality): void {
    const cep = generalCep(locality);
    const ibge = this.#ibgeOf(locality);
    if (cep === undefined || ibge === "") return;
    const random = this.#random;
    const isVillage = locality.type !== "M";
    const size = isVillage ? 6 : 30;
    this.#codes.push({
      cep: padCep(cep),
      kind: "town",
      ibge,
      locality: isVillage ? toCensusText(locality.name) : "CENTRO",
      streets: Array.from(
        { length: 5 + random.int(size) },
        () => this.#street(),
      ),
      share: 0,
      stretch: undefined,
      weight: Math.ceil(
        (TOWN_WEIGHT + random.int(TOWN_WEIGHT)) * (isVillage ? 0.5 : 2),
      ),
      line: this.#lineOf(padCep(cep), locality, this.#seatOf(locality)),
      spread: 90,
    });
  }

  #lineOf(cep: string, locality: Locality, seat: Seat): Line {
    return placeStreet(
      seat,
      this.#ranks.get(cep) ?? 0,
      Math.max(1, locality.streets),
    );
  }

  #seatOf(locality: Locality): Seat {
    const { ibge } = locality.parent ?? locality;
    const seat = this.#seats.of(ibge) ?? this.#seats.at(indexOf(locality));
    if (locality.parent === undefined) return seat;
    const [east, north] = seat.inland;
    const metres = 4000 + 1000 * (locality.nu % 8);
    return { ...seat, ...move(seat, [metres * east, metres * north]) };
  }

  #ibgeOf(locality: Locality): string {
    const { ibge } = locality.parent ?? locality;
    return this.alone && ibge !== "" ? this.#seatOf(locality).ibge : ibge;
  }

  /** Returns another municipality of the state, if it has one. */
  #neighbourOf(locality: Locality): string {
    const own = this.#ibgeOf(locality);
    const others = this.state.localities.filter((it) =>
      it.type === "M" && this.#ibgeOf(it) !== own && it.ibge !== ""
    );
    const other = others.length > 0 ? this.#random.pick(others) : locality;
    return this.#ibgeOf(other);
  }

  #street(): Street {
    const random = this.#random;
    return toStreet(
      USUAL_TYPES.pick(random),
      this.dne.world.streetName(random, this.state.uf),
    );
  }
}

/** Number of the municipality in its state, from its invented IBGE code. */
function indexOf({ parent, ibge }: Locality): number {
  const code = parent?.ibge ?? ibge;
  const number = Number(code.slice(2));
  return number >= 90_000 ? number - 90_000 : 0;
}
