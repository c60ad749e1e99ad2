import { type HeaderFields, isJsonType, mediaType } from "./headers.ts";
import { encodeParams, isPlainObject } from "./params.ts";
import { invalid } from "./type_error.ts";

/** Body that `fetch` accepts. */
export type Body = NonNullable<RequestInit["body"]>;

export const FORM_TYPE = "application/x-www-form-urlencoded";
/** `Symbol.toStringTag` of bodies that `fetch` encodes. */
const ENCODED_BY_FETCH =
  /^String$|FormData$|Blob$|File$|Buffer$|ReadableStream$/;

/**
 * Encodes a body according to its content type. A form without a content type
 * sets it.
 */
export function encodeBody(
  body: unknown,
  headers: HeaderFields,
): Body | undefined {
  if (body === undefined || body === null) return undefined;
  const tag = Object.prototype.toString.call(body).slice(8, -1);
  if (tag === "URLSearchParams") {
    headers["content-type"] ??= FORM_TYPE;
    return String(body);
  }
  // Copied, because the caller may change them.
  if (body instanceof ArrayBuffer) return body.slice();
  if (ArrayBuffer.isView(body)) {
    const { buffer, byteOffset, byteLength } = body;
    return new Uint8Array(buffer, byteOffset, byteLength).slice();
  }
  if (body instanceof FormData) {
    const copy = new FormData();
    for (const [name, value] of body) copy.append(name, value);
    return copy;
  }
  // `instanceof` would miss objects of other realms and libraries.
  if (ENCODED_BY_FETCH.test(tag)) return body as Body;
  if (Symbol.asyncIterator in Object(body)) {
    return toStream(body as AsyncIterable<Uint8Array>);
  }
  const type = mediaType(headers["content-type"]);
  if (isJsonType(type)) return encodeJson(body);
  if (isPlainObject(body) && (type === "" || type === FORM_TYPE)) {
    headers["content-type"] ??= FORM_TYPE;
    return encodeParams(Object.entries(body));
  }
  throw invalid(
    `Cannot send the body: ${tag} needs a JSON content type, not "${type}"`,
  );
}

/** Returns true for a body that can be sent only once. */
export function isStream(body: Body | undefined): boolean {
  return typeof body === "object" &&
    (body instanceof ReadableStream || Symbol.asyncIterator in body);
}

/** Converts an iterable, which browsers would send as "[object Object]". */
function toStream(iterable: AsyncIterable<Uint8Array>): ReadableStream {
  const iterator = iterable[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function encodeJson(value: unknown): string {
  try {
    const text: unknown = JSON.stringify(value);
    if (typeof text === "string") return text;
  } catch {
    // The platform's message may quote the value.
  }
  throw invalid("Cannot send the body: it is not JSON-serializable");
}
