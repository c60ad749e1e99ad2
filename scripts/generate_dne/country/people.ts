import type { Random } from "../random.ts";
import { Zipf } from "../zipf.ts";
import { MEN, WOMEN } from "./first_names.ts";
import { TITLES } from "./namesakes.ts";
import { IMMIGRANTS, RARE_SURNAMES, SURNAMES } from "./surnames.ts";

const men = new Zipf(MEN, 12);
const women = new Zipf(WOMEN, 12);
const surnames = new Zipf(SURNAMES, 10);
const immigrants = new Zipf(IMMIGRANTS, 10);
const rareSurnames = new Zipf(RARE_SURNAMES, 300);
const titles = new Zipf(TITLES, 3);
const WOMENS_TITLES = ["Dona", "Professora", "Doutora", "Irmã", "Madre"];
const GENERATIONS = ["Filho", "Júnior", "Neto"];
const OLD_SPELLINGS = [["ph", "f"], ["y", "i"], ["th", "t"], ["ll", "l"]]
  .map(([old, now]) => [now!, old!] as const);

/** Share of immigrants' surnames in the states of the south, in percent. */
const IMMIGRANTS_PERCENT: Readonly<Record<string, number>> = {
  SC: 45,
  RS: 40,
  PR: 38,
  SP: 28,
  ES: 24,
};

/** Options of {@linkcode personName}. */
export interface PersonOptions {
  readonly uf: string;
  /** Returns an invented word, for names that occur nowhere else. */
  readonly word: (random: Random) => string;
}

/** Draws the name of a person with a title in some cases. */
export function personName(random: Random, options: PersonOptions): string {
  const isWoman = random.chance(27);
  const given = isWoman ? women : men;
  const title = random.chance(38) ? titleFor(isWoman, random) : "";
  const parts = [
    random.chance(5) ? options.word(random) : firstName(given, random),
  ];
  if (random.chance(30)) parts.push(given.pick(random));
  if (random.chance(48)) parts.push(surname(random, options));
  parts.push(surname(random, options));
  if (!isWoman && random.chance(3)) parts.push(random.pick(GENERATIONS));
  return title + parts.join(" ");
}

function titleFor(isWoman: boolean, random: Random): string {
  const title = titles.pick(random);
  if (WOMENS_TITLES.includes(title) === isWoman) return `${title} `;
  return isWoman ? `${random.pick(WOMENS_TITLES)} ` : "Doutor ";
}

/** Draws a given name; a few have an old spelling. */
function firstName(names: Zipf<string>, random: Random): string {
  const name = names.pick(random);
  if (!random.chance(2)) return name;
  const [now, old] = random.pick(OLD_SPELLINGS);
  return name.replace(now, old);
}

/** Draws a surname. */
export function surname(random: Random, { uf, word }: PersonOptions): string {
  if (random.chance(IMMIGRANTS_PERCENT[uf] ?? 7)) {
    return random.chance(45)
      ? immigrants.pick(random)
      : rareSurnames.pick(random);
  }
  return random.chance(17) ? word(random) : surnames.pick(random);
}

/** Draws a given name alone. */
export function givenName(random: Random): string {
  return (random.chance(50) ? men : women).pick(random);
}
