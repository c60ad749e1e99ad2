import { isPlainObject } from "./params.ts";

interface Call<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

/**
 * Runs one call at a time for equal arguments, and shares its result with
 * concurrent callers.
 */
export class SharedCall<T> {
  #calls = new Map<string, Call<T>>();
  /** Numbers of the objects in arguments that are not plain. */
  #numbers: WeakMap<object, number> | undefined;
  #count = 0;

  get isActive(): boolean {
    return this.#calls.size > 0;
  }

  /**
   * Joins the call in flight that has equal arguments, or starts one. A signal
   * rejects only its own caller; the call is aborted when no caller is left.
   */
  async join(
    start: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
    args?: unknown,
  ): Promise<T> {
    signal?.throwIfAborted();
    const key = this.#keyOf(args);
    const call = this.#calls.get(key) ?? this.#begin(key, start);
    call.callers++;
    try {
      return await withSignal(call.result, signal);
    } finally {
      if (--call.callers === 0 && this.#calls.get(key) === call) {
        this.#calls.delete(key);
        call.controller.abort(signal?.reason);
      }
    }
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Call<T> {
    const controller = new AbortController();
    const { promise: result, resolve } = Promise.withResolvers<T>();
    const call = { result, controller, callers: 0 };
    // Set before `start` runs, which may call `join`.
    this.#calls.set(key, call);
    // Cleared before a caller resumes, which may call `join` again.
    const end = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key);
    };
    result.then(end, end);
    resolve((async () => await start(controller.signal))());
    return call;
  }

  /**
   * Returns a text that equal arguments share: lists, simple values, and plain
   * objects with their members in any order. Others are equal only to themselves.
   */
  #keyOf(value: unknown): string {
    if (Array.isArray(value)) {
      return `[${value.map((item) => this.#keyOf(item))}]`;
    }
    if (isPlainObject(value)) {
      const names = Object.keys(value).sort();
      return this.#keyOf(
        names.filter((name) => value[name] !== undefined)
          .flatMap((name) => [name, value[name]]),
      ) + "{}";
    }
    if (Object(value) !== value) {
      return typeof value + JSON.stringify(String(value));
    }
    const numbers = this.#numbers ??= new WeakMap();
    const number = numbers.get(value as object) ?? this.#count++;
    numbers.set(value as object, number);
    return String(number);
  }
}

/**
 * Awaits a promise, or rejects with the reason of a signal; the task behind the
 * promise continues.
 */
export async function withSignal<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return await promise;
  signal.throwIfAborted();
  let leave = () => {};
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([promise, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
