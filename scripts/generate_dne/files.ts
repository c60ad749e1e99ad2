import { TextFile } from "./text_file.ts";
import { abbreviate, COUNTRIES, unaccent } from "./names.ts";
import {
  type Buildings,
  generalCep,
  type Locality,
  type Neighbourhood,
  type Range,
  rangesOf,
  type StatePlan,
  streetCep,
  type StreetDraft,
} from "./locality.ts";
import { WELL_KNOWN_STREETS, WELL_KNOWN_USERS } from "./well_known.ts";
import { type Plan, wellKnownOf } from "./plan.ts";
import { Random } from "./random.ts";
import { NEIGHBOURHOOD_NAMES, type PlacedBuilding } from "./shapes.ts";

/** LEIAME.TXT with the version: year, month and half of the month. */
export function noticeFile(release: number): TextFile {
  const file = new TextFile("LEIAME.TXT");
  const month = Math.floor(release / 2);
  const year = 26 + Math.floor(month / 12);
  const digits = String(1 + month % 12).padStart(2, "0");
  file.row([`DNE versão ${year}${digits}${1 + release % 2}`]);
  return file;
}

/** ECT_PAIS: a few countries, the abbreviation empty as in the real file. */
export function countryFiles(): TextFile[] {
  const file = new TextFile("ECT_PAIS.TXT");
  for (const country of COUNTRIES) file.row([...country, ""]);
  return [file];
}

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

