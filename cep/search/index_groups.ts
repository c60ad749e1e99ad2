/**
 * Groups of an index: names of words, places of words, records of names.
 *
 * @module
 */
import { groupAll, type Groups, sortGroups } from "./columns.ts";
import type { Growing } from "./growing.ts";
import type { IndexArrays } from "./index_layout.ts";

/**
 * Returns the names of each word, in ascending order. Those of a street type
 * are left out, because it never excludes a name.
 */
export function invert(
  count: number,
  { nameWordStarts, nameWords, typeLengths }: Pick<
    IndexArrays,
    "nameWordStarts" | "nameWords" | "typeLengths"
  >,
  typeWords: ReadonlySet<number>,
): Groups {
  const seen = new Set<number>();
  const visitAll = (visit: (word: number, name: number) => void) => {
    for (let name = 0; name < typeLengths.length; name++) {
      const start = nameWordStarts[name]!;
      const end = nameWordStarts[name + 1]!;
      const typeEnd = start + typeLengths[name]!;
      seen.clear();
      for (let i = start; i < end; i++) {
        const word = nameWords[i]!;
        const isType = i < typeEnd && typeWords.has(word);
        if (isType || seen.has(word)) continue;
        seen.add(word);
        visit(word, name);
      }
    }
  };
  return groupAll(count, visitAll);
}

/** Returns the places of each word. */
export function groupPlaces(
  count: number,
  { words, places }: { readonly words: Growing; readonly places: Growing },
  newWords: Uint32Array,
): Groups {
  const groups = groupAll(count, (visit) => {
    for (let i = 0; i < words.length; i++) {
      visit(newWords[words.at(i)]!, places.at(i));
    }
  });
  words.free();
  places.free();
  return groups;
}

/** Returns the records of each name. */
export function groupRecords(
  count: number,
  { names, otherRecords, otherNames }: Pick<
    IndexArrays,
    "names" | "otherRecords" | "otherNames"
  >,
): Groups {
  const groups = groupAll(count, (visit) => {
    for (let i = 0; i < names.length; i++) visit(names[i]!, i);
    for (let i = 0; i < otherNames.length; i++) {
      visit(otherNames[i]!, otherRecords[i]!);
    }
  });
  sortGroups(groups);
  return groups;
}
