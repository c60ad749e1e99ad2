/**
 * One key of a store.
 *
 * @module
 */
import { oneLine } from "../redactor.ts";
import { redactError, withDeadline } from "../transport.ts";
import { TokenManagerError } from "./manager_error.ts";
import { formatRecord, parseRecord, type TokenRecord } from "./record.ts";
import type { TokenStore } from "./store.ts";

/** Minimum length of a redacted text. */
const MIN_SECRET = 4;
const LABEL = "[FILTERED]";
const JSON_START = /[{[].*$/s;
const WORD = /[\w.~+/%=-]{8,}/g;
/** Letters and digits, e.g. of a token, but not of an IP address. */
const MIXED = /[a-z].*\d|\d.*[a-z]/i;
/** Length of a word that is redacted without digits, too. */
const LONG_WORD = 20;

/** Record of a store, and its text. */
export interface Stored {
  readonly text: string;
  readonly record: TokenRecord;
}

/** Reads and writes the record of one key. */
export class Slot {
  readonly #store: TokenStore;
  readonly #key: string;
  readonly #timeout: number;

  /** Creates a slot; `timeout` is that of an operation in milliseconds. */
  constructor(store: TokenStore, key: string, timeout: number) {
    this.#store = store;
    this.#key = key;
    this.#timeout = timeout;
  }

  /**
   * Reads the record.
   *
   * @throws {TokenManagerError} If the store fails, or has another value.
   */
  async read(): Promise<Stored | undefined> {
    const text = await this.#run("read", () => this.#store.get(this.#key));
    // Stores of untyped callers may return null.
    if (text === undefined || text === null) return undefined;
    return { text, record: parseRecord(String(text)) };
  }

  /**
   * Replaces the record, whatever it is; undefined deletes it.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async write(record: TokenRecord | undefined): Promise<void> {
    const text = record && formatRecord(record);
    await this.#run("store", () => this.#store.set(this.#key, text), text);
  }

  /**
   * Replaces the record if the store still has the expected one. Returns
   * undefined if it has not.
   *
   * @throws {TokenManagerError} If the store fails; the record may then have
   * been replaced.
   */
  async swap(
    expected: Stored | undefined,
    record: TokenRecord,
  ): Promise<Stored | undefined> {
    const stored = { text: formatRecord(record), record };
    const isSwapped = await this.#run(
      "store",
      () => this.#swap(expected, stored),
      expected?.text,
      stored.text,
    );
    return isSwapped ? stored : undefined;
  }

  async #swap(
    expected: Stored | undefined,
    { text }: Stored,
  ): Promise<boolean> {
    const store = this.#store;
    const key = this.#key;
    if (store.compareAndSwap) {
      return await store.compareAndSwap(key, expected?.text, text);
    }
    const replace = async () => {
      if ((await store.get(key) ?? undefined) !== expected?.text) return false;
      await store.set(key, text);
      return true;
    };
    return await (store.lock ? store.lock(key, replace) : replace());
  }

  /**
   * Runs an operation. The errors of a store may hold the values: those of
   * ioredis have the arguments of the command.
   */
  async #run<T>(
    verb: string,
    operate: () => Promise<T>,
    ...values: readonly (string | undefined)[]
  ): Promise<T> {
    try {
      return await withDeadline(
        "response of the store",
        "safe",
        { timeout: this.#timeout },
        async () => await operate(),
      );
    } catch (error) {
      if (error instanceof TokenManagerError) throw error;
      const secrets = values.flatMap(secretsOf);
      throw new TokenManagerError(
        `Cannot ${verb} the token: the store failed`,
        {
          code: "store_failed",
          kind: "store",
          retryable: true,
          cause: redactError(error, (text) => redact(text, secrets)),
        },
      );
    }
  }
}

/** Lists the texts of a value that may be secret, the longest first. */
function secretsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const found: string[] = [];
  JSON.parse(text, (_, value) => {
    if (typeof value === "string" && value.length >= MIN_SECRET) {
      found.push(value);
    }
  });
  return found.sort((a, b) => b.length - a.length);
}

/**
 * Redacts these secrets and what may be an unknown value: JSON, words of letters
 * and digits, and long words.
 */
function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce(
    (text, secret) => text.replaceAll(secret, LABEL),
    text.replace(JSON_START, LABEL),
  );
  return oneLine(known).replace(
    WORD,
    (word) => word.length >= LONG_WORD || MIXED.test(word) ? LABEL : word,
  );
}
