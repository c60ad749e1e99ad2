/**
 * Start and shutdown of the server.
 *
 * @module
 */
import process from "node:process";
import { atMost } from "../at_most.ts";
import type { Logger } from "../logger.ts";
import { reasonOf } from "../reason_of.ts";
import type { Listen, RunningServer, ServeHandler } from "./listen.ts";

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Function that handles requests. */
  readonly handler: ServeHandler;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free port. */
  readonly port: number;
  /** Seconds to wait for requests in flight on shutdown. */
  readonly shutdownSeconds: number;
  /** Logger of start and stop. */
  readonly logger: Logger;
}

/**
 * Serves until SIGTERM or SIGINT. It then stops accepting connections, and
 * resolves when the requests in flight have completed or their time has passed.
 *
 * @throws {Error} If it cannot listen, e.g. on a port in use.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { shutdownSeconds, logger } = options;
  // Registered before the server starts, so that no signal is missed.
  const stop = new StopSignal();
  let server: RunningServer;
  let reason: string;
  try {
    server = await start(options);
    logger.info("Listening", { ...server.address });
    const end = server.finished.then(() => "end");
    reason = await Promise.race([stop.received, end]);
  } finally {
    stop.unregister();
  }
  logger.info("Stopping", { reason });
  await atMost(shutdownSeconds * 1000, server.shutdown());
}

async function start(
  { handler, host, port, logger }: ServeOptions,
): Promise<RunningServer> {
  const listen = await runtimeListen();
  try {
    return await listen({
      handler,
      host,
      port,
      onError: (error) =>
        logger.error("Request failed", { error: String(error) }),
    });
  } catch (cause) {
    throw new Error(`Cannot listen on ${host}:${port}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

async function runtimeListen(): Promise<Listen> {
  const { listen } = "deno" in process.versions
    ? await import("./deno.ts")
    : await import("./node.ts");
  return listen;
}

type StopSignalName = "SIGINT" | "SIGTERM";

/** First SIGINT or SIGTERM. */
class StopSignal {
  readonly #first = Promise.withResolvers<StopSignalName>();
  readonly #listener = (signal: StopSignalName) => this.#first.resolve(signal);

  constructor() {
    process.on("SIGINT", this.#listener);
    process.on("SIGTERM", this.#listener);
  }

  get received(): Promise<StopSignalName> {
    return this.#first.promise;
  }

  /** Restores the default: a signal ends the process at once. */
  unregister(): void {
    process.off("SIGINT", this.#listener);
    process.off("SIGTERM", this.#listener);
  }
}
