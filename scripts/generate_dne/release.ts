import { type Random, WORDS } from "./random.ts";
import {
  abbreviate,
  cityName,
  neighbourhoodName,
  personName,
  streetName,
} from "./names.ts";
import {
  Ceps,
  Kinds,
  nextNumber,
  type Numbers,
  Round,
  type RoundOptions,
  type StreetChange,
} from "./round.ts";
import { familyOf, type Row, type Table } from "./text_file.ts";
import { WELL_KNOWN_PREFIXES } from "./locality.ts";
import { FIRST_SHAPE_NUMBER } from "./shapes.ts";

/** Changes the rows of a file from one release to the next. */
type Step = (round: Round, rows: readonly Row[]) => readonly Row[];

// Columns of LOG_LOCALIDADE.
const [LOCALITY_CEP, SITUATION, LOCALITY_TYPE] = [3, 4, 5];
const LAST_LOCAL = 899;

const LOCALITY_CHANGES = {
  rename: 3,
  // Of a locality without a CEP.
  correct: 3,
  move: 3,
  code: 2,
  insert: 3,
  remove: 2,
};

/** LOG_LOCALIDADE. */
const evolveLocalities: Step = (round, rows) => {
  const kinds = new Kinds(round.random("localities"), LOCALITY_CHANGES);
  const { random } = kinds;
  const ceps = new Ceps(rows, LOCALITY_CEP);
  const kept: Row[] = [];
  const added: Row[] = [];
  let next = nextNumber(rows);
  for (const row of rows) {
    const isMunicipality = row[LOCALITY_TYPE] === "M";
    const isVillage = row[LOCALITY_TYPE] === "P";
    const hasCep = row[SITUATION] === "0";
    const suits = {
      rename: hasCep && !isMunicipality,
      correct: !hasCep && !isMunicipality,
      move: hasCep,
      code: hasCep && isMunicipality,
      insert: hasCep && isVillage,
      remove: hasCep && isVillage,
    };
    const kind = kinds.draw((it) => suits[it]);
    if (kind === "remove") {
      round.localities.removed.add(row[0]!);
      continue;
    }
    if (kind === "code") {
      round.coded.set(row[0]!, row);
      kept.push(row.with(LOCALITY_CEP, "").with(SITUATION, "1"));
      continue;
    }
    if (kind === "rename" || kind === "correct") {
      kept.push(renamed(row, cityName(random.int(900), 0, random)));
      continue;
    }
    const cep = kind && ceps.take(row[LOCALITY_CEP]!, 0, LAST_LOCAL);
    if (kind === "insert" && cep) {
      const village = renamed(row, random.pick(WORDS.districts));
      added.push(village.with(0, `${next++}`).with(LOCALITY_CEP, cep));
    }
    kept.push(kind === "move" && cep ? row.with(LOCALITY_CEP, cep) : row);
  }
  return [...kept, ...added];
};

function renamed(row: Row, name: string): Row {
  return row.with(2, name).with(7, abbreviate(name));
}

/** LOG_FAIXA_LOCALIDADE. */
const evolveLocalityRanges: Step = (round, rows) => {
  const odds = { halve: 4, shift: 20 };
  const kinds = new Kinds(round.random("locality ranges"), odds);
  return rows.flatMap((row): Row[] => {
    const [, first = "", last = "", type] = row;
    const isWide = Number(last) - Number(first) > 1000;
    switch (kinds.draw((it) => it === "shift" ? type === "C" : isWide)) {
      case "halve":
        return halve(row);
      case "shift":
        return [row.with(1, plus(first, 1))];
      default:
        return [row];
    }
  });
};

/** Splits a range after its first thousand. */
function halve(row: Row): Row[] {
  const middle = `${row[1]?.slice(0, 5)}999`;
  return [row.with(2, middle), row.with(1, plus(middle, 1))];
}

function plus(cep: string, count: number): string {
  return String(Number(cep) + count).padStart(8, "0");
}

/** LOG_BAIRRO. */
const evolveNeighbourhoods: Step = (round, rows) => {
  const odds = { rename: 5, insert: 10, remove: 5 };
  const kinds = new Kinds(round.random("neighbourhoods"), odds);
  const { removed, replacements, added } = round.neighbourhoods;
  const kept: Row[] = [];
  let next = nextNumber(rows);
  for (const row of rows) {
    const [number = "", , locality] = row;
    if (round.coded.has(locality!)) round.centres.set(locality!, number);
    const before = kept.at(-1);
    const hasNeighbour = before !== undefined && before[2] === locality &&
      !round.coded.has(locality!);
    const kind = kinds.draw((it) => it === "rename" || hasNeighbour);
    if (kind === "remove") {
      removed.add(number);
      replacements.set(number, before![0]!);
      continue;
    }
    const index = Number(number) + 1000 * round.options.release;
    const name = neighbourhoodName(index, kinds.random.int(1000));
    const other = row.with(3, name).with(4, abbreviate(name));
    if (kind === "insert") added.push(other.with(0, `${next++}`));
    kept.push(kind === "rename" ? other : row);
  }
  return [...kept, ...added];
};

