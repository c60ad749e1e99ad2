import { WELL_KNOWN_USERS } from "./well_known.ts";
import {
  abbreviate,
  neighbourhoodName,
  personName,
  unaccent,
} from "./names.ts";
import {
  generalCep,
  type Locality,
  type Neighbourhood,
  type Plan,
  wellKnownOf,
} from "./plan.ts";
import { Random } from "./random.ts";
import { type Range, rangesOf } from "./states.ts";
import { padCep, type Site } from "./streets.ts";
import { TextFile } from "./text_file.ts";
import { COUNTRIES, LARGE_USERS, NATURE, POST_KEEPERS } from "./words.ts";

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
      addLocalityVariants(variants, locality, locality === state.capital);
      if (locality.type === "M") addLocalityRanges(ranges, locality);
    }
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
  isCapital: boolean,
): void {
  const plain = unaccent(name);
  if (plain !== name) file.row([nu, 1, plain]);
  // With a no-break space, as in the real DNE.
  if (isCapital) file.row([nu, 2, name.replaceAll(" ", "\xa0") + "\xa0"]);
  if (nu % 2 === 0) file.row([nu, 3, abbreviate(name).toUpperCase()]);
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
  for (const locality of allLocalities(plan)) {
    for (const { nu, name, ceps } of locality.neighbourhoods) {
      const short = nu % 50 === 0 ? "" : abbreviate(name);
      neighbourhoods.row([nu, locality.uf, locality.nu, name, short]);
      if (nu % 10 < 7) variants.row([nu, 1, unaccent(name)]);
      if (ceps) ranges.row([nu, padCep(ceps[0]), padCep(ceps[1])]);
    }
  }
  return [neighbourhoods, variants, ranges];
}

/** LOG_GRANDE_USUARIO. */
export function largeUserFiles(plan: Plan, sites: readonly Site[]): TextFile[] {
  const file = new TextFile("LOG_GRANDE_USUARIO.TXT");
  const random = new Random(plan.seed, "large users");
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
    const address = `${at(place, random)} Clique e Retire Correios`;
    add(place, prefix * 1000 + PICKUP_SUFFIX, name, address);
  };
  for (const place of seats(plan)) {
    const { nu, home } = place.locality;
    if (nu % 2 === 0) addPickup(place, home);
  }
  for (const site of sites) {
    const name = random.pick(LARGE_USERS).replace("*", ownName(random));
    const cep = site.prefix * 1000 + LARGE_USER_SUFFIX + site.index;
    add(site, cep, name, at(site, random));
    if (site.index === 0) addPickup(site, site.prefix);
  }
  for (const state of plan.states) {
    for (const [user, place] of wellKnownOf(plan, state, WELL_KNOWN_USERS)) {
      const { cep, name, address } = user;
      const { capital: locality } = state;
      add({ locality, neighbourhood: place }, Number(cep), name, address);
    }
  }
  return [file];
}

/** LOG_UNID_OPER and LOG_FAIXA_UOP. */
export function unitFiles(plan: Plan, sites: readonly Site[]): TextFile[] {
  const file = new TextFile("LOG_UNID_OPER.TXT");
  const boxes = new TextFile("LOG_FAIXA_UOP.TXT");
  const random = new Random(plan.seed, "units");
  let next = 1;
  const add = (place: Place, cep: number, name: string, hasBoxes: boolean) => {
    const nu = next++;
    file.row([
      nu,
      ...placeColumns(place),
      name,
      at(place, random),
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
      const kind = unit === 0 ? "AC" : unit === 1 ? "CDD" : "AGF";
      const name = `${kind} ${neighbourhood.name}`;
      add(site, prefix * 1000 + UNIT_SUFFIX + unit, name, unit === 0);
    }
    if (withSortingCentre.delete(locality)) {
      const cep = prefix * 1000 + SORTING_CENTRE_SUFFIX;
      add(site, cep, `CTCE ${locality.name}`, false);
    }
  }
  return [file, boxes];
}

/** LOG_CPC and LOG_FAIXA_CPC. */
export function postFiles(plan: Plan, sites: readonly Site[]): TextFile[] {
  const file = new TextFile("LOG_CPC.TXT");
  const letters = new TextFile("LOG_FAIXA_CPC.TXT");
  const random = new Random(plan.seed, "posts");
  let next = 1;
  const add = (place: Place, cep: number) => {
    const nu = next++;
    const { locality, neighbourhood } = place;
    const name = random.pick(POST_KEEPERS).replace("*", ownName(random));
    const address = `${at(place, random)} - ${neighbourhood.name}`;
    file.row([
      nu,
      locality.uf,
      locality.nu,
      name,
      oddAddress(nu, address),
      padCep(cep),
    ]);
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
  return [file, letters];
}

/** Changes some addresses: a leading blank, a quote or no comma. */
function oddAddress(nu: number, address: string): string {
  if (nu % 100 === 1) return ` ${address}`;
  if (nu % 100 === 2) return address.replace(",", ' "B",');
  if (nu % 4 === 3) return address.replace(",", "");
  return address;
}

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
function at({ street }: Place, random: Random): string {
  const number = random.chance(12) ? "s/n" : 1 + random.int(3000);
  return `${street ?? `Rua ${random.pick(NATURE)}`}, ${number}`;
}

function ownName(random: Random): string {
  if (random.chance(40)) return personName(random);
  return neighbourhoodName(1 + random.int(500), 0);
}

function allLocalities(plan: Plan): Locality[] {
  return plan.states.flatMap((state) => [...state.localities]);
}

/** Returns the centres of the localities that have one CEP and an office. */
function seats(plan: Plan): Place[] {
  return allLocalities(plan).flatMap((locality) => {
    const [neighbourhood] = locality.neighbourhoods;
    if (locality.situation !== 0 || !neighbourhood) return [];
    return [{ locality, neighbourhood }];
  });
}
