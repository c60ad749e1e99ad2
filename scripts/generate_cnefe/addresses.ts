import { STREET_END } from "../../cep/record/street_number.ts";
import { apportion, Choices, Random, WORDS } from "../generate_dne/random.ts";
import { type Code, move, type Point } from "./codes.ts";
import {
  type Address,
  BUILDING_TYPE,
  HEADER,
  type Street,
  toLine,
  type Use,
  withNumberInWords,
} from "./spelling.ts";
import { Buffer } from "node:buffer";
import type { Truth } from "./truth.ts";

/** Word in every invented name of an establishment, and in nothing else. */
export const ESTABLISHMENT_MARK = "XIRUBINO";

const ESTABLISHMENTS = ["MERCEARIA", "OFICINA", "ESCRITORIO DE JOAO", "IGREJA"];
const KINDS = new Choices([
  [1, 848],
  [2, 1],
  [3, 38],
  [4, 3],
  [5, 2],
  [6, 70],
  [7, 33],
  [8, 5],
]);
// In ten thousand: estimates and centres are rare.
const LEVELS = new Choices([
  [1, 9352],
  [2, 545],
  [3, 67],
  [4, 30],
  [5, 3],
  [6, 3],
]);
/** Deviation of a point of each level, in metres. */
const DEVIATIONS = [0, 3, 3, 40, 80, 1500, 2500];
const NAMELESS_NAMES = "SEM DENOMINACAO;PROJETADA;SEM DENOMINACAO;PARTICULAR"
  .split(";");

const METRES_A_HOUSE = 12;
const NO_NUMBER_PERCENT = 18;
const NO_NUMBER_IN_TOWN_PERCENT = 34;
const FLAT_PERCENT = 12;
const COMPLEMENT_PERCENT = 9;
const MODIFIER_PERCENT = 2;
const LONGEST_METRES = 1600;
const METRES_FROM_AXIS = 7;
const MAX_NUMBER = 99_999;

// One address in so many.
const TYPING_ERROR = 250;
const WRONG_CEP = 250;
const NAMELESS_IN_TOWN = 40;
const NAMELESS = 700;
const NUMBER_IN_WORDS = 9;
const REPEATED_TITLE = 60;
const REPEATED_TYPE = 90;
const OTHER_LOCALITY = 30;
const SWAPPED_COORDINATES = 20_000;

/** Creates the addresses of a CEP. */
class Addresses {
  readonly #from: number;
  readonly #step: number;
  readonly #metres: number;
  readonly #isOneSide: boolean;
  readonly #isTown: boolean;
  readonly #isHighway: boolean;

  constructor(readonly code: Code, readonly count: number) {
    const { stretch, kind, streets, share } = code;
    this.#isTown = kind === "town";
    this.#isHighway = stretch?.unit === "metre";
    const side = stretch?.side;
    this.#isOneSide = side === "P" || side === "I";
    const houses = share === 0 ? Math.ceil(count / streets.length) : count;
    const from = stretch === undefined || this.#isHighway ? 1 : stretch.from;
    const usual = from + Math.max(40, houses * METRES_A_HOUSE);
    const to = stretch === undefined || stretch.to === STREET_END
      ? usual
      : stretch.to;
    const last = Math.min(MAX_NUMBER, this.#isHighway ? usual : to);
    this.#from = from;
    this.#step = (last - from) / houses;
    this.#metres = Math.min(LONGEST_METRES, Math.max(40, last - from));
  }

  /** Returns the `index`th address. */
  at(index: number, id: number, random: Random): Address {
    const { code, count } = this;
    const [streetIndex, position] = this.#streetAt(index, random);
    const building = random.chance(FLAT_PERCENT)
      ? position - position % 4
      : position;
    const length = code.share === 0
      ? Math.ceil(count / code.streets.length)
      : count;
    const isOdd = this.#isOneSide ? this.#from % 2 === 1 : building % 2 === 1;
    const hasNumber = !random.chance(
      this.#isTown ? NO_NUMBER_IN_TOWN_PERCENT : NO_NUMBER_PERCENT,
    ) && !this.#isHighway;
    const number = hasNumber
      ? numberAt(this.#from + this.#step * building, isOdd, this.#from)
      : 0;
    const level = LEVELS.pick(random);
    const point = this.#pointAt(streetIndex, {
      share: (building + 0.5) / length,
      isOdd,
      deviation: DEVIATIONS[level]!,
      random,
    });
    const isSwapped = random.int(SWAPPED_COORDINATES) === 0;
    return {
      id,
      ibge: code.ibge,
      sector: 1 + Number(code.cep.slice(-4)) % 400,
      block: 1 + index % 30,
      face: 1 + index % 4,
      cep: random.int(WRONG_CEP) === 0 ? withSwap(code.cep, random) : code.cep,
      locality: random.int(OTHER_LOCALITY) === 0 ? "CENTRO" : code.locality,
      street: this.#spell(code.streets[streetIndex]!, index, random),
      number,
      modifier: this.#modifier(number, random),
      complement: complementOf(building !== position, random),
      latitude: isSwapped ? point.longitude : point.latitude,
      longitude: isSwapped ? point.latitude : point.longitude,
      level,
    };
  }

