/**
 * Body of a request, read with a limit of size and time.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { HttpError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Returns the media type of a body, without its parameters.
 *
 * @throws {HttpError} If it is not one of the allowed types, or if the body is
 * compressed, by content coding or by transfer coding.
 */
export function contentType<const T extends string>(
  { requestHeaders }: Pick<Exchange, "requestHeaders">,
  ...allowed: readonly T[]
): T {
  const isPlain = hasCoding(requestHeaders, "content-encoding", "identity") &&
    hasCoding(requestHeaders, "transfer-encoding", "chunked");
  if (!isPlain) {
    throw new HttpError("content_type_unsupported", { aceitos: allowed });
  }
  const [given = ""] = (requestHeaders.get("content-type") ?? "").split(";");
  const type = allowed.find((it) => it === given.trim().toLowerCase());
  if (type !== undefined) return type;
  throw new HttpError("content_type_unsupported", { aceitos: allowed });
}

/** True if a header is missing, or names only this coding. */
function hasCoding(headers: Headers, name: string, coding: string): boolean {
  const given = headers.get(name);
  return given === null || given.trim().toLowerCase() === coding;
}

/**
 * Reads a body as UTF-8 text.
 *
 * @param maxBytes Maximum size in bytes.
 * @throws {HttpError} If it is larger, does not arrive in time, is cut off, or
 * is not UTF-8.
 */
export async function readBody(
  { request, bodyMs }: Pick<Exchange, "request" | "bodyMs">,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = (request.body ?? new Blob([]).stream()).getReader();
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new HttpError("body_timeout")),
    bodyMs,
  );
  try {
    while (true) {
      const { done, value } = await Promise.race([
        reader.read().catch(refuseCutOff),
        timeout.promise,
      ]);
      if (done) break;
      length += value.length;
      if (length > maxBytes) {
        throw new HttpError("body_too_large", { limite: `${maxBytes} bytes` });
      }
      chunks.push(value);
    }
  } catch (error) {
    // The client may never end the body, so this is not awaited.
    reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return decode(Buffer.concat(chunks));
}

function refuseCutOff(): never {
  throw new HttpError("body_invalid", { motivo: "o corpo foi interrompido" });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError("body_invalid", { motivo: "o corpo deve ser UTF-8" });
  }
}

/**
 * Reads a body of JSON.
 *
 * @param maxBytes Maximum size in bytes.
 * @throws {HttpError} As {@linkcode readBody}, and if it is not JSON.
 */
export async function readJson(
  exchange: Pick<Exchange, "request" | "bodyMs">,
  maxBytes: number,
): Promise<unknown> {
  const text = await readBody(exchange, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError("body_invalid", { motivo: "o corpo deve ser JSON" });
  }
}
