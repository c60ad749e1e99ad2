import { WELL_KNOWN_STREETS } from "./well_known.ts";
import { abbreviate, unaccent } from "./names.ts";
import {
  type Locality,
  type Neighbourhood,
  type Plan,
  type StatePlan,
  streetCep,
  streetNeighbourhood,
  wellKnownOf,
} from "./plan.ts";
import { Random, weighted } from "./random.ts";
import { CUTS, kilometres, type Segment, USUAL_CUTS } from "./segments.ts";
import { TextFile } from "./text_file.ts";
import {
  HIGHWAYS,
  LETTERS,
  PLANNED_BLOCKS,
  PLANNED_PARTS,
  STREET_TYPES,
} from "./words.ts";

/** Street of a building that has its own CEP. */
export interface Site {
  readonly streetNu: number;
  readonly locality: Locality;
  readonly neighbourhood: Neighbourhood;
  /** The street, as written in addresses. */
  readonly street: string;
  readonly prefix: number;
  /** Index of the site in its prefix. */
  readonly index: number;
}

/** Output of the street files for the files of all states. */
export interface StreetOutput {
  readonly sections: TextFile;
  readonly variants: TextFile;
  readonly sites: Site[];
  /** The next LOG_NU. */
  next: number;
}

/** Street, which may have several rows. */
interface Street {
  readonly type: string;
  readonly name: string;
  readonly typeIsWritten: boolean;
  readonly segments: Segment[];
}

/** Columns of a row that differ from the default. */
interface OddRow {
  readonly type?: string;
  readonly name?: string;
  readonly complement?: string;
  readonly hasEndNeighbourhood?: boolean;
}

const USUAL_TYPES = weighted(STREET_TYPES);
const ROWS_A_RUN = 64;
const RUNS_A_WINDOW = 32;
const STREETS_A_SITE = 75;
const ABBREVIATION_WIDTH = 36;

/**
 * States whose abbreviations are padded, in all rows or in half of the rows.
 */
const PADDED = ["AL", "MA", "PB", "PI", "RN", "SE"];
const HALF_PADDED = ["DF", "TO"];
/** States with planned blocks, and their percentage of the streets. */
const PLANNED: Record<string, number> = { DF: 75, TO: 12, GO: 8 };

// Quirks too rare to occur by chance in a small DNE: they replace parts of the
// first rows of these states.
const ODD_ROWS: Record<string, readonly OddRow[]> = {
  AM: [{ hasEndNeighbourhood: true }],
  MS: [{ hasEndNeighbourhood: true }],
  MG: [{ type: "Rua", name: "Rua Projetada Doze" }],
  RS: [{ type: "Rua", name: "Rua Nova Floresta" }],
  DF: [{ complement: "Comércio" }],
  BA: [{ type: "4ª Travessa", name: "do Olho d´Água" }],
  CE: [{ type: "1ª Travessa", name: "Vista d`Alva" }],
  PE: [{ name: 'do Engenho "Velho"' }, { complement: "(Lot Santana)  " }],
  PR: [{ name: "1º de Maio" }, { complement: "- lado par " }],
  RJ: [{ complement: "(3º Distrito)" }, { complement: "(Morro 2° Patamar)" }],
};
const ROWS_AN_END = 40_000;
const ROWS_A_TRAILING_BLANK = 400;

/** Generates LOG_LOGRADOURO of one state. */
export function streetFile(
  plan: Plan,
  state: StatePlan,
  output: StreetOutput,
): TextFile {
  const { uf, capital } = state;
  const file = new TextFile(`LOG_LOGRADOURO_${uf}.TXT`);
  const random = new Random(plan.seed, `${uf} streets`);
  const oddRows = [...(ODD_ROWS[uf] ?? [])];
  const cuts = CUTS.map(([cut]) => cut);
  const seen = new Map<number, number>();
  let street: Street | undefined;
  let before: Locality | undefined;
  for (const [locality, index] of streetOrder(state.localities, random)) {
    if (!street?.segments.length || before !== locality) {
      // A capital has every cut once before it draws at random.
      const cut = locality === capital ? cuts.shift() : undefined;
      street = createStreet(plan, uf, random, cut);
    }
    before = locality;
    const { segments, ...facts } = street;
    const { section, complement } = segments.shift() as Segment;
    const nu = output.next++;
    const cep = streetCep(locality, index);
    const neighbourhood = streetNeighbourhood(locality, index);
    const odd = oddRows.shift();
    const row = { nu, cep, neighbourhood, complement, ...facts, ...odd };
    const written = addStreet(file, row);
    if (section && !odd) output.sections.row([nu, ...section]);
    if (nu % 10 === 0) {
      const former = plan.streetName(random);
      addVariants(output.variants, row, { written, former });
    }
    const prefix = Math.floor(cep / 1000);
    const count = seen.get(prefix) ?? 0;
    seen.set(prefix, count + 1);
    if (count % STREETS_A_SITE === 0) {
      const place = { locality, neighbourhood, streetNu: nu, street: written };
      output.sites.push({ ...place, prefix, index: count / STREETS_A_SITE });
    }
  }
  for (const [known, place] of wellKnownOf(plan, state, WELL_KNOWN_STREETS)) {
    const facts = { ...known, cep: Number(known.cep), neighbourhood: place };
    addStreet(file, { ...facts, nu: output.next++ });
  }
  return file;
}

