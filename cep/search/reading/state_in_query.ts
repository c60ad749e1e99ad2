import { STATES } from "../../record/address.ts";
import { stateFacts } from "../../record/states.ts";
import { fold } from "../fold.ts";
import { FILLERS } from "./address_words.ts";
import type { Query } from "./query.ts";
import type { Field, Token } from "./tokens.ts";

/**
 * Finds the state: a part, its abbreviation at the end of some words, or both
 * of them.
 */
export function findState(
  tokens: readonly Token[],
  texts: Readonly<Record<Field, string>>,
  units: number,
): Pick<Query, "uf" | "stateTokens"> {
  const given = tokens.reduce(
    (mask, { field }, i) => field === "uf" ? mask | 1 << i : mask,
    0,
  );
  const uf = toUf(texts.uf);
  const written = tokens.findLastIndex((token, i) =>
    (given === 0 || token.text.toUpperCase() === uf) &&
    (units & 1 << i) === 0 && isStateAt(tokens, i, texts)
  );
  if (written < 0) return { uf, stateTokens: given };
  return {
    uf: tokens[written]!.text.toUpperCase(),
    stateTokens: given | 1 << written,
  };
}

/** Tells whether a word of free text or of a city is an abbreviation. */
function isStateAt(
  tokens: readonly Token[],
  i: number,
  texts: Readonly<Record<Field, string>>,
): boolean {
  const { text, field, start, segment, isUpperCase } = tokens[i]!;
  if (!STATES.includes(text.toUpperCase())) return false;
  if (field !== "endereco" && field !== "cidade") return false;
  const before = texts[field].slice(0, start);
  const isLast = tokens[i + 1]?.segment !== segment;
  const isAfterSign = /[/-]\s*$/.test(before);
  const isAlone = isLast && tokens[i - 1]?.segment !== segment;
  if (i === 0 && !isAlone || /\bd[aeo]s? $/i.test(before)) return false;
  return isLast &&
      (isUpperCase || isAfterSign || isAlone || isEnd(tokens, i)) ||
    isAfterSign && isUpperCase;
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
