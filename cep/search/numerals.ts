const ONES = "zero|um uma|dois duas|tres|quatro|cinco|seis|sete|oito|nove|dez" +
  "|onze|doze|treze|quatorze catorze|quinze|dezesseis|dezessete|dezoito" +
  "|dezenove";
const TENS = "vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa";
const HUNDREDS = "cem cento|duzent|trezent|quatrocent|quinhent|seiscent" +
  "|setecent|oitocent|novecent";
const ORDINALS = "primeir|segund|terceir|quart|quint|sext|setim|oitav|non" +
  "|decim";

/** Values of the numerals that are written out, up to a hundred. */
const VALUES = new Map<string, number>();

ONES.split("|").forEach((words, value) =>
  words.split(" ").forEach((word) => write(value, word))
);
TENS.split("|").forEach((word, i) => write(10 * (i + 2), word));
const CARDINALS = new Map(VALUES).set("mil", 1000);
HUNDREDS.split("|").forEach((words, i) => {
  const spellings = i === 0 ? words.split(" ") : [`${words}os`, `${words}as`];
  spellings.forEach((word) => CARDINALS.set(word, 100 * (i + 1)));
});
write(100, "cem");
ORDINALS.split("|").forEach((stem, i) => {
  write(i + 1, `${stem}o`);
  write(i + 1, `${stem}a`);
});
for (let value = 1; value <= 60; value++) write(value, toRoman(value));

function write(value: number, word: string): void {
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

/** Returns the numerals that are written out, without Roman ones. */
export function listNumerals(): string[] {
  return [...VALUES.keys()].filter((word) => !/^[ivxl]+$/.test(word));
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
    const sum = sumOfNumerals(tens, words[next] ?? "");
    if (sum !== undefined) {
      joined.push(`${sum}`);
      i = next;
    } else {
      joined.push(tens);
    }
  }
  return joined.length === words.length ? words : joined;
}

/**
 * Returns the value of a numeral of two words, such as `vinte` and `cinco`;
 * `undefined` for any other words.
 */
export function sumOfNumerals(tens: string, ones: string): number | undefined {
  const one = VALUES.get(ones) ?? 0;
  return isTens(tens) && one >= 1 && one <= 9 && ones.length > 1
    ? VALUES.get(tens)! + one
    : undefined;
}

/** True for a word of a cardinal number. */
export function isCardinal(word: string): boolean {
  return CARDINALS.has(word);
}

/**
 * Returns the value of the words of a number below a million, such as `mil`,
 * `duzentos` and `dois`; `undefined` for any other words.
 */
export function valueOfWords(words: readonly string[]): number | undefined {
  let [sum, group, limit] = [0, 0, 1000];
  for (const word of words) {
    const value = CARDINALS.get(word) ?? 0;
    if (value === 1000 && sum === 0) {
      sum = 1000 * (group || 1);
      [group, limit] = [0, 1000];
    } else if (value > 0 && value < limit) {
      group += value;
      limit = value >= 100 ? 100 : value >= 20 ? 10 : 0;
    } else return undefined;
  }
  return words.length === 0 ? undefined : sum + group;
}

const IS_TENS = new Set(TENS.split("|"));

function isTens(word: string): boolean {
  return IS_TENS.has(word);
}
