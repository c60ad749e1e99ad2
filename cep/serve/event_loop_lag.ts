import { clearInterval, setInterval } from "node:timers";

/** Milliseconds between two measurements. */
const INTERVAL_MS = 100;

/**
 * Time by which the event loop of this thread is late. (`perf_hooks` measures
 * nothing on Deno 2.9.)
 */
export class EventLoopLag {
  readonly #now: () => number;
  readonly #timer: ReturnType<typeof setInterval>;
  #expected: number;
  #longest = 0;

  /**
   * @param now Monotonic clock, in milliseconds.
   * @param repeat Starts an interval.
   */
  constructor(now = () => performance.now(), repeat = setInterval) {
    this.#now = now;
    this.#expected = now() + INTERVAL_MS;
    this.#timer = repeat(() => {
      this.#measure();
      this.#expected = now() + INTERVAL_MS;
    }, INTERVAL_MS);
    this.#timer.unref(); // It must not keep the process alive.
  }

  /** Returns the longest delay since the last call, in seconds. */
  takeLongest(): number {
    this.#measure();
    const longest = this.#longest;
    this.#longest = 0;
    return longest / 1000;
  }

  #measure(): void {
    this.#longest = Math.max(this.#longest, this.#now() - this.#expected);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
