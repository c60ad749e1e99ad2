import { municipalityNames } from "../../../cep/record/municipality_names.ts";
import { stateOfIbge } from "../../../cep/record/states.ts";
import { list } from "../list.ts";
import type { Random } from "../random.ts";
import type { StateFacts } from "../states.ts";
import { DISTRICTS } from "../words.ts";
import type { Places } from "../world.ts";
import { Zipf } from "../zipf.ts";
import { LARGE_CITIES } from "./large_cities.ts";
import { SAINTS } from "./namesakes.ts";
import { TUPI_WORDS } from "./nature.ts";

const CODED_SHARE = 0.107;
// Fewest street rows of a coded city, and the mean from which more are coded.
const LEAST_STREETS = 25;
const MEAN_STREETS = 150;

/** Municipality without a code in the DNE, because it is new. */
const NEWEST = "Boa Esperança do Norte";

/** Districts and villages that a state has first. */
const FIRST_DISTRICTS: Readonly<Record<string, readonly string[]>> = {
  AP: list(`
    Fazendinha, Bailique, Maruanum, Santa Cruz, Fortaleza`),
  BA: ["Rio Branco", "Brasília"],
  CE: ["Jericoacoara", "Campinas"],
  DF: list(`
    Taguatinga, Ceilândia, Gama`),
  MA: ["São Paulo", "Santa Luzia"],
  MG: ["Fortaleza", "Londrina"],
  PA: ["Vitória", "Salvador"],
  RS: ["Planalto", "Rio de Janeiro"],
};
/** Cities whose names villages of other states have. */
const NAMESAKES = list(`
  Fortaleza, Campinas, Salvador, Vitória, Natal, Brasília, Santos, Joinville,
  Palmas, Floriano, Petrópolis, Recife, São Paulo, Belém, Cachoeira do Sul,
  Londrina, Maringá`);
const HEADS = list(`
  Vila, Nova, Povoado, Distrito, Barra do, Ponte, Alto, Lagoa do, Ribeirão,
  Córrego, Porto, Olho D'Água, Riacho, Serra do, Campo, Colônia, Terra Indígena,
  Cachoeira`);
const saints = new Zipf(SAINTS, 6);

/** Names and codes of the municipalities of a state, the largest first. */
interface Municipality {
  readonly name: string;
  readonly ibge: string;
}

let byState: Map<string, Municipality[]> | undefined;

function municipalitiesOf(uf: string): readonly Municipality[] {
  if (byState === undefined) {
    byState = new Map();
    for (const [ibge, name] of municipalityNames()) {
      const state = stateOfIbge(ibge)!;
      const own = byState.get(state);
      if (own) own.push({ name, ibge });
      else byState.set(state, [{ name, ibge }]);
    }
  }
  return byState.get(uf)!;
}

/** Returns the names of the municipalities of a state. */
export function municipalityNamesOf(uf: string): readonly string[] {
  return municipalitiesOf(uf).map(({ name }) => name);
}

/** Returns the municipalities of a state: capital, large ones, the others. */
export function realPlaces(
  { uf, capital }: StateFacts,
  streets: number,
  random: Random,
): Places {
  const all = municipalitiesOf(uf);
  const first = [capital.name, ...(LARGE_CITIES[uf] ?? [])];
  const large = first.map((name) => {
    const found = all.find((it) => it.name === name);
    if (found === undefined) throw new Error(`No municipality ${name}/${uf}`);
    return found;
  });
  const others = all.filter((it) => !first.includes(it.name));
  random.shuffle(others, others.length);
  const newest = others.findIndex((it) => it.name === NEWEST);
  if (newest >= 0) others.push(...others.splice(newest, 1));
  const ordered = [...large, ...others];
  const coded = Math.round(all.length * CODED_SHARE);
  const districts = [...(FIRST_DISTRICTS[uf] ?? [])];
  let before = "";
  return {
    count: ordered.length,
    coded: Math.min(
      all.length,
      Math.max(2, Math.min(coded, Math.floor(streets / MEAN_STREETS))),
    ),
    least: Math.min(LEAST_STREETS, Math.floor(streets / 10)),
    municipality: (i) => ordered[i]!,
    district: () => {
      const first = districts.shift();
      if (first !== undefined) return first;
      let name = districtName(random, all);
      while (name === before) name = districtName(random, all);
      return before = name;
    },
  };
}

function districtName(
  random: Random,
  all: readonly Municipality[],
): string {
  const kind = random.int(100);
  if (kind < 4) return random.pick(NAMESAKES);
  if (kind < 30) return random.pick(DISTRICTS);
  if (kind < 50) return saints.pick(random);
  if (kind < 60) return random.pick(TUPI_WORDS);
  if (kind < 70) return random.pick(all).name;
  return `${random.pick(HEADS)} ${random.pick(TUPI_WORDS)}`;
}
