/**
 * A request on its way through the service, and what comes back.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** What the server knows of a connection. `Deno.ServeHandlerInfo` fits. */
export interface ConnectionInfo {
  /** The other end of the connection. */
  readonly remoteAddr: {
    /** How it is connected. */
    readonly transport?: string;
    /** Its address, if it has one. */
    readonly hostname?: string;
  };
}

/** One request, matched to a route. */
export interface Exchange {
  /** The request as it came. */
  readonly request: Request;
  /** The path that was asked for. */
  readonly path: string;
  /** What stands behind its question mark, or `""`. */
  readonly query: string;
  /** The connection it came over, if the server tells. */
  readonly info: ConnectionInfo | undefined;
  /** What will answer. */
  readonly route: Route;
  /** The last segment of the path, for a route that has a variable one. */
  readonly param: string;
  /** Headers that the answer gets, whatever it is. */
  readonly headers: Record<string, string>;
  /** Names the exchange in logs and to the client. */
  id: string;
}

/** What is sent back. */
export interface Answer {
  readonly status: number;
  /**
   * `undefined` for an answer without a body. What answers HEAD, or says that
   * nothing has changed, has the body that GET would have; it is not sent.
   */
  readonly body?: Body;
}

/** A body, with what is known of it; one that is kept is not measured again. */
export interface Body {
  /** `content-type`. */
  readonly type: string;
  readonly content: string | Uint8Array;
  /** Bytes on the wire. */
  readonly length: number;
  /** The same compressed, once somebody has asked for it. */
  gzipped?: Body;
}

/** Something that can be asked for. */
export interface Route {
  /** The path as documentation, logs and metrics write it. */
  readonly pattern: string;
  /** Whether asking is free of the rate limit. */
  readonly free?: boolean;
  readonly handle: Handler;
}

/** Answers an exchange. */
export type Handler = (exchange: Exchange) => Promise<Answer>;

/** A handler around a handler. */
export type Middleware = (next: Handler) => Handler;

/** Notes that the answer depends on a header of the request. */
export function addVary({ headers }: Exchange, name: string): void {
  headers["vary"] = headers["vary"] ? `${headers["vary"]}, ${name}` : name;
}

/** The body that goes on the wire. */
export function sentBody(
  { request }: Exchange,
  { status, body }: Answer,
): Body | undefined {
  return request.method === "HEAD" || status === 304 ? undefined : body;
}

/** A JSON answer. */
export function json(value: unknown, status = 200): Answer {
  return { status, body: jsonBody(JSON.stringify(value)) };
}

/** A body of JSON text, which is UTF-8 by definition (RFC 8259, 8.1). */
export function jsonBody(text: string): Body {
  return textBody(text, "application/json");
}

/** A body of text, sent as UTF-8. */
export function textBody(content: string, type: string): Body {
  return { type, content, length: Buffer.byteLength(content) };
}
