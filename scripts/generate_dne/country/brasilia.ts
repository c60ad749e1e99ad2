import type { Random } from "../random.ts";
import { type Sector, SECTORS } from "./brasilia_sectors.ts";

/** Address of Brasília. */
export interface Block {
  readonly neighbourhood: string;
  readonly type: string;
  readonly typeIsWritten: boolean;
  readonly name: string;
  readonly complement: string;
}

const USES = ["Comércio", "Residências"];

/**
 * Returns that many addresses, grouped by neighbourhood. Some have two rows,
 * which only their complements tell apart.
 */
export function brasiliaBlocks(count: number, random: Random): Block[] {
  // Few rows have some of each sector, instead of all of a few sectors.
  const rowsABlock = Math.max(3, Math.ceil(count / SECTORS.length));
  const drawn: Block[] = [];
  for (const [sector, number] of inTurns(random)) {
    if (drawn.length >= count) break;
    drawn.push(...blockRows(sector, number, random).slice(0, rowsABlock));
  }
  for (let lot = 1; drawn.length < count; lot++) {
    drawn.push(estate(lot));
  }
  return group(drawn.slice(0, count));
}

/** Returns the blocks of all sectors, each sector once before the next turn. */
function inTurns(random: Random): (readonly [Sector, number])[] {
  const turns = SECTORS.flatMap((sector) => {
    const numbers = [...sector.numbers];
    random.shuffle(numbers, numbers.length);
    return numbers.map((number, turn) => ({ turn, sector, number }));
  });
  return turns.toSorted((a, b) => a.turn - b.turn)
    .map(({ sector, number }) => [sector, number] as const);
}

function blockRows(
  { neighbourhood, block, type = "Quadra", typeIsWritten = false }: Sector,
  number: number,
  random: Random,
): Block[] {
  return block(number).flatMap((name) => {
    const row = { neighbourhood, type, typeIsWritten, name: name.trim() };
    if (!random.chance(1)) return [{ ...row, complement: "" }];
    return USES.map((complement) => ({ ...row, complement }));
  });
}

/** Lots of estates, for as many as a large directory needs. */
function estate(index: number): Block {
  const [number, part] = [1 + Math.floor(index / 30), 1 + index % 30];
  return {
    neighbourhood: "Ponte Alta Norte (Gama)",
    type: "Quadra",
    typeIsWritten: false,
    name: `SMPG Núcleo ${number} Chácara ${part}`,
    complement: "",
  };
}

function group(blocks: readonly Block[]): Block[] {
  const groups = new Map<string, Block[]>();
  for (const block of blocks) {
    const own = groups.get(block.neighbourhood);
    if (own) own.push(block);
    else groups.set(block.neighbourhood, [block]);
  }
  return [...groups.values()].flat();
}
