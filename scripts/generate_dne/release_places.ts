import { abbreviate, cityName, neighbourhoodName } from "./names.ts";
import { Ceps, Kinds, nextNumber, type Round } from "./round.ts";
import type { Row } from "./table.ts";
import { DISTRICTS } from "./words.ts";

// Columns of LOG_LOCALIDADE.
const [CEP, SITUATION, TYPE] = [3, 4, 5];
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
export function evolveLocalities(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
  const kinds = new Kinds(round.random("localities"), LOCALITY_CHANGES);
  const { random } = kinds;
  const ceps = new Ceps(rows, CEP);
  const kept: Row[] = [];
  const added: Row[] = [];
  let next = nextNumber(rows);
  for (const row of rows) {
    const isMunicipality = row[TYPE] === "M";
    const isVillage = row[TYPE] === "P";
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
      kept.push(row.with(CEP, "").with(SITUATION, "1"));
      continue;
    }
    if (kind === "rename" || kind === "correct") {
      kept.push(named(row, cityName(random.int(900), 0, random)));
      continue;
    }
    const cep = kind && ceps.take(row[CEP]!, 0, LAST_LOCAL);
    if (kind === "insert" && cep) {
      const village = named(row, random.pick(DISTRICTS));
      added.push(village.with(0, `${next++}`).with(CEP, cep));
    }
    kept.push(kind === "move" && cep ? row.with(CEP, cep) : row);
  }
  return [...kept, ...added];
}

function named(row: Row, name: string): Row {
  return row.with(2, name).with(7, abbreviate(name));
}

/** LOG_FAIXA_LOCALIDADE. */
export function evolveLocalityRanges(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
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
}

/** Splits a range after its first thousand. */
function halve(row: Row): Row[] {
  const middle = `${row[1]?.slice(0, 5)}999`;
  return [row.with(2, middle), row.with(1, plus(middle, 1))];
}

function plus(cep: string, count: number): string {
  return String(Number(cep) + count).padStart(8, "0");
}

/** LOG_BAIRRO. */
export function evolveNeighbourhoods(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
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
}

/** LOG_FAIXA_BAIRRO. */
export function evolveNeighbourhoodRanges(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
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
}
