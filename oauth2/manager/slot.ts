import { oneLine } from "../core/redactor.ts";
import { redactError, withDeadline } from "../core/transport.ts";
import { hasCode, TokenManagerError } from "./manager_error.ts";
import { formatRecord, parseRecord, type TokenRecord } from "./record.ts";
import type { TokenStore } from "./store.ts";

const MIN_SECRET = 4;
const LABEL = "[FILTERED]";
const JSON_START = /[{[].*$/s;
const WORD = /[\w.~+/%=-]{8,}/g;
/** Letters and digits, e.g. of a token, but not of an IP address. */
const MIXED = /[a-z].*\d|\d.*[a-z]/i;
/** Length of a word that is redacted without digits, too. */
const LONG_WORD = 20;
/** Maximum number of swaps that a store refuses although nothing has changed. */
const MAX_REFUSALS = 10;
/** Maximum number of changes by others that a change waits for. */
const MAX_ROUNDS = 1000;

/** Value of a store. */
export class Stored {
  /** Text; undefined if the store cannot read it. */
  readonly text: string | undefined;
  #record: TokenRecord | undefined;
  #problem: unknown;

  /** Creates a value from its text, its record, or the error of reading it. */
  constructor(value: string | TokenRecord | TokenManagerError) {
    if (value instanceof TokenManagerError) this.#problem = value;
    else if (typeof value === "string") this.text = value;
    else [this.text, this.#record] = [formatRecord(value), value];
  }

  /**
   * Record of the value.
   *
   * @throws {TokenManagerError} If the value is none.
   */
  get record(): TokenRecord {
    if (this.#problem) throw this.#problem;
    return this.#record ??= parseRecord(this.text!);
  }

  /** Id of the session; undefined if the value is no record. */
  get session(): string | undefined {
    try {
      return this.record.session;
    } catch {
      return undefined;
    }
  }
}

/** Decision on a value: another record in its place, or what to do with it. */
export type Decision = TokenRecord | "keep" | "delete";

/**
 * One key of a store. Its value changes by {@linkcode Slot.swap} alone, which
 * compares it with the value that was read. Each value has a random revision,
 * so that a swap that lands after its timeout changes nothing that was written
 * meanwhile.
 */
export class Slot {
  readonly #store: TokenStore;
  readonly #key: string;
  readonly #timeout: number;

  /** Creates a slot; `timeout` limits each operation, in milliseconds. */
  constructor(store: TokenStore, key: string, timeout: number) {
    this.#store = store;
    this.#key = key;
    this.#timeout = timeout;
  }

  /**
   * Reads the value.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async read(): Promise<Stored | undefined> {
    try {
      const text = await this.#run("read", () => this.#store.get(this.#key));
      // Stores of untyped callers may return null.
      return text == null ? undefined : new Stored(String(text));
    } catch (error) {
      if (hasCode(error, "unreadable_token")) return new Stored(error);
      throw error;
    }
  }

  /**
   * Reads the value, decides, and swaps. If the value has changed meanwhile,
   * reads it again and decides anew. Returns the value after that.
   *
   * @throws {TokenManagerError} If the store fails; the change may then have
   * been made, or be made later unless the value changes before.
   */
  async change(
    decide: (stored: Stored | undefined) => Decision,
  ): Promise<Stored | undefined> {
    let last: Stored | undefined;
    for (let round = 0, refusals = 0; round < MAX_ROUNDS; round++) {
      const stored = await this.read();
      const decision = decide(stored);
      if (decision === "keep" || !stored && decision === "delete") {
        return stored;
      }
      const next = decision === "delete" ? undefined : new Stored(decision);
      if (await this.swap(stored, next)) return next;
      refusals = round > 0 && stored?.text === last?.text ? refusals + 1 : 0;
      if (refusals > MAX_REFUSALS) break;
      last = stored;
    }
    return refuseAll();
  }

  /**
   * Replaces the expected value by the next one; undefined stands for none.
   * Returns false if the store has another one.
   *
   * A token is never written over nothing, which has no revision: an empty
   * record takes its place first. Otherwise a write that lands after its timeout
   * could bring back a login after a sign-out.
   *
   * @throws {TokenManagerError} As {@linkcode Slot.change}.
   */
  async swap(
    expected: Stored | undefined,
    next: Stored | undefined,
  ): Promise<boolean> {
    if (expected?.text === undefined && next?.record.token) {
      const { token: _, ...others } = next.record;
      // Not the session of the login: it has not begun.
      const id = `${others.revision} empty`;
      const empty = new Stored({ ...others, session: id, revision: id });
      return await this.swap(expected, empty) && await this.swap(empty, next);
    }
    return await this.#run(
      "store",
      () => this.#compareAndSwap(expected?.text, next?.text),
      expected?.text,
      next?.text,
    );
  }

  async #compareAndSwap(
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    const store = this.#store;
    const key = this.#key;
    if (store.compareAndSwap) {
      return await store.compareAndSwap(key, expected, value);
    }
    const replace = async () => {
      if (await readText(store, key) !== expected) return false;
      await store.set(key, value);
      return true;
    };
    return await (store.lock
      ? store.lock(key, replace)
      : inTurn(store, key, replace));
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

/**
 * Gives up on a store.
 *
 * @throws {TokenManagerError} Always.
 */
export function refuseAll(): never {
  throw new TokenManagerError(
    "Cannot store the token: the store refuses every swap",
    { code: "store_failed", kind: "store", retryable: true },
  );
}

/** Operations by store and key, for stores of one process. */
const turns = new WeakMap<TokenStore, Map<string, Promise<unknown>>>();

/** Runs a function after those before it have settled, even after a timeout. */
function inTurn<T>(
  store: TokenStore,
  key: string,
  run: () => Promise<T>,
): Promise<T> {
  const queue = turns.get(store) ?? new Map<string, Promise<unknown>>();
  turns.set(store, queue);
  const turn = (queue.get(key) ?? Promise.resolve()).then(run, run);
  queue.set(key, turn);
  const end = () => {
    if (queue.get(key) === turn) queue.delete(key);
  };
  turn.then(end, end);
  return turn;
}

/** Reads a text; one that the store cannot read counts as none. */
async function readText(
  store: TokenStore,
  key: string,
): Promise<string | undefined> {
  try {
    return await store.get(key) ?? undefined;
  } catch (error) {
    if (hasCode(error, "unreadable_token")) return undefined;
    throw error;
  }
}

/** Lists the texts of a value that may be secret, the longest first. */
function secretsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const found: string[] = [];
  try {
    JSON.parse(text, (_, value) => {
      if (typeof value === "string" && value.length >= MIN_SECRET) {
        found.push(value);
      }
    });
  } catch {
    // A value that no manager wrote.
    found.push(text);
  }
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
