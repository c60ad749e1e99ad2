/**
 * Requests and responses of Node's `http` module, which Express uses. Only
 * their shapes are needed, so that nothing of Node is imported.
 */
import { invalid } from "../core/type_error.ts";
import { type NodeRequest as Incoming, toVerified } from "../verify/request.ts";

/** Request of Node, or of Express: an `IncomingMessage`. */
export interface NodeRequest extends Incoming, AsyncIterable<unknown> {
  /** Form that a body parser of Express has read. */
  readonly body?: unknown;
}

/** Response of Node, or of Express: a `ServerResponse`. */
export interface NodeResponse {
  /** HTTP status. */
  statusCode: number;
  /** Sets a header. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** Sends the response with a body. */
  end(body: Uint8Array): unknown;
}

/** Request, of the web or of Node. */
export type SessionRequest = Request | NodeRequest;

/** Anything with the headers of a request. */
export interface HasHeaders {
  /** Headers, e.g. of a `Request`, or what Next's `headers()` returns. */
  readonly headers: Pick<Headers, "get"> | NodeRequest["headers"];
}

/** Returns a header of a request of the web or of Node. */
export function headerOf({ headers }: HasHeaders, name: string): string {
  const value = isWeb(headers)
    ? headers.get(name)
    : (headers as NodeRequest["headers"])[name];
  return typeof value === "string" ? value : value?.join("; ") ?? "";
}

/** Methods that the constructor of `Request` refuses. */
const FORBIDDEN_METHOD = /^(CONNECT|TRACE|TRACK)$/i;

/** Returns true for a method that `toRequest` cannot convert. */
export function hasForbiddenMethod(
  { method = "GET" }: SessionRequest,
): boolean {
  return FORBIDDEN_METHOD.test(method);
}

/**
 * Converts a request of Node; `origin` is the origin of the application.
 *
 * @throws {TypeError} If its method is CONNECT, TRACE or TRACK.
 */
export function toRequest(request: SessionRequest, origin: string): Request {
  if (isWeb(request.headers)) return request as Request;
  if (hasForbiddenMethod(request)) {
    throw invalid(`Cannot handle the request: its method is ${request.method}`);
  }
  const { method, headers, url } = toVerified(request);
  const { pathname, search } = new URL(url);
  const hasBody = method !== "GET" && method !== "HEAD";
  const init = { method, headers, duplex: "half" };
  // Not `new URL(path, origin)`, for which "//host" is another origin.
  return new Request(new URL(origin + pathname + search), {
    ...init,
    ...hasBody && { body: bodyOf(request as NodeRequest) },
  });
}

/**
 * Sends a response of the web as one of Node. Returns false, and sends nothing,
 * if there is none.
 *
 * @example
 * ```ts
 * import { sendToNode } from "@carteiro/oauth2/session";
 *
 * const sent: unknown[] = [];
 * await sendToNode(new Response("Hello", { status: 201 }), {
 *   statusCode: 200,
 *   setHeader: (name, value) => sent.push(name, value),
 *   end: (body) => sent.push(new TextDecoder().decode(body)),
 * });
 * console.assert(sent.at(-1) === "Hello");
 * ```
 */
export async function sendToNode(
  response: Response | undefined,
  target: NodeResponse,
): Promise<boolean> {
  if (!response) return false;
  target.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") target.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) target.setHeader("set-cookie", cookies);
  target.end(new Uint8Array(await response.arrayBuffer()));
  return true;
}

/** Returns the body of a request, which is read only if it is used. */
function bodyOf(request: NodeRequest): BodyInit {
  const { body } = request;
  if (typeof body === "object" && body !== null) {
    return String(new URLSearchParams(body as Record<string, string>));
  }
  if (typeof body === "string") return body;
  let chunks: AsyncIterator<unknown> | undefined;
  return new ReadableStream<unknown>({
    async pull(controller) {
      chunks ??= request[Symbol.asyncIterator]();
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  }, { highWaterMark: 0 }) as BodyInit;
}

function isWeb(
  headers: HasHeaders["headers"],
): headers is Pick<Headers, "get"> {
  return typeof headers.get === "function";
}
