/**
 * The socket under the handler, and how it is taken down.
 *
 * @module
 */
import type { ConnectionInfo } from "./http/exchange.ts";
import type { Logger } from "./logger.ts";

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** What answers. */
  readonly handler: (
    request: Request,
    info: ConnectionInfo,
  ) => Promise<Response>;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free one. */
  readonly port: number;
  /** Seconds granted to running requests once the server is stopped. */
  readonly shutdownSeconds: number;
  /** Where start and stop are logged. */
  readonly logger: Logger;
}

/**
 * Serves until SIGTERM or SIGINT: then accepts nothing more and resolves when
 * the running requests are answered or their time is up.
 *
 * @throws {Deno.errors.AddrInUse} If somebody else listens there.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { handler, host, port, shutdownSeconds, logger } = options;
  const cut = new AbortController();
  const server = Deno.serve({
    hostname: host,
    port,
    signal: cut.signal,
    onListen: ({ hostname, port }) =>
      logger.info("Listening", { host: hostname, port }),
    onError(error) {
      logger.error("Request failed", { error: String(error) });
      return new Response(null, { status: 500 });
    },
  }, handler);
  const stop = new StopSignal();
  const reason = await Promise.race([
    stop.received,
    server.finished.then(() => "end"),
  ]);
  stop.ignore();
  logger.info("Stopping", { reason });
  const timer = setTimeout(() => cut.abort(), shutdownSeconds * 1000);
  await server.shutdown();
  clearTimeout(timer);
}

// Windows knows no SIGTERM.
const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM"];

/** The operating system's wish that the process ends. */
class StopSignal {
  readonly #first = Promise.withResolvers<Deno.Signal>();
  readonly #listeners = SIGNALS.map((signal) => {
    const listener = () => this.#first.resolve(signal);
    Deno.addSignalListener(signal, listener);
    return { signal, listener };
  });

  get received(): Promise<Deno.Signal> {
    return this.#first.promise;
  }

  /** From now on a signal ends the process at once. */
  ignore(): void {
    for (const { signal, listener } of this.#listeners) {
      Deno.removeSignalListener(signal, listener);
    }
  }
}
