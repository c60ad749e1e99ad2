import type { Config } from "../settings/config.ts";
import { RateLimiter } from "../http/rate_limiter.ts";
import { type Logger, withProperties } from "../util/logger.ts";
import { sharedMemory } from "../util/memory.ts";
import { createFollower } from "../store/follow/address_origin.ts";
import { StopSignal } from "../serve/serve.ts";
import { PartsBroker } from "../serve/threads/parts_broker.ts";
import { claimPort } from "../serve/threads/shared_port.ts";
import { Threads } from "../serve/threads/threads.ts";
import { threadStarter } from "./listen_thread.ts";
import { processName } from "./open_database.ts";
import { serveRequests } from "./serve_requests.ts";

/**
 * Serves requests in `WORKERS` threads, of which this is the first, until
 * SIGTERM or SIGINT.
 *
 * @param starter Returns a function that starts the others.
 * @throws {Error} If this thread cannot start, e.g. on a port in use.
 */
export async function listenInThreads(
  config: Config,
  logger: Logger,
  starter: typeof threadStarter = threadStarter,
): Promise<void> {
  // Registered before the server starts, so that no signal is missed.
  const signal = new StopSignal();
  let claim: { close(): void } | undefined;
  try {
    claim = await claimPort(config);
    // A second signal ends the process at once.
    const stop = signal.received.finally(() => signal.unregister());
    await serveFirst(config, logger, starter, stop);
  } finally {
    signal.unregister();
    claim?.close();
  }
}

async function serveFirst(
  config: Config,
  logger: Logger,
  starter: typeof threadStarter,
  signal: Promise<string>,
): Promise<void> {
  const { workers, shutdownSeconds } = config;
  const follower = createFollower(config, processName(), logger);
  const parts = new PartsBroker();
  const quotas = RateLimiter.allocate(sharedMemory);
  const threads = new Threads({
    count: workers,
    start: starter(config, quotas),
    parts,
    shutdownSeconds,
    logger,
    freshness: () => follower?.freshness(),
  });
  const stop = signal.then((reason) => {
    logger.info("Stopping", { reason });
    threads.stop(reason);
    return reason;
  });
  try {
    await serveRequests({
      config,
      logger: withProperties(logger, { thread: 1 }),
      follower,
      sharing: {
        parent: {
          stop,
          listening(address) {
            logger.info("Listening", { ...address, workers });
            threads.listen(address.port);
          },
        },
        others: threads,
        parts: parts.own,
        quotas,
        now: () => performance.now(),
      },
    });
  } finally {
    await threads.stop("end");
  }
}
