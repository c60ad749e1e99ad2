import type { AddressParts } from "../record/address_parts.ts";
import type { SeenNumbers } from "../record/seen_numbers.ts";
import { otherForms } from "./abbreviations.ts";
import { fold } from "./fold.ts";
import { DISTRICT, MUNICIPALITY, NAMELESS } from "./index_layout.ts";
import { AddressReader } from "./reading/address_reader.ts";
import type { Alignment } from "./reading/alignment.ts";
import type { NamedPlace } from "./reading/place_finder.ts";
import { type IsSameStreet, probabilityOf } from "./reading/probability.ts";
import { countBits } from "./reading/bits.ts";
import {
  type Agreements,
  agreementsOf,
  partsOf,
  partsWithoutRecord,
} from "./reading/understanding.ts";
import {
  contains,
  intersect,
  type Interval,
  merge,
  type SearchIndex,
} from "./search_index.ts";
import { Stretches } from "./stretches.ts";
import { isWrittenType, withoutPrepositions } from "./word_kinds.ts";

/** Words, and the places and the building number to which they are limited. */
export interface Search extends Filters {
  readonly text: string;
  /** Building number, which must be on the stretch of a record with one. */
  readonly number?: string | undefined;
  readonly hasPrefix: boolean;
  /** True to find only streets with all words in their names. */
  readonly isOfStreets?: boolean;
  /** Number of results to leave out. */
  readonly offset: number;
  readonly limit: number;
}

/** Most results of a search for words. */
export const MAX_RESULTS = 1000;

/** Most candidates for the record of an address. */
export const MAX_CANDIDATES = 80;

/**
 * Costs above that of the best record up to which others may be meant, if it is
 * likely, and if it is not.
 */
const LIKELY = 1;
const POSSIBLE = 2.5;

/** Costs up to which a record beside a better one is listed. */
const WORSE = 2.5;
const WORST = 5;

/** Address whose record is wanted. */
export interface AddressQuestion {
  readonly text: string;
  readonly parts: Partial<AddressParts>;
  /** CEP that replaced that of the address. */
  readonly successor?: string | undefined;
  /** Maximum number of other records. */
  readonly limit: number;
}

/** Record that was found. */
export interface FoundRecord {
  readonly record: number;
  /** Words of the alternative name by which it was found. */
  readonly otherName?: string | undefined;
}

/** Records of an address. */
export interface AddressAnswer {
  /** The address, as it was read. */
  readonly parts: AddressParts;
  /** Probability that {@linkcode best} is meant, 0 without one. */
  readonly probability: number;
  /** Share of the budget of a question that it took, from 0 to 1. */
  readonly work: number;
  /** The record that is most likely meant, and how the address agrees. */
  readonly best:
    | FoundRecord & { readonly agreements: Agreements }
    | undefined;
  /** Other records that may be meant, the likeliest first. */
  readonly others: readonly number[];
}

