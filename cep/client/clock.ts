/** Clock, replaceable in tests. */
export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /**
   * Waits.
   *
   * @param signal Ends the wait early, without an error.
   */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Clock of the system. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
    });
  },
};
