import { otherForms } from "./abbreviations.ts";
import { fold } from "./fold.ts";
import { NAMELESS } from "./index_layout.ts";
import type { Interval, SearchIndex } from "./search_index.ts";
import { isWrittenType, withoutPrepositions } from "./word_kinds.ts";

/**
 * Lists the streets in some intervals that contain the words of a text: in any
 * order, each of them complete, cut off or in another form. A street type counts
 * only if the text has no other words. Names without further words come first,
 * then those with a lower CEP.
 */
export function listStreets(
  index: SearchIndex,
  text: string,
  within: readonly Interval[],
): number[] {
  const words = withoutPrepositions(fold(text));
  const names = words.filter((word, i) => !isWrittenType(word, i === 0));
  const wanted = (names.length > 0 ? names : words)
    .map((word) => wordsOf(index, word));
  if (wanted.length === 0) return [];
  const { names: nameOf, nameWords, nameWordStarts, typeLengths, ceps } =
    index.arrays;
  const found: { record: number; extra: number; cep: number }[] = [];
  for (const [start, end] of within) {
    for (let record = start; record < end; record++) {
      const name = nameOf[record]!;
      if (name === NAMELESS) continue;
      const first = nameWordStarts[name]!;
      const last = nameWordStarts[name + 1]!;
      const hasAll = wanted.every((isWanted) => {
        for (let i = first; i < last; i++) {
          if (isWanted(nameWords[i]!)) return true;
        }
        return false;
      });
      if (!hasAll) continue;
      const extra = last - first - typeLengths[name]! - names.length;
      found.push({ record, extra: Math.max(extra, 0), cep: ceps[record]! });
    }
  }
  return found.sort((a, b) => a.extra - b.extra || a.cep - b.cep)
    .map(({ record }) => record);
}

/** Returns the test for the words that a text begins, or has in another form. */
function wordsOf(
  index: SearchIndex,
  text: string,
): (word: number) => boolean {
  const [start, end] = index.findPrefix(text);
  const others = new Set(otherForms(text).map((it) => index.findWord(it)));
  return (word) => start <= word && word < end || others.has(word);
}
