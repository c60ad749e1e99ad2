import { Choices } from "../zipf.ts";

/** Types of streets everywhere, by frequency. */
const USUAL: readonly (readonly [string, number])[] = [
  ["Rua", 770],
  ["Avenida", 68],
  ["Travessa", 55],
  ["Alameda", 14],
  ["Praça", 14],
  ["Estrada", 14],
  ["Beco", 9],
  ["Viela", 7],
  ["Rodovia", 5],
  ["1ª Travessa", 4],
  ["2ª Travessa", 3],
  ["3ª Travessa", 1],
  ["Acesso", 4],
  ["Caminho", 4],
  ["Via", 4],
  ["Largo", 2],
  ["Passagem", 2],
  ["Estrada Municipal", 3],
  ["Quadra", 2],
  ["Vila", 2],
  ["Ladeira", 2],
  ["Escadaria", 1],
  ["Parque", 1],
  ["Condomínio", 1],
];

/** Types that are more frequent in a state. */
const LOCAL: Readonly<Record<string, readonly (readonly [string, number])[]>> =
  {
    AM: [["Beco", 90]],
    BA: [
      ["Travessa", 60],
      ["1ª Travessa", 40],
      ["2ª Travessa", 25],
      ["3ª Travessa", 12],
      ["4ª Travessa", 5],
      ["Ladeira", 12],
    ],
    CE: [["Vila", 25], ["Travessa", 20]],
    MG: [["Beco", 25]],
    PA: [["Passagem", 140], ["Travessa", 50], ["Alameda", 40]],
    PE: [["1ª Travessa", 25], ["2ª Travessa", 15], ["Córrego", 5]],
    RJ: [["Estrada", 25], ["Ladeira", 5], ["Caminho", 8]],
    SC: [["Servidão", 70]],
    SP: [["Viela", 20], ["Praça", 15], ["Estrada Municipal", 8]],
  };

/** Returns the types of a state. */
export function streetTypes(uf: string): Choices<string> {
  return new Choices([...USUAL, ...(LOCAL[uf] ?? [])]);
}

/** `1ª Travessa`, of a street that has the same name. */
export const ORDINAL = /^\dª /;
