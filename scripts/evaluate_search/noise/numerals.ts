/**
 * Numerals in names: figures, words and Roman numerals.
 */
const ONES =
  ("zero um dois três quatro cinco seis sete oito nove dez onze doze " +
    "treze quatorze quinze dezesseis dezessete dezoito dezenove").split(" ");
const TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
  .split(" ");
const ROMAN_TENS = ["", "X", "XX", "XXX", "XL", "L"];
const ROMAN_ONES = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];

/** Writes a number from 1 to 99 in words. */
export function inWords(number: number): string {
  if (number < 20) return ONES[number]!;
  const tens = TENS[Math.floor(number / 10) - 2]!;
  const one = number % 10;
  return one === 0 ? tens : `${tens} e ${ONES[one]}`;
}

/** Writes a number from 1 to 59 as a Roman numeral. */
export function inRoman(number: number): string {
  return ROMAN_TENS[Math.floor(number / 10)]! + ROMAN_ONES[number % 10]!;
}

const VALUES = new Map<string, number>([["catorze", 14], ["primeiro", 1]]);
for (let number = 1; number < 100; number++) {
  VALUES.set(withoutAccents(inWords(number)), number);
}
for (let number = 2; number < 30; number++) {
  VALUES.set(inRoman(number).toLowerCase(), number);
}
// More often letters than numerals.
for (const letter of ["v", "x"]) VALUES.delete(letter);

function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}

/** Folded words, with numerals as figures without leading zeros. */
export function toFigures(words: string): string {
  const read = words.split(" ");
  const written: string[] = [];
  for (let i = 0; i < read.length; i++) {
    const three = VALUES.get(read.slice(i, i + 3).join(" "));
    const one = VALUES.get(read[i]!);
    if (three !== undefined && read.length >= i + 3) {
      written.push(`${three}`);
      i += 2;
    } else {
      written.push(
        one === undefined ? read[i]!.replace(/^0+(?=\d)/, "") : `${one}`,
      );
    }
  }
  return written.join(" ");
}

const MONTHS =
  "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro" +
  "|outubro|novembro|dezembro";
const DATE = new RegExp(`^(.+) de (${MONTHS})$`, "i");

/** Numbers that people write in words, or know as Roman numerals. */
const MOST_IN_WORDS = 31;
const KNOWN_ROMAN: ReadonlySet<number> = new Set([15, 20]);

/** Returns other ways to write the numeral of a name: none without one. */
export function otherNumerals(name: string): string[] {
  const [, start = name, month] = DATE.exec(name) ?? [];
  const key = withoutAccents(start.toLowerCase());
  const value = /^\d{1,2}$/.test(key) ? Number(key) : VALUES.get(key);
  if (value === undefined || value === 0) return popeNumerals(name);
  const others = [`${value}`];
  const isFirst = month !== undefined && value === 1;
  if (isFirst) others.push("primeiro", "1º");
  else if (value <= MOST_IN_WORDS) others.push(inWords(value));
  if (month !== undefined && !isFirst && KNOWN_ROMAN.has(value)) {
    others.push(inRoman(value));
  }
  const tail = month === undefined ? "" : ` de ${month}`;
  return others.map((it) => it + tail)
    .filter((it) => it.toLowerCase() !== name.toLowerCase());
}

/** `João XXIII` → `João 23`. */
function popeNumerals(name: string): string[] {
  const [, start, roman = ""] = /^(.+) ([IVX]{2,})$/.exec(name) ?? [];
  const value = VALUES.get(roman.toLowerCase());
  return value === undefined ? [] : [`${start} ${value}`];
}
