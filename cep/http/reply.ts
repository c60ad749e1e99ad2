/**
 * Requests and responses as servers have them: those of the web platform cost
 * more than a lookup on Node.
 */
/** Request, as much of it as the service reads. A `Request` fits. */
export interface Incoming extends Pick<Request, "method" | "url" | "body"> {
  /** Headers of the request. */
  readonly headers: RequestHeaders;
}

/** Headers of a request, as much of them as the service reads. */
export type RequestHeaders = Pick<Headers, "get" | "has">;

/** Response before it is sent. */
export interface Reply {
  /** Status code. */
  readonly status: number;
  /** Values by name, in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Content that is sent, `null` for none. */
  readonly content: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** Creates the `Response` of a reply. */
export function toResponse({ status, headers, content }: Reply): Response {
  const type = headers["content-type"];
  const response = new Response(content as BodyInit | null, {
    status,
    headers: type === undefined ? {} : { "content-type": type },
  });
  // Setting headers one by one is several times faster than passing an object.
  for (const name in headers) {
    if (name !== "content-type") response.headers.set(name, headers[name]!);
  }
  return response;
}
