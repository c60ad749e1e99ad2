/**
 * Search of a release, in ever more lenient steps.
 *
 * @module
 */
import type { SeenNumbers } from "../seen_numbers.ts";
import type { StreetNumber } from "../street_number.ts";
import { parseStreetNumber } from "../street_number.ts";
import { Candidates } from "./candidates.ts";
import { type Filters, findWithin } from "./filters.ts";
import { Scorer } from "./scorer.ts";
import type { Interval, SearchIndex } from "./search_index.ts";
import { Stretches } from "./stretches.ts";
import { type Leniency, readWords, toTerms } from "./terms.ts";
import { type Rank, type Ranked, TopRecords } from "./top_records.ts";

/** Words, and the places and the building number to which they are limited. */
export interface Search {
  readonly text: string;
  readonly uf?: string;
  readonly city?: string;
  readonly neighbourhood?: string;
  readonly number?: StreetNumber | null;
  readonly hasPrefix: boolean;
  readonly allowsEdits: boolean;
  readonly limit: number;
  readonly after?: SearchRank;
}

/** Place of a record in the order of results, and the step that found it. */
export interface SearchRank extends Rank {
  readonly step: number;
}

/** Results, best first. */
export interface Found {
  /** Step that found them. */
  readonly step: number;
  readonly records: readonly Ranked[];
}

const LENIENCIES: readonly Leniency[] = [
  {},
  { shortened: true },
  { shortened: true, loose: true },
  { edits: "unknown" },
  { edits: "all" },
  { edits: "all", loose: true },
];

/** Searches one index. */
export class Searcher {
  readonly #index: SearchIndex;
  readonly #candidates: Candidates;
  readonly #stretches: Stretches;

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#candidates = new Candidates(index, new Scorer(index));
    this.#stretches = new Stretches(index.arrays);
  }

  /** Finds the records in the places of filters, `undefined` without them. */
  findWithin(filters: Filters): readonly Interval[] | undefined {
    return findWithin(this.#index, filters);
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

  /** Frees the index. No record can be found afterwards. */
  free(): void {
    this.#index.free();
  }

  /** Finds the best records. */
  search(search: Search): Found {
    const within = findWithin(this.#index, search);
    if (within?.length === 0) return { step: 0, records: [] };
    const steps = toSteps(readNumber(search), search.allowsEdits);
    const { after } = search;
    for (let i = after?.step ?? 0; i < steps.length; i++) {
      const step = steps[i]!;
      const { records, hasMatched } = this.#attempt(search, step, within);
      if (records.length > 0 || after !== undefined) {
        return { step: i, records };
      }
      // The next step ignores the number, unless it is a filter.
      if (search.number && hasMatched) break;
      if (step.number && !hasMatched) i++;
    }
    return { step: 0, records: [] };
  }

  #attempt(
    { limit, after }: Search,
    { words, hasPrefix, number, leniency }: Step,
    within: readonly Interval[] | undefined,
  ): { records: readonly Ranked[]; hasMatched: boolean } {
    const terms = toTerms(this.#index, words, hasPrefix, leniency);
    const top = new TopRecords(limit, after);
    const adjust = number
      ? (record: number) => this.#stretches.score(record, number)
      : undefined;
    this.#candidates.find(terms, { top, within, adjust });
    return { records: top.all, hasMatched: this.#candidates.hasMatched };
  }
}

/** Words of a query, and its building number. */
interface Reading {
  readonly words: readonly string[];
  readonly hasPrefix: boolean;
  readonly number?: StreetNumber | null;
}

/** One reading of a query, with some leniency. */
interface Step extends Reading {
  readonly leniency: Leniency;
}

/**
 * Returns the steps of a search, the strictest first. One with a building
 * number that is not a filter is followed by one without it.
 */
function toSteps(readings: readonly Reading[], allowsEdits: boolean): Step[] {
  return LENIENCIES.filter(({ edits }) => allowsEdits || !edits).flatMap((
    leniency,
  ) =>
    readings.flatMap((reading) => {
      const step = { ...reading, leniency };
      return reading.number ? [step, { ...step, number: null }] : [step];
    })
  );
}

/**
 * Returns the readings of a query: a number may belong to the name of the
 * street, or be that of a building.
 */
function readNumber({ text, number = null, hasPrefix }: Search): Reading[] {
  const words = readWords(text);
  const plain = { words, hasPrefix, number };
  if (number) return [plain];
  const i = words.findLastIndex((word, i) => i > 0 && /^\d{1,6}$/.test(word));
  const found = parseStreetNumber(words[i] ?? "");
  if (!found) return [plain];
  const isMarked = /^(?:n|no|num|numero)$/.test(words[i - 1]!);
  const start = isMarked ? i - 1 : i;
  const rest = [...words.slice(0, start), ...words.slice(i + 1)];
  if (rest.length === 0) return [plain];
  const numbered = {
    words: rest,
    hasPrefix: hasPrefix && i < words.length - 1,
    number: found,
  };
  return isMarked && words[start] !== "n" || /,\s*\d/.test(text)
    ? [numbered, plain]
    : [plain, numbered];
}
