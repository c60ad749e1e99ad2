/**
 * A shop's service on Node: the postal codes of `@carteiro/cep`, and beside
 * them a route of its own, `GET /cotacao?cep=01310-100&peso=2.5`, for which it
 * asks a carrier whose API wants an OAuth token.
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
  logger.warn("The database is empty: import a directory with MODE=seed");
}
const quote = createQuote({ store, carrier, logger });
const cep = createHandler({ store, config, logger });

const server = createServer(createNodeListener(
  (request, info) =>
    new URL(request.url).pathname === "/cotacao"
      ? quote(request)
      // The rate limit of the postal codes needs to know who asks: pass `info`.
      : cep(request, info),
  (error) => logger.error("Request failed", { error: String(error) }),
));
// A connection that waits for its next request would keep the server open.
server.on("request", ({ socket }, response) => {
  response.once("close", () => server.listening || socket.destroySoon());
});
// Before the first request, so that no moment is left without.
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
server.listen(config.port, config.host, () => {
  const { address, port } = server.address();
  logger.info("Listening", { host: address, port });
});

/** Ends the process when the running requests are answered. */
function stop(reason) {
  logger.info("Stopping", { reason });
  server.close(async () => {
    await store.close();
    process.exit();
  });
  // One that takes for ever must not keep the process alive.
  setTimeout(() => server.closeAllConnections(), config.shutdownSeconds * 1000);
}

/** The settings of the service of postal codes, and those of the carrier. */
function readSettings(env) {
  try {
    return { config: parseConfig(env), carrier: Carrier.fromEnvironment(env) };
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}
