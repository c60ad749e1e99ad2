import type { Interval } from "../search_index.ts";
import { isPreposition, isWrittenType } from "../word_kinds.ts";
import type { Token } from "./tokens.ts";
import { FORM_COSTS, type Vocabulary } from "./vocabulary.ts";

/** Shortest text that is cut, and shortest piece other than a type. */
const SHORTEST = 5;
const SHORTEST_PIECE = 3;
const LONGEST_PIECE = 20;
/** Cost of each further piece, against one that is common. */
const PIECE = 0.6;

/**
 * Cuts a text that is no word into words that are: `ruafelipeschmidt`. The
 * pieces have the position of the text.
 */
export function splitGlued(token: Token, vocabulary: Vocabulary): Token[] {
  const { text } = token;
  if (text.length < SHORTEST || /\d/.test(text)) return [token];
  const { isKnown, keys: [nearest] } = vocabulary.read(text);
  if (isKnown || !vocabulary.mayLookUp()) return [token];
  // The best pieces of the first letters, and what they cost.
  const best: ({ cost: number; from: number } | undefined)[] = [
    { cost: 0, from: 0 },
  ];
  for (let from = 0; from < text.length; from++) {
    const before = best[from];
    if (before === undefined) continue;
    let words: Interval | undefined;
    const longest = Math.min(text.length, from + LONGEST_PIECE);
    for (let end = from + 1; end <= longest; end++) {
      if (from === 0 && end === text.length) break;
      const piece = text.slice(from, end);
      words = vocabulary.findPrefix(piece, words);
      const isType = from === 0 && piece.length > 1 &&
        isWrittenType(piece, true);
      const isJoint = isType || isPreposition(piece);
      if (piece.length < SHORTEST_PIECE && !isJoint) continue;
      const count = isJoint ? Infinity : vocabulary.countOfText(piece, words);
      if (count === 0) continue;
      const cost = before.cost + PIECE + 1 / Math.log2(count + 1);
      if (cost < (best[end]?.cost ?? Infinity)) best[end] = { cost, from };
    }
  }
  if (best[text.length] === undefined) return [token];
  const isMisspelt = (nearest?.cost ?? 1) <= FORM_COSTS.edited;
  const pieces: Token[] = [];
  for (let end = text.length; end > 0;) {
    const { from } = best[end]!;
    const piece = text.slice(from, end);
    const isJoint = isPreposition(piece) || isWrittenType(piece, true);
    // "Avalta" is no "Av. Alta".
    const isCertain = isJoint && piece.length >= SHORTEST_PIECE;
    if (from === 0 && isMisspelt && !isCertain) return [token];
    if (!isPreposition(piece)) {
      pieces.unshift({ ...token, text: piece, isGlued: from > 0 });
    }
    end = from;
  }
  return pieces;
}
