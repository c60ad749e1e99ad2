import { collectGarbage } from "../util/collect_garbage.ts";
import { later, type Schedule } from "../util/later.ts";
import type { Logger } from "../util/logger.ts";
import { sharedMemory } from "../util/memory.ts";
import { reasonOf } from "../util/reason_of.ts";
import type { IndexArrays } from "./index_layout.ts";
import {
  type ArgumentOf,
  type CallName,
  type CallOptions,
  type ResultOf,
  SearchBusyError,
  type Searches,
  type SearchLoad,
  type SearchPlace,
} from "./search_calls.ts";
import type {
  SearchThread,
  StartThread,
  ThreadAnswer,
} from "./search_thread.ts";

/** Calls in a thread: one that runs, and one that follows it at once. */
const CALLS_PER_THREAD = 2;

/** Searches that wait for each thread, about two seconds of work. */
const MAX_WAITING = 200;

/** Milliseconds until an ended thread is replaced, at first and at most. */
const FIRST_DELAY = 100;
const MAX_DELAY = 30_000;

/** Options of {@linkcode SearchPool}. */
export interface SearchPoolOptions {
  /** Number of threads, at least 1. */
  readonly threads: number;
  /** Starts a thread. */
  readonly start: StartThread;
  /** Searches in the thread of the caller, where no thread can be started. */
  readonly local: SearchPlace;
  readonly logger: Logger;
  /**
   * Monotonic clock, in milliseconds.
   *
   * @default {performance.now}
   */
  readonly now?: () => number;
  /** @default {setTimeout} */
  readonly schedule?: Schedule;
}

/** Numbers that all threads of a pool add to. */
interface Counts {
  waitedMs: number;
  refused: number;
  failedThreads: number;
  overBudget: number;
  /** True after the log has told that no thread can be started. */
  isReported: boolean;
}

/**
 * Searches in threads that share an index. They start with the first search. A
 * thread that ends is replaced; its calls are run once more by another one.
 */
