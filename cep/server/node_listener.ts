/**
 * The service under a server of `node:http`.
 *
 * @module
 */
import type { RequestListener } from "node:http";
import type { ServeHandler } from "./listen.ts";

export type { ConnectionInfo } from "../http/exchange.ts";
export type { ServeHandler } from "./listen.ts";

/**
 * Makes a handler of `Request` and `Response` one of `node:http`, for
 * `createServer`, Express and whatever else takes such a listener.
 *
 * @param onError Told of what no answer could be made of; by default it is
 * written to the console.
 *
 * @example
 * ```ts
 * import { createHandler, openStore } from "@carteiro/cep";
 * import { createNodeListener } from "@carteiro/cep/node";
 * import { createServer } from "node:http";
 *
 * const store = await openStore({ path: ":memory:" });
 * const server = createServer(createNodeListener(createHandler({ store })));
 * console.assert(!server.listening); // server.listen(8080)
 * await store.close();
 * ```
 */
export function createNodeListener(
  handler: ServeHandler,
  onError: (error: unknown) => void = console.error,
): RequestListener {
  // It reads the environment when it is imported.
  const adapter = import("srvx/node");
  return async (incoming, outgoing) => {
    // HTTP/0.9 knows neither headers nor a status.
    if (incoming.httpVersionMajor < 1) {
      outgoing.writeHead(400).end();
      return;
    }
    const hostname = incoming.socket.remoteAddress ?? "";
    try {
      const { NodeRequest, sendNodeResponse } = await adapter;
      const request = new NodeRequest({ req: incoming, res: outgoing });
      // The service does not ask under which name it was called, and not every
      // name that clients write makes a URL. And a parser of URLs would follow
      // the dots of `/cep/../metrics`, past a proxy that admits only `/cep/`.
      const url = `http://localhost${originForm(incoming.url ?? "/")}`;
      Object.defineProperty(request, "url", { value: url });
      const response = await handler(request, {
        remoteAddr: { transport: "tcp", hostname },
      });
      await sendNodeResponse(outgoing, response);
    } catch (error) {
      if (outgoing.destroyed) return; // the client has left
      onError(error);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    }
  };
}

/** Path and query of a request target (RFC 9112, 3.2). */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url === null ? `/${target}` : url.pathname + url.search;
}
