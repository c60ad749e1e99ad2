/**
 * A shop's service on Deno: the routes of `@carteiro/cep`, and
 * `GET /frete?cep=01310-100&peso=2.5`, which returns the price of a parcel.
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
  logger.warn("The database is empty: import data with MODE=seed");
}
const freight = createFreight({ store, logger });
const cep = createHandler({ store, config, logger });

// Registered before the first request.
Deno.addSignalListener("SIGINT", () => stop("SIGINT"));
// Windows has no SIGTERM.
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
  // The rate limit needs the address of the client: pass `info` on.
  FREIGHT.test(request.url) ? freight(request) : cep(request, info));

/** Ends the process when the requests in flight have completed. */
async function stop(reason: string): Promise<void> {
  logger.info("Stopping", { reason });
  // A request that never completes must not keep the process alive.
  setTimeout(() => Deno.exit(), config.shutdownSeconds * 1000);
  await server.shutdown();
  await store.close();
  Deno.exit();
}

/** Reads the settings of `@carteiro/cep`: `API_PORT`, `DB_PATH`, … */
function readConfig(): Config {
  try {
    return parseConfig(Deno.env.toObject());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}
