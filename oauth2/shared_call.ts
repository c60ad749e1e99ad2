interface Call<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Call that concurrent callers share. */
export class SharedCall<T> {
  #call: Call<T> | undefined;

  /**
   * Waits for the call in flight, or starts one. A signal ends the waiting of
   * its own caller; the call itself is aborted when the last waiting ends.
   */
  async join(
    start: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const call = this.#call ??= this.#begin(start);
    call.waiting++;
    let leave = () => {};
    const left = signal && new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener("abort", leave);
      // `start` may have aborted the signal itself.
      if (signal.aborted) leave();
    });
    try {
      return await (left ? Promise.race([call.result, left]) : call.result);
    } finally {
      signal?.removeEventListener("abort", leave);
      if (--call.waiting === 0 && this.#call === call) {
        this.#call = undefined;
        call.controller.abort(signal?.reason);
      }
    }
  }

  #begin(start: (signal: AbortSignal) => Promise<T>): Call<T> {
    const controller = new AbortController();
    const { promise: result, resolve } = Promise.withResolvers<T>();
    // `start` may call `join` at once.
    const call = this.#call = { result, controller, waiting: 0 };
    // Cleared before any caller resumes: it may call `join` again at once.
    const end = () => {
      if (this.#call === call) this.#call = undefined;
    };
    result.then(end, end);
    resolve((async () => await start(controller.signal))());
    return call;
  }
}
