import process from "node:process";
import { atMost } from "../util/at_most.ts";
import type { Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { draining } from "./draining.ts";
import type { Listen, RunningServer, ServeHandler } from "./listen.ts";
import { relistening } from "./relisten.ts";

/** Owner of this thread, which starts and stops it. */
export interface Parent {
  /** Resolves, with a reason, when this thread must stop. */
  readonly stop: Promise<string>;
  /** Reports that this thread listens. */
  listening(address: RunningServer["address"]): void;
}

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Function that handles requests. */
  readonly handler: ServeHandler;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free port. */
  readonly port: number;
  /**
   * Seconds within which the headers of a request must arrive, 0 for the
   * default of the runtime. `Deno.serve` has no such timeout, so that any other
   * value selects `node:http` on Deno.
   *
   * @default {0}
   */
  readonly headerSeconds?: number;
  /** Seconds to wait for requests in flight on shutdown. */
  readonly shutdownSeconds: number;
  /** Logger of start and stop. */
  readonly logger: Logger;
  /**
   * Owner of several threads on one port, which logs start and stop, and
   * receives the signals.
   *
   * @default {none: this thread is alone on its port}
   */
  readonly parent?: Parent | undefined;
}

/**
 * Serves until SIGTERM or SIGINT. It then stops accepting connections (on Deno,
 * after the requests with a body), and resolves when the requests in flight have
 * completed or their time has passed.
 *
 * @throws {Error} If it cannot listen, e.g. on a port in use.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { shutdownSeconds, logger, parent } = options;
  // Registered before the server starts, so that no signal is missed.
  const signal = parent === undefined ? new StopSignal() : undefined;
  let server: RunningServer;
  let reason: string;
  try {
    server = await start(options);
    if (parent) parent.listening(server.address);
    else logger.info("Listening", { ...server.address });
    const end = server.finished.then(() => "end");
    const stop = parent?.stop ?? signal!.received;
    reason = await Promise.race([stop, end]);
  } finally {
    signal?.unregister();
  }
  if (parent === undefined) logger.info("Stopping", { reason });
  await atMost(shutdownSeconds * 1000, server.shutdown());
}

async function start(
  { handler, host, port, headerSeconds = 0, logger, parent }: ServeOptions,
): Promise<RunningServer> {
  const listen = await runtimeListen(headerSeconds, logger);
  try {
    return await listen({
      handler,
      host,
      port,
      sharesPort: parent !== undefined,
      headerSeconds,
      onError: (error) =>
        logger.error("Request failed", { error: String(error) }),
    });
  } catch (cause) {
    throw new Error(`Cannot listen on ${host}:${port}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

async function runtimeListen(
  headerSeconds: number,
  logger: Logger,
): Promise<Listen> {
  if (!("deno" in process.versions) || headerSeconds > 0) {
    return (await import("./node.ts")).listen;
  }
  const deno = await import("./deno.ts");
  const listen = draining(relistening(deno.listen, {
    onFailure: (error) =>
      logger.error("Cannot accept connections, so idle ones are closed", {
        error,
      }),
  }));
  return (options) =>
    listen({ ...options, handler: deno.toDenoHandler(options.handler) });
}

/** Signals that stop a process. */
export type StopSignalName = "SIGINT" | "SIGTERM";

/** First SIGINT or SIGTERM. */
export class StopSignal {
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
