import type { SeenNumbers } from "../record/seen_numbers.ts";
import { type Allocate, plainMemory } from "../util/memory.ts";
import type { Turns } from "../util/turns.ts";
import type { IndexArrays } from "./index_layout.ts";
import {
  type AddressAnswer,
  type AddressQuestion,
  type Filters,
  type FoundRecord,
  type Search,
  Searcher,
} from "./search.ts";
import { SearchIndex } from "./search_index.ts";

/** CEP that was found. */
export interface FoundCep {
  readonly cep: number;
  /** Words of the alternative name by which it was found. */
  readonly otherName: string | undefined;
  /** Building numbers that were seen at it, without a stretch. */
  readonly seen: SeenNumbers | undefined;
}

/** CEPs that are wanted, in order. */
export interface CodeList {
  /** Places, of which at least one is given. */
  readonly filters: Filters;
  readonly first: number;
  readonly last: number;
  readonly limit: number;
}

/** CEPs of an address. */
export interface AddressCeps extends Omit<AddressAnswer, "best" | "others"> {
  readonly best:
    | FoundCep & Pick<NonNullable<AddressAnswer["best"]>, "agreements">
    | undefined;
  readonly others: readonly number[];
}

/** Calls of a searcher by name. Arguments and results are plain data. */
export const SEARCH_CALLS = {
  search: (searcher: Searcher, search: Search): FoundCep[] =>
    searcher.search(search).map((it) => describe(searcher, it)),
  listCodes: (searcher: Searcher, list: CodeList): number[] => {
    const { filters, first, last, limit } = list;
    const within = searcher.findWithin(filters) ?? [];
    return searcher.listCodes(within, first, last, limit);
  },
  findAddress: (searcher: Searcher, question: AddressQuestion): AddressCeps => {
    const { best, others, ...answer } = searcher.findAddress(question);
    return {
      ...answer,
      best: best &&
        { ...describe(searcher, best), agreements: best.agreements },
      others: others.map((record) => searcher.cepOf(record)),
    };
  },
};

function describe(
  searcher: Searcher,
  { record, otherName }: FoundRecord,
): FoundCep {
  return {
    cep: searcher.cepOf(record),
    otherName,
    seen: searcher.seen(record),
  };
}

type Calls = typeof SEARCH_CALLS;

/** Name of a call. */
export type CallName = keyof Calls;

/** Argument of a call. */
export type ArgumentOf<N extends CallName> = Parameters<Calls[N]>[1];

/** Result of a call. */
export type ResultOf<N extends CallName> = ReturnType<Calls[N]>;

/** Runs a call of a searcher. */
export function runCall<N extends CallName>(
  searcher: Searcher,
  name: N,
  argument: ArgumentOf<N>,
): ResultOf<N> {
  const call = SEARCH_CALLS[name] as (
    searcher: Searcher,
    argument: ArgumentOf<N>,
  ) => ResultOf<N>;
  return call(searcher, argument);
}

/** Options of {@linkcode Searches.call}. */
export interface CallOptions {
  /**
   * True for one of many calls, which takes turns with others.
   *
   * @default {false}
   */
  readonly inBulk?: boolean | undefined;
}

/** Error of a search that was refused because too many others wait. */
export class SearchBusyError extends Error {
  /** Always `SearchBusyError`. */
  override readonly name = "SearchBusyError";

  constructor() {
    super("Cannot search: too many searches wait");
  }
}

/** Searches of one index. */
export interface Searches {
  /** Runs a call. */
  call<N extends CallName>(
    name: N,
    argument: ArgumentOf<N>,
    options?: CallOptions,
  ): Promise<ResultOf<N>>;
  /** Frees the index. Calls fail from now on. */
  close(): void;
}

/** Load of searches. */
export interface SearchLoad {
  /** Threads that are ready, 0 if searches run in the thread of the server. */
  readonly threads: number;
  /** Threads that work. */
  readonly busy: number;
  /** Searches that wait for a thread. */
  readonly waiting: number;
  /** Seconds for which all searches so far have waited. */
  readonly waitedSeconds: number;
  /** Searches that were refused because too many waited. */
  readonly refused: number;
  /** Threads that have ended unexpectedly. */
  readonly failedThreads: number;
  /** Searches that were ended by their budget of work. */
  readonly overBudget: number;
}

/** Place where searches run. */
export interface SearchPlace {
  /** Allocates the memory of an index. */
  readonly allocate: Allocate;
  /** Load of all searches. */
  readonly load: SearchLoad;
  /** Opens an index. */
  open(arrays: IndexArrays): Searches;
}

/** Searches in the thread of the caller. */
export class LocalSearches implements SearchPlace {
  readonly allocate = plainMemory;
  readonly #turns: Turns | undefined;
  #overBudget = 0;

  /** @param turns Turns between which the event loop is given back. */
  constructor(turns?: Turns) {
    this.#turns = turns;
  }

  get load(): SearchLoad {
    return { ...NO_LOAD, overBudget: this.#overBudget };
  }

  open(arrays: IndexArrays): Searches {
    const searcher = new Searcher(new SearchIndex(arrays));
    let isClosed = false;
    const run = <N extends CallName>(name: N, argument: ArgumentOf<N>) => {
      if (isClosed) throw new Error("the search index is closed");
      const result = runCall(searcher, name, argument);
      if (searcher.takeOverBudget()) this.#overBudget++;
      return result;
    };
    return {
      call: async <N extends CallName>(
        name: N,
        argument: ArgumentOf<N>,
      ): Promise<ResultOf<N>> =>
        await (this.#turns?.run(() => run(name, argument)) ??
          run(name, argument)),
      close() {
        isClosed = true;
        searcher.free();
      },
    };
  }
}

const NO_LOAD: SearchLoad = {
  threads: 0,
  busy: 0,
  waiting: 0,
  waitedSeconds: 0,
  refused: 0,
  failedThreads: 0,
  overBudget: 0,
};

/** Longest written form of a CEP. */
const MAX_CHARACTERS = 20;

/**
 * Returns the first digits of a CEP if the text consists of them, in any
 * written form; otherwise `undefined`.
 */
export function codePrefix({ text }: { text: string }): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  if (!/^\s*(?:cep:?\s*)?\d[\d.\-\s]*$/i.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, "");
  return digits.length <= 8 ? digits : undefined;
}
