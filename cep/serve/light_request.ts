import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionInfo } from "../http/exchange.ts";
import type { Incoming, RequestHeaders } from "../http/reply.ts";

/** Request without a body. */
export class LightRequest implements Incoming {
  readonly body = null;
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;

  constructor(incoming: IncomingMessage) {
    this.method = incoming.method ?? "";
    this.url = originUrl(incoming);
    this.headers = new LightHeaders(incoming.headers);
  }
}

class LightHeaders implements RequestHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  /** @param name Name in small letters. */
  get(name: string): string | null {
    const value = this.#headers[name];
    return value === undefined ? null : value.toString();
  }

  /** @param name Name in small letters. */
  has(name: string): boolean {
    return this.#headers[name] !== undefined;
  }
}

/** Connection of a request, whose address is read only if it is needed. */
export class Peer implements ConnectionInfo {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get remoteAddr(): { transport: string; hostname?: string } {
    const hostname = this.#socket.remoteAddress;
    return hostname === undefined
      ? { transport: "unix" }
      : { transport: "tcp", hostname };
  }
}

/**
 * Returns the URL of a request: with a fixed host, because a `Host` header may
 * be invalid in a URL, and with the path as sent, because a URL parser would
 * resolve `/cep/../metrics` and thus bypass a proxy that forwards only `/cep/`.
 */
export function originUrl({ url = "/" }: IncomingMessage): string {
  return `http://localhost${originForm(url)}`;
}

/** Path and query of a request target (RFC 9112, 3.2), as sent. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}
