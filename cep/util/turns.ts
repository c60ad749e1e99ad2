import { setImmediate } from "node:timers";

/**
 * Milliseconds of work in a turn. The event loop is given back every 10 ms if
 * no piece of work takes longer than as much again.
 */
const TURN_MS = 5;

/** Returns true if the time of a turn is over. */
export type IsOver = () => boolean;

/** Turns of the event loop, in the order in which they are asked for. */
export class Turns {
  readonly #now: () => number;
  /** Time at which the turn is over. */
  #end = -Infinity;
  /** Resolves when the last turn asked for allows another one. */
  #last: Promise<void> = Promise.resolve();

  /** @param now Monotonic clock, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Runs a work in a turn, or in the rest of one that others have ended early.
   * If the work goes on until the time is over, the event loop is given back.
   */
  async run<T>(work: (isOver: IsOver) => T | Promise<T>): Promise<T> {
    const asked = this.#last.then(() => this.#begin());
    this.#last = asked.then(({ given }) => given);
    const { end, given, cancel } = await asked;
    const isOver = () => this.#now() >= end;
    try {
      return await work(isOver);
    } finally {
      if (!isOver()) cancel();
      await given;
    }
  }

  #begin(): { end: number; given: Promise<void>; cancel: () => void } {
    const now = this.#now();
    if (now >= this.#end) this.#end = now + TURN_MS;
    const { promise: given, resolve } = Promise.withResolvers<void>();
    // Deno polls its sockets before a timer fires, Node before `setImmediate`. A
    // work that waits for something else gives the event loop back, too.
    const timer = setTimeout(() => setImmediate(resolve), 0);
    const cancel = () => {
      clearTimeout(timer);
      resolve();
    };
    return { end: this.#end, given, cancel };
  }
}
