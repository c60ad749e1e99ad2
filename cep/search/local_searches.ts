import { plainMemory } from "../util/memory.ts";
import type { Turns } from "../util/turns.ts";
import type { IndexArrays } from "./index_layout.ts";
import { Searcher } from "./search.ts";
import { SearchIndex } from "./search_index.ts";
import {
  type ArgumentOf,
  type CallName,
  type ResultOf,
  runCall,
  type Searches,
  type SearchLoad,
  type SearchPlace,
} from "./search_calls.ts";

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
