import type { Random } from "../../generate_dne/random.ts";

/** Writes a unit of a building: `apto 12 bloco B`, `fundos`. */
export function unit(random: Random): string {
  return random.chance(75) ? numberedUnit(random) : random.pick([
    `${random.int(12) + 1}º andar`,
    "fundos",
    "fds",
    "frente",
    "sobrado",
  ]);
}

/** Writes a unit with a number: `apto 12`. */
export function numberedUnit(random: Random): string {
  const number = 1 + random.int(40);
  const flat = (1 + random.int(18)) * 100 + 1 + random.int(8);
  const block = random.pick(["A", "B", "C", "1", "2", "3"]);
  const house = 1 + random.int(9);
  return random.pick([
    `apto ${flat}`,
    `ap ${flat}`,
    `apt. ${flat}`,
    `apartamento ${flat}`,
    `apto ${flat} bloco ${block}`,
    `bloco ${block} apto ${flat}`,
    `bl ${block} ap ${flat}`,
    `sala ${flat}`,
    `sl ${number}`,
    `loja ${number}`,
    `casa ${house}`,
    `cs ${house}`,
  ]);
}

/** Writes the plot of a house: `qd 10 lt 5`. */
export function plot(random: Random): string {
  const quadra = random.chance(80)
    ? `${1 + random.int(60)}`
    : random.pick(["A", "B", "C", "D", "H"]);
  const lote = 1 + random.int(40);
  return random.pick([
    `qd ${quadra} lt ${lote}`,
    `quadra ${quadra} lote ${lote}`,
    `qd. ${quadra} lt. ${lote}`,
    `Q ${quadra} L ${lote}`,
    `qd ${quadra}, lt ${lote}`,
    `quadra ${quadra}, lote ${lote}`,
  ]);
}

/** Writes the part of a member `numero` that has more than the number. */
export function numberWithUnit(number: string, random: Random): string {
  return random.pick([
    `${number} fundos`,
    `${number} apto ${1 + random.int(30)}`,
    `${number} casa ${1 + random.int(9)}`,
    `${number} A`,
    `${number}-A`,
    `nº ${number}`,
    `n. ${number}`,
    `Lote ${number}`,
    `${number}/${100 + random.int(900)}`,
  ]);
}
