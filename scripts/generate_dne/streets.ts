import {
  type Locality,
  type Neighbourhood,
  streetCep,
  type StreetDraft,
} from "./locality.ts";
import { abbreviate, unaccent } from "./names.ts";
import { type Plan, type StatePlan, wellKnownOf } from "./plan.ts";
import { Random } from "./random.ts";
import { TextFile } from "./text_file.ts";
import { WELL_KNOWN_STREETS } from "./well_known.ts";

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

/** Columns of a row that differ from the default. */
interface OddRow {
  readonly type?: string;
  readonly name?: string;
  readonly complement?: string;
  readonly hasEndNeighbourhood?: boolean;
}

const STREETS_A_SITE = 75;
const ABBREVIATION_WIDTH = 36;

/**
 * States whose abbreviations are padded, in all rows or in half of the rows.
 */
const PADDED = ["AL", "MA", "PB", "PI", "RN", "SE"];
const HALF_PADDED = ["DF", "TO"];

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
  const { uf } = state;
  const file = new TextFile(`LOG_LOGRADOURO_${uf}.TXT`);
  const random = new Random(plan.seed, `${uf} streets`);
  const oddRows = [...(ODD_ROWS[uf] ?? [])];
  const seen = new Map<number, number>();
  const drafts = plan.world.streets(uf, state.localities, random);
  for (const { section, others, ...draft } of drafts) {
    const { locality, neighbourhood } = draft;
    const nu = output.next++;
    const cep = streetCep(locality, draft.index);
    const odd = oddRows.shift();
    const row = { ...draft, nu, cep, ...odd };
    const written = addStreet(file, row);
    if (section && !odd) output.sections.row([nu, ...section]);
    if (others) addOthers(output.variants, row, others);
    else if (nu % 10 === 0) {
      const former = plan.world.streetName(random, uf);
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
  for (const street of plan.shapes?.streets ?? []) {
    const { nu, neighbourhood, section, others } = street;
    if (neighbourhood.locality.uf !== uf) continue;
    addStreet(file, street);
    if (section) output.sections.row([nu, ...section]);
    addOthers(output.variants, street, others);
  }
  return file;
}

interface StreetRow extends
  Pick<
    StreetDraft,
    "neighbourhood" | "type" | "name" | "typeIsWritten" | "complement"
  > {
  readonly nu: number;
  readonly cep: number;
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

function nextNeighbourhood(neighbourhood: Neighbourhood): Neighbourhood {
  const all = neighbourhood.locality.neighbourhoods;
  const next = (all.indexOf(neighbourhood) + 1) % all.length;
  return all[next] as Neighbourhood;
}

function isPadded(uf: string, nu: number): boolean {
  return PADDED.includes(uf) || (HALF_PADDED.includes(uf) && nu % 2 === 0);
}

/** Writes the other names of a street, with their type. */
function addOthers(
  file: TextFile,
  { nu, type }: StreetRow,
  names: readonly string[],
): void {
  names.forEach((name, i) => file.row([nu, i + 1, type, name]));
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
