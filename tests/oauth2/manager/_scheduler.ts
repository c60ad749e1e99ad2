/** Virtual time. */
import { settle } from "../_settle.ts";

/** Generator of pseudo-random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Event that is due at a time. */
interface Event {
  readonly at: number;
  readonly run: () => void;
}

/** Microtasks between two events: more than any step takes. */
const MICROTASKS = 60;

/** Clock that moves from event to event. */
export class Scheduler {
  /** Time in milliseconds since 1970. */
  now = 1_700_000_000_000;
  readonly random: () => number;
  readonly #events: Event[] = [];

  constructor(seed: number) {
    this.random = randomNumbers(seed);
  }

  /** Resolves after a time, if the process is alive then. */
  sleep(
    milliseconds: number,
    isAlive: () => boolean = () => true,
  ): Promise<void> {
    return new Promise((resolve) =>
      this.#events.push({
        at: this.now + milliseconds,
        run: () => isAlive() && resolve(),
      })
    );
  }

  /** Resolves after up to `most` milliseconds: steps of others may overtake. */
  pause(most: number, isAlive?: () => boolean): Promise<void> {
    return this.sleep(Math.floor(this.random() * most), isAlive);
  }

  /**
   * Runs events until a promise settles.
   *
   * @throws {Error} If it cannot settle any more.
   */
  async run<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    const finish = () => void (isDone = true);
    promise.then(finish, finish);
    for (;;) {
      for (let i = 0; i < MICROTASKS; i++) await null;
      // A runtime may read the body of a response in a task of its own.
      if (!isDone && this.#events.length === 0) await settle();
      if (isDone) return await promise;
      const event = this.#takeNext();
      this.now = event.at;
      event.run();
    }
  }

  #takeNext(): Event {
    const at = Math.min(...this.#events.map((event) => event.at));
    const index = this.#events.findIndex((event) => event.at === at);
    const [event] = this.#events.splice(index, 1);
    if (!event) throw new Error("Cannot continue: no event is left");
    return event;
  }
}
