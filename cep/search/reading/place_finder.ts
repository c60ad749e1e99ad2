import {
  DISTRICT,
  MUNICIPALITY,
  NEIGHBOURHOOD,
  STATE,
} from "../index_layout.ts";
import type { SearchIndex } from "../search_index.ts";
import { bisect, lowerBound } from "../../util/bisect.ts";
import { NICKNAMES } from "./address_words.ts";
import { allBits, firstOf, lastOf } from "./bits.ts";
import type { Query } from "./query.ts";
import { type Budget, WORK } from "./budget.ts";
import { COSTS } from "./costs.ts";
import type { NameMatch, NameMatcher } from "./name_matcher.ts";

/** Place that an address names. */
export interface NamedPlace {
  readonly place: number;
  readonly level: number;
  /** Tokens of its name. */
  readonly mask: number;
  readonly cost: number;
  /** The higher, the more likely the place is meant. */
  readonly score: number;
}

/** Highest cost of the name of a place: one letter wrong. */
const MAX_COST = 1.25;
/** Most words of a name that is being typed, and most cities with them. */
const MAX_TYPED = 4;
const MAX_COMPLETED = 3;
/** Most names of neighbourhoods with a rare word that are tried. */
const MAX_NEIGHBOURHOODS = 120;

/** Highest cost of a word by which a name is looked up. */
const MAX_FORM_COST = 0.6;

/** Words of an address that are the name of a place. */
export type PlaceMatch = Pick<NameMatch, "mask" | "cost">;

interface At {
  readonly place: number;
}

/** Names of places by the keys of their words. */
interface NamesOfKeys {
  readonly names: Uint32Array;
  /** First name of each key, and the end. */
  readonly starts: Uint32Array;
}

/** Levels of places other than neighbourhoods. */
const LOCALITIES: readonly number[] = [STATE, MUNICIPALITY, DISTRICT];

/** Names to try: from `low` to before `high`, and at most so many of a word. */
const ALL_NAMES = { low: 0, high: Infinity, most: Infinity };

/** Options of {@linkcode PlaceFinder.findNeighbourhoods}. */
export interface NeighbourhoodOptions {
  /** Place around them, `undefined` for any. */
  readonly within?: number;
  /** True to find neighbourhoods with common names, too. */
  readonly isExhaustive?: boolean;
}

/** Finds the names of places in the words of a query. */
export class PlaceFinder {
  readonly #index: SearchIndex;
  readonly #matcher: NameMatcher;
  readonly #budget: Budget;
  /** Names of states, cities and districts. */
  readonly #localityNames: NamesOfKeys;
  /** Municipalities by state and folded name. */
  readonly #byName = new Map<string, number>();
  /** Names of municipalities in alphabetical order, and their places. */
  readonly #cityNames: (readonly [name: string, place: number])[] = [];
  readonly #states = new Map<string, number>();
  /** End of the places within each place. */
  readonly #ends: Uint32Array;
  /** Number of the last search that has tried each name. */
  readonly #searchOf: Uint32Array;
  #searches = 0;