/** LOG_FAIXA_BAIRRO. */
const evolveNeighbourhoodRanges: Step = (round, rows) => {
  const odds = { shorten: 5, shift: 5, insert: 5 };
  const kinds = new Kinds(round.random("neighbourhood ranges"), odds);
  const { removed } = round.neighbourhoods;
  return rows.filter(([owner = ""]) => !removed.has(owner)).flatMap((row) => {
    const [, first = "", last = ""] = row;
    const isWide = Number(last) - Number(first) > 10;
    switch (isWide ? kinds.draw() : undefined) {
      case "shorten":
        return [row.with(2, plus(last, -1))];
      case "shift":
        return [row.with(1, plus(first, 1))];
      case "insert":
        return [
          row.with(2, plus(first, 4)),
          row.with(1, plus(first, 6)),
        ];
      default:
        return [row];
    }
  });
};

// Columns of LOG_LOGRADOURO.
const [NUMBER, LOCALITY, START, END] = [0, 2, 3, 4];
const [NAME, COMPLEMENT, CEP, TYPE, IS_WRITTEN, SHORT] = [5, 6, 7, 8, 9, 10];
const LAST_OF_STREETS = 899;
const STREETS_OF_A_NEW_PLACE = 4;
const LAST_PART = /^- de \d+\/(\d+) ao fim\s*$/;

class Streets {
  readonly #kept: Row[] = [];
  readonly #added: Row[] = [];
  /** CEPs that streets of this state gave up. */
  readonly #released: string[] = [];
  readonly #ceps: Ceps;
  readonly #random: Random;

  constructor(readonly round: Round, readonly rows: readonly Row[]) {
    this.#ceps = new Ceps(rows, CEP);
    this.#random = round.streetKinds.random;
  }

  evolve(): readonly Row[] {
    const { round, rows } = this;
    for (let i = 0; i < rows.length; i++) {
      const row = this.#inPlace(rows[i]!);
      const after = rows[i + 1];
      const kind = isFixed(row)
        ? undefined
        : round.streetKinds.draw((it) =>
          it === "split"
            ? LAST_PART.test(row[COMPLEMENT]!)
            : it !== "swap" || after !== undefined && !isFixed(after)
        );
      if (kind !== "swap") {
        this.#change(row, kind);
        continue;
      }
      // Two streets exchange their CEPs.
      this.#kept.push(row.with(CEP, after![CEP]!));
      this.#kept.push(this.#inPlace(after!).with(CEP, row[CEP]!));
      i++;
    }
    this.#fillNewPlaces();
    return [...this.#kept, ...this.#added];
  }

  #inPlace(row: Row): Row {
    const { neighbourhoods } = this.round;
    const [start = "", end = ""] = [row[START], row[END]];
    if (!neighbourhoods.removed.has(start)) {
      if (!neighbourhoods.removed.has(end)) return row;
      return row.with(END, neighbourhoods.current(end));
    }
    return row.with(START, neighbourhoods.current(start))
      .with(END, neighbourhoods.current(end));
  }

