/**
 * World that looks like Brazil, so that code which works with it works with a
 * real DNE: all municipalities, and the shapes of addresses that occur there.
 */
import type { Locality, StreetDraft } from "../locality.ts";
import { abbreviate, unaccent } from "../names.ts";
import { apportion, Random } from "../random.ts";
import { orderStreets } from "../street_order.ts";
import type { NamedPart, World } from "../world.ts";
import { type Block, brasiliaBlocks } from "./brasilia.ts";
import { buildingNames } from "./buildings.ts";
import { CityStreets } from "./city_streets.ts";
import { customOf } from "./customs.ts";
import { NICKNAMES } from "./large_cities.ts";
import { NeighbourhoodNames } from "./neighbourhood_names.ts";
import { palmasBlocks } from "./palmas.ts";
import { municipalityNamesOf, realPlaces } from "./places.ts";
import { RareWords } from "./rare_words.ts";
import { type NameOptions, streetName } from "./street_names.ts";

/** Options of {@linkcode country}. */
export interface CountryOptions {
  readonly rows: number;
  readonly seed: number;
  /** Number of invented words, 0 for one that suits the rows. */
  readonly words: number;
}

const ROWS_A_WORD = 3;
const STREETS_A_NEIGHBOURHOOD = 18;
// Cities that write the region of a neighbourhood in parentheses.
const WITH_REGIONS_PERCENT = 15;
const IN_A_REGION_PERCENT = 55;
const PLANNED_SHARE_OF_PALMAS = 0.62;

/** Creates the world. */
export function country({ rows, seed, words }: CountryOptions): World {
  const rare = new RareWords(words || Math.ceil(rows / ROWS_A_WORD), seed);
  const byState = new Map<string, NameOptions>();
  const options = (uf: string): NameOptions => {
    let own = byState.get(uf);
    if (own === undefined) {
      own = {
        uf,
        word: (random) => rare.pick(random),
        municipalities: municipalityNamesOf(uf),
      };
      byState.set(uf, own);
    }
    return own;
  };
  const blocks = new Map<Locality, readonly Block[]>();
  return {
    places: realPlaces,
    neighbourhoods: (locality, random) => {
      const planned = planBlocks(locality, seed);
      blocks.set(locality, planned);
      return neighbourhoods(locality, planned, random, options(locality.uf));
    },
    streets: (uf, localities, random) =>
      streets(localities, random, (locality) => {
        const own = new Random(seed, `${uf} ${locality.nu} streets`);
        const custom = customOf(uf, locality.name);
        const city = new CityStreets(locality, own, options(uf), custom);
        return city.drafts(blocks.get(locality) ?? []);
      }),
    streetName: (random, uf) => streetName(random, options(uf)),
    localityNames: ({ nu, name, uf, type }) => [
      ...(type === "M" ? NICKNAMES[name] ?? [] : []),
      ...(nu % 5 === 0 ? [`${name} ${uf}`] : []),
    ],
    neighbourhoodNames: otherNames,
    buildings: buildingNames(options),
  };
}

/** Returns the addresses by blocks, of the two cities that have them. */
function planBlocks(locality: Locality, seed: number): readonly Block[] {
  const { uf, name, streets, parent } = locality;
  const random = new Random(seed, `${uf} blocks`);
  if (parent) return [];
  if (name === "Brasília") return brasiliaBlocks(streets, random);
  if (name !== "Palmas" || uf !== "TO") return [];
  return palmasBlocks(Math.floor(streets * PLANNED_SHARE_OF_PALMAS), random);
}

function neighbourhoods(
  locality: Locality,
  blocks: readonly Block[],
  random: Random,
  options: NameOptions,
): NamedPart[] {
  const { streets, situation, type, name } = locality;
  if (streets === 0) {
    const hasOffice = situation === 0 && type !== "P";
    return hasOffice ? [{ name: "Centro", streets: 0 }] : [];
  }
  const planned = new Map<string, number>();
  for (const { neighbourhood } of blocks) {
    planned.set(neighbourhood, (planned.get(neighbourhood) ?? 0) + 1);
  }
  const parts = [...planned].map(([name, streets]) => ({ name, streets }));
  const rest = streets - blocks.length;
  if (rest === 0) return parts;
  const names = new NeighbourhoodNames(random, options);
  for (const { name } of parts) names.take(name);
  const count = Math.min(
    rest,
    Math.max(Math.min(3, rest), Math.round(rest / STREETS_A_NEIGHBOURHOOD)),
  );
  const regions = random.chance(WITH_REGIONS_PERCENT)
    ? Array.from({ length: 2 + random.int(6) }, () => names.draw())
    : [];
  const sizes = apportion(
    rest,
    Array.from({ length: count }, () => 6 + random.int(13) * random.int(13)),
    1,
  );
  sizes.forEach((streets, i) => {
    let drawn = i === 0 && parts.length === 0 ? "Centro" : names.draw();
    if (i === 1 && count > 4) drawn = `Área Rural de ${name}`;
    if (i > 1 && regions.length > 0 && random.chance(IN_A_REGION_PERCENT)) {
      drawn += ` (${random.pick(regions)})`;
    }
    parts.push({ name: drawn, streets });
  });
  return parts;
}

function* streets(
  localities: readonly Locality[],
  random: Random,
  draftsOf: (locality: Locality) => StreetDraft[],
): Iterable<StreetDraft> {
  const drafts = new Map(
    localities.filter((it) => it.streets > 0).map((it) => [it, draftsOf(it)]),
  );
  for (const [locality, index] of orderStreets(localities, random)) {
    yield drafts.get(locality)![index]!;
  }
}

const SHORT_PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^Jardim /, "Jd "],
  [/^Parque /, "Pq "],
  [/^Residencial /, "Res "],
  [/^Loteamento /, "Lot "],
  [/^Conjunto Habitacional /, "Cj "],
  [/^Setor /, "St "],
  [/^Vila /, "V "],
];

/** Returns short and incomplete names of a neighbourhood, as directories do. */
function otherNames(nu: number, name: string): string[] {
  const [, core = name, region] = /^(.*?)(?: \((.*)\))?$/.exec(name)!;
  const short = SHORT_PREFIXES.find(([it]) => it.test(core));
  const names = [
    ...nu % 3 === 0 ? [unaccent(core)] : [],
    ...short && nu % 4 < 2 ? [core.replace(...short)] : [],
    ...short && nu % 4 === 1 ? [core.replace(short[0], "")] : [],
    ...region && nu % 2 === 0 ? [core] : [],
    ...nu % 11 === 0 ? [abbreviate(core)] : [],
  ];
  return [...new Set(names)].filter((it) => it !== name);
}
