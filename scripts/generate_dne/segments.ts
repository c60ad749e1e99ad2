import { Choices, type Random, WORDS } from "./random.ts";

/** Both sides, even, odd, right or left. */
export type Side = "A" | "P" | "I" | "D" | "E";

/** Part of a street that one CEP serves. */
export interface Segment {
  /** LOG_COMPLEMENTO. */
  readonly complement: string;
  /** The same in numbers, for LOG_NUM_SEC. */
  readonly section?: readonly [from: string, to: string, side: Side];
}

/** Cuts a street into segments with one CEP each. */
export type Cut = (random: Random) => Segment[];

const SIDE_NAMES = { I: "lado ímpar", P: "lado par" } as const;

const whole: Cut = () => [{ complement: "" }];

const named = (form: string): Cut => (random) => [{
  complement: form.replace("*", random.pick(WORDS.neighbourhoods)),
}];

const sides: Cut = () => [
  { complement: "- lado ímpar", section: ["1", "99999", "I"] },
  { complement: "- lado par", section: ["2", "99998", "P"] },
];

const hands: Cut = () => [
  { complement: "- lado direito", section: ["1", "99999", "D"] },
  { complement: "- lado esquerdo", section: ["2", "99998", "E"] },
];

/** `- até 699/700`, `- de 701/702 a 1299/1300`, `- de 1301/1302 ao fim`. */
const bothSides = (pieces: number): Cut => (random) =>
  cutPoints(random, pieces).map(([from, to]) => {
    const end = to === undefined ? "ao fim" : `a ${to - 1}/${to}`;
    const complement = from === 2
      ? `- até ${end.slice(2)}`
      : `- de ${from - 1}/${from} ${end}`;
    return { complement, section: [`${from - 1}`, `${to ?? 99998}`, "A"] };
  });

/** `- até 697 - lado ímpar`, `- de 232 a 790 - lado par` and so on. */
const oneSide = (side: "I" | "P", pieces: number): Cut => (random) =>
  cutPoints(random, pieces).map(([evenFrom, evenTo]) => {
    const shift = side === "I" ? 1 : 0;
    const from = evenFrom - shift;
    const to = evenTo === undefined ? undefined : evenTo - shift;
    const start = from > 2 ? `de ${from} ` : "";
    const end = to !== undefined ? `${start ? "a" : "até"} ${to} - ` : "";
    const rest = start && !end ? "ao fim - " : end;
    return {
      complement: `- ${start}${rest}${SIDE_NAMES[side]}`,
      section: [`${from}`, `${to ?? 99998 + shift}`, side],
    };
  });

const eachSide = (odd: number, even: number): Cut => (random) => [
  ...oneSide("I", odd)(random),
  ...oneSide("P", even)(random),
];

/** Highways: kilometres with three decimals, their zeros partly kept. */
export const kilometres: Cut = (random) => {
  const first = 1 + random.int(40);
  const second = first + 1 + random.int(90);
  const width = random.chance(50) ? 9 : 1;
  const [a, b, c] = [`${first - 1},999`, `${first},000`, `${second},000`];
  const next = `${second},001`;
  const padded = (km: string) => km.padStart(width, "0");
  return [
    { complement: `- até km ${a}`, section: [padded("0,000"), padded(a), "A"] },
    {
      complement: `- do km ${b} ao km ${c}`,
      section: [padded(b), padded(c), "A"],
    },
    {
      complement: `- do km ${next} ao fim`,
      section: [padded(next), "99999", "A"],
    },
  ];
};

/** Returns even numbers at which the pieces of a street begin and end. */
function cutPoints(
  random: Random,
  pieces: number,
): (readonly [from: number, to: number | undefined])[] {
  let from = 2;
  return Array.from({ length: pieces }, (_, i) => {
    if (i === pieces - 1) return [from, undefined] as const;
    const piece = [from, from + 2 * (50 + random.int(900))] as const;
    from = piece[1] + 2;
    return piece;
  });
}

/** Ways to cut a street, with their frequency per thousand. */
export const CUTS: readonly (readonly [Cut, number])[] = [
  [whole, 846],
  [named("(Lot *)"), 34],
  [named("(Cj Res *)"), 12],
  [named("(Zona Sul)"), 8],
  [named("(1º Distrito)"), 4],
  [named("(BR 101 Km 7,5)"), 3],
  [named('(Lot Gleba "B" *)'), 2],
  [sides, 14],
  [hands, 1],
  [bothSides(2), 28],
  [bothSides(3), 16],
  [eachSide(1, 2), 8],
  [eachSide(2, 2), 10],
  [eachSide(2, 3), 8],
  [kilometres, 6],
];

/** Ways for an ordinary street. */
export const USUAL_CUTS = new Choices(CUTS);

/** Ways to cut a street into ranges of numbers, and a highway into kilometres. */
export const RANGES = {
  usual: new Choices<Cut>([
    [sides, 18],
    [hands, 1],
    [bothSides(2), 34],
    [bothSides(3), 15],
    [bothSides(4), 5],
    [eachSide(1, 2), 8],
    [eachSide(2, 2), 10],
    [eachSide(2, 3), 6],
    [eachSide(3, 3), 3],
  ]),
  kilometres,
} as const;
