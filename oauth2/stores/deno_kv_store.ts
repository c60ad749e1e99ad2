import type { TokenStore } from "../manager/store.ts";
import { knownNames } from "../core/names.ts";
import { checkMethods, checkOptions } from "./store_options.ts";

/** Entry of Deno KV. */
export interface DenoKvEntry {
  /** Value, or null. */
  readonly value: unknown;
  /** Version, or null. */
  readonly versionstamp: string | null;
}

/** Atomic operation of Deno KV. */
export interface DenoKvAtomic {
  /** Requires that an entry has a version. */
  check(entry: { key: string[]; versionstamp: string | null }): this;
  /** Sets an entry. */
  set(key: string[], value: unknown, options?: { expireIn?: number }): this;
  /** Deletes an entry. */
  delete(key: string[]): this;
  /** Commits the operation, if the entries have their versions. */
  commit(): Promise<{ ok: boolean }>;
}

/** Members of `Deno.Kv` that the store needs. */
export interface DenoKv {
  /** Reads an entry. */
  get(key: string[]): Promise<DenoKvEntry>;
  /** Sets an entry. */
  set(
    key: string[],
    value: unknown,
    options?: { expireIn?: number },
  ): Promise<unknown>;
  /** Deletes an entry. */
  delete(key: string[]): Promise<void>;
  /** Begins an atomic operation. */
  atomic(): DenoKvAtomic;
}

/** Options of a {@linkcode DenoKvStore}. */
export interface DenoKvStoreOptions {
  /**
   * First parts of the keys.
   *
   * @default {["oauth2"]}
   */
  prefix?: readonly string[] | undefined;
  /**
   * Seconds after the last change at which Deno KV may delete an entry.
   *
   * @default {never}
   */
  ttl?: number | undefined;
}

const OPTIONS = knownNames<DenoKvStoreOptions>({ prefix: true, ttl: true });

/** Store in Deno KV, e.g. `new DenoKvStore(await Deno.openKv())`. */
export class DenoKvStore implements TokenStore {
  readonly #kv: DenoKv;
  readonly #prefix: readonly string[];
  readonly #options: { expireIn?: number };

  /**
   * Creates a store in a database that the caller opens and closes.
   *
   * @throws {TypeError} If an option is unknown, or ttl is not a whole number,
   * 1 or more.
   */
  constructor(kv: DenoKv, options: DenoKvStoreOptions = {}) {
    checkOptions(options, OPTIONS);
    checkMethods(kv, "atomic");
    const { prefix = ["oauth2"], ttl } = options;
    this.#kv = kv;
    this.#prefix = [...prefix];
    this.#options = ttl === undefined ? {} : { expireIn: ttl * 1000 };
  }

  /** Returns the value of a key. */
  async get(key: string): Promise<string | undefined> {
    return textOf(await this.#kv.get(this.#keyOf(key)));
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    if (value === undefined) await this.#kv.delete(this.#keyOf(key));
    else await this.#kv.set(this.#keyOf(key), value, this.#options);
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    const kvKey = this.#keyOf(key);
    const entry = await this.#kv.get(kvKey);
    if (textOf(entry) !== expected) return false;
    const { versionstamp } = entry;
    const checked = this.#kv.atomic().check({ key: kvKey, versionstamp });
    const changed = value === undefined
      ? checked.delete(kvKey)
      : checked.set(kvKey, value, this.#options);
    return (await changed.commit()).ok;
  }

  #keyOf(key: string): string[] {
    return [...this.#prefix, key];
  }
}

function textOf({ value }: DenoKvEntry): string | undefined {
  return value === null ? undefined : String(value);
}
