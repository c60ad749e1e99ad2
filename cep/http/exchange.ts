import { Buffer } from "node:buffer";
import type { Translated } from "../settings/setting.ts";
import type { ErrorCode } from "./errors.ts";
import type { Content, Schema } from "./open_api/schema.ts";
import type { Allowance } from "./rate_limiter.ts";
import type { Incoming, RequestHeaders } from "./reply.ts";
import type { Turns } from "../util/turns.ts";

/** Connection of a request. `Deno.ServeHandlerInfo` fits. */
export interface ConnectionInfo {
  /** Peer of the connection. */
  readonly remoteAddr?: {
    /** Kind of connection, e.g. `tcp` or `unix`. */
    readonly transport?: string;
    /** IP address, if the connection has one. */
    readonly hostname?: string;
  };
}

/** Request, matched to a route, and the state of its response. */
export interface Exchange {
  readonly request: Incoming;
  readonly method: string;
  /** Headers of the request, read once because `Request.headers` is slow. */
  readonly requestHeaders: RequestHeaders;
  readonly path: string;
  /** Query string without its question mark, or `""`. */
  readonly query: string;
  /** Connection, if the server passes it. */
  readonly info: ConnectionInfo | undefined;
  /**
   * Milliseconds within which the body of the request must arrive or, of a
   * stream, the next line.
   */
  readonly bodyMs: number;
  /** Turns of the event loop, for an answer that may take long. */
  readonly turns: Turns;
  /** Time of arrival in milliseconds, by the clock of the service. */
  readonly start: number;
  /** Route of the path. */
  readonly route: Route;
  /** Values of the variables in the route's pattern, decoded. */
  readonly variables: Variables;
  /** Headers of the response, whether it is a success or an error. */
  readonly headers: Record<string, string>;
  /** Request id, for logs and responses. */
  id: string;
  /** True if the request id is the client's, from `X-Request-Id`. */
  idGiven: boolean;
  /** Quota of the client, if the request counts against it. */
  allowance: Allowance | undefined;
  /**
   * Counts one more request against the quota, for a request with more than one
   * part or to a free endpoint; `undefined` if requests do not count against
   * one.
   */
  charge: (() => Allowance | Promise<Allowance>) | undefined;
}

/** Values by the names of the variables in a pattern. */
export type Variables = Readonly<Record<string, string>>;

/** Response before its conversion to a `Response`. */
export interface Answer {
  readonly status: number;
  /**
   * Body, if any. For HEAD and for status 304 it is the body of the response to
   * GET, which is not sent.
   */
  readonly body?: Body;
  /** Seconds for which the response may be cached, none by default. */
  readonly maxAge?: number;
  /** True if the response never changes while it may be cached. */
  readonly immutable?: boolean;
  /** Cursor of the next page of a list, for the `Link` header (RFC 8288). */
  readonly next?: string | null;
}

/** Body of a response. */
export interface Body {
  readonly type: string;
  /** Text, which is sent as UTF-8, or bytes, or a stream of them. */
  readonly content: string | Uint8Array | ReadableStream<Uint8Array>;
  /** Length in bytes, `undefined` for a stream. */
  readonly length: number | undefined;
  /** Content compressed with gzip, if it was compressed in advance. */
  readonly gzipped?: Uint8Array;
}

/** Parameter of an endpoint. */
export interface Parameter {
  /** Name in the pattern or in the query string. */
  readonly name: string;
  /** Location: the path or the query string. */
  readonly in: "path" | "query";
  /** Meaning and allowed forms. */
  readonly description: Translated;
  /** Allowed value. */
  readonly example: string;
  /**
   * Schema of the value.
   *
   * @default {a string}
   */
  readonly schema?: Schema;
  /**
   * Other parameters, one of which is required without this one. With none,
   * this one is always required.
   *
   * @default {it is optional}
   */
  readonly unless?: readonly string[];
}

