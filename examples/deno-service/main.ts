/**
 * A shop's service on Deno: the postal codes of `@carteiro/cep`, and beside
 * them a route of its own, `GET /frete?cep=01310-100&peso=2.5`.
 *
 * @module
 */
import {
  type Config,
  ConfigError,
  createHandler,
  openStore,
  parseConfig,
} from "@carteiro/cep";
import { createFreight } from "./freight.ts";
import { logger } from "./logger.ts";

const FREIGHT = new URLPattern({ pathname: "/frete" });

const config = readConfig();
const store = await openStore({ path: config.databasePath });
if (await store.release() === undefined) {
  logger.warn("The database is empty: import a directory with MODE=seed");
}
const freight = createFreight({ store, logger });
const cep = createHandler({ store, config, logger });

// Before the first request, so that no moment is left without.
Deno.addSignalListener("SIGINT", () => stop("SIGINT"));
// Windows knows no SIGTERM.
if (Deno.build.os !== "windows") {
  Deno.addSignalListener("SIGTERM", () => stop("SIGTERM"));
}

const server = Deno.serve({
  hostname: config.host,
  port: config.port,
  onListen: ({ hostname, port }) =>
    logger.info("Listening", { host: hostname, port }),
  onError(error) {
    logger.error("Request failed", { error: String(error) });
    return new Response(null, { status: 500 });
  },
}, (request, info) =>
  // The rate limit of the postal codes needs to know who asks: pass `info` on.
  FREIGHT.test(request.url) ? freight(request) : cep(request, info));

/** Ends the process when the running requests are answered. */
async function stop(reason: string): Promise<void> {
  logger.info("Stopping", { reason });
  // One that takes for ever must not keep the process alive.
  setTimeout(() => Deno.exit(), config.shutdownSeconds * 1000);
  await server.shutdown();
  await store.close();
  Deno.exit();
}

/** The settings of the service of postal codes: `API_PORT`, `DB_PATH`, … */
function readConfig(): Config {
  try {
    return parseConfig(Deno.env.toObject());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}
