import { Growing } from "../util/growing.ts";
import { STATE } from "./index_layout.ts";
import { placeNames } from "./names.ts";
import type { PlaceNode, PlaceTree } from "./place_tree.ts";
import type { WordTable } from "./word_table.ts";

/**
 * Ranks the places of a tree, and lists them and the words of their names, by
 * the numbers before the words are sorted.
 *
 * @param words Words of the index, to which those of places are added.
 */
export function toPlaceColumns(tree: PlaceTree, words: WordTable) {
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
  return {
    placeLevels: Uint8Array.from(nodes, ({ level }) => level),
    placeParents: Uint32Array.from(
      nodes,
      ({ parent, rank }) => parent?.rank ?? rank,
    ),
    placeStarts,
    placeEnds,
    ...toTexts(nodes, words),
  };
}

/** Lists the words of the names of places. */
function toTexts(nodes: readonly PlaceNode[], table: WordTable) {
  const placeNameStarts = new Uint32Array(nodes.length + 1);
  const placesOfPlaceNames = new Growing();
  const placeWordStarts = new Growing();
  const words = new Growing();
  // Many places share their names, such as `Centro`.
  const known = new Map<string, number[][]>();
  const wordsOf = (name: string): number[][] => {
    let words = known.get(name);
    if (words === undefined) {
      words = placeNames(name).map((it) => table.wordsOf(it))
        .filter(({ length }) => length > 0);
      known.set(name, words);
    }
    return words;
  };
  nodes.forEach(({ names }, place) => {
    for (const name of distinct([...new Set(names)].flatMap(wordsOf))) {
      placesOfPlaceNames.push(place);
      placeWordStarts.push(words.length);
      for (const word of name) words.push(word);
    }
    placeNameStarts[place + 1] = placeWordStarts.length;
  });
  placeWordStarts.push(words.length);
  return {
    placeNameStarts,
    placesOfPlaceNames: placesOfPlaceNames.all,
    placeWords: words.all,
    placeWordStarts: placeWordStarts.all,
  };
}

/** Returns the distinct sequences of words, in order. */
function distinct(names: readonly number[][]): Iterable<number[]> {
  return names.length < 2
    ? names
    : new Map(names.map((words) => [words.join(), words])).values();
}
