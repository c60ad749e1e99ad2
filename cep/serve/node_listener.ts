/**
 * Adapter from a handler to `node:http`.
 *
 * @module
 */
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { type Reply, toResponse } from "../http/reply.ts";
import type { ServeHandler } from "./listen.ts";
import { LightRequest, originUrl, Peer } from "./light_request.ts";

export type { ConnectionInfo } from "../http/exchange.ts";
export type { Incoming, Reply, RequestHeaders } from "../http/reply.ts";
export type { ServeHandler } from "./listen.ts";

/** Methods of requests whose body is not read. */
const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/**
 * Converts a handler of `Request` and `Response` into a listener of
 * `node:http`, for `createServer`, Express and the like. To modify a request
 * before it reaches the handler, create a new one:
 * `new Request(request.url, request)`. A lookup takes twice as long then: a
 * handler of `createHandler` itself needs neither a `Request` nor a `Response`.
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
  const { reply } = handler;
  // Imported here, because importing it reads the environment.
  const adapter = import("srvx/node");

  /** Responds to a request; synchronously, if the reply is. */
  function start(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Reply | Promise<Reply | Response> {
    const peer = new Peer(incoming.socket);
    return reply !== undefined && WITHOUT_BODY.has(incoming.method ?? "")
      ? reply(new LightRequest(incoming), peer)
      : respond(incoming, outgoing, peer);
  }

  async function respond(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    peer: Peer,
  ): Promise<Response> {
    const { NodeRequest } = await adapter;
    const request = new NodeRequest({ req: incoming, res: outgoing });
    Object.defineProperty(request, "url", { value: originUrl(incoming) });
    return await handler(request, peer);
  }

  async function sendLater(
    outgoing: ServerResponse,
    replied: Reply | Promise<Reply | Response>,
  ): Promise<void> {
    let closed = false; // HTTP/2 does not set `destroyed`
    outgoing.once("close", () => closed = true);
    try {
      const reply = await replied;
      if (isWhole(reply)) return sendWhole(outgoing, reply);
      const response = reply instanceof Response ? reply : toResponse(reply);
      if (closed) return await response.body?.cancel();
      if (response.bodyUsed) {
        throw new TypeError("Cannot send the response: its body has been read");
      }
      nameStatus(response);
      await (await adapter).sendNodeResponse(outgoing, response);
      // The adapter does not throw errors of a body.
      if (outgoing.errored) onError(outgoing.errored);
    } catch (error) {
      if (closed) return;
      onError(error);
      fail(outgoing);
    }
  }

  return (incoming, outgoing) => {
    // HTTP/0.9 has neither headers nor a status.
    if (incoming.httpVersionMajor < 1) {
      outgoing.writeHead(400).end();
      return;
    }
    try {
      const replied = start(incoming, outgoing);
      if (isWhole(replied)) sendWhole(outgoing, replied);
      else sendLater(outgoing, replied);
    } catch (error) {
      onError(error);
      fail(outgoing);
    }
  };
}

/** Reply whose content can be sent at once. */
interface WholeReply extends Reply {
  readonly content: string | Uint8Array | null;
}

function isWhole(
  replied: Reply | Response | Promise<Reply | Response>,
): replied is WholeReply {
  return "content" in replied && !(replied.content instanceof ReadableStream);
}

/** Sends head and content together, in one packet if they fit. */
function sendWhole(
  outgoing: ServerResponse,
  { status, headers, content }: WholeReply,
): void {
  outgoing.writeHead(status, headers).end(content);
}

/** Sets the reason of the status line, which some clients compare. */
function nameStatus(response: Response): void {
  const { status, statusText } = response;
  if (statusText !== "") return;
  Object.defineProperty(response, "statusText", {
    value: STATUS_CODES[status],
  });
}

/** Sends a 500, or closes the connection if the headers have been sent. */
function fail(outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  // An invalid header may be the cause.
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  // A head that was refused has left its reason.
  outgoing.writeHead(500, STATUS_CODES[500]).end();
}
