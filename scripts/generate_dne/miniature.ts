import { choices, type Random, WORDS } from "./random.ts";
import {
  cityName,
  neighbourhoodName,
  personName,
  streetName,
  unaccent,
} from "./names.ts";
import {
  type Locality,
  type NamedPart,
  type Neighbourhood,
  orderStreets,
  type Places,
  type StateFacts,
  type StreetDraft,
  type World,
} from "./locality.ts";
import { CUTS, kilometres, type Segment, USUAL_CUTS } from "./segments.ts";

// Number of rows from which all municipalities of the country would be there.
const FULL_SIZE = 1_000_000;
const CODED_SHARE = 0.105;
const STREETS_A_NEIGHBOURHOOD = 20;
const USUAL_TYPES = choices(WORDS.streetTypes);
/** States with planned blocks, and their percentage of the streets. */
const PLANNED: Record<string, number> = { DF: 75, TO: 12, GO: 8 };

/** Street, which may have several rows. */
interface Street {
  readonly type: string;
  readonly name: string;
  readonly typeIsWritten: boolean;
  readonly segments: Segment[];
}

/** Creates the world of samples: few invented places, of every shape. */
export function miniature(rows: number): World {
  return {
    places: (state, _streets, random) =>
      places(state, Math.min(1, rows / FULL_SIZE), random),
    neighbourhoods,
    streets,
    streetName,
    localityNames: () => [],
    neighbourhoodNames: (nu, name) => nu % 10 < 7 ? [unaccent(name)] : [],
    buildings: {
      largeUser: (random) =>
        random.pick(WORDS.largeUsers).replace("*", ownName(random)),
      mailbox: (random) =>
        random.pick(WORDS.postKeepers).replace("*", ownName(random)),
      street: (random) => `Rua ${random.pick(WORDS.nature)}`,
      unit: (index, neighbourhood) =>
        `${index === 0 ? "AC" : index === 1 ? "CDD" : "AGF"} ${neighbourhood}`,
    },
  };
}

function ownName(random: Random): string {
  if (random.chance(40)) return personName(random);
  return neighbourhoodName(1 + random.int(500), 0);
}

function places(state: StateFacts, scale: number, random: Random): Places {
  const { municipalities, capital } = state;
  const count = Math.min(
    municipalities,
    Math.max(3, Math.round(municipalities * scale)),
  );
  const firstName = random.int(1000);
  return {
    count,
    coded: Math.min(count, Math.max(2, Math.round(count * CODED_SHARE))),
    least: 2,
    municipality: (i) =>
      i === 0 ? capital : {
        name: cityName(i, firstName, random),
        ibge: inventedCode(capital, i),
      },
    district: () => random.pick(WORDS.districts),
  };
}

/**
 * Creates an invented IBGE code: no real one has a 9 after the two digits of
 * its state.
 */
function inventedCode(capital: StateFacts["capital"], index: number): string {
  return capital.ibge.slice(0, 2) + String(90000 + index);
}

function neighbourhoods(locality: Locality, random: Random): NamedPart[] {
  const { streets } = locality;
  const firstName = random.int(1000);
  const count = neighbourhoodCount(locality);
  return Array.from({ length: count }, (_, i) => ({
    name: neighbourhoodName(i, firstName),
    streets: Math.ceil((i + 1) * streets / count) -
      Math.ceil(i * streets / count),
  }));
}

function neighbourhoodCount(locality: Locality): number {
  const { streets, situation, type } = locality;
  // Without streets, offices still need a neighbourhood.
  if (streets === 0) return situation === 0 && type !== "P" ? 1 : 0;
  const usual = Math.round(streets / STREETS_A_NEIGHBOURHOOD);
  return Math.min(streets, Math.max(3, usual));
}

function* streets(
  uf: string,
  localities: readonly Locality[],
  random: Random,
): Iterable<StreetDraft> {
  const cuts = CUTS.map(([cut]) => cut);
  let street: Street | undefined;
  let before: Locality | undefined;
  for (const [locality, index] of orderStreets(localities, random)) {
    if (!street?.segments.length || before !== locality) {
      // A capital has every cut once before it draws at random.
      const cut = locality === localities[0] ? cuts.shift() : undefined;
      street = createStreet(uf, random, cut);
    }
    before = locality;
    const { segments, ...facts } = street;
    const segment = segments.shift() as Segment;
    const neighbourhood = neighbourhoodAt(locality, index);
    yield { locality, index, neighbourhood, ...facts, ...segment };
  }
}

/** Returns the neighbourhood of the `index`th street of a locality. */
function neighbourhoodAt(locality: Locality, index: number): Neighbourhood {
  const count = neighbourhoodCount(locality);
  const i = Math.floor(index * count / locality.streets);
  return locality.neighbourhoods[i] as Neighbourhood;
}

function createStreet(
  uf: string,
  random: Random,
  cut = USUAL_CUTS.pick(random),
): Street {
  if (random.chance(PLANNED[uf] ?? 0)) return createBlock(random);
  const isHighway = cut === kilometres;
  return {
    type: isHighway ? "Rodovia" : USUAL_TYPES.pick(random),
    name: isHighway ? random.pick(WORDS.highways) : streetName(random),
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
  const part = `${random.pick(WORDS.plannedParts)} ${
    random.pick(WORDS.letters)
  }`;
  const complement = random.chance(8) ? "Comércio" : "";
  const typeIsWritten = random.chance(10);
  const block = typeIsWritten ? "" : `${random.pick(WORDS.plannedBlocks)} `;
  return {
    type: "Quadra",
    name: `${block}${number} ${part}`,
    typeIsWritten,
    segments: [{ complement }],
  };
}
