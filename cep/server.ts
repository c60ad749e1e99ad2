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
 * @throws {Error} If it cannot listen, e.g. because somebody else does.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { shutdownSeconds, logger } = options;
  // Listened to before the first request, so that no moment is left without.
  const stop = new StopSignal();
  let server: Deno.HttpServer;
  let reason: string;
  try {
    server = listen(options);
    const end = server.finished.then(() => "end");
    reason = await Promise.race([stop.received, end]);
  } finally {
    stop.ignore();
  }
  logger.info("Stopping", { reason });
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, shutdownSeconds * 1000);
  await Promise.race([server.shutdown(), late.promise]);
  clearTimeout(timer);
}

function listen(
  { handler, host, port, logger }: ServeOptions,
): Deno.HttpServer {
  try {
    return Deno.serve({
      hostname: host,
      port,
      onListen: ({ hostname, port }) =>
        logger.info("Listening", { host: hostname, port }),
      onError(error) {
        logger.error("Request failed", { error: String(error) });
        return new Response(null, { status: 500 });
      },
    }, handler);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot listen on ${host}:${port}: ${reason}`, { cause });
  }
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