/** Body of a request. */
export interface RequestContent {
  /** Meaning of the body. */
  readonly description: Translated;
  /** Allowed bodies by media type. */
  readonly examples: Readonly<Record<string, string>>;
  /** Schemas of the bodies, with the same media types. */
  readonly content?: Content;
}

/** Documentation of a response. */
export interface AnswerDoc extends Translated {
  /** Schemas of the body by media type; none for an empty body. */
  readonly content?: Content;
}

/** Documentation of a route. */
export interface Endpoint {
  /**
   * Method of the request; `GET` includes `HEAD`.
   *
   * @default {"GET"}
   */
  readonly method?: "GET" | "POST";
  /** Name of the operation in generated clients, e.g. `getCep`. */
  readonly id: string;
  /** Path; a segment that begins with a colon is a variable. */
  readonly pattern: string;
  /** Summary of the response. */
  readonly summary: Translated;
  /** Parameters in the path and in the query string. */
  readonly parameters: readonly Parameter[];
  /** Body of the request, if the method is POST. */
  readonly content?: RequestContent;
  /** Responses by status, except for errors of the API. */
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  /** Errors in addition to {@linkcode COMMON_ERRORS}. */
  readonly errors: readonly ErrorCode[];
  /**
   * True if requests do not count against the rate limit, unless the handler
   * charges them.
   */
  readonly free?: boolean;
  /**
   * True if unknown parameters are ignored, as the imitated service does.
   * Endpoints that are free ignore them, too.
   */
  readonly lenient?: boolean;
  /** True if the page asks it while someone types. */
  readonly typed?: boolean;
}

/** Errors of every endpoint; `rate_limited` only if it is not free. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  "method_not_allowed",
  "rate_limited",
  "internal",
];

/** Endpoint with its handler. */
export interface Route extends Endpoint {
  /** Handles a request. */
  readonly handle: (exchange: Exchange) => Answer | Promise<Answer>;
}

/**
 * Hooks around every route. Nested functions would cost one more promise per
 * request and middleware.
 */
export interface Middleware {
  /**
   * Runs before the route. If it returns a response or throws an error, the
   * route does not run.
   */
  readonly before?: (
    exchange: Exchange,
  ) => Answer | undefined | Promise<Answer | undefined>;
  /** Completes the response of the route, of a middleware or of an error. */
  readonly after?: (
    exchange: Exchange,
    answer: Answer,
  ) => Answer | Promise<Answer>;
}

/** Adds a request header to `Vary`. */
export function addVary(exchange: Exchange, name: string): void {
  addItem(exchange, "vary", name);
}

/** Adds a response header to `Access-Control-Expose-Headers`. */
export function expose(exchange: Exchange, name: string): void {
  addItem(exchange, "access-control-expose-headers", name);
}

function addItem({ headers }: Exchange, header: string, item: string): void {
  headers[header] = headers[header] ? `${headers[header]}, ${item}` : item;
}

/**
 * True if a shared cache may serve the response to other clients, which must
 * then contain nothing about this one.
 */
export function isShareable({ idGiven }: Exchange, answer: Answer): boolean {
  return answer.maxAge !== undefined && !idGiven;
}

/** Returns the body to send: none for HEAD and 304. */
export function sentBody(
  { method }: Exchange,
  { status, body }: Answer,
): Body | undefined {
  return method === "HEAD" || status === 304 ? undefined : body;
}

/** Creates a JSON response. */
export function json(value: unknown, status = 200): Answer {
  return { status, body: jsonBody(JSON.stringify(value)) };
}

/**
 * Creates a body of JSON text, which is UTF-8 by definition (RFC 8259, 8.1).
 */
export function jsonBody(text: string): Body {
  return textBody(text, "application/json");
}

/** Creates a body of text, sent as UTF-8. */
export function textBody(content: string, type: string): Body {
  return { type, content, length: Buffer.byteLength(content) };
}
