/**
 * Columns of the places of an index.
 *
 * @module
 */
import { Growing } from "./growing.ts";
import { STATE } from "./index_layout.ts";
import { placeWords } from "./names.ts";
import type { PlaceNode, PlaceTree } from "./place_tree.ts";

/**
 * Ranks the places of a tree, and lists them and the words of their names, by
 * the numbers before the words are sorted.
 *
 * @param wordOf Returns the number of a word, also of a new one.
 */
export function toPlaceColumns(
  tree: PlaceTree,
  wordOf: (word: string) => number,
) {
  const nodes = tree.rankAll();
  const placeStarts = new Uint32Array(nodes.length);
  const placeEnds = new Uint32Array(nodes.length);
  let next = 0;
  nodes.forEach((node, rank) => {
    placeStarts[rank] = next;
    next += node.records;
    placeEnds[rank] = next;
  });
  for (const { rank, parent } of nodes.toReversed()) {
    if (parent === undefined || parent.level === STATE) continue;
    placeEnds[parent.rank] = Math.max(
      placeEnds[parent.rank]!,
      placeEnds[rank]!,
    );
  }
  const texts = toTexts(nodes, wordOf);
  return {
    arrays: {
      placeLevels: Uint8Array.from(nodes, ({ level }) => level),
      placeParents: Uint32Array.from(
        nodes,
        ({ parent, rank }) => parent?.rank ?? rank,
      ),
      placeStarts,
      placeEnds,
      ...texts.arrays,
    },
    pairs: texts.pairs,
  };
}

/** Lists the words of the names of places, and each word of a place once. */
function toTexts(
  nodes: readonly PlaceNode[],
  wordOf: (word: string) => number,
) {
  const placeNameStarts = new Uint32Array(nodes.length + 1);
  const placeWordStarts = new Growing();
  const placeWords = new Growing();
  const pairs = { words: new Growing(), places: new Growing() };
  const seen = new Set<number>();
  nodes.forEach(({ names }, place) => {
    seen.clear();
    for (const name of distinct(names, wordOf)) {
      placeWordStarts.push(placeWords.length);
      for (const word of name) {
        placeWords.push(word);
        if (seen.has(word)) continue;
        seen.add(word);
        pairs.words.push(word);
        pairs.places.push(place);
      }
    }
    placeNameStarts[place + 1] = placeWordStarts.length;
  });
  placeWordStarts.push(placeWords.length);
  return {
    pairs,
    arrays: {
      placeNameStarts,
      placeWords: placeWords.all,
      placeWordStarts: placeWordStarts.all,
    },
  };
}

/** Returns the words of distinct names. */
function distinct(
  names: readonly string[],
  wordOf: (word: string) => number,
): Iterable<number[]> {
  const distinct = new Map<string, number[]>();
  for (const name of names) {
    const words = placeWords(name).map(wordOf);
    if (words.length > 0) distinct.set(words.join(), words);
  }
  return distinct.values();
}
