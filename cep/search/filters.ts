/**
 * Places to which a search is limited.
 *
 * @module
 */
import { intersect, merge } from "./intervals.ts";
import {
  DISTRICT,
  MUNICIPALITY,
  NEIGHBOURHOOD,
  STATE,
} from "./index_layout.ts";
import type { Interval, SearchIndex } from "./search_index.ts";
import { type Leniency, readWords, type Term, toTerms } from "./terms.ts";

/** Names of places. */
export interface Filters {
  readonly uf?: string | undefined;
  readonly city?: string | undefined;
  readonly neighbourhood?: string | undefined;
  /**
   * Finds places with a letter wrong or missing.
   *
   * @default {true}
   */
  readonly allowsEdits?: boolean;
}

/**
 * Finds the records in the places of the filters.
 *
 * @returns Sorted intervals, `undefined` without filters.
 */
export function findWithin(
  index: SearchIndex,
  { uf, city, neighbourhood, allowsEdits = true }: Filters,
): readonly Interval[] | undefined {
  const steps = allowsEdits ? STEPS : EXACT_STEPS;
  let within: readonly Interval[] | undefined;
  if (uf !== undefined) {
    within = findPlaces(index, uf, [STATE], within, steps);
  }
  if (city !== undefined) {
    within = findPlaces(index, city, [MUNICIPALITY, DISTRICT], within, steps);
  }
  if (neighbourhood !== undefined) {
    within = findPlaces(
      index,
      neighbourhood,
      [DISTRICT, NEIGHBOURHOOD],
      within,
      steps,
    );
  }
  return within;
}

const EXACT_STEPS: readonly Leniency[] = [{}, { shortened: true }];
const STEPS: readonly Leniency[] = [...EXACT_STEPS, { edits: "all" }];

function findPlaces(
  index: SearchIndex,
  name: string,
  levels: readonly number[],
  within: readonly Interval[] | undefined,
  steps: readonly Leniency[],
): readonly Interval[] {
  const words = readWords(name);
  for (const leniency of steps) {
    const terms = toTerms(index, words, false, leniency)
      .map((term) => ({ ...term, isRequired: true }));
    if (terms.length === 0) return [];
    for (const isWhole of [true, false]) {
      const found = intersect(
        within,
        merge(listPlaces(index, terms, levels, isWhole, within)),
      );
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** Lists the places of some levels whose name contains, or is, all terms. */
function listPlaces(
  index: SearchIndex,
  terms: readonly Term[],
  levels: readonly number[],
  isWhole: boolean,
  within: readonly Interval[] | undefined,
): Interval[] {
  const {
    placesOfWords,
    placesOfWordStarts,
    placeLevels,
    placeNameStarts,
    placeWordStarts,
    placeWords,
  } = index.arrays;
  const rarest = terms.reduce((a, b) => a.places <= b.places ? a : b);
  const found: Interval[] = [];
  for (const form of rarest.forms) {
    const last = placesOfWordStarts[form.end]!;
    for (let i = placesOfWordStarts[form.start]!; i < last; i++) {
      const place = placesOfWords[i]!;
      if (!levels.includes(placeLevels[place]!)) continue;
      if (!overlaps(index, place, within)) continue;
      for (
        let name = placeNameStarts[place]!;
        name < placeNameStarts[place + 1]!;
        name++
      ) {
        const words = placeWords.subarray(
          placeWordStarts[name],
          placeWordStarts[name + 1],
        );
        if (isWhole && words.length !== terms.length) continue;
        if (terms.every((term) => matchesAny(term, words))) {
          found.push(...index.recordsIn(place));
          break;
        }
      }
    }
  }
  return found;
}

/** True if a place has records in some intervals, or may have. */
function overlaps(
  { arrays: { placeStarts, placeEnds } }: SearchIndex,
  place: number,
  within: readonly Interval[] | undefined,
): boolean {
  if (within === undefined || within.length > 4) return true;
  return within.some(([start, end]) =>
    placeStarts[place]! < end && start < placeEnds[place]!
  );
}

function matchesAny({ forms }: Term, words: Uint32Array): boolean {
  return words.some((word) =>
    forms.some(({ start, end }) => start <= word && word < end)
  );
}
