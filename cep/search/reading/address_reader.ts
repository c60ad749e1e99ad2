import { lowerBound } from "../../util/bisect.ts";
import { NEIGHBOURHOOD, STATE } from "../index_layout.ts";
import { intersect, type Interval, type SearchIndex } from "../search_index.ts";
import type { Stretches } from "../stretches.ts";
import { Aligner, type Alignment } from "./alignment.ts";
import { Budget, WORK } from "./budget.ts";
import { type CandidateOptions, Candidates } from "./candidates.ts";
import { NameMatcher } from "./name_matcher.ts";
import { type NamedPlace, PlaceFinder } from "./place_finder.ts";
import { allBits, countBits, firstOf, lastOf } from "./bits.ts";
import type { GivenAddress, Query } from "./query.ts";
import { readQuery } from "./read_query.ts";
import { FORM_COSTS, type Forms, Vocabulary } from "./vocabulary.ts";

/** Cities that an address may name, at most, and how much less likely. */
const MAX_CITIES = 6;
const LESS_LIKELY = 2;
/** Cost below which all words of a city are there, one after another. */
const WHOLE = 0.2;
/** Cost above which words that occur are corrected, too. */
const POOR = 1.4;
/** Share of the budget with which they are. */
const ENOUGH = 0.3;
/** Neighbourhoods that come first among equal records. */
const MAX_PREFERRED = 6;

/** Most streets of nearly the same name. */
const MAX_TWINS = 10;

/** Options of {@linkcode AddressReader.read}. */
export interface ReadOptions {
  /** Records to choose from, `undefined` for all. */
  readonly within?: readonly Interval[] | undefined;
  /** CEP that replaced that of the address. */
  readonly successor?: string | undefined;
  /** Maximum number of candidates. */
  readonly limit: number;
  /** True to read only the cities that are named, if there are any. */
  readonly isNearOnly?: boolean;
  /** True to find records by any word of their names. */
  readonly isLoose?: boolean;
  /** True to list other records, too, if one is certainly meant. */
  readonly isExhaustive?: boolean;
}

/** Address as it was read. */
export interface AddressReading {
  readonly query: Query;
  /** Records, the one that is most likely meant first. */
  readonly found: readonly Alignment[];
  /** City that the address most likely names. */
  readonly city: NamedPlace | undefined;
}

/** One reading of a query. */
interface Round {
  readonly query: Query;
  readonly options: ReadOptions;
  /** All tokens. */
  readonly all: number;
  /** State that is named, if it has records. */
  readonly state: number | undefined;
  /** Cities that the address may name, the most likely first. */
  readonly cities: readonly NamedPlace[];
  /** Tokens of the city that it certainly names. */
  readonly namedCity: number;
  readonly found: FoundRecords;
}

/** Records to choose from, and those that come first among equal ones. */
type Area =
  & Pick<CandidateOptions, "within">
  & Partial<Pick<CandidateOptions, "preferred">>;

/**
 * Reader of addresses, for searches and for the record of an address. Its arrays
 * serve one address after another.
 *
 * Words are not cut into parts before they are looked up. Records with the
 * rarest words are found first, in the places that the address may name; then
 * the words are given to the parts of each, and the record with the least cost
 * is what the address means.
 */
export class AddressReader {
  readonly #index: SearchIndex;
  readonly #budget = new Budget();
  readonly #vocabulary: Vocabulary;
  readonly #matcher: NameMatcher;
  readonly #candidates: Candidates;
  readonly #aligner: Aligner;
  /** Names of places. */
  readonly places: PlaceFinder;

