/**
 * Places of municipalities and of their streets.
 *
 * An invented municipality lies where a real one of its state does. The streets
 * fill a grid in the order of their CEPs, which extends from the seat towards
 * the middle of the state, away from the coast and from other countries.
 */
import { allMunicipalities } from "../../cep/record/municipalities.ts";
import { stateOfIbge } from "../../cep/record/states.ts";

/** Point in degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Seat of a municipality, and the direction in which its streets extend. */
export interface Seat extends Point {
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

/** Seats of a state. */
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
export interface Line {
  readonly start: Point;
  /** Unit vector in metres: to the east, to the north. */
  readonly direction: readonly [east: number, north: number];
}

/** Places the `index`th of `count` streets of a municipality. */
export function placeStreet(seat: Seat, index: number, count: number): Line {
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
