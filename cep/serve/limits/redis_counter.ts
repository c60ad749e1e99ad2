import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { atMost } from "../../util/at_most.ts";
import {
  type Quota,
  QuotaTimes,
  ROUNDING_MS,
  type Spent,
} from "../../http/rate_limiter.ts";
import { reasonOf } from "../../util/reason_of.ts";
import { publicRedisUrl, type RedisAddress } from "./redis_url.ts";
import type { SharedCounter } from "./shared_limiter.ts";
import { readSpentAt, type SpentAt } from "./spent_at.ts";

/** Prefix of the keys, each with the address of a client. */
const PREFIX = "cep:limit:";

/**
 * Same algorithm as `RateLimiter`, by the clock of the server. A key expires
 * when the quota of its client is full again. A time beyond a full window, which
 * was written before the clock was set back or with another quota, is replaced
 * by an empty bucket; a value of another type, by a full one.
 *
 * KEYS: one per request. ARGV: interval, room, tolerance. Numbers are returned
 * as text, because integers would lose the fractions.
 */
export const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, room, rounding = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local spent = {string.format('%.17g', now)}
for i, key in ipairs(KEYS) do
  local found = redis.pcall('GET', key)
  local before = tonumber(type(found) == 'string' and found or '') or now
  if not (before > now) then before = now end
  local beyond = before > now + room + rounding
  if beyond then before = now + room end
  local after = before + interval
  local allowed = after - now <= room + rounding
  if allowed then before = after end
  if allowed or beyond then
    local expiry = math.min(math.max(1, math.ceil(before - now)), 1e15)
    redis.call('SET', key, string.format('%.17g', before), 'PX', string.format('%.0f', expiry))
  end
  spent[2 * i] = allowed and 1 or 0
  spent[2 * i + 1] = string.format('%.17g', room - (before - now))
end
return spent`;

const SHA = createHash("sha1").update(SCRIPT).digest("hex");

/** Milliseconds until a connection attempt is given up. */
const CONNECT_MS = 1000;

/** Milliseconds between two connection attempts. */
const RECONNECT_MS = 500;

/** Options of {@linkcode RedisCounter.open}. */
export interface RedisCounterOptions {
  readonly address: RedisAddress;
  readonly quota: Quota;
}

/** Quotas in Valkey or Redis, which a script counts atomically. */
export class RedisCounter implements SharedCounter {
  /** URL without user and password. */
  readonly name: string;
  readonly #redis: Redis;
  readonly #password: string | undefined;
  readonly #times: QuotaTimes;
  /** Error of the last connection. */
  #failure = "not connected";

  private constructor(redis: Redis, { address, quota }: RedisCounterOptions) {
    this.name = publicRedisUrl(address);
    this.#redis = redis;
    this.#password = address.password;
    this.#times = new QuotaTimes(quota);
    redis.on("error", (error) => this.#failure = error.message);
  }

  /**
   * Creates a counter, and waits for its connection for a second at most. The
   * counter connects again by itself.
   */
  static async open(options: RedisCounterOptions): Promise<RedisCounter> {
    const { host, port, isEncrypted, username, password, database } =
      options.address;
    const Redis = await importClient();
    const redis = new Redis({
      host,
      port,
      db: database,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(isEncrypted ? { tls: { servername: host } } : {}),
      protocol: 2,
      connectionName: "carteiro-cep",
      disableClientInfo: true,
      connectTimeout: CONNECT_MS,
      retryStrategy: () => RECONNECT_MS,
      // The check needs a permission; each request finds a server that loads.
      enableReadyCheck: false,
      // Without a connection, a command fails at once instead of waiting.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    });
    const tried = Promise.withResolvers<void>();
    redis.once("ready", tried.resolve).once("error", () => tried.resolve());
    const counter = new RedisCounter(redis, options);
    await atMost(CONNECT_MS, tried.promise);
    return counter;
  }

  /** Takes one request per item, in order, from the quotas of clients. */
  async spend(clients: readonly string[]): Promise<readonly Spent[]> {
    return (await this.spendAt(clients)).spent;
  }

  /** Takes requests like `spend`, and returns the time of the server. */
  spendAt(clients: readonly string[]): Promise<SpentAt> {
    return this.#run(clients.map((it) => PREFIX + it), this.#times);
  }

  /** Writes like a request; rejects if that fails. */
  async probe(): Promise<void> {
    await this.#run([`${PREFIX}probe`], { interval: 0, room: 0 });
  }

  /** Ends a connection that failed; the next one is opened by itself. */
  reconnect(): void {
    const { status } = this.#redis;
    if (status === "ready" || status === "connect") {
      this.#redis.disconnect(true);
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#redis.disconnect();
  }

  async #run(
    keys: readonly string[],
    { interval, room }: Pick<QuotaTimes, "interval" | "room">,
  ): Promise<SpentAt> {
    try {
      if (this.#redis.status !== "ready") throw new Error(this.#failure);
      const values = [interval, room, ROUNDING_MS].map(String);
      const answer = await this.#evaluate(keys, values);
      return readSpentAt(answer, { count: keys.length, room });
    } catch (error) {
      // Without a cause: an error of the client holds its command.
      throw new Error(this.#redact(reasonOf(error)));
    }
  }

  async #evaluate(
    keys: readonly string[],
    values: readonly string[],
  ): Promise<unknown> {
    const parameters = [...keys, ...values];
    try {
      return await this.#redis.evalsha(SHA, keys.length, ...parameters);
    } catch (error) {
      if (!reasonOf(error).startsWith("NOSCRIPT")) throw error;
      return await this.#redis.eval(SCRIPT, keys.length, ...parameters);
    }
  }

  /** Removes the password: some servers repeat a command that they refuse. */
  #redact(text: string): string {
    return this.#password ? text.replaceAll(this.#password, "***") : text;
  }
}

/** Imports the client, which most services do not need. */
async function importClient(): Promise<typeof Redis> {
  try {
    const { Redis } = await import("ioredis");
    return Redis;
  } catch (cause) {
    throw new Error(
      `Cannot load the client of Redis: ${
        reasonOf(cause)
      }; on Deno, it needs ` +
        "--allow-env for all variables",
      { cause },
    );
  }
}
