import {
  DISTRICT,
  MUNICIPALITY,
  NEIGHBOURHOOD,
  STATE,
} from "../index_layout.ts";
import { lowerBound, type SearchIndex } from "../search_index.ts";
import { NICKNAMES } from "./address_words.ts";
import { allBits, firstOf, lastOf } from "./bits.ts";
import { type Budget, WORK } from "./budget.ts";
import { COSTS } from "./costs.ts";
import type { NameMatch, NameMatcher } from "./name_matcher.ts";
import type { Query } from "./query.ts";

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
  /** Names of states, cities and districts, by the key of their rarest word. */
  readonly #localities = new Map<number, number[]>();
  /** Municipalities by state and folded name. */
  readonly #byName = new Map<string, number>();
  /** Names of municipalities in alphabetical order, and their places. */
  readonly #cityNames: (readonly [name: string, place: number])[] = [];
  readonly #states = new Map<string, number>();
  /** End of the places within each place. */
  readonly #ends: Uint32Array;

  constructor(index: SearchIndex, matcher: NameMatcher, budget: Budget) {
    this.#index = index;
    this.#budget = budget;
    this.#matcher = matcher;
    const { placeNamesOfKeys, placeNamesOfKeyStarts, placesOfPlaceNames } =
      index.arrays;
    const { placeLevels } = index.arrays;
    for (let key = 0; key < index.keyCount; key++) {
      const end = placeNamesOfKeyStarts[key + 1]!;
      const names = placeNamesOfKeys.subarray(placeNamesOfKeyStarts[key], end)
        .filter((it) => placeLevels[placesOfPlaceNames[it]!] !== NEIGHBOURHOOD);
      if (names.length > 0) this.#localities.set(key, [...names]);
    }
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
      const found = this.#cityNames.filter(([name]) => name.startsWith(start))
        .map(([, place]) => place).sort((a, b) => a - b);
      for (const place of found.slice(0, MAX_COMPLETED)) {
        yield { place, mask, cost: COSTS.completed };
      }
    }
  }

  /** Finds states, cities and districts, the most likely first. */
  findLocalities(query: Query, allowed: number): NamedPlace[] {
    const found = this.#find(
      query,
      allowed,
      (key) => this.#localities.get(key) ?? [],
    );
    query.tokens.forEach(({ text }, i) => {
      const [name, uf] = NICKNAMES.get(text) ?? [];
      const place = name && this.#byName.get(`${uf!.toLowerCase()} ${name}`);
      if (place) found.push({ place, mask: 1 << i, cost: COSTS.nickname });
    });
    found.push(...this.#complete(query));
    return this.#rank(
      query,
      found.filter(({ mask }) =>
        (mask & ~allowed) === 0 &&
        // An abbreviation alone is no city.
        (mask & mask - 1 || query.tokens[firstOf(mask)]!.text.length > 2 ||
          NICKNAMES.has(query.tokens[firstOf(mask)]!.text))
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
    const namesOf = (key: number) => {
      let start = placeNamesOfKeyStarts[key]!;
      let end = placeNamesOfKeyStarts[key + 1]!;
      if (within !== undefined) {
        const [low, high] = [within, this.#ends[within]!]
          .map((place) => placeNameStarts[place]!);
        start = lowerBound(placeNamesOfKeys, low!, start, end);
        end = lowerBound(placeNamesOfKeys, high!, start, end);
      } else if (!isExhaustive && end - start > MAX_NEIGHBOURHOODS) return [];
      return placeNamesOfKeys.subarray(start, end);
    };
    const found = this.#find(query, allowed, namesOf, NEIGHBOURHOOD);
    return this.#rank(query, found);
  }

  /** Finds the places with names that are in a query. */
  #find(
    { forms }: Query,
    allowed: number,
    namesOf: (key: number) => ArrayLike<number>,
    leastLevel = STATE,
  ): (PlaceMatch & At)[] {
    const { placesOfPlaceNames, placeLevels } = this.#index.arrays;
    const found: (PlaceMatch & At)[] = [];
    const lists = forms.flatMap(({ keys }, i) =>
      (allowed & 1 << i) === 0
        ? []
        : keys.filter(({ cost }) => cost <= MAX_FORM_COST)
          .map(({ key }) => ({ i, names: namesOf(key) }))
    );
    // Rare words first: they leave most work for the others.
    lists.sort((a, b) => a.names.length - b.names.length);
    for (const { i, names } of lists) {
      for (let j = 0; j < names.length; j++) {
        const name = names[j]!;
        const place = placesOfPlaceNames[name]!;
        if (placeLevels[place]! < leastLevel) continue;
        if (!this.#budget.spend(WORK.place)) return found;
        const match = this.#matchName(name, allowed);
        if (
          match.cost > MAX_COST || match.lacksIdentifier ||
          !match.hasRarest || (match.mask & 1 << i) === 0
        ) continue;
        found.push({ place, mask: match.mask, cost: match.cost });
      }
    }
    return found;
  }

  #matchName(name: number, allowed: number): NameMatch {
    const { placeWords, placeWordStarts: starts } = this.#index.arrays;
    const [start, end] = [starts[name]!, starts[name + 1]!];
    const isLast = true;
    return this.#matcher.match(placeWords, start, start, end, allowed, isLast);
  }

  /** Matches a place with the tokens that are left: its best name. */
  match(place: number, allowed: number): PlaceMatch | undefined {
    const { placeNameStarts } = this.#index.arrays;
    let best: PlaceMatch | undefined;
    const first = placeNameStarts[place]!;
    for (let name = first; name < placeNameStarts[place + 1]!; name++) {
      const { mask, share, hasRarest, ...match } = this.#matchName(
        name,
        allowed,
      );
      if (share < 0.5 || !hasRarest) continue;
      const cost = match.cost + (name === first ? 0 : COSTS.halfOfPlace);
      if (cost < (best?.cost ?? Infinity) - 1e-9) best = { mask, cost };
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
