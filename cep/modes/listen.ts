/**
 * `MODE=listen`: serves requests.
 */
import type { Config } from "../settings/config.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { createFollower } from "../store/follow/address_origin.ts";
import { processName } from "./process_name.ts";
import { tellRateLimit } from "./rate_limit_notice.ts";
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
