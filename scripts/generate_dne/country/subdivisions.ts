import type { Random } from "../random.ts";
import { Choices } from "../zipf.ts";
import type { NeighbourhoodNames } from "./neighbourhood_names.ts";

const FORMS = new Choices<string>([
  ["Lot", 52],
  ["Res", 14],
  ["Cj", 12],
  ["Vl", 6],
  ["Jd", 5],
  ["Pq", 3],
  ["Cj Res", 3],
  ["Cond", 3],
  ["Ch", 1],
  ["Lot Res", 1],
]);
const WHOLE = new Choices<string>([
  ["(Zona Rural)", 3],
  ["(1º Distrito)", 1],
  ["(2º Distrito)", 1],
  ["(Vila São Pedro)", 1],
]);

/** Draws a complement such as `(Lot Esplanada do Farol)`. */
export function subdivision(random: Random, names: NeighbourhoodNames): string {
  if (random.chance(3)) return WHOLE.pick(random);
  const name = names.draw().replace(
    /^(?:Jardim|Vila|Parque|Residencial|Loteamento|Conjunto(?: Habitacional)?|Setor) /,
    "",
  );
  return `(${FORMS.pick(random)} ${name})`;
}