  constructor(index: SearchIndex, stretches: Stretches) {
    this.#index = index;
    this.#vocabulary = new Vocabulary(index, this.#budget);
    this.#matcher = new NameMatcher(index, this.#vocabulary);
    this.#candidates = new Candidates(index, this.#budget);
    this.places = new PlaceFinder(index, this.#matcher, this.#budget);
    this.#aligner = new Aligner({
      index,
      matcher: this.#matcher,
      places: this.places,
      stretches,
    });
  }

  /** Reads an address. */
  read(given: GivenAddress, options: ReadOptions): AddressReading {
    this.#budget.begin();
    const reading = this.#readAll(this.#readQuery(given), options);
    const twins = this.#findTwins(reading);
    return { ...reading, found: [...reading.found, ...twins] };
  }

  /**
   * Finds streets of nearly the same name in the neighbourhood that an address
   * names, if it contradicts that of the best record.
   */
  #findTwins({ query, found: [best] }: AddressReading): Alignment[] {
    const isOther = best?.neighbourhoodAgrees === "other" &&
      best.cityAgrees === "same" && !best.isGeneral;
    if (!isOther) return [];
    const place = this.#index.municipalityOf(this.#index.placeOf(best.record));
    const within = this.#preferred(query, place, best.rest.neighbourhood);
    if (within.length === 0) return [];
    const forms = query.forms.map((it, i) =>
      best.street & 1 << i
        ? this.#vocabulary.read(query.tokens[i]!.text, { isLenient: true })
        : it
    );
    const options = { within, limit: MAX_TWINS, isNearOnly: true };
    return this.#read({ ...query, forms }, options).found.filter((it) =>
      !it.isGeneral && it.neighbourhoodAgrees === "same"
    );
  }

  #readAll(query: Query, options: ReadOptions): AddressReading {
    const reading = this.#read(query, options);
    const best = reading.found[0]?.cost ?? Infinity;
    if (best <= POOR || this.#budget.share < ENOUGH) return reading;
    const forms = query.tokens.map(({ text }, i) => {
      if (reading.city && reading.city.mask & 1 << i) return query.forms[i]!;
      const { completions } = query.forms[i]!;
      const isPrefix = completions !== undefined;
      return this.#vocabulary.read(text, { isPrefix, isLenient: true });
    });
    const { isExhaustive } = options;
    const isSame = forms.every((it, i) => it === query.forms[i]);
    let found = reading;
    if (!isSame) {
      const lenient = this.#read({ ...query, forms }, {
        ...options,
        isNearOnly: reading.city !== undefined,
      });
      if ((lenient.found[0]?.cost ?? Infinity) < best) found = lenient;
    }
    if (!isExhaustive || found.found.length > 0) return found;
    const sure = query.forms.map(withoutCorrections);
    return this.#read({ ...query, forms: sure }, { ...options, isLoose: true });
  }

  /** Finds the places with a name: neighbourhoods only within others, if any. */
  findPlaces(name: string, within: readonly number[] = []): {
    localities: readonly NamedPlace[];
    neighbourhoods: readonly NamedPlace[];
  } {
    this.#budget.begin();
    const query = this.#readQuery({ text: name });
    this.#matcher.begin(query);
    const all = allBits(query.tokens.length);
    const areas = within.length > 0 ? within : [undefined];
    return {
      localities: this.places.findLocalities(query, all),
      neighbourhoods: areas.flatMap((within) =>
        this.places.findNeighbourhoods(query, all, {
          ...within !== undefined && { within },
          isExhaustive: true,
        })
      ),
    };
  }

  /** Share of its budget that the last question has spent, from 0 to 1. */
  get work(): number {
    return this.#budget.spent;
  }

  /** Returns true if a budget was spent since the last call. */
  takeOverBudget(): boolean {
    return this.#budget.takeOver();
  }

  #readQuery(given: GivenAddress): Query {
    return readQuery({
      ...given,
      isPossibleCep: (cep) => this.#isPossibleCep(Number(cep)),
    }, this.#vocabulary);
  }

  /** True if there are records in the sector of a CEP. */
  #isPossibleCep(cep: number): boolean {
    const sector = cep - cep % 1000;
    const record = this.#index.recordFrom(sector);
    return record >= 0 && this.#index.arrays.ceps[record]! < sector + 1000;
  }

  /**
   * Takes a state that is written in full, after its city or at the end of a
   * free text: not "Rua Goiás", "Vila Goiás" in a column of its own, nor "Goiás"
   * among the records of a city.
   */
  #takeState(query: Query, inCity: number, isLimited: boolean): Query {
    if (query.uf !== "") return query;
    const all = allBits(query.tokens.length);
    const isLast = (mask: number) =>
      lastOf(mask) === lastOf(all & ~(query.fillers & ~mask));
    const states = this.places.findStates(query, inCity)
      .filter(({ mask, cost }) => cost < 0.5 && isLast(mask));
    if (states.length === 0) return query;
    const localities = this.places.findLocalities(query, inCity)
      .filter(({ level, cost }) => level !== STATE && cost < WHOLE);
    for (const { place, mask: found } of states) {
      // "Campo Largo do Paraná", "Estado do Paraná"
      const mask = found & ~query.types || found;
      // "Ji-Paraná" is not in Paraná.
      if (localities.some((it) => it.mask !== mask && !(mask & ~it.mask))) {
        continue;
      }
      const uf = this.places.ufOf(place);
      const cities = this.places.findLocalities(query, inCity & ~mask);
      const isAfterCity = cities.some((city) =>
        city.level !== STATE && this.places.isIn(city.place, uf) &&
        city.mask & (mask & -mask) >> 1
      );
      const { afterTypes, fields } = query;
      const named = afterTypes | fields.logradouro | fields.bairro;
      const isFree = !isLimited && (mask & named) === 0;
      // São Paulo and Rio de Janeiro are cities, too.
      if (isAfterCity || isFree && !/^(?:SP|RJ)$/.test(uf)) {
        return { ...query, uf, stateTokens: query.stateTokens | mask };
      }
    }
    return query;
  }

  #read(given: Query, options: ReadOptions): AddressReading {
    this.#matcher.begin(given);
    const round = this.#begin(given, options);
    const { query, found, namedCity, cities: [city] } = round;
    const { within, successor, limit, isExhaustive, isNearOnly } = options;
    if (query.cep !== "") {
      const record = this.#index.recordOf(Number(successor || query.cep));
      if (record >= 0) found.add([record], query.stateTokens | namedCity);
    }
    for (const place of round.cities.slice(0, MAX_CITIES)) {
      if (place.score < city!.score - LESS_LIKELY) break;
      const ranges = intersect(within, this.#index.recordsIn(place.place));
      if (ranges.length > 0) this.#visitPlace(round, place, ranges);
    }
    const isNear = isNearOnly || found.hasStreetInCity();
    if (!isNear || isExhaustive && found.size < limit) this.#visitAll(round);
    if (!isNear) this.#visitNeighbourhoods(round);
    return {
      query,
      found: found.ranked(),
      city: namedCity ? city : undefined,
    };
  }

  /** Finds the state and the cities that an address may name. */
  #begin(given: Query, options: ReadOptions): Round {
    const { fields } = given;
    const ofCity = (fields.endereco |
      (fields.cidade || fields.bairro | fields.logradouro)) &
      ~given.references;
    const query = this.#takeState(
      given,
      ofCity & ~given.stateTokens,
      options.within !== undefined,
    );
    const localities = this.places.findLocalities(
      query,
      ofCity & ~(query.stateTokens | given.afterTypes),
    );
    const cities = localities.filter(({ level }) => level !== STATE);
    const [city] = cities;
    const namedCity = city && isNamed(city, query) ? city.mask : 0;
    const { successor, isLoose } = options;
    this.#aligner.begin(query, { cities, namedCity, successor, isLoose });
    return {
      query,
      options,
      all: allBits(query.tokens.length),
      state: this.places.stateOf(query.uf) ??
        localities.find(({ level }) => level === STATE)?.place,
      cities,
      namedCity,
      found: new FoundRecords(this.#aligner, this.#budget),
    };
  }

  /** Finds the streets of a place that is named, and the place itself. */
  #visitPlace(
    round: Round,
    place: NamedPlace,
    ranges: readonly Interval[],
  ): void {
    const { query, options: { limit }, all, found } = round;
    const excluded = place.mask | query.stateTokens;
    this.#visitStreets(round, excluded, {
      within: ranges,
      preferred: this.#preferred(query, place.place, all & ~excluded),
    });
    const rest = all & ~(excluded | query.fillers | query.types);
    found.add(this.#inPlace(place, rest === 0 ? limit : 0), excluded);
    if (rest === 0 || place.level === NEIGHBOURHOOD) return;
    // "Bairro São José, Campinas"
    const options = { within: place.place };
    for (const it of this.places.findNeighbourhoods(query, rest, options)) {
      if (rest & ~it.mask) continue;
      found.add(this.#inPlace(it, limit), excluded | it.mask);
    }
  }

  /** Finds streets in the state, and in the country if none is certain. */
  #visitAll(round: Round): void {
    const { options: { within }, state, found } = round;
    if (state !== undefined) {
      const ranges = intersect(within, this.#index.recordsIn(state));
      this.#visitAnywhere(round, ranges);
      if (found.hasStreetInCity()) return;
    }
    this.#visitAnywhere(round, within);
  }

  #visitAnywhere(round: Round, within: readonly Interval[] | undefined): void {
    const { query, options, found } = round;
    const { limit, isExhaustive, isLoose } = options;
    const words = this.#visitStreets(round, query.stateTokens, { within });
    const isOfType = isLoose || isExhaustive && words.tokens === 0;
    if (isOfType && words.found === 0) {
      found.add(this.#ofType(query, within, limit), query.stateTokens);
    }
  }

  /** Finds the records with the words of a street, and counts both. */
  #visitStreets(
    { query, options: { limit }, found }: Round,
    excluded: number,
    { within, preferred = [] }: Area,
  ): { readonly tokens: number; readonly found: number } {
    const { fields, types, marked, fillers, buildings, units } = query;
    const ofStreet = fields.endereco | fields.logradouro | fields.complemento;
    let tokens = ofStreet & ~(types | marked | excluded);
    // "Rua Um" has no other words.
    const others = fillers | buildings;
    if (tokens & ~(others | units)) tokens &= ~others;
    const options = { tokens, within, preferred, limit };
    const records = this.#candidates.find(query, options);
    found.add(records, excluded);
    return { tokens, found: records.length };
  }

  #visitNeighbourhoods(round: Round): void {
    const { query, all } = round;
    const { stateTokens, fillers, types } = query;
    const free = all & ~(stateTokens | query.afterTypes);
    const restOf = ({ mask }: NamedPlace) =>
      countBits(free & ~(mask | fillers | types));
    const found = this.places.findNeighbourhoods(query, free)
      .sort((a, b) => restOf(a) - restOf(b));
    for (const place of found.slice(0, MAX_CITIES)) {
      this.#visitPlace(round, place, this.#index.recordsIn(place.place));
    }
  }

  /** Returns the records of the neighbourhoods that are named in a place. */
  #preferred(query: Query, within: number, allowed: number): Interval[] {
    return this.places.findNeighbourhoods(query, allowed, { within })
      .slice(0, MAX_PREFERRED)
      .flatMap(({ place }) => this.#index.recordsIn(place))
      .sort(([a], [b]) => a - b);
  }

  /** Lists streets whose types are the only words of a query. */
  *#ofType(
    { forms, types }: Query,
    within: readonly Interval[] | undefined,
    limit: number,
  ): Generator<number> {
    const { names, nameWords, nameWordStarts } = this.#index.arrays;
    const isMeant = (type: number) =>
      forms.some(({ costs, completions: [start, end] = [0, 0] }, i) =>
        start <= type && type < end ||
        costs.has(type) && (types & 1 << i) !== 0
      );
    const words = new Set([...this.#index.findTypes()].filter(isMeant));
    if (words.size === 0) return;
    for (const [start, end] of within ?? [[0, this.#index.recordCount]]) {
      for (let record = start!; record < end!; record++) {
        if (limit === 0 || !this.#budget.spend(1)) return;
        const first = nameWordStarts[names[record]!]!;
        if (!words.has(nameWords[first]!)) continue;
        limit--;
        yield record;
      }
    }
  }

  /** Lists the general CEPs of a place, and its first streets. */
  *#inPlace({ place }: NamedPlace, streets: number): Generator<number> {
    const { generalRecords } = this.#index;
    for (const [start, end] of this.#index.recordsIn(place)) {
      const first = lowerBound(
        generalRecords,
        start,
        0,
        generalRecords.length,
      );
      for (let i = first; generalRecords[i]! < end && i < first + 20; i++) {
        yield generalRecords[i]!;
      }
      for (let record = start; record < end && streets-- > 0; record++) {
        yield record;
      }
    }
  }
}

/** Returns the forms of a word that are certain, or only cut off. */
function withoutCorrections(forms: Forms): Forms {
  const isSure = (cost: number) => cost <= FORM_COSTS.shortened;
  return {
    ...forms,
    costs: new Map([...forms.costs].filter(([, cost]) => isSure(cost))),
    keys: forms.keys.filter(({ cost }) => isSure(cost)),
  };
}

/** True if an address certainly names a city, at its end or as a part. */
function isNamed({ mask, score }: NamedPlace, query: Query): boolean {
  const { fields, tokens, types } = query;
  if (mask & fields.cidade) return true;
  const first = firstOf(mask);
  return score > 0.8 && first > 0 && (types & 1 << first - 1) === 0 &&
    tokens[first - 1]!.segment !== tokens[first]!.segment;
}

/** Cost up to which a street is certainly meant, if its city is named. */
const GOOD = 0.7;

/** Records that were found for one query, each with its best alignment. */
export class FoundRecords {
  readonly #aligner: Aligner;
  readonly #budget: Budget;
  readonly #alignments = new Map<number, Alignment>();

  constructor(aligner: Aligner, budget: Budget) {
    this.#aligner = aligner;
    this.#budget = budget;
  }

  /** Number of records. */
  get size(): number {
    return this.#alignments.size;
  }

  /**
   * Adds records that have enough of the query.
   *
   * @param excluded Tokens that are no part of the street.
   */
  add(records: Iterable<number>, excluded: number): void {
    for (const record of records) {
      if (!this.#budget.spend(WORK.alignment)) return;
      const alignment = this.#aligner.align(record, excluded);
      if (alignment === undefined) continue;
      const known = this.#alignments.get(record);
      if (known === undefined || alignment.cost < known.cost) {
        this.#alignments.set(record, alignment);
      }
    }
  }

  /** True if the street is found in a city that the address names. */
  hasStreetInCity(): boolean {
    for (const it of this.#alignments.values()) {
      const street = it.nameCost + it.typeCost + it.streetRest;
      if (it.cityAgrees === "same" && street <= GOOD && !it.isGeneral) {
        return true;
      }
    }
    return false;
  }

  /** Returns the records, the one that is most likely meant first. */
  ranked(): Alignment[] {
    return [...this.#alignments.values()].sort((a, b) =>
      a.cost - b.cost || a.record - b.record
    );
  }
}
