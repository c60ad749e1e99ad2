/**
 * Adapter from a handler to `node:http`.
 *
 * @module
 */
import type { RequestListener, ServerResponse } from "node:http";
import type { ServeHandler } from "./listen.ts";

export type { ConnectionInfo } from "../http/exchange.ts";
export type { ServeHandler } from "./listen.ts";

/**
 * Converts a handler of `Request` and `Response` into a listener of
 * `node:http`, for `createServer`, Express and the like. To modify a request
 * before it reaches the handler, create a new one:
 * `new Request(request.url, request)`.
 *
 * @param onError Called with errors of the handler and of sending its response;
 * by default they are written to the console.
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
  // Imported here, because importing it reads the environment.
  const adapter = import("srvx/node");
  return async (incoming, outgoing) => {
    let closed = false; // HTTP/2 does not set `destroyed`
    outgoing.once("close", () => closed = true);
    try {
      // HTTP/0.9 has neither headers nor a status.
      if (incoming.httpVersionMajor < 1) {
        outgoing.writeHead(400).end();
        return;
      }
      const hostname = incoming.socket.remoteAddress;
      const { NodeRequest, sendNodeResponse } = await adapter;
      const request = new NodeRequest({ req: incoming, res: outgoing });
      // A fixed host, because a `Host` header may be invalid in a URL. The path
      // as sent, because a URL parser would resolve `/cep/../metrics` and thus
      // bypass a proxy that forwards only `/cep/`.
      const url = `http://localhost${originForm(incoming.url ?? "/")}`;
      Object.defineProperty(request, "url", { value: url });
      const response = await handler(request, {
        remoteAddr: hostname === undefined
          ? { transport: "unix" }
          : { transport: "tcp", hostname },
      });
      if (closed) return await response.body?.cancel();
      if (response.bodyUsed) {
        throw new TypeError("Cannot send the response: its body has been read");
      }
      await sendNodeResponse(outgoing, response);
      // The adapter does not throw errors of a body.
      if (outgoing.errored) onError(outgoing.errored);
    } catch (error) {
      if (closed) return;
      onError(error);
      fail(outgoing);
    }
  };
}

/** Sends a 500, or closes the connection if the headers have been sent. */
function fail(outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  // An invalid header may be the cause.
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  outgoing.writeHead(500).end();
}

/** Path and query of a request target (RFC 9112, 3.2), as sent. */
function originForm(target: string): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}