  #change(row: Row, kind: StreetChange | undefined): void {
    switch (kind) {
      case "remove":
        this.round.streets.removed.add(row[NUMBER]!);
        this.#released.push(row[CEP]!);
        return;
      case "rename":
        this.#kept.push(named(row, streetName(this.#random)));
        return;
      case "move":
        this.#kept.push(this.#moved(row));
        return;
      case "split":
        this.#kept.push(this.#split(row));
        return;
      case "insert":
        this.#insert(row, this.#reuse(row[CEP]!));
    }
    this.#kept.push(row);
  }

  #moved(row: Row): Row {
    const cep = this.#take(row[CEP]!);
    if (cep === undefined) return row;
    this.#released.push(row[CEP]!);
    return row.with(CEP, cep);
  }

  /** Gives the rest of a street a row and a CEP of its own. */
  #split(row: Row): Row {
    const cep = this.#take(row[CEP]!);
    if (cep === undefined) return row;
    const from = Number(LAST_PART.exec(row[COMPLEMENT]!)![1]);
    const to = from + 2 * (50 + this.#random.int(400));
    const number = this.round.streetNumber();
    const complement = `- de ${to + 1}/${to + 2} ao fim`;
    this.#added.push(
      row.with(NUMBER, number).with(CEP, cep).with(COMPLEMENT, complement),
    );
    this.round.sections.add(number, `${to + 1}`, "99998");
    this.round.sections.end(row[NUMBER]!, `${to}`);
    return row.with(COMPLEMENT, `- de ${from - 1}/${from} a ${to - 1}/${to}`);
  }

  /** Adds a street beside another. */
  #insert(near: Row, cep: string | undefined): void {
    if (cep === undefined) return;
    const number = this.round.streetNumber();
    const row = named(near, streetName(this.#random));
    this.#added.push(
      row.with(NUMBER, number).with(CEP, cep).with(COMPLEMENT, ""),
    );
    const { sections } = this.round;
    if (this.#random.chance(50)) sections.add(number, "1", "99999");
  }

  /** Returns the last CEP that was given up if it is near, or a free one. */
  #reuse(near: string): string | undefined {
    const isNear = this.#released.at(-1)?.slice(0, 5) === near.slice(0, 5);
    return isNear ? this.#released.pop() : this.#take(near);
  }

  #take(near: string): string | undefined {
    return this.#ceps.take(near, 0, LAST_OF_STREETS);
  }

  /** Adds streets of new neighbourhoods, and of localities newly coded. */
  #fillNewPlaces(): void {
    const first = this.rows[0];
    const { coded, neighbourhoods } = this.round;
    for (const place of neighbourhoods.added) {
      const near = this.rows.find((row) => row[LOCALITY] === place[2]);
      if (near !== undefined) this.#fill(near.with(START, place[0]!));
    }
    for (const [locality, place] of coded) {
      if (first === undefined || place[1] !== first[1]) continue;
      const start = this.round.centres.get(locality)!;
      this.#fill(
        first.with(LOCALITY, locality).with(START, start).with(END, "")
          .with(CEP, place[3]!),
      );
    }
  }

  #fill(near: Row): void {
    for (let i = 0; i < STREETS_OF_A_NEW_PLACE; i++) {
      this.#insert(near, this.#take(near[CEP]!));
    }
  }
}

function isFixed(row: Row): boolean {
  return Number(row[NUMBER]) >= FIRST_SHAPE_NUMBER ||
    WELL_KNOWN_PREFIXES.has(Number(row[CEP]!.slice(0, 5)));
}

function named(row: Row, name: string): Row {
  const written = row[IS_WRITTEN] === "S" ? `${row[TYPE]} ${name}` : name;
  const short = abbreviate(written);
  const width = row[SHORT]!.endsWith(" ") ? row[SHORT]!.length : 0;
  return row.with(NAME, name).with(SHORT, short.padEnd(width));
}

/** File of buildings with CEPs of their own. */
interface Buildings {
  readonly stream: string;
  readonly cepColumn: number;
  /** Range of the last three digits of their CEPs. */
  readonly suffixes: readonly [first: number, last: number];
  /** Names of new ones, with `*` in the place of a person's name. */
  readonly names: readonly string[];
  /** Column of the short name, if the file has one. */
  readonly shortColumn?: number;
}

const ODDS = { rename: 20, move: 8, insert: 8, remove: 6 };

const LARGE: Buildings = {
  stream: "large users",
  cepColumn: 7,
  suffixes: [900, 958],
  names: WORDS.largeUsers,
  shortColumn: 8,
};
const UNITS: Buildings = {
  stream: "units",
  cepColumn: 7,
  suffixes: [970, 989],
  names: ["AGF *", "AC *"],
  shortColumn: 9,
};
const MAILBOXES: Buildings = {
  stream: "mailboxes",
  cepColumn: 5,
  suffixes: [990, 998],
  names: WORDS.postKeepers,
};

/** Updates the neighbourhoods and streets that buildings refer to. */
function inPlace(round: Round, rows: readonly Row[]): readonly Row[] {
  const { neighbourhoods, streets } = round;
  return rows.map((row) => {
    const [, , , neighbourhood = "", street = ""] = row;
    const current = neighbourhoods.current(neighbourhood);
    const moved = current === neighbourhood ? row : row.with(3, current);
    return streets.removed.has(street) ? moved.with(4, "") : moved;
  });
}