  constructor(index: SearchIndex, matcher: NameMatcher, budget: Budget) {
    this.#index = index;
    this.#budget = budget;
    this.#matcher = matcher;
    const { placeLevels, placesOfPlaceNames } = index.arrays;
    this.#searchOf = new Uint32Array(placesOfPlaceNames.length);
    this.#localityNames = namesOfLocalities(index);
    this.#ends = new Uint32Array(placeLevels.length);
    // Next place of each level, or of a level above it.
    const next = new Uint32Array(NEIGHBOURHOOD + 1).fill(placeLevels.length);
    for (let place = placeLevels.length - 1; place >= 0; place--) {
      const level = placeLevels[place]!;
      this.#ends[place] = next[level]!;
      next.fill(place, level);
      const name = index.placeName(place);
      if (level === STATE) this.#states.set(name, place);
      if (level !== MUNICIPALITY) continue;
      this.#byName.set(
        `${index.placeName(index.stateOf(place))} ${name}`,
        place,
      );
      this.#cityNames.push([name, place]);
    }
    this.#cityNames.sort(([a], [b]) => a < b ? -1 : Number(a > b));
  }

  /** Returns the place of a state, `undefined` if it has no records. */
  stateOf(uf: string): number | undefined {
    return this.#states.get(uf.toLowerCase());
  }

  /** True if a place is in a state. */
  isIn(place: number, uf: string): boolean {
    return this.#index.stateOf(place) === this.stateOf(uf);
  }

  /** Returns the abbreviation of a state. */
  ufOf(state: number): string {
    return this.#index.placeName(state).toUpperCase();
  }

  /**
   * Finds the largest cities whose names begin with the last words of a text
   * that is being typed.
   */
  *#complete({ tokens, forms }: Query): Generator<PlaceMatch & At> {
    const last = tokens.length - 1;
    if (last < 1 || forms[last]!.completions === undefined) return;
    let [start, mask] = ["", 0];
    for (let i = last; i > 0 && i > last - MAX_TYPED; i--) {
      start = `${tokens[i]!.text}${i === last ? "" : " "}${start}`;
      mask |= 1 << i;
      const found = this.#citiesThatBegin(start).sort((a, b) => a - b);
      for (const place of found.slice(0, MAX_COMPLETED)) {
        yield { place, mask, cost: COSTS.completed };
      }
    }
  }

  #citiesThatBegin(start: string): number[] {
    const names = this.#cityNames;
    const found: number[] = [];
    let i = bisect(names.length, (i) => names[i]![0] < start);
    for (; names[i]?.[0].startsWith(start); i++) {
      found.push(names[i]![1]);
    }
    return found;
  }

  /** Finds states by their names, the most likely first. */
  findStates(query: Query, allowed: number): NamedPlace[] {
    const found = this.#find(query, allowed, this.#localityNames, [STATE]);
    return this.#rank(query, found.filter((it) => isLongEnough(query, it)));
  }

  /** Finds states, cities and districts, the most likely first. */
  findLocalities(query: Query, allowed: number): NamedPlace[] {
    const found = this.#find(query, allowed, this.#localityNames, LOCALITIES);
    query.tokens.forEach(({ text }, i) => {
      const [name, uf] = NICKNAMES.get(text) ?? [];
      const place = name && this.#byName.get(`${uf!.toLowerCase()} ${name}`);
      if (place) found.push({ place, mask: 1 << i, cost: COSTS.nickname });
    });
    found.push(...this.#complete(query));
    return this.#rank(
      query,
      found.filter((it) =>
        (it.mask & ~allowed) === 0 && isLongEnough(query, it)
      ),
    );
  }

  /** Finds neighbourhoods in a place, or anywhere if their names are rare. */
  findNeighbourhoods(
    query: Query,
    allowed: number,
    { within, isExhaustive = false }: NeighbourhoodOptions = {},
  ): NamedPlace[] {
    const { placeNamesOfKeys, placeNamesOfKeyStarts, placeNameStarts } =
      this.#index.arrays;
    const all = { names: placeNamesOfKeys, starts: placeNamesOfKeyStarts };
    const [low, high] = within === undefined
      ? [0, Infinity]
      : [placeNameStarts[within]!, placeNameStarts[this.#ends[within]!]!];
    const most = within === undefined && !isExhaustive
      ? MAX_NEIGHBOURHOODS
      : Infinity;
    const found = this.#find(query, allowed, all, [NEIGHBOURHOOD], {
      low,
      high,
      most,
    });
    return this.#rank(query, found);
  }

  /** Finds the places with names that are in a query. */
  #find(
    { forms }: Query,
    allowed: number,
    { names, starts }: NamesOfKeys,
    levels: readonly number[],
    { low, high, most } = ALL_NAMES,
  ): (PlaceMatch & At)[] {
    const { placesOfPlaceNames, placeLevels } = this.#index.arrays;
    const found: (PlaceMatch & At)[] = [];
    const search = ++this.#searches;
    const lists: { i: number; start: number; end: number }[] = [];
    for (let rest = allowed; rest !== 0; rest &= rest - 1) {
      const i = firstOf(rest);
      for (const { key, cost } of forms[i]!.keys) {
        if (cost > MAX_FORM_COST) break;
        let [start, end] = [starts[key]!, starts[key + 1]!];
        if (low > 0) start = lowerBound(names, low, start, end);
        if (high < Infinity) end = lowerBound(names, high, start, end);
        if (start < end && end - start <= most) lists.push({ i, start, end });
      }
    }
    // Rare words first: they leave most work for the others.
    lists.sort((a, b) => a.end - a.start - (b.end - b.start));
    for (const { i, start, end } of lists) {
      for (let j = start; j < end; j++) {
        const name = names[j]!;
        // It was tried by another of its words.
        if (this.#searchOf[name] === search) continue;
        const place = placesOfPlaceNames[name]!;
        if (!levels.includes(placeLevels[place]!)) continue;
        if (!this.#budget.spend(WORK.place)) return found;
        const { mask, cost, lacksIdentifier, hasRarest } = this.#matchName(
          name,
          allowed,
        );
        const isOther = cost > MAX_COST || lacksIdentifier || !hasRarest;
        if (!isOther && (mask & 1 << i) === 0) continue;
        this.#searchOf[name] = search;
        if (!isOther) found.push({ place, mask, cost });
      }
    }
    return found;
  }

  #matchName(name: number, allowed: number): NameMatch {
    const { placeWords: words, placeWordStarts: starts } = this.#index.arrays;
    const [from, end] = [starts[name]!, starts[name + 1]!];
    const isLast = true;
    return this.#matcher
      .match({ words, from, typeEnd: from, end }, allowed, isLast);
  }

  /** Matches a place with the tokens that are left: its best name. */
  match(place: number, allowed: number): PlaceMatch | undefined {
    const { placeNameStarts } = this.#index.arrays;
    let best: PlaceMatch | undefined;
    const first = placeNameStarts[place]!;
    for (let name = first; name < placeNameStarts[place + 1]!; name++) {
      const match = this.#matchName(name, allowed);
      if (match.share < 0.5 || !match.hasRarest) continue;
      const cost = match.cost + (name === first ? 0 : COSTS.halfOfPlace);
      if (cost < (best?.cost ?? Infinity) - 1e-9) {
        best = { mask: match.mask, cost };
      }
    }
    return best;
  }

  /** Returns each place once, the most likely first. */
  #rank(query: Query, found: readonly (PlaceMatch & At)[]): NamedPlace[] {
    const best = new Map<number, NamedPlace>();
    for (const it of found) {
      const named = this.#score(query, it);
      if (named.score > (best.get(it.place)?.score ?? -Infinity)) {
        best.set(it.place, named);
      }
    }
    return [...best.values()].sort((a, b) =>
      b.score - a.score || a.place - b.place
    );
  }

  #score(query: Query, { place, mask, cost }: PlaceMatch & At): NamedPlace {
    const { tokens, types, stateTokens, fillers } = query;
    const level = this.#index.arrays.placeLevels[place]!;
    const [first, last] = [firstOf(mask), lastOf(mask)];
    let score = -cost;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      score += 0.4 + query.forms[firstOf(rest)]!.weight;
    }
    if (mask & query.fields.cidade) score += 2;
    // "Rua Campinas" is not Campinas.
    if (types & 1 << first - 1) score -= 1.5;
    const before = tokens[first - 1];
    if (before && before.segment !== tokens[first]!.segment) score += 0.3;
    // The city is at the end, or before its state.
    const after = allBits(tokens.length) & ~allBits(last + 1);
    const isLast = (after & ~(stateTokens | fillers)) === 0;
    if (isLast || stateTokens & 2 << last) score += 1.5;
    if (level !== STATE) {
      if (query.uf !== "") score += this.isIn(place, query.uf) ? 1 : -0.5;
      if (level === DISTRICT) score -= 0.5;
      score += COSTS.size * (20 - this.#index.sizeRanks[place]!);
    }
    return { place, level, mask, cost, score };
  }
}

/** Returns the names of places other than neighbourhoods. */
function namesOfLocalities(index: SearchIndex): NamesOfKeys {
  const { placeNamesOfKeys, placeNamesOfKeyStarts, placesOfPlaceNames } =
    index.arrays;
  const { placeLevels } = index.arrays;
  const names: number[] = [];
  const starts = new Uint32Array(index.keyCount + 1);
  for (let key = 0; key < index.keyCount; key++) {
    const end = placeNamesOfKeyStarts[key + 1]!;
    for (let i = placeNamesOfKeyStarts[key]!; i < end; i++) {
      const name = placeNamesOfKeys[i]!;
      const level = placeLevels[placesOfPlaceNames[name]!]!;
      if (LOCALITIES.includes(level)) names.push(name);
    }
    starts[key + 1] = names.length;
  }
  return { names: Uint32Array.from(names), starts };
}

/** False for an abbreviation alone, which is no place: `SP`. */
function isLongEnough({ tokens }: Query, { mask }: PlaceMatch): boolean {
  if (mask & mask - 1) return true;
  const { text } = tokens[firstOf(mask)]!;
  return text.length > 2 || NICKNAMES.has(text);
}
