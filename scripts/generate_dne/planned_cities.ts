import { letter } from "./country_names.ts";
import type { Random } from "./random.ts";

/** Blocks of Brasília that follow one pattern. */
interface Sector {
  readonly neighbourhood: string;
  /** Returns the names of all addresses of a block. */
  readonly block: (number: number) => readonly string[];
  readonly numbers: readonly number[];
  readonly type?: string;
  readonly typeIsWritten?: boolean;
}

const upTo = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => i + 1);
const span = (...spans: readonly (readonly [number, number])[]): number[] =>
  spans.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  );

const isEven = (number: number) => number % 2 === 0;
const isOdd = (number: number) => number % 2 === 1;

/** `SQS 308 Bloco A`, `QNM 12 Conjunto A`. */
const lettered = (code: string, part: string, count: number) => (n: number) =>
  upTo(count).map((i) => `${code} ${n} ${part} ${letter(i)}`);
/** `SHIN QI 9 Conjunto 5`. */
const numbered = (code: string, part: string, count: number) => (n: number) =>
  upTo(count).map((i) => `${code} ${n} ${part} ${i}`.trim());
const alone = (code: string) => (n: number) => [`${code} ${n}`.trim()];
/** `EQS 509/510`. */
const between = (code: string) => (n: number) => [`${code} ${n}/${n + 1}`];
/** `SCEN Trecho 3 Lotes 1A e 1B`. */
const stretches = (code: string, count: number) => (n: number) => [
  ...upTo(count).map((i) => `${code} Trecho ${n} Lote ${i}`),
  ...upTo(Math.ceil(count / 3)).map((i) =>
    `${code} Trecho ${n} Lotes ${i}A e ${i}B`
  ),
  ...upTo(4).map((i) => `${code} Trecho ${n} Conjunto ${i}`),
];

const WINGS = span([102, 116], [202, 216], [302, 316], [402, 416]);
const HOUSES = span([703, 716]);

const sector = (
  neighbourhood: string,
  block: Sector["block"],
  numbers: readonly number[],
  facts: Partial<Sector> = {},
): Sector => ({ neighbourhood, block, numbers, ...facts });

const TYPED = { typeIsWritten: true };
const STRETCH = { type: "Trecho" };

