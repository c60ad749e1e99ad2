import { generalCep, type Locality, type Neighbourhood } from "./locality.ts";
import { abbreviate, unaccent } from "./names.ts";
import type { Plan } from "./plan.ts";
import { Random } from "./random.ts";
import { NEIGHBOURHOOD_NAMES } from "./shapes/shape_cities.ts";
import { type Range, rangesOf } from "./states.ts";
import { padCep } from "./streets.ts";
import { TextFile } from "./text_file.ts";

const ROWS_A_SHUFFLE = 64;

/** LOG_FAIXA_UF. */
export function stateFiles(plan: Plan): TextFile[] {
  const ranges = new TextFile("LOG_FAIXA_UF.TXT");
  for (const { uf, state } of plan.states) {
    for (const range of state.ranges) ranges.row([uf, ...cepRange(range)]);
  }
  return [ranges];
}

/** LOG_LOCALIDADE, LOG_VAR_LOC and LOG_FAIXA_LOCALIDADE. */
export function localityFiles(plan: Plan): TextFile[] {
  const localities = new TextFile("LOG_LOCALIDADE.TXT");
  const variants = new TextFile("LOG_VAR_LOC.TXT");
  const ranges = new TextFile("LOG_FAIXA_LOCALIDADE.TXT");
  const random = new Random(plan.seed, "locality order");
  for (const state of plan.states) {
    // A district may precede its municipality.
    const shuffled = random.shuffle([...state.localities], ROWS_A_SHUFFLE);
    for (const locality of shuffled) {
      localities.row(localityColumns(locality));
      addLocalityVariants(variants, locality, {
        isCapital: locality === state.capital,
        others: plan.world.localityNames(locality),
      });
      if (locality.type === "M") addLocalityRanges(ranges, locality);
    }
  }
  for (const locality of plan.shapes?.localities ?? []) {
    localities.row(localityColumns(locality));
    if (locality.type === "M") addLocalityRanges(ranges, locality);
  }
  for (const [locality, names] of plan.shapes?.localityNames ?? []) {
    addOtherNames(variants, locality.nu, names);
  }
  return [localities, variants, ranges];
}

function localityColumns(locality: Locality): (string | number)[] {
  const { nu, uf, name, situation, type, parent, ibge } = locality;
  const cep = generalCep(locality);
  return [
    nu,
    uf,
    name,
    cep === undefined ? "" : padCep(cep),
    situation,
    type,
    parent?.nu ?? "",
    abbreviate(name),
    ibge,
  ];
}

function addLocalityVariants(
  file: TextFile,
  { nu, name }: Locality,
  { isCapital, others }: { isCapital: boolean; others: readonly string[] },
): void {
  const plain = unaccent(name);
  if (plain !== name) file.row([nu, 1, plain]);
  // With a no-break space, as in the real DNE.
  if (isCapital) file.row([nu, 2, name.replaceAll(" ", "\xa0") + "\xa0"]);
  if (nu % 2 === 0) file.row([nu, 3, abbreviate(name).toUpperCase()]);
  addOtherNames(file, nu, others);
}

function addOtherNames(
  file: TextFile,
  nu: number,
  names: readonly string[],
): void {
  names.forEach((name, i) => file.row([nu, 4 + i, name]));
}

/**
 * Adds the ranges of the whole municipality, and for a few those of the seat.
 */
function addLocalityRanges(file: TextFile, locality: Locality): void {
  for (const range of rangesOf(locality.area)) {
    file.row([locality.nu, ...cepRange(range), "T"]);
  }
  if (locality.streets === 0 || locality.nu % 3 !== 0) return;
  for (const range of rangesOf(locality.streetPrefixes)) {
    file.row([locality.nu, ...cepRange(range), "C"]);
  }
}

function cepRange([first, last]: Range): [string, string] {
  return [padCep(first * 1000), padCep(last * 1000 + 999)];
}

/** LOG_BAIRRO, LOG_VAR_BAI and LOG_FAIXA_BAIRRO. */
export function neighbourhoodFiles(plan: Plan): TextFile[] {
  const neighbourhoods = new TextFile("LOG_BAIRRO.TXT");
  const variants = new TextFile("LOG_VAR_BAI.TXT");
  const ranges = new TextFile("LOG_FAIXA_BAIRRO.TXT");
  const add = (
    { nu, name, locality, ceps }: Neighbourhood,
    others: readonly string[],
  ) => {
    const short = nu % 50 === 0 ? "" : abbreviate(name);
    neighbourhoods.row([nu, locality.uf, locality.nu, name, short]);
    others.forEach((other, i) => variants.row([nu, i + 1, other]));
    if (ceps) ranges.row([nu, padCep(ceps[0]), padCep(ceps[1])]);
  };
  for (const { localities } of plan.states) {
    for (const it of localities.flatMap((it) => it.neighbourhoods)) {
      add(it, plan.world.neighbourhoodNames(it.nu, it.name));
    }
  }
  for (const it of plan.shapes?.neighbourhoods ?? []) {
    add(it, NEIGHBOURHOOD_NAMES[it.name] ?? []);
  }
  return [neighbourhoods, variants, ranges];
}
