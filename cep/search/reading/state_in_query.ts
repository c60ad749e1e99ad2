import { STATES } from "../../record/address.ts";
import { stateFacts } from "../../record/states.ts";
import { fold } from "../fold.ts";
import { FILLERS } from "./address_words.ts";
import type { Query } from "./query.ts";
import type { Field, Token } from "./tokens.ts";

/** Finds the state: a part, or its abbreviation at the end of some words. */
export function findState(
  tokens: readonly Token[],
  texts: Readonly<Record<Field, string>>,
  units: number,
): Pick<Query, "uf" | "stateTokens"> {
  const given = tokens.flatMap(({ field }, i) => field === "uf" ? [i] : []);
  if (given.length > 0) {
    const stateTokens = given.reduce((mask, i) => mask | 1 << i, 0);
    return { uf: toUf(texts.uf), stateTokens };
  }
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { text, field, start, segment, isUpperCase } = tokens[i]!;
    const uf = text.toUpperCase();
    if (text.length !== 2 || !STATES.includes(uf)) continue;
    if (field !== "endereco" && field !== "cidade" || units & 1 << i) continue;
    const before = texts[field].slice(0, start);
    const next = tokens[i + 1];
    const isLast = next?.segment !== segment;
    const isAfterSign = /[/-]\s*$/.test(before);
    const isAlone = isLast && tokens[i - 1]?.segment !== segment;
    if (i === 0 && !isAlone) continue;
    if (/\bd[aeo]s? $/i.test(before)) continue;
    if (
      isLast && (isUpperCase || isAfterSign || isAlone || isEnd(tokens, i)) ||
      isAfterSign && isUpperCase
    ) return { uf, stateTokens: 1 << i };
  }
  return { uf: "", stateTokens: 0 };
}

function isEnd(tokens: readonly Token[], i: number): boolean {
  return tokens.slice(i + 1).every(({ text }) => FILLERS.has(text));
}

const STATE_NAMES: ReadonlyMap<string, string> = new Map(
  STATES.map((uf) => [fold(stateFacts(uf)!.name).join(" "), uf]),
);

/**
 * Returns the abbreviation of a state, from it or from the name, in any letter
 * case; `""` for any other text.
 */
function toUf(text: string): string {
  const uf = text.trim().toUpperCase();
  return STATES.includes(uf) ? uf : STATE_NAMES.get(fold(text).join(" ")) ?? "";
}
