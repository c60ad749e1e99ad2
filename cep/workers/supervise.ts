/**
 * Supervisor as a process.
 *
 * @module
 */
import type { Config } from "../config.ts";
import { quotaOf } from "../http/middleware/rate_limit.ts";
import type { Logger } from "../logger.ts";
import { StopSignal } from "../server/serve.ts";
import { forker } from "./fork.ts";
import { PortClaim } from "./port_claim.ts";
import { Supervisor } from "./supervisor.ts";

/**
 * Runs `WORKERS` processes that answer requests on one port, until SIGTERM or
 * SIGINT.
 *
 * @throws {Error} If they cannot be started, e.g. on a port in use.
 */
export async function supervise(
  config: Config,
  logger: Logger,
): Promise<void> {
  const { host, workers, shutdownSeconds } = config;
  const signal = new StopSignal();
  let claim: PortClaim | undefined;
  try {
    claim = await PortClaim.take(host, config.port);
    const { port } = claim;
    const supervisor = new Supervisor({
      workers,
      fork: await forker(port),
      quota: quotaOf(config),
      shutdownSeconds,
      logger,
      onListening: (workers) =>
        logger.info("Listening", { host, port, workers }),
    });
    // A second signal ends the process at once.
    const stop = signal.received.finally(() => signal.unregister());
    await supervisor.run(stop);
  } finally {
    signal.unregister();
    await claim?.[Symbol.asyncDispose]();
  }
}
