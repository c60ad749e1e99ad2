/**
 * Numerals in names: figures, Roman numerals, and Portuguese words.
 *
 * @module
 */

const ONES = "zero|um uma|dois duas|tres|quatro|cinco|seis|sete|oito|nove|dez" +
  "|onze|doze|treze|quatorze catorze|quinze|dezesseis|dezessete|dezoito" +
  "|dezenove";
const TENS = "vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa";
const ORDINALS = "primeir|segund|terceir|quart|quint|sext|setim|oitav|non" +
  "|decim";

/** Numerals written out, by their values. */
const WRITTEN = new Map<number, string[]>();
const VALUES = new Map<string, number>();

ONES.split("|").forEach((words, value) =>
  words.split(" ").forEach((word) => write(value, word))
);
TENS.split("|").forEach((word, i) => write(10 * (i + 2), word));
write(100, "cem");
ORDINALS.split("|").forEach((stem, i) => {
  write(i + 1, `${stem}o`);
  write(i + 1, `${stem}a`);
});
for (let value = 1; value <= 60; value++) write(value, toRoman(value));

function write(value: number, word: string): void {
  WRITTEN.set(value, [...WRITTEN.get(value) ?? [], word]);
  VALUES.set(word, value);
}

function toRoman(value: number): string {
  const ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
  const tens = ["", "x", "xx", "xxx", "xl", "l", "lx"];
  return tens[Math.floor(value / 10)]! + ones[value % 10]!;
}

/** Returns the value of a numeral, `undefined` for any other word. */
export function valueOf(word: string): number | undefined {
  const figures = /^(\d{1,4})[ao]?$/.exec(word);
  return figures === null ? VALUES.get(word) : Number(figures[1]);
}

/** Returns the other forms of a numeral. */
export function otherNumerals(word: string): string[] {
  const value = valueOf(word);
  if (value === undefined) return [];
  const figures = [`${value}`, `0${value}`, `${value}a`, `${value}o`];
  return [...figures, ...WRITTEN.get(value) ?? []]
    .filter((it) => it !== word);
}

/**
 * Replaces numerals of several words, such as `vinte e cinco`, with figures.
 *
 * @returns The same array if it contains no such numeral.
 */
export function joinNumerals(words: readonly string[]): readonly string[] {
  if (!words.some(isTens)) return words;
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const tens = words[i]!;
    const next = words[i + 1] === "e" ? i + 2 : i + 1;
    const one = VALUES.get(words[next] ?? "") ?? 0;
    if (isTens(tens) && one >= 1 && one <= 9 && words[next]!.length > 1) {
      joined.push(`${VALUES.get(tens)! + one}`);
      i = next;
    } else {
      joined.push(tens);
    }
  }
  return joined.length === words.length ? words : joined;
}

const IS_TENS = new Set(TENS.split("|"));

function isTens(word: string): boolean {
  return IS_TENS.has(word);
}
