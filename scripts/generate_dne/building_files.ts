import type { Locality, Neighbourhood } from "./locality.ts";
import { abbreviate } from "./names.ts";
import { type Plan, wellKnownOf } from "./plan.ts";
import { Random } from "./random.ts";
import type { PlacedBuilding } from "./shapes/shapes.ts";
import { padCep, type Site } from "./streets.ts";
import { TextFile } from "./text_file.ts";
import { WELL_KNOWN_USERS } from "./well_known.ts";
import type { Buildings } from "./world.ts";

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