export class SearchPool implements SearchPlace {
  readonly allocate = sharedMemory;
  readonly #options: SearchPoolOptions;
  readonly #counts: Counts = {
    waitedMs: 0,
    refused: 0,
    failedThreads: 0,
    overBudget: 0,
    isReported: false,
  };
  readonly #open = new Set<PooledSearches>();

  constructor(options: SearchPoolOptions) {
    this.#options = options;
  }

  get load(): SearchLoad {
    const open = [...this.#open];
    const sum = (read: (it: PooledSearches) => number) =>
      open.reduce((total, it) => total + read(it), 0);
    const { waitedMs, refused, failedThreads, overBudget } = this.#counts;
    return {
      threads: sum((it) => it.threads),
      busy: sum((it) => it.busy),
      waiting: sum((it) => it.waiting),
      waitedSeconds: waitedMs / 1000,
      refused,
      failedThreads,
      overBudget: overBudget + this.#options.local.load.overBudget,
    };
  }

  open(arrays: IndexArrays): Searches {
    const isInUse = [...this.#open].some((it) => it.isStarted);
    const searches = new PooledSearches(
      arrays,
      this.#options,
      this.#counts,
      () => this.#open.delete(searches),
    );
    this.#open.add(searches);
    // The first search of the next release should not wait for its threads.
    if (isInUse) searches.start();
    return searches;
  }
}

/** Call that waits, or that a thread runs. */
interface Task {
  readonly id: number;
  readonly name: CallName;
  readonly argument: unknown;
  readonly asked: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** True after a thread has ended while it ran. */
  isRepeated: boolean;
}

/** Thread, and the calls that it was sent. */
interface Member {
  thread: SearchThread | undefined;
  isReady: boolean;
  /** In the order in which they are run. */
  readonly tasks: Map<number, Task>;
}

/** Searches of one index in threads. */
class PooledSearches implements Searches {
  readonly #options: SearchPoolOptions;
  readonly #counts: Counts;
  readonly #onClose: () => void;
  #arrays: IndexArrays | undefined;
  readonly #members = new Set<Member>();
  readonly #now: () => number;
  readonly #schedule: Schedule;
  /** Calls of their own, and calls in bulk, which take turns. */
  readonly #single: Task[] = [];
  readonly #bulk: Task[] = [];
  #isBulkNext = false;
  #lastId = 0;
  /** Threads that have ended since a call was answered. */
  #failures = 0;
  /** True after a thread has been ready. */
  #isProven = false;
  readonly #delays = new Set<() => void>();
  /** Searches in this thread, while no other can be started. */
  #local: Searches | undefined;

  constructor(
    arrays: IndexArrays,
    options: SearchPoolOptions,
    counts: Counts,
    onClose: () => void,
  ) {
    this.#arrays = arrays;
    this.#options = options;
    this.#counts = counts;
    this.#onClose = onClose;
    this.#now = options.now ?? (() => performance.now());
    this.#schedule = options.schedule ?? later;
  }

  /** Number of threads that are ready. */
  get threads(): number {
    return [...this.#members].filter(({ isReady }) => isReady).length;
  }

  /** Number of threads that work. */
  get busy(): number {
    return [...this.#members].filter(({ tasks }) => tasks.size > 0).length;
  }

  /** Number of calls that wait for a thread. */
  get waiting(): number {
    return this.#single.length + this.#bulk.length;
  }

  /** True after the first search. */
  get isStarted(): boolean {
    return this.#members.size + this.#delays.size > 0;
  }

  /** Starts the threads, if they are not. */
  start(): void {
    if (this.isStarted || this.#local !== undefined) return;
    for (let i = 0; i < this.#options.threads; i++) this.#startThread();
  }

  call<N extends CallName>(
    name: N,
    argument: ArgumentOf<N>,
    { inBulk = false }: CallOptions = {},
  ): Promise<ResultOf<N>> {
    if (this.#arrays === undefined) return Promise.reject(closed());
    this.start();
    if (this.#local !== undefined) return this.#local.call(name, argument);
    const queue = inBulk ? this.#bulk : this.#single;
    if (!inBulk && queue.length >= MAX_WAITING * this.#options.threads) {
      this.#counts.refused++;
      return Promise.reject(new SearchBusyError());
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    queue.push({
      id: ++this.#lastId,
      name,
      argument,
      asked: this.#now(),
      resolve,
      reject,
      isRepeated: false,
    });
    this.#assign();
    return promise as Promise<ResultOf<N>>;
  }

  /** Gives calls to threads, first to those without one. */
  #assign(): void {
    for (let load = 0; load < CALLS_PER_THREAD; load++) {
      for (const { thread, isReady, tasks } of this.#members) {
        if (!isReady || tasks.size !== load) continue;
        const task = this.#next();
        if (task === undefined) return;
        this.#counts.waitedMs += this.#now() - task.asked;
        tasks.set(task.id, task);
        const { id, name, argument } = task;
        thread!.send({ id, name, argument });
      }
    }
  }

  #next(): Task | undefined {
    const [first, second] = this.#isBulkNext
      ? [this.#bulk, this.#single]
      : [this.#single, this.#bulk];
    const queue = first.length > 0 ? first : second;
    this.#isBulkNext = queue === this.#single;
    return queue.shift();
  }

  #startThread(): void {
    const member: Member = {
      thread: undefined,
      isReady: false,
      tasks: new Map(),
    };
    this.#members.add(member);
    try {
      member.thread = this.#options.start(this.#arrays!, {
        onReady: () => {
          member.isReady = true;
          this.#isProven = true;
          this.#assign();
        },
        onAnswer: (answer) => this.#answer(member, answer),
        onEnd: (reason) => this.#replace(member, reason),
      });
    } catch (error) {
      this.#members.delete(member);
      this.#searchHere(reasonOf(error));
    }
  }

  #answer(
    { tasks }: Member,
    { id, result, error, isOverBudget }: ThreadAnswer,
  ): void {
    const task = tasks.get(id);
    if (task === undefined) return;
    tasks.delete(id);
    this.#failures = 0;
    if (isOverBudget) this.#counts.overBudget++;
    if (error === undefined) task.resolve(result);
    else task.reject(new Error(error));
    this.#assign();
  }

  /** Starts another thread in place of one that has ended. */
  #replace(member: Member, reason: string): void {
    if (!this.#members.delete(member) || this.#arrays === undefined) return;
    if (!this.#isProven) {
      // Something forbids threads here, such as permissions or memory.
      if (this.#members.size === 0) this.#searchHere(reason);
      return;
    }
    this.#counts.failedThreads++;
    const delay = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** this.#failures++);
    this.#options.logger.error("A search thread has ended, and is replaced", {
      error: reason,
      milliseconds: delay,
    });
    const [running, ...following] = member.tasks.values();
    this.#single.unshift(...following);
    if (running?.isRepeated) {
      running.reject(new Error(`its thread has ended twice: ${reason}`));
    } else if (running !== undefined) {
      running.isRepeated = true;
      this.#single.unshift(running);
    }
    const cancel = this.#schedule(() => {
      this.#delays.delete(cancel);
      this.#startThread();
    }, delay);
    this.#delays.add(cancel);
    this.#assign();
  }

  /** Searches in this thread from now on. */
  #searchHere(reason: string): void {
    if (this.#local !== undefined) return;
    const local = this.#local = this.#options.local.open(this.#arrays!);
    if (!this.#counts.isReported) {
      this.#counts.isReported = true;
      this.#options.logger.info(
        "Searches take turns with other requests: no thread can be started",
        { reason },
      );
    }
    const waiting = this.#takeWaiting();
    this.#endThreads();
    for (const { name, argument, resolve, reject } of waiting) {
      local.call(name, argument as never).then(resolve, reject);
    }
  }

  #endThreads(): void {
    for (const { thread } of this.#members) thread?.end();
    this.#members.clear();
    for (const cancel of this.#delays) cancel();
    this.#delays.clear();
  }

  /** Takes all calls that are not answered. */
  #takeWaiting(): Task[] {
    const running = [...this.#members].flatMap(({ tasks }) => [
      ...tasks.values(),
    ]);
    return [...running, ...this.#single.splice(0), ...this.#bulk.splice(0)];
  }

  close(): void {
    if (this.#arrays === undefined) return;
    this.#arrays = undefined;
    const waiting = this.#takeWaiting();
    this.#endThreads();
    this.#local?.close();
    this.#onClose();
    for (const { reject } of waiting) reject(closed());
    collectGarbage();
  }
}

function closed(): Error {
  return new Error("the search index is closed");
}
