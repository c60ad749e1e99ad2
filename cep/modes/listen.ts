import type { Config } from "../settings/config.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { createFollower } from "../store/follow/address_origin.ts";
import { processName } from "./open_database.ts";
import { serveRequests } from "./serve_requests.ts";

/** Serves requests until SIGTERM or SIGINT. */
export async function runListen(config: Config): Promise<void> {
  const logger = defaultLogger();
  tellRateLimit(config, logger);
  if (config.workers > 1 && await canStartThreads(config, logger)) {
    const { listenInThreads } = await import("./listen_in_threads.ts");
    return await listenInThreads(config, logger);
  }
  const follower = createFollower(config, processName(), logger);
  await serveRequests({ config, logger, follower });
}

async function canStartThreads(
  { workers }: Config,
  logger: Logger,
): Promise<boolean> {
  try {
    const { ensurePortSharing } = await import(
      "../serve/threads/shared_port.ts"
    );
    await ensurePortSharing();
    return true;
  } catch (error) {
    logger.warn("One thread answers all requests", {
      WORKERS: `${workers}`,
      error: reasonOf(error),
    });
    return false;
  }
}

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