/** Searches one index. */
export class Searcher {
  readonly #index: SearchIndex;
  readonly #reader: AddressReader;
  readonly #stretches: Stretches;

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#stretches = new Stretches(index.arrays);
    this.#reader = new AddressReader(index, this.#stretches);
  }

  /** Finds the records in the places of filters, `undefined` without them. */
  findWithin(filters: Filters): readonly Interval[] | undefined {
    return findWithin(this.#index, this.#reader, filters);
  }

  /** Returns the first CEPs of a range, in order. */
  listCodes(
    within: readonly Interval[],
    first: number,
    last: number,
    limit: number,
  ): number[] {
    const { ceps } = this.#index.arrays;
    const found: number[] = [];
    for (const [start, end] of within) {
      for (let record = start; record < end; record++) {
        const cep = ceps[record]!;
        if (first <= cep && cep <= last) found.push(cep);
      }
    }
    return found.sort((a, b) => a - b).slice(0, limit);
  }

  /** Returns the numbers that were seen at a record without a stretch. */
  seen(record: number): SeenNumbers | undefined {
    return this.#stretches.seen(record);
  }

  /** Returns the CEP of a record. */
  cepOf(record: number): number {
    return this.#index.arrays.ceps[record]!;
  }

  /** Returns true if a call was ended by its budget since the last one. */
  takeOverBudget(): boolean {
    return this.#reader.takeOverBudget();
  }

  /** Frees the index. No record can be found afterwards. */
  free(): void {
    this.#index.free();
  }

  /** Finds the best records. */
  search(search: Search): FoundRecord[] {
    const { text, number, hasPrefix, isOfStreets, offset, limit } = search;
    const within = this.findWithin(search);
    if (within?.length === 0) return [];
    if (!/[\p{L}\p{N}]/u.test(text)) {
      return within === undefined
        ? []
        : this.#list(within, offset, limit).map((record) => ({ record }));
    }
    if (isOfStreets) {
      const all = within ?? [[0, this.#index.recordCount] as const];
      return listStreets(this.#index, text, all)
        .slice(offset, offset + limit).map((record) => ({ record }));
    }
    const { found } = this.#reader.read({
      text,
      parts: { numero: number ?? "" },
      isTyped: hasPrefix,
    }, {
      within,
      limit: Math.max(200, Math.min(MAX_RESULTS, 2 * (offset + limit))),
      isExhaustive: true,
    });
    let records = found.filter(({ record }) => contains(within, record));
    const least = records[0]?.cost ?? 0;
    const most = Math.max(least + WORSE, WORST);
    records = records.filter((it) =>
      it.cost <= most &&
      !(it.isGeneral && it.streetRest > 0 && it.cepAgrees !== "same")
    );
    // A number chooses among the stretches of a street, or among all records.
    if (number !== undefined || records[0]?.numberAgrees === "same") {
      records = records.filter((it) => it.numberAgrees !== "other");
    }
    return records.slice(offset, offset + limit).map((it) => this.#found(it));
  }

  #found({ record, otherName }: Alignment): FoundRecord {
    return {
      record,
      otherName: otherName === undefined
        ? undefined
        : this.#index.nameText(otherName),
    };
  }

  /** Lists all records of some intervals. */
  #list(within: readonly Interval[], offset: number, limit: number): number[] {
    const found: number[] = [];
    let left = offset;
    for (const [start, end] of within) {
      const from = start + left;
      left = Math.max(0, left - (end - start));
      for (let record = from; record < end; record++) {
        if (found.length === limit) return found;
        found.push(record);
      }
    }
    return found;
  }

  /** Finds the record of an address. */
  findAddress(
    { text, parts, successor, limit }: AddressQuestion,
  ): AddressAnswer {
    const { query, found, city } = this.#reader.read({ text, parts }, {
      successor,
      limit: MAX_CANDIDATES,
    });
    const [best, ...others] = found;
    const probability = probabilityOf(found, sameStreetOf(this.#index));
    const most = (best?.cost ?? 0) + (probability < 0.5 ? POSSIBLE : LIKELY);
    // A record may have been found again as one of nearly the same name.
    const records = new Set(
      others.filter(({ cost }) => cost <= most).map(({ record }) => record),
    );
    if (best !== undefined) records.delete(best.record);
    return {
      parts: best === undefined
        ? partsWithoutRecord(query, city?.mask ?? 0)
        : partsOf(query, best),
      probability,
      work: this.#reader.work,
      best: best &&
        { ...this.#found(best), agreements: agreementsOf(query, best) },
      others: [...records].slice(0, limit),
    };
  }
}

/** Returns the test for two records of one street in one neighbourhood. */
export function sameStreetOf(index: SearchIndex): IsSameStreet {
  const { names } = index.arrays;
  return ({ record: one }, { record: other }) => {
    if (names[one] !== names[other]) return false;
    const [place, otherPlace] = [index.placeOf(one), index.placeOf(other)];
    // A neighbourhood may have two numbers.
    return place === otherPlace ||
      index.municipalityOf(place) === index.municipalityOf(otherPlace) &&
        index.placeName(place) === index.placeName(otherPlace);
  };
}

/** Names of places. */
export interface Filters {
  readonly uf?: string | undefined;
  readonly city?: string | undefined;
  readonly neighbourhood?: string | undefined;
}

/**
 * Finds the records in the places of the filters.
 *
 * @returns Sorted intervals, `undefined` without filters.
 */
export function findWithin(
  index: SearchIndex,
  reader: AddressReader,
  { uf, city, neighbourhood }: Filters,
): readonly Interval[] | undefined {
  let within: readonly Interval[] | undefined;
  let areas: readonly number[] = [];
  if (uf !== undefined) {
    const state = reader.places.stateOf(uf);
    if (state === undefined) return [];
    areas = [state];
    within = index.recordsIn(state);
  }
  for (
    const [part, name] of Object.entries({
      cidade: city,
      bairro: neighbourhood,
    })
  ) {
    if (name === undefined) continue;
    const { localities, neighbourhoods } = reader.findPlaces(name, areas);
    const cities = localities.filter(({ level }) =>
      level === DISTRICT || level === MUNICIPALITY && part === "cidade"
    );
    const places = choose(
      index,
      part === "cidade" ? cities : [...neighbourhoods, ...cities],
      within,
    );
    areas = places.map(({ place }) => place);
    within = merge(places.flatMap(({ records }) => [...records]));
  }
  return within;
}

/** Chooses the places within others that match a name best. */
function choose(
  index: SearchIndex,
  places: readonly NamedPlace[],
  within: readonly Interval[] | undefined,
) {
  const found = places.map(({ place, mask, cost }) => ({
    place,
    // "Vila (São José)" before "São José", which leaves a word.
    cost: cost - countBits(mask),
    records: intersect(within, index.recordsIn(place)),
  })).filter(({ records }) => records.length > 0);
  const least = Math.min(...found.map(({ cost }) => cost));
  return found.filter(({ cost }) => cost <= least + 1e-6);
}

/**
 * Lists the streets in some intervals that contain the words of a text: in any
 * order, each of them complete, cut off or in another form. A street type counts
 * only if the text has no other words. Those with all words complete come first,
 * then names without further words, those of the type, and lower CEPs.
 */
export function listStreets(
  index: SearchIndex,
  text: string,
  within: readonly Interval[],
): number[] {
  const words = withoutPrepositions(fold(text));
  const [types = [], names = []] = [true, false].map((isType) =>
    words.filter((word, i) => isWrittenType(word, i === 0) === isType)
      .map((word) => wordOf(index, word))
  );
  const wanted = names.length > 0 ? names : types;
  if (wanted.length === 0) return [];
  const { names: nameOf, nameWords, nameWordStarts, typeLengths, ceps } =
    index.arrays;
  const hasWord = (
    first: number,
    last: number,
    test: (word: number) => boolean,
  ) => {
    for (let i = first; i < last; i++) if (test(nameWords[i]!)) return true;
    return false;
  };
  const found: { record: number; ranks: readonly number[] }[] = [];
  for (const [start, end] of within) {
    for (let record = start; record < end; record++) {
      const name = nameOf[record]!;
      if (name === NAMELESS) continue;
      const first = nameWordStarts[name]!;
      const last = nameWordStarts[name + 1]!;
      if (!wanted.every((it) => hasWord(first, last, it.begins))) continue;
      const typeEnd = first + typeLengths[name]!;
      const cut = wanted.filter((it) => !hasWord(first, last, it.isWhole));
      const extra = Math.max(last - typeEnd - names.length, 0);
      const isOfType = types.every((it) => hasWord(first, typeEnd, it.isWhole));
      const ranks = [cut.length, extra, isOfType ? 0 : 1, ceps[record]!];
      found.push({ record, ranks });
    }
  }
  return found.sort((a, b) => {
    const i = a.ranks.findIndex((rank, i) => rank !== b.ranks[i]);
    return i < 0 ? 0 : a.ranks[i]! - b.ranks[i]!;
  }).map(({ record }) => record);
}

/** Word of a text, and tests for the words that it may mean. */
interface ListedWord {
  /** True for the word itself, or another form of it. */
  readonly isWhole: (word: number) => boolean;
  /** True for these words, and those that it begins. */
  readonly begins: (word: number) => boolean;
}

function wordOf(index: SearchIndex, text: string): ListedWord {
  const [start, end] = index.findPrefix(text);
  const forms = new Set(
    [text, ...otherForms(text)].map((it) => index.findWord(it)),
  );
  const isWhole = (word: number) => forms.has(word);
  return {
    isWhole,
    begins: (word) => start <= word && word < end || isWhole(word),
  };
}
