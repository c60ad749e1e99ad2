/**
 * Search for records that also reads whole addresses, with a CEP, a unit or
 * other parts that are not words of a record.
 *
 * @module
 */
import type { Position, SearchPage, SearchQuery } from "../store/store.ts";
import { takeCep } from "./cep_in_text.ts";
import { Matcher, type MatcherStore, MAX_ADDRESS } from "./matcher.ts";
import type { Part } from "./parts.ts";
import type { Ranked } from "./ranking.ts";

/** First item of positions in the records of an address. */
const ADDRESS = "endereco";

/** Building without a number, or a flat: never words of a record. */
const NO_WORDS =
  /(?<![\p{L}\d])(?:s ?\/ ?n(?![\p{L}\d])|ap(?:t|to|artamento)?\.? ?(?:n?º ?)?\d)/iu;

/** Sign of an address of several parts. */
const SEVERAL_PARTS = /[\d,;/]| - /;

/** Searches for words, and for the records of an address. */
export class AddressSearch {
  readonly #store: MatcherStore;
  readonly #matcher: Matcher;

  constructor(store: MatcherStore) {
    this.#store = store;
    this.#matcher = new Matcher(store);
  }

  /**
   * Searches for words. A text with parts that no record has is read as an
   * address, and so is one whose words are not found.
   *
   * @returns The results, `undefined` before the first import.
   * @throws {RangeError} If `after` is not a position of such a search.
   * @throws {DatabaseError} If the database cannot be read.
   */
  async search(query: SearchQuery): Promise<SearchPage | undefined> {
    const { text, after } = query;
    if (after !== undefined) {
      return after[0] === ADDRESS
        ? await this.#searchAddress(query, toOffset(after))
        : await this.#store.search(query);
    }
    const isAddress = text.length <= MAX_ADDRESS && SEVERAL_PARTS.test(text);
    if (isAddress && hasOtherParts(text)) {
      const page = await this.#searchAddress(query, 0);
      if (page === undefined || page.data.length > 0) return page;
    }
    const page = await this.#store.search(query);
    return isAddress && page?.data.length === 0
      ? await this.#searchAddress(query, 0)
      : page;
  }

  async #searchAddress(
    query: SearchQuery,
    offset: number,
  ): Promise<SearchPage | undefined> {
    const release = await this.#store.release();
    const known = knownParts(query);
    const parts = await this.#matcher.read(query.text, known);
    if (release === undefined || parts === undefined) return undefined;
    const ranking = parts.logradouro + parts.cep === ""
      ? undefined
      : await this.#matcher.rank(parts);
    const found = choose(ranking?.acceptable() ?? [], known);
    const end = offset + query.limit;
    return {
      release,
      total: null,
      data: found.slice(offset, end)
        .map(({ record: { cep }, json }) => ({ cep, json })),
      next: end < found.length ? [ADDRESS, end] : null,
    };
  }
}

/** True if a text has a CEP beside other words, or what no record has. */
function hasOtherParts(text: string): boolean {
  if (NO_WORDS.test(text)) return true;
  const { cep, rest } = takeCep(text);
  return cep !== "" && /[\p{L}\d]/u.test(rest.replace(/\bcep\b/i, ""));
}

function knownParts(
  { uf, city, neighbourhood, number }: SearchQuery,
): Partial<Record<Part, string>> {
  return {
    ...(uf === undefined ? {} : { uf }),
    ...(city === undefined ? {} : { cidade: city }),
    ...(neighbourhood === undefined ? {} : { bairro: neighbourhood }),
    ...(number === undefined ? {} : { numero: number }),
  };
}

/**
 * Leaves out records that do not fit the filters, and the stretches without the
 * number if another one has it.
 */
function choose(
  ranked: readonly Ranked[],
  filters: Partial<Record<Part, string>>,
): Ranked[] {
  const isOnStretch = ({ similarities }: Ranked) => similarities.numero !== 0;
  const parts = Object.keys(filters) as Part[];
  const fitting = ranked.filter(({ similarities }) =>
    parts.every((part) => similarities[part] !== 0)
  );
  return fitting.some(isOnStretch) ? fitting.filter(isOnStretch) : fitting;
}

function toOffset(position: Position): number {
  const [, offset] = position;
  if (
    position.length !== 2 || typeof offset !== "number" ||
    !Number.isSafeInteger(offset) || offset < 0
  ) {
    throw new RangeError(
      "Cannot continue the search: its position is unusable",
    );
  }
  return offset;
}
