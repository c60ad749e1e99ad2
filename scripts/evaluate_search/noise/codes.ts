import type { Random } from "../../generate_dne/random.ts";

/** Writes a CEP with blanks, dots, letters for digits, or without its zero. */
export function slipCode(cep: string, random: Random): string {
  const [start, end] = [cep.slice(0, 5), cep.slice(5)];
  const forms = [
    `${start} ${end}`,
    `${start.slice(0, 2)}.${start.slice(2)}-${end}`,
    `${start.slice(0, 2)} ${start.slice(2)} ${end}`,
    `${start}.${end}`,
    `${start} - ${end}`,
    `cep ${start}-${end}`,
    `CEP: ${cep}`,
    `${start}-${end}.`,
  ];
  // Seven digits from a spreadsheet.
  if (cep.startsWith("0")) forms.push(cep.slice(1), cep.slice(1));
  const letters = withLetters(cep, random);
  if (letters !== undefined) {
    forms.push(letters, `${letters.slice(0, 5)}-${letters.slice(5)}`);
  }
  return random.pick(forms);
}

function withLetters(cep: string, random: Random): string | undefined {
  const can = [...cep].flatMap((digit, i) => /[01]/.test(digit) ? [i] : []);
  if (can.length === 0) return undefined;
  const at = random.pick(can);
  const letter = cep[at] === "0"
    ? random.pick(["O", "o"])
    : random.pick(["I", "l"]);
  return cep.slice(0, at) + letter + cep.slice(at + 1);
}

/** Returns a CEP with two digits swapped or one digit wrong. */
export function wrongCode(cep: string, random: Random): string {
  const at = 3 + random.int(4);
  if (cep[at] !== cep[at + 1] && random.chance(50)) {
    return cep.slice(0, at) + cep[at + 1] + cep[at] + cep.slice(at + 2);
  }
  const digit = (Number(cep[at]) + 1 + random.int(9)) % 10;
  return cep.slice(0, at) + digit + cep.slice(at + 1);
}
