import type { Schedule } from "../../cep/util/later.ts";

/** Timer whose time passes only when a test says so. */
export class ManualTimer {
  /** Time in milliseconds. */
  time = 0;
  readonly #calls = new Set<{ at: number; callback: () => void }>();

  readonly now = (): number => this.time;

  readonly schedule: Schedule = (callback, ms) => {
    const call = { at: this.time + ms, callback };
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  };

  /** Number of calls to come. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Lets time pass, and everything run that was to run in it. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    while (true) {
      const [next] = [...this.#calls]
        .filter(({ at }) => at <= end)
        .toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#calls.delete(next);
      this.time = next.at;
      next.callback();
      await settle();
    }
    this.time = end;
  }
}

/** Lets everything run that is ready to run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
