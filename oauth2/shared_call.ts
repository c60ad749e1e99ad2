/**
 * Call that concurrent callers share.
 *
 * @module
 */

import { withSignal } from "./with_signal.ts";

interface Call<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

/** Runs one call at a time and shares its result with concurrent callers. */
export class SharedCall<T> {
  #call: Call<T> | undefined;

  /** True while a call is in flight. */
  get isActive(): boolean {
    return this.#call !== undefined;
  }

  /**
   * Joins the call in flight, or starts one. A signal rejects only its own
   * caller; the call is aborted when no caller is left.
   */
  async join(
    start: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const call = this.#call ??= this.#begin(start);
    call.callers++;
    try {
      return await withSignal(call.result, signal);
    } finally {
      if (--call.callers === 0 && this.#call === call) {
        this.#call = undefined;
        call.controller.abort(signal?.reason);
      }
    }
  }

  #begin(start: (signal: AbortSignal) => Promise<T>): Call<T> {
    const controller = new AbortController();
    const { promise: result, resolve } = Promise.withResolvers<T>();
    // Set before `start` runs, which may call `join`.
    const call = this.#call = { result, controller, callers: 0 };
    // Cleared before a caller resumes, which may call `join` again.
    const end = () => {
      if (this.#call === call) this.#call = undefined;
    };
    result.then(end, end);
    resolve((async () => await start(controller.signal))());
    return call;
  }
}
