import type { Config } from "../settings/config.ts";
import type { Logger } from "../util/logger.ts";

/** Settings of {@linkcode tellRateLimit}. */
type RateLimitSettings = Pick<
  Config,
  "rateLimit" | "rateLimitMax" | "rateLimitBurst" | "rateLimitMinutes"
>;

/** Logs the limit, which few who try the service with a script expect. */
export function tellRateLimit(
  { rateLimit, rateLimitMax, rateLimitBurst, rateLimitMinutes }:
    RateLimitSettings,
  logger: Logger,
): void {
  if (!rateLimit) return;
  logger.info("Limiting the requests of each client", {
    atOnce: rateLimitMax + rateLimitBurst,
    then: `${rateLimitMax} in ${rateLimitMinutes} minutes`,
    unlimited: "API_RATE_LIMIT_ENABLE=false",
  });
}