interface StreetRow extends Omit<Street, "segments"> {
  readonly nu: number;
  readonly cep: number;
  readonly neighbourhood: Neighbourhood;
  readonly complement: string;
  readonly hasEndNeighbourhood?: boolean;
}

/** Writes a row, and returns the street as written in addresses. */
function addStreet(file: TextFile, row: StreetRow): string {
  const { nu, neighbourhood, name, complement, type, typeIsWritten } = row;
  const { locality } = neighbourhood;
  const written = typeIsWritten ? `${type} ${name}` : name;
  const hasEnd = row.hasEndNeighbourhood ?? nu % ROWS_AN_END === 0;
  const short = abbreviate(written);
  file.row([
    nu,
    locality.uf,
    locality.nu,
    neighbourhood.nu,
    hasEnd ? nextNeighbourhood(neighbourhood).nu : "",
    name,
    complement && nu % ROWS_A_TRAILING_BLANK === 0
      ? `${complement}  `
      : complement,
    padCep(row.cep),
    type,
    typeIsWritten ? "S" : "N",
    isPadded(locality.uf, nu) ? short.padEnd(ABBREVIATION_WIDTH) : short,
  ]);
  return written;
}

/** Pads a CEP to eight digits. */
export function padCep(cep: number): string {
  return String(cep).padStart(8, "0");
}

/** Generates all streets of a state, in shuffled runs of one locality each. */
function* streetOrder(
  localities: readonly Locality[],
  random: Random,
): Iterable<[Locality, number]> {
  const runs: [Locality, number][] = [];
  for (const locality of localities) {
    for (let start = 0; start < locality.streets; start += ROWS_A_RUN) {
      runs.push([locality, start]);
    }
  }
  for (const [locality, start] of random.shuffle(runs, RUNS_A_WINDOW)) {
    const length = Math.min(ROWS_A_RUN, locality.streets - start);
    const run = Array.from({ length }, (_, i) => start + i);
    for (const index of random.shuffle(run, length)) yield [locality, index];
  }
}

function createStreet(
  plan: Plan,
  uf: string,
  random: Random,
  cut = random.pick(USUAL_CUTS),
): Street {
  if (random.chance(PLANNED[uf] ?? 0)) return createBlock(random);
  const isHighway = cut === kilometres;
  return {
    type: isHighway ? "Rodovia" : random.pick(USUAL_TYPES),
    name: isHighway ? random.pick(HIGHWAYS) : plan.streetName(random),
    typeIsWritten: true,
    segments: cut(random),
  };
}

/**
 * Creates `SQS 308 Bloco K`, which is complete without its type, or `Quadra
 * 12`.
 */
function createBlock(random: Random): Street {
  const number = 1 + random.int(716);
  const part = `${random.pick(PLANNED_PARTS)} ${random.pick(LETTERS)}`;
  const complement = random.chance(8) ? "Comércio" : "";
  const typeIsWritten = random.chance(10);
  const block = typeIsWritten ? "" : `${random.pick(PLANNED_BLOCKS)} `;
  return {
    type: "Quadra",
    name: `${block}${number} ${part}`,
    typeIsWritten,
    segments: [{ complement }],
  };
}

function nextNeighbourhood(neighbourhood: Neighbourhood): Neighbourhood {
  const all = neighbourhood.locality.neighbourhoods;
  const next = (all.indexOf(neighbourhood) + 1) % all.length;
  return all[next] as Neighbourhood;
}

function isPadded(uf: string, nu: number): boolean {
  return PADDED.includes(uf) || (HALF_PADDED.includes(uf) && nu % 2 === 0);
}

/** Writes former and misspelt names, nearly all with their type. */
function addVariants(
  file: TextFile,
  { nu, type }: StreetRow,
  { written, former }: { written: string; former: string },
): void {
  file.row([nu, 1, type, nu % 400 === 0 ? former : `${type} ${former}`]);
  if (nu % 30 !== 0) return;
  // A no-break space, which occurs twice in the real data.
  const plain = unaccent(written);
  file.row([nu, 2, type, nu < 100 ? plain.replace(" ", "\xa0") : plain]);
}
