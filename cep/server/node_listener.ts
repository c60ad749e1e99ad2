/**
 * The service under a server of `node:http`.
 *
 * @module
 */
import type { RequestListener, ServerResponse } from "node:http";
import type { ServeHandler } from "./listen.ts";

export type { ConnectionInfo } from "../http/exchange.ts";
export type { ServeHandler } from "./listen.ts";

/**
 * Makes a handler of `Request` and `Response` one of `node:http`, for
 * `createServer`, Express and whatever else takes such a listener. Who wants to
 * change a request on its way makes a new one of its URL:
 * `new Request(request.url, request)`.
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
    let left = false; // of HTTP/2, `destroyed` does not tell
    outgoing.once("close", () => left = true);
    try {
      // HTTP/0.9 knows neither headers nor a status.
      if (incoming.httpVersionMajor < 1) {
        outgoing.writeHead(400).end();
        return;
      }
      const hostname = incoming.socket.remoteAddress;
      const { NodeRequest, sendNodeResponse } = await adapter;
      const request = new NodeRequest({ req: incoming, res: outgoing });
      // The service does not ask under which name it was called, and not every
      // name that clients write makes a URL. And a parser of URLs would follow
      // the dots of `/cep/../metrics`, past a proxy that admits only `/cep/`.
      const url = `http://localhost${originForm(incoming.url ?? "/")}`;
      Object.defineProperty(request, "url", { value: url });
      const response = await handler(request, {
        remoteAddr: hostname === undefined
          ? { transport: "unix" }
          : { transport: "tcp", hostname },
      });
      if (left) return await response.body?.cancel();
      if (response.bodyUsed) {
        throw new TypeError("Cannot send the answer: its body has been read");
      }
      await sendNodeResponse(outgoing, response);
      // What its body failed with, which the adapter keeps to itself.
      if (outgoing.errored) onError(outgoing.errored);
    } catch (error) {
      if (left) return;
      onError(error);
      fail(outgoing);
    }
  };
}

/** Answers 500, or cuts the answer off where that is too late. */
function fail(outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  // One of them may be what cannot be sent.
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  outgoing.writeHead(500).end();
}

/** Path and query of a request target (RFC 9112, 3.2), as they were sent. */
function originForm(target: string): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}
