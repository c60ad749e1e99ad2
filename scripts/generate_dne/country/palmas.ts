import type { Random } from "../random.ts";
import type { Block } from "./brasilia.ts";
import { letter } from "./numerals.ts";

/** Half of the plan of Palmas: its name, its bands and its neighbourhood. */
const HALVES = [
  { side: "Sul", bands: 16, neighbourhood: "Plano Diretor Sul", code: "S" },
  { side: "Norte", bands: 6, neighbourhood: "Plano Diretor Norte", code: "N" },
] as const;
const BLOCKS_A_BAND = 12;

/**
 * Returns addresses of the plan, grouped by neighbourhood: at most that many,
 * such as `1103 Sul Alameda 9`.
 */
export function palmasBlocks(count: number, random: Random): Block[] {
  const quadras = HALVES.flatMap((half) =>
    Array.from(
      { length: half.bands * (BLOCKS_A_BAND - 1) },
      (_, i) => ({
        half,
        band: 1 + Math.floor(i / (BLOCKS_A_BAND - 1)),
        block: 2 + i % (BLOCKS_A_BAND - 1),
      }),
    )
  );
  random.shuffle(quadras, quadras.length);
  const drawn: Block[] = [];
  for (const quadra of quadras) {
    if (drawn.length >= count) break;
    drawn.push(...quadraRows(quadra, random));
  }
  const blocks = drawn.slice(0, count);
  return HALVES.flatMap(({ neighbourhood }) =>
    blocks.filter((it) => it.neighbourhood === neighbourhood)
  );
}

interface Quadra {
  readonly half: typeof HALVES[number];
  readonly band: number;
  readonly block: number;
}

function quadraRows({ half, band, block }: Quadra, random: Random): Block[] {
  const { side, neighbourhood } = half;
  const name = `${100 * band + block} ${side}`;
  const old = oldCode({ half, band, block });
  const hasOldName = random.chance(6);
  const complement = random.chance(30) ? `(${old})` : "";
  const alleys = 3 + random.int(26);
  const parts = [
    ...Array.from({ length: alleys }, (_, i) => ` Alameda ${i + 1}`),
    ...random.chance(30) ? [""] : [],
    ` Avenida LO ${1 + random.int(27)}`,
    ...random.chance(70) ? [` Avenida NS ${1 + random.int(10)}`] : [],
    ...random.chance(30) ? [` Rua NS ${letter(1 + random.int(6))}`] : [],
    ...random.chance(15) ? [` QI ${letter(1 + random.int(12))}`] : [],
  ];
  return parts.map((part) => ({
    neighbourhood,
    type: "Quadra",
    typeIsWritten: hasOldName,
    name: (hasOldName ? old : name) + part,
    complement: hasOldName ? "" : complement,
  }));
}

/** Returns the code before the renaming: `ARSE 112` for `1104 Sul`. */
function oldCode({ half, band, block }: Quadra): string {
  const east = block % 2 === 0;
  const number = 10 * band + Math.ceil(block / 2);
  return `AR${half.code}${east ? "E" : "O"} ${number}`;
}
