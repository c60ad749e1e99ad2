import type { Side } from "../segments.ts";

/** Street of {@linkcode SHAPE_CITIES}, in the columns of its file. */
export interface ShapeStreet {
  readonly type: string;
  readonly name: string;
  readonly typeIsWritten: boolean;
  readonly complement: string;
  readonly section?: readonly [from: string, to: string, side: Side];
  readonly others: readonly string[];
}

const TYPES = [
  "Rua",
  "Avenida",
  "Travessa",
  "1ª Travessa",
  "2ª Travessa",
  "Praça",
  "Alameda",
  "Ladeira",
  "Servidão",
  "Rodovia",
  "Quadra",
];
const COMPLEMENT =
  /^(.*?) (\(.*\)|- (?:até|de|do|lado) .*|Comércio|Residências)$/;
const FROM = /- (?:de|do km) (\d[\d,]*)/;
const TO = / (?:até|a|ao)(?: km)? (?:\d+\/)?(\d[\d,]*)/;
const SIDES: Readonly<Record<string, "I" | "P">> = {
  "lado ímpar": "I",
  "lado par": "P",
};
const FIRST = { A: "1", I: "1", P: "2" };
const LAST = { A: "99998", I: "99999", P: "99998" };

/** Parses a street as written: `Rua 1 (Lot Farol) < Rua Velha | Rua X`. */
export function parseShape(text: string): ShapeStreet {
  const [street = "", others] = text.split(" < ");
  const [, written = street, complement = ""] = COMPLEMENT.exec(street) ?? [];
  const type = TYPES.find((it) => written.startsWith(`${it} `));
  const section = sectionOf(complement);
  return {
    type: type ?? (written.includes(" Trecho ") ? "Trecho" : "Quadra"),
    name: type === undefined ? written : written.slice(type.length + 1),
    typeIsWritten: type !== undefined,
    complement,
    ...section && { section },
    others: others?.split(" | ") ?? [],
  };
}

/** Returns the numbers that a complement says, for LOG_NUM_SEC. */
function sectionOf(complement: string): ShapeStreet["section"] {
  if (!complement.startsWith("-")) return undefined;
  const side = SIDES[/lado .*/.exec(complement)?.[0] ?? ""] ?? "A";
  const isHighway = complement.includes("km");
  return [
    FROM.exec(complement)?.[1] ?? (isHighway ? "0,000" : FIRST[side]),
    TO.exec(complement)?.[1] ?? LAST[side],
    side,
  ];
}
