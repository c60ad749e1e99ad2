/**
 * Words by the one before their apostrophe. Others are not joined, because `D`
 * is the name of many streets: `Rua D, Atibaia`.
 */
const ELISIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "d",
    new Set(
      `abadia abreu agostini agostino agosto agua aguas ajuda alessandro alho
        alincourt alva ambrosio amico andrea angelo anta antas anunciacao aquino
        arc artagnan assumpcao avila avilla elboux eca estaing este eu incao
        italia oeste oliveira onofrio orbigny ornelas ornellas orto ouro urso`
        .split(/\s+/),
    ),
  ],
  [
    "sant",
    new Set(
      "ago ana anna andrea angelo elena elia eli elmo helena iago".split(" "),
    ),
  ],
]);

const BEFORE = Array.from(
  ELISIONS.keys(),
  (word) => new TextEncoder().encode(word),
);

/** True for the letters of a word that may have an apostrophe after it. */
export function isElided(
  letters: Uint8Array,
  start: number,
  end: number,
): boolean {
  for (const word of BEFORE) {
    if (word.length !== end - start) continue;
    if (word.every((letter, i) => letters[start + i] === letter)) return true;
  }
  return false;
}

/** True if two words are one with an apostrophe between them. */
export function isElision(word: string, next: string): boolean {
  return ELISIONS.get(word)?.has(next) ?? false;
}
