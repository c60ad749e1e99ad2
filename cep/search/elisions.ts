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

/** True if two words are one with an apostrophe between them. */
export function isElision(word: string, next: string): boolean {
  return ELISIONS.get(word)?.has(next) ?? false;
}
