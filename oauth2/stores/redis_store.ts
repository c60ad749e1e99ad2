import type { TokenStore } from "../manager/store.ts";
import { knownNames } from "../core/names.ts";
import { checkMethods, checkOptions } from "./store_options.ts";

/**
 * Client of a server: that of `ioredis`, with `call`; that of `redis`, with
 * `sendCommand`; or a function.
 */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(command: string[]): Promise<unknown> }
  | ((command: string[]) => Promise<unknown>);

/** Options of a {@linkcode RedisStore}. */
export interface RedisStoreOptions {
  /**
   * Beginning of the keys.
   *
   * @default {"oauth2:"}
   */
  prefix?: string | undefined;
  /**
   * Seconds after the last change at which the server deletes an entry.
   *
   * @default {never}
   */
  ttl?: number | undefined;
}

const OPTIONS = knownNames<RedisStoreOptions>({ prefix: true, ttl: true });
/** Swaps a value: expected and new value, each after "1", or "0" for none. */
const SWAP = `
local value = redis.call("GET", KEYS[1])
if ARGV[1] == "1" then
  if value ~= ARGV[2] then return 0 end
elseif value then return 0 end
if ARGV[3] == "0" then redis.call("DEL", KEYS[1])
elseif ARGV[5] == "" then redis.call("SET", KEYS[1], ARGV[4])
else redis.call("SET", KEYS[1], ARGV[4], "EX", ARGV[5]) end
return 1`;

/**
 * Store in a server that is compatible with Redis, e.g.
 * `new RedisStore(new Redis("redis://localhost"))`. A server that evicts keys,
 * or restarts without them, ends sessions.
 */
export class RedisStore implements TokenStore {
  readonly #send: (command: string[]) => Promise<unknown>;
  readonly #prefix: string;
  readonly #ttl: string | undefined;

  /**
   * Creates a store on a client that the caller opens and closes.
   *
   * @throws {TypeError} If an option is unknown, or ttl is not a whole number,
   * 1 or more.
   */
  constructor(client: RedisClient, options: RedisStoreOptions = {}) {
    checkOptions(options, OPTIONS);
    checkMethods(client, "call", "sendCommand");
    const { prefix = "oauth2:", ttl } = options;
    this.#send = typeof client === "function"
      ? client
      : "call" in client
      ? ([name, ...args]) => client.call(name!, ...args)
      : (command) => client.sendCommand(command);
    this.#prefix = prefix;
    this.#ttl = ttl === undefined ? undefined : String(ttl);
  }

  /** Returns the value of a key. */
  async get(key: string): Promise<string | undefined> {
    const value = await this.#send(["GET", this.#prefix + key]);
    return value === null || value === undefined ? undefined : String(value);
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    const expiry = this.#ttl === undefined ? [] : ["EX", this.#ttl];
    const name = this.#prefix + key;
    await this.#send(
      value === undefined ? ["DEL", name] : ["SET", name, value, ...expiry],
    );
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    const swapped = await this.#send([
      ...["EVAL", SWAP, "1", this.#prefix + key],
      ...(expected === undefined ? ["0", ""] : ["1", expected]),
      ...(value === undefined ? ["0", ""] : ["1", value]),
      this.#ttl ?? "",
    ]);
    return Number(swapped) === 1;
  }
}