/** Street of a building that has its own CEP. */
interface Site {
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

// Ranges of the last three digits of a CEP, by kind of owner.
const LARGE_USER_SUFFIX = 900;
const PICKUP_SUFFIX = 959;
const UNIT_SUFFIX = 970;
const SORTING_CENTRE_SUFFIX = 999;
const POST_SUFFIX = 990;

// A unit serves four sites; a prefix has at most two community mailboxes.
const SITES_A_UNIT = 4;
const FIRST_POST_SITE = 0;
const SECOND_POST_SITE = 5;

/** LOG_GRANDE_USUARIO. */
export function largeUserFiles(plan: Plan, sites: readonly Site[]): TextFile[] {
  const file = new TextFile("LOG_GRANDE_USUARIO.TXT");
  const { buildings } = plan.world;
  const random = new Random(plan.seed, "large users");
  const at = (place: Place) => addressOf(place, buildings, random);
  let next = 1;
  const add = (place: Place, cep: number, name: string, address: string) =>
    file.row([
      next++,
      ...placeColumns(place),
      name,
      address,
      padCep(cep),
      abbreviate(name),
    ]);
  const addPickup = (place: Place, prefix: number) => {
    const name = `AC ${place.locality.name} Clique e Retire`;
    const address = `${at(place)} Clique e Retire Correios`;
    add(place, prefix * 1000 + PICKUP_SUFFIX, name, address);
  };
  for (const place of seats(plan)) {
    const { nu, home } = place.locality;
    if (nu % 2 === 0) addPickup(place, home);
  }
  for (const site of sites) {
    const name = buildings.largeUser(random, site.locality.uf);
    const cep = site.prefix * 1000 + LARGE_USER_SUFFIX + site.index;
    add(site, cep, name, at(site));
    if (site.index === 0) addPickup(site, site.prefix);
  }
  for (const state of plan.states) {
    for (const [user, place] of wellKnownOf(plan, state, WELL_KNOWN_USERS)) {
      const { cep, name, address } = user;
      const { capital: locality } = state;
      add({ locality, neighbourhood: place }, Number(cep), name, address);
    }
  }
  for (const it of shapesOf(plan, "user")) {
    add(it, it.cep, it.name, it.address);
  }
  return [file];
}

/** LOG_UNID_OPER and LOG_FAIXA_UOP. */
export function unitFiles(plan: Plan, sites: readonly Site[]): TextFile[] {
  const file = new TextFile("LOG_UNID_OPER.TXT");
  const boxes = new TextFile("LOG_FAIXA_UOP.TXT");
  const { buildings } = plan.world;
  const random = new Random(plan.seed, "units");
  let next = 1;
  const add = (
    place: Place,
    cep: number,
    name: string,
    hasBoxes: boolean,
    address = addressOf(place, buildings, random),
  ) => {
    const nu = next++;
    file.row([
      nu,
      ...placeColumns(place),
      name,
      address,
      padCep(cep),
      hasBoxes ? "S" : "N",
      abbreviate(name),
    ]);
    if (hasBoxes) boxes.row([nu, 1, 36 * (1 + random.int(12))]);
  };
  for (const place of seats(plan)) {
    const { nu, home, name, parent } = place.locality;
    const kind = parent ? "AGC" : "AC";
    add(place, home * 1000 + UNIT_SUFFIX, `${kind} ${name}`, nu % 5 === 0);
  }
  const withSortingCentre = new Set(plan.states.map((it) => it.capital));
  for (const site of sites) {
    const { locality, neighbourhood, prefix, index } = site;
    if (index % SITES_A_UNIT === 0) {
      const unit = index / SITES_A_UNIT;
      const name = buildings.unit(unit, neighbourhood.name, locality.name);
      add(site, prefix * 1000 + UNIT_SUFFIX + unit, name, unit === 0);
    }
    if (withSortingCentre.delete(locality)) {
      const cep = prefix * 1000 + SORTING_CENTRE_SUFFIX;
      add(site, cep, `CTCE ${locality.name}`, false);
    }
  }
  for (const it of shapesOf(plan, "unit")) {
    add(it, it.cep, it.name, false, it.address);
  }
  return [file, boxes];
}

/** LOG_CPC and LOG_FAIXA_CPC. */
export function postFiles(plan: Plan, sites: readonly Site[]): TextFile[] {
  const file = new TextFile("LOG_CPC.TXT");
  const letters = new TextFile("LOG_FAIXA_CPC.TXT");
  const { buildings } = plan.world;
  const random = new Random(plan.seed, "posts");
  let next = 1;
  const add = (
    place: Place,
    cep: number,
    name = buildings.mailbox(random, place.locality.uf),
    address = addressOf(place, buildings, random),
  ) => {
    const nu = next++;
    const { locality, neighbourhood } = place;
    const full = oddAddress(nu, `${address} - ${neighbourhood.name}`);
    file.row([nu, locality.uf, locality.nu, name, full, padCep(cep)]);
    letters.row([nu, 1, 36 * (1 + random.int(6))]);
  };
  seats(plan).forEach((place, i) => {
    if (i % 10 === 0) add(place, place.locality.home * 1000 + POST_SUFFIX);
  });
  for (const site of sites) {
    const posts = site.prefix * 1000 + POST_SUFFIX;
    const isFirst = site.index === FIRST_POST_SITE;
    if (isFirst && site.streetNu % 3 === 0) add(site, posts);
    if (site.index === SECOND_POST_SITE) add(site, posts + 1);
  }
  for (const it of shapesOf(plan, "mailbox")) {
    add(it, it.cep, it.name, it.address);
  }
  return [file, letters];
}

/** Returns the buildings of one kind among the shapes. */
function shapesOf(
  { shapes }: Plan,
  kind: PlacedBuilding["kind"],
): readonly PlacedBuilding[] {
  return shapes?.buildings.filter((it) => it.kind === kind) ?? [];
}

/** Changes some addresses: a leading blank, a quote or no comma. */
function oddAddress(nu: number, address: string): string {
  if (nu % 100 === 1) return ` ${address}`;
  if (nu % 100 === 2) return address.replace(",", ' "B",');
  if (nu % 4 === 3) return address.replace(",", "");
  return address;
}

/** Location of a building, with its street in localities coded by street. */
interface Place {
  readonly locality: Locality;
  readonly neighbourhood: Neighbourhood;
  readonly streetNu?: number;
  readonly street?: string;
}

function placeColumns(place: Place): (string | number)[] {
  const { locality, neighbourhood, streetNu = "" } = place;
  return [locality.uf, locality.nu, neighbourhood.nu, streetNu];
}

/** Returns an address at the location, with its number after a comma. */
function addressOf(
  { street, locality }: Place,
  buildings: Buildings,
  random: Random,
): string {
  const number = random.chance(12) ? "s/n" : 1 + random.int(3000);
  return `${street ?? buildings.street(random, locality.uf)}, ${number}`;
}

/** Returns the centres of the localities that have one CEP and an office. */
function seats(plan: Plan): Place[] {
  const localities = plan.states.flatMap((state) => state.localities);
  return localities.flatMap((locality) => {
    const [neighbourhood] = locality.neighbourhoods;
    if (locality.situation !== 0 || !neighbourhood) return [];
    return [{ locality, neighbourhood }];
  });
}
