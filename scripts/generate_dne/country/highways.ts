import { list } from "../list.ts";
import type { Random } from "../random.ts";

/** Federal highways of each state. */
const FEDERAL: Readonly<Record<string, string>> = {
  AC: "364 317",
  AL: "101 104 316 416",
  AM: "174 319 230",
  AP: "156 210",
  BA: "101 116 242 324 407",
  CE: "116 222 020 304",
  DF: "020 040 060 070 251",
  ES: "101 262 259",
  GO: "060 153 040 364 452",
  MA: "135 010 222 230",
  MG: "040 381 262 116 050 365",
  MS: "163 262 060 267",
  MT: "163 364 070 158",
  PA: "010 316 230 163",
  PB: "101 230 104 412",
  PE: "101 232 104 408",
  PI: "343 316 135 020",
  PR: "277 376 116 369 476",
  RJ: "101 116 040 393",
  RN: "101 304 406 226",
  RO: "364 425 429",
  RR: "174 401 210",
  RS: "116 290 386 471 101",
  SC: "101 282 280 470 116",
  SE: "101 235 349",
  SP: "116 381 153 050",
  TO: "153 010 235",
};
const NAMED = list(`
  dos Bandeirantes, Anhanguera, dos Imigrantes, Presidente Dutra, Fernão Dias,
  Régis Bittencourt, do Café, dos Tropeiros, Governador Mário Covas,
  Raposo Tavares, Castello Branco, Washington Luiz, do Sol, do Cacau,
  Transamazônica, Belém-Brasília, Marechal Rondon, Dom Pedro I, da Uva,
  Deputado Jorge Lacerda, Jornalista Manoel de Menezes, José Carlos Daux,
  Pedro Eroles`);
const ROADS = ["", "", "", " Km 7", " Km 12", " (Anel Viário)"];

/** Name of a highway without its type, and the others that it has. */
export interface Highway {
  readonly name: string;
  readonly others: readonly string[];
}

/** Draws a highway of a state: a number with a name, or only one of them. */
export function highway(uf: string, random: Random): Highway {
  const federal = FEDERAL[uf]!.split(" ");
  const number = random.chance(45)
    ? `BR-${random.pick(federal)}`
    : `${uf}-${String(10 + random.int(480)).padStart(3, "0")}`;
  const named = random.pick(NAMED);
  const kind = random.int(100);
  if (kind < 40) {
    return { name: number + random.pick(ROADS), others: [`Rodovia ${named}`] };
  }
  if (kind < 55) return { name: `${number} ${named}`, others: [] };
  return { name: named, others: [`Rodovia ${number}`, number] };
}
