/**
 * A shop's service on Node: the routes of `@carteiro/cep`, and
 * `GET /cotacao?cep=01310-100&peso=2.5`, which requests a quote from a carrier
 * with an OAuth token.
 *
 * @module
 */
import { createHandler, openStore, parseConfig } from "@carteiro/cep";
import { createNodeListener } from "@carteiro/cep/node";
import { createServer } from "node:http";
import { Carrier } from "./carrier.js";
import { logger } from "./logger.js";
import { createQuote } from "./quote.js";

const { config, carrier } = readSettings(process.env);
const store = await openStore({ path: config.databasePath });
if (await store.release() === undefined) {
  logger.warn("The database is empty: import data with MODE=seed");
}
const quote = createQuote({ store, carrier, logger });
const cep = createHandler({ store, config, logger });

const server = createServer(createNodeListener(
  (request, info) =>
    new URL(request.url).pathname === "/cotacao"
      ? quote(request)
      // The rate limit needs the address of the client: pass `info` on.
      : cep(request, info),
  (error) => logger.error("Request failed", { error: String(error) }),
));
// During the shutdown, an idle connection would keep the server open.
server.on("request", ({ socket }, response) => {
  response.once("close", () => server.listening || socket.destroySoon());
});
// Registered before the first request.
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
server.listen(config.port, config.host, () => {
  const { address, port } = server.address();
  logger.info("Listening", { host: address, port });
});

/** Ends the process when the requests in flight have completed. */
function stop(reason) {
  logger.info("Stopping", { reason });
  server.close(async () => {
    await store.close();
    process.exit();
  });
  // A request that never completes must not keep the process alive.
  setTimeout(() => server.closeAllConnections(), config.shutdownSeconds * 1000);
}

/** Reads the settings of `@carteiro/cep` and of the carrier. */
function readSettings(env) {
  try {
    return { config: parseConfig(env), carrier: Carrier.fromEnvironment(env) };
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}
