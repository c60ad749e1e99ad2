import { sha256 } from "../core/jwk.ts";
import { TokenManagerError } from "../manager/manager_error.ts";
import type { TokenStore } from "../manager/store.ts";
import { isPlainObject } from "../core/params.ts";
import { redactError, withDeadline } from "../core/transport.ts";

/** Session in the store. */
export interface SessionRecord {
  /** Value that the application reads. */
  readonly user: unknown;
  /** Time of expiry, in seconds since 1970. */
  readonly expires_at: number;
  /** Issuer, user and session of the ID token. */
  readonly iss?: string | undefined;
  readonly sub?: string | undefined;
  readonly sid?: string | undefined;
  /** ID token, for the logout. */
  readonly id_token?: string | undefined;
}

/** User, or one session of a user at the server. */
export interface Subject {
  readonly iss?: string | undefined;
  readonly sub?: string | undefined;
  readonly sid?: string | undefined;
}

/** Sessions of a user or of a session of the server: expiry by key. */
type Index = Record<string, number>;

/** Longest timeout of an operation of the store in milliseconds. */
const TIMEOUT = 10_000;
/** Most attempts to change an index that others change, too. */
const MAX_SWAPS = 100;

/**
 * Sessions in a store. The index has the keys of the sessions of a user and of
 * a `sid`, so that a back-channel logout finds them; it changes by
 * compare-and-swap.
 */
export class Records {
  readonly #store: TokenStore;
  readonly #now: () => number;

  /** `now` returns seconds since 1970. */
  constructor(store: TokenStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Returns a session that has not expired.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async read(key: string): Promise<SessionRecord | undefined> {
    const value = parse(await this.#get(recordKey(key)));
    const { user, expires_at } = value ?? {};
    if (user === undefined || !(Number(expires_at) > this.#now())) {
      return undefined;
    }
    return value as unknown as SessionRecord;
  }

  /**
   * Lists a session that begins in the index, so that a logout finds it.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async begin(
    key: string,
    record: Omit<SessionRecord, "user">,
  ): Promise<void> {
    for (const index of await indexKeys(record)) {
      await this.#change(
        index,
        (all) => ({ ...all, [key]: record.expires_at }),
      );
    }
  }

  /**
   * Stores a session that has begun. Returns false if a logout has ended it.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async add(key: string, record: SessionRecord): Promise<boolean> {
    await this.#set(recordKey(key), JSON.stringify(record));
    for (const index of await indexKeys(record)) {
      if (parse(await this.#get(index))?.[key] !== undefined) continue;
      await this.remove(key, record);
      return false;
    }
    return true;
  }

  /**
   * Deletes a session.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async remove(key: string, record: Subject): Promise<void> {
    await this.#set(recordKey(key), undefined);
    for (const index of await indexKeys(record)) {
      await this.#change(index, ({ [key]: _, ...others }) => others);
    }
    // Again: a login may have stored it before it missed the index.
    await this.#set(recordKey(key), undefined);
  }

  /**
   * Deletes all sessions of a user or, with a `sid`, those of one session at the
   * server. Returns their keys.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async removeAll({ iss, sub, sid }: Subject): Promise<string[]> {
    const by = sid === undefined ? { iss, sub } : { iss, sid };
    const [index] = await indexKeys(by);
    if (index === undefined) return [];
    const keys = Object.keys(parse(await this.#get(index)) ?? {});
    const removed: string[] = [];
    for (const key of keys) {
      const record = await this.read(key);
      if (record && sub !== undefined && record.sub !== sub) continue;
      await this.remove(key, record ?? { iss, sub, sid });
      removed.push(key);
    }
    return removed;
  }

  /**
   * Marks a text as used. Returns false if it was before.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async use(text: string, expiresAt: number): Promise<boolean> {
    const key = await usedKey(text);
    return await this.#swap(key, undefined, String(expiresAt));
  }

  /** Marks a text as unused. */
  async forget(text: string): Promise<void> {
    await this.#set(await usedKey(text), undefined);
  }

  /** Changes an index, in which expired sessions are dropped. */
  async #change(key: string, change: (index: Index) => Index): Promise<void> {
    for (let i = 0; i < MAX_SWAPS; i++) {
      const text = await this.#get(key, true);
      const now = this.#now();
      const all = Object.entries(parse(text) ?? {}) as [string, number][];
      const current = Object.fromEntries(all.filter(([, end]) => end > now));
      const next = change(current);
      const isEmpty = Object.keys(next).length === 0;
      const changed = isEmpty ? undefined : JSON.stringify(next);
      if (text === changed || await this.#swap(key, text, changed)) return;
    }
    throw storeError("Cannot store the session: the store refuses every swap");
  }

  async #get(key: string, repair = false): Promise<string | undefined> {
    try {
      const text = await this.#run("read", () => this.#store.get(key));
      return text ?? undefined;
    } catch (error) {
      const { code } = error as TokenManagerError;
      if (code !== "unreadable_token") throw error;
      // Encrypted with a key that is gone, and so are its sessions.
      if (repair) await this.#set(key, undefined);
      return undefined;
    }
  }

  #set(key: string, value: string | undefined): Promise<void> {
    return this.#run("store", () => this.#store.set(key, value));
  }

  #swap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    const store = this.#store;
    return this.#run("store", async () => {
      if (store.compareAndSwap) {
        return await store.compareAndSwap(key, expected, value);
      }
      return await store.lock!(key, async () => {
        if ((await store.get(key) ?? undefined) !== expected) return false;
        await store.set(key, value);
        return true;
      });
    });
  }

  /** Runs an operation. The errors of a store may hold its values. */
  async #run<T>(verb: string, operate: () => Promise<T>): Promise<T> {
    try {
      const deadline = { timeout: TIMEOUT };
      const name = "response of the store";
      return await withDeadline(
        name,
        "safe",
        deadline,
        async () => await operate(),
      );
    } catch (error) {
      if (error instanceof TokenManagerError) throw error;
      throw storeError(
        `Cannot ${verb} the session: the store failed`,
        redactError(error, (text) => /^[A-Z_]+$/.test(text) ? text : ""),
      );
    }
  }
}

async function usedKey(text: string): Promise<string> {
  return `used:${await sha256(text)}`;
}

function recordKey(key: string): string {
  return `session:${key}`;
}

/** Lists the keys of the index under which a session is. */
async function indexKeys({ iss, sub, sid }: Subject): Promise<string[]> {
  const named = Object.entries({ sub, sid })
    .filter(([, value]) => value !== undefined);
  return await Promise.all(
    named.map(async ([name, value]) =>
      `${name}:${await sha256(JSON.stringify([iss, value]))}`
    ),
  );
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function storeError(message: string, cause?: unknown): TokenManagerError {
  return new TokenManagerError(message, {
    code: "store_failed",
    kind: "store",
    retryable: true,
    ...cause !== undefined && { cause },
  });
}
