import { completeConfig, type Config } from "../../settings/config.ts";
import { quotaOf } from "../../http/middleware/rate_limit.ts";
import type { RateLimitStore } from "../../http/rate_limiter.ts";
import { defaultLogger, type Logger } from "../../util/logger.ts";
import { RedisCounter } from "./redis_counter.ts";
import { parseRedisUrl } from "./redis_url.ts";
import { SharedLimiter } from "./shared_limiter.ts";

/** Milliseconds for the first attempt, which sends the script. */
const START_MS = 1000;

/** Options of {@linkcode openLimits}. */
export interface OpenLimitsOptions {
  /**
   * Settings that differ from the defaults, `rateLimitStore` among them.
   */
  readonly config: Partial<Config> & Pick<Config, "rateLimitStore">;
  /**
   * Logger of the loss of the server, and of its return.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
}

/** Quotas of clients in Valkey or Redis. */
export interface SharedLimits extends RateLimitStore, Disposable {
  /** Closes the connection. */
  close(): void;
}

/**
 * Opens the quotas that instances share in the Valkey or Redis server of
 * `rateLimitStore`, for {@linkcode createHandler}. While the server cannot be
 * used, requests are counted in this process alone.
 *
 * @throws {ConfigError} If a setting is not allowed.
 *
 * @example
 * ```ts ignore
 * import { createHandler, openLimits, openStore } from "@carteiro/cep";
 *
 * const config = { rateLimitStore: "redis://localhost:6379" };
 * using limits = await openLimits({ config });
 * const store = await openStore({ path: "./data" });
 * Deno.serve(createHandler({ store, config, limits }));
 * ```
 */
export async function openLimits(
  { config, logger = defaultLogger() }: OpenLimitsOptions,
): Promise<SharedLimits> {
  const settings = completeConfig(config);
  const address = parseRedisUrl(settings.rateLimitStore);
  if (address === undefined) {
    throw new TypeError("Cannot open limits: rateLimitStore is not set");
  }
  const quota = quotaOf(settings);
  const counter = await RedisCounter.open({ address, quota });
  const limiter = new SharedLimiter({ counter, quota, logger });
  await limiter.start(START_MS);
  return limiter;
}