/** All sectors; public names of blocks, none of them with its real CEP. */
// deno-fmt-ignore
const SECTORS: readonly Sector[] = [
  sector("Asa Sul", lettered("SQS", "Bloco", 11), WINGS),
  sector("Asa Sul", lettered("CLS", "Bloco", 4), WINGS),
  sector("Asa Sul", lettered("SHIGS", "Bloco", 18), HOUSES),
  sector("Asa Sul", between("EQS"), WINGS.filter(isEven)),
  sector("Asa Sul", between("EQS"), [502, 504, 506, 509, 511, 513]),
  sector("Asa Sul", lettered("CRS", "Bloco", 3), span([502, 516])),
  sector("Asa Sul", numbered("SGAS", "Conjunto", 3), span([601, 616], [901, 916])),
  sector("Asa Sul", stretches("SCES", 20), upTo(3), STRETCH),
  sector("Asa Sul", lettered("SCS Quadra", "Bloco", 8), upTo(8)),
  sector("Asa Norte", lettered("SQN", "Bloco", 11), WINGS),
  sector("Asa Norte", lettered("CLN", "Bloco", 4), WINGS),
  sector("Asa Norte", lettered("SHCGN", "Bloco", 20), HOUSES),
  sector("Asa Norte", between("EQN"), WINGS.filter(isEven)),
  sector("Asa Norte", lettered("SGAN", "Módulo", 11), span([601, 616], [901, 914])),
  sector("Asa Norte", stretches("SCEN", 20), upTo(3), STRETCH),
  sector("Asa Norte", lettered("SCRN", "Bloco", 6), span([702, 716])),
  sector("Setor de Habitações Individuais Norte", numbered("SHIN QI", "Conjunto", 14), upTo(16)),
  sector("Lago Norte", numbered("SHIN QL", "Conjunto", 10), upTo(16)),
  sector("Lago Norte", lettered("SHIN CA", "Bloco", 6), upTo(11)),
  sector("Setor de Habitações Individuais Sul", numbered("SHIS QI", "Conjunto", 18), span([3, 29])),
  sector("Lago Sul", numbered("SHIS QL", "Conjunto", 11), span([2, 28])),
  sector("Cruzeiro Novo", lettered("SHCES Quadra", "Bloco", 8), span([101, 115], [201, 215], [301, 315])),
  sector("Cruzeiro Velho", lettered("SRES Quadra", "Bloco", 20), upTo(12)),
  sector("Setor Sudoeste", lettered("SQSW", "Bloco", 10), span([101, 105], [300, 306], [500, 504])),
  sector("Setor Sudoeste", lettered("CLSW", "Bloco", 3), span([101, 105], [301, 304])),
  sector("Guará I", lettered("QE", "Conjunto", 20), span([1, 24])),
  sector("Guará I", lettered("QI", "Conjunto", 20), span([1, 24])),
  sector("Guará II", lettered("QE", "Conjunto", 20), span([25, 46])),
  sector("Guará II", lettered("QI", "Conjunto", 18), span([25, 33])),
  sector("Zona Industrial (Guará)", numbered("SIA Trecho", "Lote", 30), upTo(17), STRETCH),
  ...["A", "B", "C", "D", "E", "F", "G", "H"].map((it) => sector("Taguatinga Norte (Taguatinga)", alone(`QN${it}`), span([1, 56]))),
  sector("Taguatinga Norte (Taguatinga)", lettered("QNJ", "Conjunto", 10), span([1, 45])),
  sector("Taguatinga Norte (Taguatinga)", lettered("QNL", "Conjunto", 10), span([1, 30])),
  sector("Taguatinga Norte (Taguatinga)", numbered("CNB", "Lote", 10), span([1, 14])),
  ...["A", "B", "C", "D", "E", "F"].map((it) => sector("Taguatinga Sul (Taguatinga)", alone(`QS${it}`), span([1, 26]))),
  sector("Ceilândia Norte (Ceilândia)", lettered("QNM", "Conjunto", 16), span([2, 42]).filter(isEven)),
  sector("Ceilândia Norte (Ceilândia)", lettered("QNN", "Conjunto", 16), span([2, 40]).filter(isEven)),
  sector("Ceilândia Norte (Ceilândia)", between("EQNM"), [2, 6, 10, 18, 22]),
  sector("Ceilândia Sul (Ceilândia)", lettered("QNM", "Conjunto", 16), span([1, 41]).filter(isOdd)),
  sector("Ceilândia Sul (Ceilândia)", lettered("QNN", "Conjunto", 16), span([1, 39]).filter(isOdd)),
  sector("Ceilândia Sul (Ceilândia)", lettered("EQNN", "Bloco", 4), span([1, 24])),
  sector("Setor O (Ceilândia)", numbered("QNO", "Conjunto", 40), upTo(20)),
  sector("P Norte (Ceilândia)", lettered("QNP", "Conjunto", 24), span([1, 36]).filter(isOdd)),
  sector("P Sul (Ceilândia)", lettered("QNP", "Conjunto", 24), span([2, 36]).filter(isEven)),
  sector("Samambaia Norte (Samambaia)", numbered("QR", "Conjunto", 24), span([402, 433], [602, 633]).filter(isEven)),
  sector("Samambaia Norte (Samambaia)", numbered("QN", "Conjunto", 8), span([401, 433])),
  sector("Samambaia Sul (Samambaia)", numbered("QR", "Conjunto", 18), span([101, 127], [302, 325])),
  sector("Samambaia Sul (Samambaia)", numbered("QS", "Conjunto", 8), span([101, 127], [301, 325])),
  sector("Setor Leste (Gama)", lettered("", "Conjunto", 12), span([1, 50]), TYPED),
  sector("Setor Oeste (Gama)", alone(""), span([1, 33]), TYPED),
  sector("Setor Sul (Gama)", alone(""), span([1, 16]), TYPED),
  sector("Setor Norte (Gama)", lettered("", "Conjunto", 4), span([1, 6]), TYPED),
  sector("Sobradinho", lettered("", "Conjunto", 14), span([1, 18]), TYPED),
  sector("Setor Oeste (Sobradinho II)", numbered("AR", "Conjunto", 14), upTo(25)),
  sector("Vila Buritis (Planaltina)", lettered("", "Conjunto", 12), span([1, 20]), TYPED),
  sector("Arapoanga (Planaltina)", lettered("", "Conjunto", 12), span([1, 22]), TYPED),
  sector("Setor Residencial Leste (Planaltina)", lettered("", "Conjunto", 14), span([1, 20]), TYPED),
  sector("Santa Maria", lettered("QR", "Conjunto", 22), span([100, 119], [200, 219], [300, 319], [400, 419])),
  sector("Santa Maria", lettered("CL", "Bloco", 6), span([101, 119], [201, 219])),
  sector("Recanto das Emas", numbered("", "Conjunto", 20), span([101, 116], [201, 207], [300, 311], [400, 406], [601, 605]), TYPED),
  sector("Riacho Fundo I", numbered("QN", "Conjunto", 14), upTo(16)),
  sector("Riacho Fundo II", numbered("QC", "Conjunto", 18), upTo(6)),
  sector("Riacho Fundo II", numbered("QS", "Conjunto", 10), upTo(18)),
  sector("Residencial do Bosque (São Sebastião)", alone(""), span([1, 20]), { ...TYPED, type: "Rua" }),
  sector("Setor Residencial Oeste (São Sebastião)", lettered("", "Conjunto", 14), span([100, 108]), TYPED),
  sector("Paranoá", lettered("", "Conjunto", 18), span([1, 34]), TYPED),
  sector("Del Lago II (Itapoã)", lettered("", "Conjunto", 17), span([301, 378]), TYPED),
  sector("Norte (Águas Claras)", (n) => [`${n} Norte`], span([1, 37]), { ...TYPED, type: "Rua" }),
  sector("Sul (Águas Claras)", (n) => [`${n} Sul`], span([1, 37]), { ...TYPED, type: "Rua" }),
  sector("Areal (Águas Claras)", numbered("QS", "Conjunto", 20), span([5, 11])),
  sector("Setor Habitacional Vicente Pires", numbered("SHVP Rua", "Chácara", 40), span([1, 12])),
  sector("Setor Habitacional Arniqueira (Águas Claras)", numbered("SHA Conjunto", "Chácara", 30), span([1, 6])),
  sector("Park Way", numbered("SMPW Quadra", "Conjunto", 12), upTo(29)),
  sector("Candangolândia", lettered("QR", "Conjunto", 14), upTo(7)),
  sector("Setor Habitacional Jardim Botânico (Lago Sul)", numbered("SHJB", "Conjunto", 12), upTo(40)),
];

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
