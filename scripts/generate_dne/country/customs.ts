import { Choices } from "../zipf.ts";
import type { Family } from "./families.ts";

/** Habits of a city in naming its streets. */
export interface Custom {
  /** Families of numbers and letters that begin in a thousand streets. */
  readonly familyPermille: number;
  /** Families of a word and a number that begin in a thousand streets. */
  readonly wordsPermille: number;
  /** Percentage of neighbourhoods with estates, which complements name. */
  readonly subdividedPercent: number;
  readonly families?: Choices<Family>;
  /** Ends of names, one for each side of the city. */
  readonly suffixes?: readonly string[];
}

const USUAL: Custom = {
  familyPermille: 5,
  wordsPermille: 14,
  subdividedPercent: 18,
};

const PLANNED: Custom = {
  familyPermille: 50,
  wordsPermille: 16,
  subdividedPercent: 11,
  families: new Choices<Family>([
    ["codes", 45],
    ["numbers", 30],
    ["suffixed", 12],
    ["letters", 9],
    ["words", 4],
  ]),
};

const OF_STATES: Readonly<Record<string, Partial<Custom>>> = {
  BA: { wordsPermille: 14, familyPermille: 9 },
  CE: { familyPermille: 14, subdividedPercent: 22 },
  DF: PLANNED,
  GO: PLANNED,
  MA: { familyPermille: 18, subdividedPercent: 24 },
  MT: { familyPermille: 16 },
  PA: { wordsPermille: 14, subdividedPercent: 20 },
  PE: { familyPermille: 10, subdividedPercent: 18 },
  RO: { familyPermille: 14 },
  SE: { familyPermille: 14, subdividedPercent: 22 },
  TO: { familyPermille: 40, wordsPermille: 17 },
};

const OF_CITIES: Readonly<Record<string, Partial<Custom>>> = {
  "SC Chapecó": { suffixes: [" - E", " - D"] },
};

/** Returns the habits of a city. */
export function customOf(uf: string, city: string): Custom {
  return { ...USUAL, ...OF_STATES[uf], ...OF_CITIES[`${uf} ${city}`] };
}
