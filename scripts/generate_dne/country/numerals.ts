const UNITS = ["", "Um", "Dois", "Três", "Quatro", "Cinco", "Seis", "Sete"]
  .concat(["Oito", "Nove", "Dez", "Onze", "Doze", "Treze", "Quatorze"])
  .concat(["Quinze", "Dezesseis", "Dezessete", "Dezoito", "Dezenove"]);
const TENS = ["", "", "Vinte", "Trinta", "Quarenta", "Cinquenta", "Sessenta"]
  .concat(["Setenta", "Oitenta", "Noventa"]);

/** Returns a number from 1 to 99 in words, as on street signs. */
export function inWords(number: number): string {
  if (number < 20) return UNITS[number]!;
  const tens = TENS[Math.floor(number / 10)]!;
  const unit = UNITS[number % 10]!;
  return unit ? `${tens} e ${unit}` : tens;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns the letter of a number from 1 to 26. */
export function letter(number: number): string {
  return ALPHABET.charAt((number - 1) % ALPHABET.length);
}
