/**
 * The service under a server of `node:http`.
 *
 * @module
 */
import {
  type ClientAddress,
  createRequestListener,
} from "@remix-run/node-fetch-server";
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
  const listener = createRequestListener(
    (request: Request, { address }: ClientAddress) =>
      handler(request, { remoteAddr: { transport: "tcp", hostname: address } }),
    {
      // The service does not ask under which name it was called, and not
      // every name that clients write makes a URL.
      host: "localhost",
      onError(error) {
        onError(error);
        return new Response(null, { status: 500 });
      },
    },
  );
  return (incoming, outgoing) => {
    // HTTP/0.9 knows neither headers nor a status.
    if (incoming.httpVersionMajor < 1) {
      outgoing.writeHead(400).end();
      return;
    }
    if (FORBIDDEN_METHODS.includes(incoming.method ?? "")) {
      outgoing.writeHead(501).end();
      return;
    }
    incoming.url = originForm(incoming.url ?? "/");
    listener(incoming, outgoing);
  };
}

/** What a `Request` cannot have (Fetch Standard, 2.2.1). */
const FORBIDDEN_METHODS = ["CONNECT", "TRACE", "TRACK"];

/** Path and query of a request target (RFC 9112, 3.2). */
function originForm(target: string): string {
  // A parser of URLs takes a backslash for a slash.
  if (target.startsWith("/")) return target.replaceAll("\\", "%5C");
  const url = URL.parse(target);
  return url === null ? `/${target}` : url.pathname + url.search;
}