  /** Street of an address, and its position among the houses of the street. */
  #streetAt(index: number, random: Random): readonly [number, number] {
    const { share, streets } = this.code;
    if (share === 0) {
      return [index % streets.length, Math.floor(index / streets.length)];
    }
    if (streets.length === 1 || random.chance(share)) return [0, index];
    return [1 + random.int(streets.length - 1), index];
  }

  #pointAt(
    street: number,
    { share, isOdd, deviation, random }: {
      share: number;
      isOdd: boolean;
      deviation: number;
      random: Random;
    },
  ): Point {
    const { line: { start, direction: [east, north] }, spread } = this.code;
    const along = this.#metres * (share - 0.5);
    // Streets of a town are parallel.
    const across = (isOdd ? METRES_FROM_AXIS : -METRES_FROM_AXIS) +
      spread * street;
    const error = () => (random.int(2001) - 1000) / 1000 * deviation;
    return move(start, [
      east * along - north * across + error(),
      north * along + east * across + error(),
    ]);
  }

  #spell(street: Street, index: number, random: Random): Street {
    const { type, title, name } = street;
    if (random.int(this.#isTown ? NAMELESS_IN_TOWN : NAMELESS) === 0) {
      return { type, title: "", name: NAMELESS_NAMES[index % 4]! };
    }
    const draw = random.int(TYPING_ERROR * 4);
    if (draw < 4) return { type, title, name: withTypingError(name, random) };
    if (draw < 5) return { type: BUILDING_TYPE, title: "", name };
    const isRepeated = title !== "" && random.int(REPEATED_TITLE) === 0;
    if (isRepeated) return { type, title, name: `${title} ${name}` };
    if (random.int(REPEATED_TYPE) !== 0) {
      return index % NUMBER_IN_WORDS === 4 ? withNumberInWords(street) : street;
    }
    return {
      type,
      title: "",
      name: `${type} ${title} ${name}`.replace("  ", " "),
    };
  }

  #modifier(number: number, random: Random): string {
    if (this.#isHighway) return `KM ${1 + random.int(200)}`;
    if (number === 0) return "SN";
    if (!random.chance(MODIFIER_PERCENT)) return "";
    return random.chance(50) ? random.pick(WORDS.letters) : "FUNDOS";
  }
}

/** Returns an even or odd number near another, not below the first. */
function numberAt(position: number, isOdd: boolean, first: number): number {
  const near = Math.floor(position);
  const number = near % 2 === (isOdd ? 1 : 0) ? near : near + 1;
  return Math.min(MAX_NUMBER - 1 + (isOdd ? 1 : 0), Math.max(first, number));
}

/** Swaps two neighbouring digits. */
function withSwap(cep: string, random: Random): string {
  const i = random.int(7);
  return cep.slice(0, i) + cep[i + 1] + cep[i] + cep.slice(i + 2);
}

function withTypingError(name: string, random: Random): string {
  if (name.length < 5) return name;
  const i = 1 + random.int(name.length - 2);
  return name.slice(0, i) + name.slice(i + 1);
}

