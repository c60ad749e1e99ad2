import { MAX_RESULTS } from "../search/search.ts";
import type { FoundCep, Searches } from "../search/search_calls.ts";
import type { SearchPage, SearchQuery } from "./queries.ts";
import { streetName } from "../search/names.ts";
import type { Connection } from "./connection.ts";

/** CEPs of a page of results. */
export interface FoundCodes extends Pick<SearchPage, "total" | "next"> {
  readonly ceps: readonly (Pick<FoundCep, "cep"> & Partial<FoundCep>)[];
}

/** First item of the positions in the results of a search for words. */
const WORDS = "palavras";

export async function searchWords(
  searches: Searches,
  query: SearchQuery,
): Promise<FoundCodes> {
  const {
    text,
    uf,
    city,
    neighbourhood,
    number,
    limit,
    prefix,
    streets,
    after,
  } = query;
  const offset = after === undefined ? 0 : toOffset(after);
  const found = await searches.call("search", {
    text,
    uf,
    city,
    neighbourhood,
    number,
    hasPrefix: prefix ?? true,
    isOfStreets: streets ?? false,
    offset,
    limit: limit + 1,
  });
  const end = offset + limit;
  const hasMore = found.length > limit && (text === "" || end < MAX_RESULTS);
  return {
    total: null,
    ceps: found.slice(0, limit),
    next: hasMore ? [WORDS, end] : null,
  };
}

/** True for a position in the results of {@linkcode searchWords}. */
export function isWordPosition(position: SearchQuery["after"]): boolean {
  return position?.[0] === WORDS;
}

function toOffset(position: readonly (string | number)[]): number {
  const [kind, offset] = position;
  if (kind !== WORDS || position.length !== 2 || !isWhole(offset)) {
    throw unusable();
  }
  return offset;
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
    ceps: page.map((cep) => ({ cep })),
    next: ceps.length > limit ? [page.at(-1)!] : null,
  };
}

export function firstCode(
  prefix: string,
  after: SearchQuery["after"],
): number {
  const first = Number(prefix.padEnd(8, "0"));
  if (after === undefined) return first;
  const [last] = after;
  if (after.length !== 1 || !isWhole(last)) throw unusable();
  return Math.max(first, last + 1);
}

function unusable(): RangeError {
  return new RangeError("Cannot continue the search: its position is unusable");
}

function isWhole(value: string | number | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Returns the eight digits of a CEP. */
export function toText(cep: number): string {
  return String(cep).padStart(8, "0");
}

/**
 * Finds the alternative name of the street of a CEP that has some words.
 *
 * @param words Words of the name and its type, folded.
 */
export async function findOtherName(
  connection: Connection,
  cep: string,
  words: string,
): Promise<string | undefined> {
  const { table } = connection;
  const select = await connection.prepare(
    `SELECT tipo_logradouro, v.nome FROM ${table("var_log")} v
     JOIN ${table("cep")} c ON c.numero = v.log_nu WHERE c.cep = ?`,
  );
  for (const row of await select.all([Number(cep)])) {
    const [type, name] = row as [string, string];
    const found = streetName(type, name);
    if (found.words.join(" ") !== words) continue;
    // Most names contain their type.
    return name.startsWith(`${type} `) ? name : `${type} ${name}`.trim();
  }
  return undefined;
}
