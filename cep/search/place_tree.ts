import type { Entry, Locality, Neighbourhood } from "../record/entry.ts";
import { stateFacts } from "../record/states.ts";
import { Growing } from "../util/growing.ts";
import {
  DISTRICT,
  MUNICIPALITY,
  NEIGHBOURHOOD,
  STATE,
} from "./index_layout.ts";
import { placeNames } from "./names.ts";
import type { WordTable } from "./word_table.ts";

/** Place with records. */
export interface PlaceNode {
  readonly level: number;
  readonly parent: PlaceNode | undefined;
  /**
   * Its name and alternative names. Those of a locality or neighbourhood are
   * known once it has a rank: they may be added after it.
   */
  names: readonly string[];
  /** Number in the DNE, which sorts places within the same parent. */
  readonly number: number;
  readonly children: PlaceNode[];
  /** Records in the place, but in none of its children. */
  records: number;
  /** Number of the place, in the order of the tree. */
  rank: number;
  /** Number of the place among those of records, -1 if it has none. */
  leaf: number;
}

/** Names of localities and neighbourhoods. */
export interface PlaceNames {
  readonly localities: ReadonlyMap<number, Locality>;
  readonly neighbourhoods: ReadonlyMap<number, Neighbourhood>;
  /** Alternative names by LOC_NU and BAI_NU. */
  readonly otherLocalities: ReadonlyMap<number, readonly string[]>;
  readonly otherNeighbourhoods: ReadonlyMap<number, readonly string[]>;
}

/** Places of the entries that have been added. */
export class PlaceTree {
  readonly #names: PlaceNames;
  readonly #states = new Map<string, PlaceNode>();
  readonly #localities = new Map<string, PlaceNode>();
  /** First leaf of each number; that of a locality is negative. */
  readonly #leaves = new Map<
    number,
    { readonly uf: string; readonly locality: number; readonly node: PlaceNode }
  >();
  /** Leaves with the number of another one, as only a damaged DNE has. */
  readonly #others = new Map<string, PlaceNode>();

  constructor(names: PlaceNames) {
    this.#names = names;
  }

  /** Finds or adds the innermost place of an entry. */
  find({ uf, locality, neighbourhood }: PlaceKey): PlaceNode {
    const number = neighbourhood ?? -1 - locality;
    const first = this.#leaves.get(number);
    if (first?.uf === uf && first.locality === locality) return first.node;
    const key = `${uf}${locality}/${neighbourhood}`;
    let node = this.#others.get(key);
    if (node === undefined) {
      node = this.#addLeaf({ uf, locality, neighbourhood });
      if (first === undefined) this.#leaves.set(number, { uf, locality, node });
      else this.#others.set(key, node);
    }
    return node;
  }

  #addLeaf({ uf, locality, neighbourhood }: PlaceKey): PlaceNode {
    const around = this.#findLocality(uf, locality);
    return neighbourhood === null
      ? around
      : this.#add(around, NEIGHBOURHOOD, neighbourhood);
  }

  #findLocality(uf: string, number: number): PlaceNode {
    const key = `${uf}${number}`;
    let node = this.#localities.get(key);
    if (node === undefined) {
      const locality = this.#names.localities.get(number);
      const parent = this.#parentOf(number, locality?.parent ?? null);
      node = parent === null
        ? this.#add(this.#findState(uf), MUNICIPALITY, number)
        : this.#add(this.#findLocality(uf, parent), DISTRICT, number);
      this.#localities.set(key, node);
    }
    return node;
  }

  /**
   * Returns the municipality of a district. A municipality has no parent, even
   * if a damaged DNE gives it one: two could be the parents of each other.
   */
  #parentOf(number: number, parent: number | null): number | null {
    if (parent === null || parent === number) return null;
    const above = this.#names.localities.get(parent)?.parent ?? null;
    return above === null || above === parent ? parent : null;
  }

  #findState(uf: string): PlaceNode {
    let node = this.#states.get(uf);
    if (node === undefined) {
      node = this.#create(undefined, STATE, 0);
      node.names = [uf, stateFacts(uf)?.name ?? ""];
      this.#states.set(uf, node);
    }
    return node;
  }

  /** Returns the names of a locality or neighbourhood. */
  #namesOf({ level, number }: PlaceNode): string[] {
    const [places, others] = level === NEIGHBOURHOOD
      ? [this.#names.neighbourhoods, this.#names.otherNeighbourhoods]
      : [this.#names.localities, this.#names.otherLocalities];
    const place = places.get(number);
    return place === undefined
      ? []
      : [place.name, place.abbreviation, ...others.get(number) ?? []];
  }

  #add(parent: PlaceNode, level: number, number: number): PlaceNode {
    const node = this.#create(parent, level, number);
    parent.children.push(node);
    return node;
  }

  #create(
    parent: PlaceNode | undefined,
    level: number,
    number: number,
  ): PlaceNode {
    return {
      level,
      parent,
      names: [],
      number,
      children: [],
      records: 0,
      rank: 0,
      leaf: -1,
    };
  }

  /**
   * Returns all places and gives them ranks and names: the states, then the
   * municipalities, the largest first, each before the places within it.
   * Neighbourhoods precede districts.
   */
  rankAll(): PlaceNode[] {
    const ranked: PlaceNode[] = [];
    const add = (node: PlaceNode) => {
      node.rank = ranked.length;
      if (node.level !== STATE) node.names = this.#namesOf(node);
      ranked.push(node);
    };
    const visit = (node: PlaceNode) => {
      add(node);
      node.children.sort((a, b) => b.level - a.level || a.number - b.number);
      node.children.forEach(visit);
    };
    const states = [...this.#states.values()];
    states.forEach(add);
    states.flatMap(({ children }) => children)
      .map((node) => ({ node, size: sizeOf(node) }))
      .sort((a, b) => b.size - a.size || a.node.number - b.node.number)
      .forEach(({ node }) => visit(node));
    return ranked;
  }
}

function sizeOf({ records, children }: PlaceNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), records);
}

type PlaceKey = Pick<Entry, "uf" | "locality" | "neighbourhood">;

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