function complementOf(isFlat: boolean, random: Random): readonly string[] {
  if (isFlat) {
    const flat = ["APARTAMENTO", `${101 + random.int(8) * 100}`];
    return random.chance(20)
      ? ["BLOCO", random.pick(WORDS.letters), ...flat]
      : flat;
  }
  if (!random.chance(COMPLEMENT_PERCENT)) return [];
  return random.chance(50)
    ? ["CASA", `${1 + random.int(9)}`]
    : ["QUADRA", `${1 + random.int(40)}`, "LOTE", `${1 + random.int(30)}`];
}

/** Draws a use of an address. */
function drawUse(random: Random): Use {
  const kind = KINDS.pick(random);
  switch (kind) {
    case 1:
      return {
        kind,
        establishment: "",
        indicators: `;;;${random.chance(85) ? 101 : 103}`,
      };
    case 2:
      return { kind, establishment: "", indicators: ";;;104" };
    case 7:
      return {
        kind,
        establishment: "",
        indicators: `;1;${1 + random.int(4)};`,
      };
    default: {
      const establishment = `${
        random.pick(ESTABLISHMENTS)
      } ${ESTABLISHMENT_MARK} ${1 + random.int(500)}`;
      return { kind, establishment, indicators: "1;;;" };
    }
  }
}

/** Options of {@linkcode stateRows}. */
interface StateFileOptions {
  readonly rows: number;
  readonly seed: number;
  readonly uf: string;
  readonly lineEnd: "\n" | "\r\n";
  /** Returns the next COD_UNICO_ENDERECO. */
  readonly nextId: () => number;
  readonly truth: Truth | undefined;
}

const CODES_A_WINDOW = 64;
const ROWS_A_RUN = 12;
const CHUNK_LENGTH = 1 << 20;
const FURTHER_USE_PERCENT = 1;

/**
 * Generates the bytes of a file, in chunks of about 1 MiB: the addresses of the
 * CEPs of a state, mixed in short runs as the enumerators of the census met them.
 */
export function* stateRows(
  codes: readonly Code[],
  options: StateFileOptions,
): Iterable<Uint8Array<ArrayBuffer>> {
  const { rows, seed, uf, lineEnd, truth } = options;
  const random = new Random(seed, `${uf} census rows`);
  const counts = apportion(rows, codes.map(({ weight }) => weight), 1);
  for (const { cep, kind } of codes) truth?.addCode(cep, kind);
  let text = HEADER + lineEnd;
  for (let first = 0; first < codes.length; first += CODES_A_WINDOW) {
    const window = codes.slice(first, first + CODES_A_WINDOW)
      .map((code, i) => new Addresses(code, counts[first + i]!));
    for (const [addresses, start] of runsOf(window, random)) {
      const end = Math.min(start + ROWS_A_RUN, addresses.count);
      let before: Address | undefined;
      let use: Use | undefined;
      for (let i = start; i < end; i++) {
        if (before && use && random.chance(FURTHER_USE_PERCENT)) {
          use = furtherUse(use, random);
        } else {
          before = addresses.at(i, options.nextId(), random);
          use = drawUse(random);
          truth?.add(before, addresses.code.cep);
        }
        if (truth !== undefined) truth.totals.rows++;
        text += toLine(before, use) + lineEnd;
        if (text.length >= CHUNK_LENGTH) {
          yield Buffer.from(text, "latin1");
          text = "";
        }
      }
    }
  }
  yield Buffer.from(text, "latin1");
}

/** Returns short runs of the addresses of all CEPs, mixed. */
function runsOf(
  window: readonly Addresses[],
  random: Random,
): [Addresses, number][] {
  const runs: [Addresses, number][] = [];
  for (const addresses of window) {
    for (let start = 0; start < addresses.count; start += ROWS_A_RUN) {
      runs.push([addresses, start]);
    }
  }
  return random.shuffle(runs, runs.length);
}

/** Draws a use of another kind. */
function furtherUse(before: Use, random: Random): Use {
  let use = drawUse(random);
  while (use.kind === before.kind) use = drawUse(random);
  return use;
}
