import { fold } from "./fold.ts";
import { withoutPrepositions } from "./word_kinds.ts";

/** Complements of numbers or a side only, as the DNE usually writes them. */
const WITHOUT_WORDS =
  /^(?:- )?(?:(?:até|de) [\d/]+(?: a [\d/]+| ao fim)?)?(?: ?- )?(?:lado (?:ímpar|par))?$/;

/** Folded clause of numbers or a side, also one that is cut off. */
const STRETCH_CLAUSE =
  /^(?:(?:ate|d[eo])(?: (?:o|ao?|ate|km|fim?|\d+))+|lado(?: [pide]\w*)?)$/;

/**
 * Returns the words of a complement that are neither numbers nor a side.
 *
 * ```text
 * de 1001/1002 ao fim (Cj Ceará)  ->  cj ceara
 * ```
 */
export function complementWords(complement: string): string[] {
  if (WITHOUT_WORDS.test(complement)) return [];
  return complement.split(/\s-|-\s|[()]/).flatMap((clause) => {
    const words = fold(clause);
    return STRETCH_CLAUSE.test(words.join(" "))
      ? []
      : withoutPrepositions(words);
  });
}
