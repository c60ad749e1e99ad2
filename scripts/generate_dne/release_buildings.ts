import { abbreviate, personName } from "./names.ts";
import { Ceps, Kinds, nextNumber, type Numbers, type Round } from "./round.ts";
import type { Row } from "./table.ts";
import { LARGE_USERS, POST_KEEPERS } from "./words.ts";

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
  names: LARGE_USERS,
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
  names: POST_KEEPERS,
};

/** LOG_GRANDE_USUARIO. */
export function evolveLargeUsers(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
  return evolveBuildings(round, inPlace(round, rows), LARGE);
}

/** LOG_UNID_OPER. */
export function evolveUnits(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
  return evolveBuildings(round, inPlace(round, rows), UNITS, round.units);
}

/** LOG_CPC, which only every other release changes. */
export function evolveMailboxes(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
  if (isQuiet(round)) return rows;
  return evolveBuildings(round, rows, MAILBOXES, round.mailboxes);
}

/** LOG_FAIXA_UOP. */
export function evolveBoxes(round: Round, rows: readonly Row[]) {
  return evolveRanges(round, rows, "boxes", round.units);
}

/** LOG_FAIXA_CPC. */
export function evolveMailboxRanges(round: Round, rows: readonly Row[]) {
  if (isQuiet(round)) return rows;
  return evolveRanges(round, rows, "letters", round.mailboxes);
}

function isQuiet({ options }: Round): boolean {
  return options.release % 2 === 1;
}

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
