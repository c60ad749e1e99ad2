import { setTimeout } from "node:timers/promises";

/** Options of {@linkcode pollUntilStopped}. */
export interface PollOptions {
  /** Milliseconds between two polls, on average. */
  readonly pollMs: number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Ends the polls. */
  readonly signal: AbortSignal;
}

/**
 * Polls, for the first time immediately, until it is stopped. The pauses are
 * random, so that instances that were started together do not poll together.
 */
export async function pollUntilStopped(
  poll: () => Promise<void>,
  { pollMs, random, signal }: PollOptions,
): Promise<void> {
  while (!signal.aborted) {
    await poll();
    const wait = pollMs * (0.8 + 0.4 * random());
    await setTimeout(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}