function evolveBuildings(
  round: Round,
  rows: readonly Row[],
  { stream, cepColumn, suffixes, names, shortColumn }: Buildings,
  numbers?: Numbers,
): readonly Row[] {
  const kinds = new Kinds(round.random(stream), ODDS);
  const { random } = kinds;
  const ceps = new Ceps(rows, cepColumn);
  const nameColumn = cepColumn - 2;
  let next = nextNumber(rows);
  const named = (row: Row) => {
    const name = random.pick(names).replace("*", personName(random));
    const renamed = row.with(nameColumn, name);
    if (shortColumn === undefined) return renamed;
    return renamed.with(shortColumn, abbreviate(name));
  };
  const kept: Row[] = [];
  const added: Row[] = [];
  for (const row of rows) {
    const cep = row[cepColumn]!;
    const suffix = Number(cep.slice(5));
    const isUsual = suffixes[0] <= suffix && suffix <= suffixes[1];
    const kind = isUsual ? kinds.draw() : undefined;
    if (kind === "remove") {
      numbers?.removed.add(row[0]!);
      continue;
    }
    const free = kind === "move" || kind === "insert"
      ? ceps.take(cep, ...suffixes)
      : undefined;
    if (kind === "insert" && free !== undefined) {
      added.push(named(row).with(0, `${next++}`).with(cepColumn, free));
    }
    if (kind === "rename") kept.push(named(row));
    else if (kind === "move" && free) kept.push(row.with(cepColumn, free));
    else kept.push(row);
  }
  return [...kept, ...added];
}

/** Changes ranges of box numbers or letters: owner, first and last. */
function evolveRanges(
  round: Round,
  rows: readonly Row[],
  stream: string,
  { removed }: Numbers,
): readonly Row[] {
  const kinds = new Kinds(round.random(stream), {
    extend: 20,
    shift: 10,
    insert: 10,
  });
  const kept = rows.filter(([owner = ""]) => !removed.has(owner));
  return kept.flatMap((row, i) => {
    const first = Number(row[1]);
    const last = Number(row[2]);
    const isLast = kept[i + 1]?.[0] !== row[0];
    switch (kinds.draw((it) => it === "insert" ? isLast : first < last)) {
      case "extend":
        return [row.with(2, `${last + 36}`)];
      case "shift":
        return [row.with(1, `${first + 1}`)];
      case "insert":
        return [row, row.with(1, `${last + 100}`).with(2, `${last + 135}`)];
      default:
        return [row];
    }
  });
}

/** Wraps a step of a file that only every other release changes. */
const everyOther = (step: Step): Step => (round, rows) =>
  round.options.release % 2 === 1 ? rows : step(round, rows);

const withoutOwner =
  (removed: (round: Round) => Set<string>): Step => (round, rows) =>
    rows.filter(([owner = ""]) => !removed(round).has(owner));

/** Steps by file, in the order of the files; the others do not change. */
const STEPS: Readonly<Record<string, Step>> = {
  LOG_LOCALIDADE: evolveLocalities,
  LOG_VAR_LOC: withoutOwner(({ localities }) => localities.removed),
  LOG_FAIXA_LOCALIDADE: evolveLocalityRanges,
  LOG_BAIRRO: evolveNeighbourhoods,
  LOG_VAR_BAI: withoutOwner(({ neighbourhoods }) => neighbourhoods.removed),
  LOG_FAIXA_BAIRRO: evolveNeighbourhoodRanges,
  LOG_LOGRADOURO: (round, rows) => new Streets(round, rows).evolve(),
  LOG_NUM_SEC: (round, rows) => round.sections.apply(rows),
  LOG_VAR_LOG: withoutOwner(({ streets }) => streets.removed),
  LOG_GRANDE_USUARIO: (round, rows) =>
    evolveBuildings(round, inPlace(round, rows), LARGE),
  LOG_UNID_OPER: (round, rows) =>
    evolveBuildings(round, inPlace(round, rows), UNITS, round.units),
  LOG_FAIXA_UOP: (round, rows) =>
    evolveRanges(round, rows, "boxes", round.units),
  LOG_CPC: everyOther((round, rows) =>
    evolveBuildings(round, rows, MAILBOXES, round.mailboxes)
  ),
  LOG_FAIXA_CPC: everyOther((round, rows) =>
    evolveRanges(round, rows, "letters", round.mailboxes)
  ),
};

/**
 * Changes the files of a release, in the order of `generate`, into those of the
 * next one.
 */
export function* evolve(
  tables: Iterable<Table>,
  options: RoundOptions,
): Iterable<Table> {
  const round = new Round(options);
  for (const { name, rows } of tables) {
    const step = STEPS[familyOf(name)];
    yield { name, rows: step === undefined ? rows : step(round, rows) };
  }
}
