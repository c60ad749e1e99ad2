/**
 * Searches of a release, and the positions in their results.
 *
 * @module
 */
import type { Searcher } from "../search/search.ts";
import type { SearchRank } from "../search/search.ts";
import type { SeenNumbers } from "../seen_numbers.ts";
import { parseStreetNumber } from "../street_number.ts";
import type { SearchPage, SearchQuery } from "./store.ts";

/** CEPs of a page of results. */
export interface FoundCodes extends Pick<SearchPage, "total" | "next"> {
  readonly ceps: readonly string[];
  /** Numbers that were seen at each CEP, absent for a list of codes. */
  readonly seen?: readonly (SeenNumbers | undefined)[];
}

/** Searches for words. */
export function searchWords(
  searcher: Searcher,
  query: SearchQuery,
): FoundCodes {
  const { text, uf, city, neighbourhood, number, limit, prefix, after } = query;
  const { step, records } = searcher.search({
    text,
    ...(uf === undefined ? {} : { uf }),
    ...(city === undefined ? {} : { city }),
    ...(neighbourhood === undefined ? {} : { neighbourhood }),
    number: number === undefined ? null : parseStreetNumber(number) ?? null,
    hasPrefix: prefix ?? true,
    allowsEdits: query.misspelt ?? true,
    limit: limit + 1,
    ...(after === undefined ? {} : { after: toRank(after) }),
  });
  const page = records.slice(0, limit);
  const last = page.at(-1);
  return {
    total: null,
    ceps: page.map(({ cep }) => toText(cep)),
    seen: page.map(({ record }) => searcher.seen(record)),
    next: records.length > limit && last ? [step, last.score, last.cep] : null,
  };
}

/** True for a position in the results of {@linkcode searchWords}. */
export function isWordPosition(position: SearchQuery["after"]): boolean {
  return position?.length === 3;
}

function toRank(position: readonly (string | number)[]): SearchRank {
  const [step, score, cep] = position;
  if (
    position.length !== 3 || !isWhole(step) || !isScore(score) || !isWhole(cep)
  ) {
    throw new RangeError(
      "Cannot continue the search: its position is unusable",
    );
  }
  return { step, score, cep };
}

/** Returns the CEPs between two that follow a position. */
export function pageOfCodes(
  ceps: readonly number[],
  limit: number,
  total: number | null,
): FoundCodes {
  const page = ceps.slice(0, limit);
  return {
    total,
    ceps: page.map(toText),
    next: ceps.length > limit ? [page.at(-1)!] : null,
  };
}

/** Returns the first CEP of a page. */
export function firstCode(
  prefix: string,
  after: SearchQuery["after"],
): number {
  const first = Number(prefix.padEnd(8, "0"));
  if (after === undefined) return first;
  const [last] = after;
  if (after.length !== 1 || !isWhole(last)) {
    throw new RangeError(
      "Cannot continue the search: its position is unusable",
    );
  }
  return Math.max(first, last + 1);
}

function isWhole(value: string | number | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** True for a score, which may be a fraction. */
function isScore(value: string | number | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function toText(cep: number): string {
  return String(cep).padStart(8, "0");
}
