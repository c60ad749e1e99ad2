/**
 * A request on its way through the service, and its answer.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Translated } from "../setting.ts";
import type { ErrorCode } from "./errors.ts";
import type { Allowance } from "./rate_limiter.ts";

/** Connection, as the server knows it. `Deno.ServeHandlerInfo` fits. */
export interface ConnectionInfo {
  /** The other end of the connection. */
  readonly remoteAddr?: {
    /** Kind of connection, e.g. `tcp` or `unix`. */
    readonly transport?: string;
    /** Address, if there is one. */
    readonly hostname?: string;
  };
}

/** One request, matched to a route. */
export interface Exchange {
  /** The request as it came. */
  readonly request: Request;
  /** Method of the request. */
  readonly method: string;
  /** Headers of the request; asking the request for them again costs time. */
  readonly requestHeaders: Headers;
  /** Path of the request. */
  readonly path: string;
  /** Query string without its question mark, or `""`. */
  readonly query: string;
  /** Connection, if the server tells of it. */
  readonly info: ConnectionInfo | undefined;
  /** Time when the request came, in milliseconds of the service's clock. */
  readonly start: number;
  /** Route that answers. */
  readonly route: Route;
  /** Values of the variables in the route's pattern, decoded. */
  readonly variables: Variables;
  /** Headers that the answer gets, whatever it is. */
  readonly headers: Record<string, string>;
  /** Name of the exchange in logs and answers. */
  id: string;
  /** `true` if the name is the client's, from `X-Request-Id`. */
  idGiven: boolean;
  /** Quota of the client, if the request was charged. */
  allowance: Allowance | undefined;
}

/** Values by the names of the variables in a pattern. */
export type Variables = Readonly<Record<string, string>>;

/** Answer to a request. */
export interface Answer {
  /** HTTP status. */
  readonly status: number;
  /**
   * Body, `undefined` for an answer without one. An answer to HEAD and one of
   * status 304 have the body that GET would have; it is not sent.
   */
  readonly body?: Body;
  /** Seconds for which it may be cached; without it, it may not. */
  readonly maxAge?: number;
}

/** A body and what is known of it. */
export interface Body {
  /** `content-type`. */
  readonly type: string;
  /** Text, which is sent as UTF-8, or bytes. */
  readonly content: string | Uint8Array;
  /** Bytes on the wire. */
  readonly length: number;
}

/** A parameter of an endpoint. */
export interface Parameter {
  /** Name in the pattern or in the query string. */
  readonly name: string;
  /** Place: the path or the query string. */
  readonly in: "path" | "query";
  /** Meaning, and the forms that are allowed. */
  readonly description: Translated;
  /** A value that is allowed. */
  readonly example: string;
}

/** Documentation of a route. */
export interface Endpoint {
  /** Path; a segment that begins with a colon is a variable. */
  readonly pattern: string;
  /** Summary of its answer. */
  readonly summary: Translated;
  /** Its parameters, in the path and in the query string. */
  readonly parameters: readonly Parameter[];
  /** Its successful answers by status. */
  readonly answers: Readonly<Record<number, Translated>>;
  /** Its own errors; {@linkcode COMMON_ERRORS} come on top. */
  readonly errors: readonly ErrorCode[];
  /** True if requests do not count for the rate limit. */
  readonly free?: boolean;
}

/** Errors that every endpoint may answer, the second unless it is free. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  "method_not_allowed",
  "rate_limited",
  "internal",
];

/** An endpoint and what answers there. */
export interface Route extends Endpoint {
  /** Answers an exchange. */
  readonly handle: (exchange: Exchange) => Answer | Promise<Answer>;
}

/**
 * Steps around every route. Hooks rather than functions around functions,
 * each of which would be one more promise a request.
 */
export interface Middleware {
  /**
   * Sees a request before its route does. An answer of its own, or an error
   * that it throws, takes the route's place.
   */
  readonly before?: (exchange: Exchange) => Answer | undefined;
  /** Completes an answer, wherever it came from. */
  readonly after?: (
    exchange: Exchange,
    answer: Answer,
  ) => Answer | Promise<Answer>;
}

/** Notes that the answer depends on a header of the request. */
export function addVary(exchange: Exchange, name: string): void {
  addItem(exchange, "vary", name);
}

/** Lets scripts of other origins read a header of the answer. */
export function expose(exchange: Exchange, name: string): void {
  addItem(exchange, "access-control-expose-headers", name);
}

function addItem({ headers }: Exchange, header: string, item: string): void {
  headers[header] = headers[header] ? `${headers[header]}, ${item}` : item;
}

/**
 * True if a shared cache may hand the answer to another client: then it must
 * not tell anything of this one.
 */
export function isShareable({ idGiven }: Exchange, answer: Answer): boolean {
  return answer.maxAge !== undefined && !idGiven;
}

/** The body that goes on the wire. */
export function sentBody(
  { method }: Exchange,
  { status, body }: Answer,
): Body | undefined {
  return method === "HEAD" || status === 304 ? undefined : body;
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
