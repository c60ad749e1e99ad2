import { Buffer } from "node:buffer";
import { HttpError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestHeaders } from "./reply.ts";

/**
 * Returns the media type of a body, without its parameters. That of a form is
 * taken for JSON.
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
  if (!isPlain) refuseType("envie o corpo sem compressão", allowed);
  const [given = ""] = (requestHeaders.get("content-type") ?? "").split(";");
  // The type that `curl -d` sends unless it is told another one.
  const named = given.trim().toLowerCase().replace(FORM, "application/json");
  const type = allowed.find((it) => it === named);
  return type ?? refuseType(`envie ${allowed.join(" ou ")}`, allowed);
}

function refuseType(motivo: string, aceitos: readonly string[]): never {
  throw new HttpError("content_type_unsupported", { motivo, aceitos });
}

const FORM = "application/x-www-form-urlencoded";

/** True if a header is missing, or names only this coding. */
function hasCoding(
  headers: RequestHeaders,
  name: string,
  coding: string,
): boolean {
  const given = headers.get(name);
  return given === null || given.trim().toLowerCase() === coding;
}

/**
 * Reads a body of JSON.
 *
 * @param maxBytes Maximum size in bytes.
 * @throws {HttpError} If it does not arrive in time, is cut off, or as
 * {@linkcode parseJson}.
 */
export async function readJson(
  exchange: Pick<Exchange, "request" | "bodyMs">,
  maxBytes: number,
): Promise<unknown> {
  return parseJson(decodeText(await readBody(exchange, maxBytes), maxBytes));
}

/** Reads a body, of which not much more is kept than allowed. */
async function readBody(
  { request, bodyMs }: Pick<Exchange, "request" | "bodyMs">,
  maxBytes: number,
): Promise<Uint8Array> {
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
      chunks.push(value);
      length += value.length;
      requireSize(length, maxBytes);
    }
  } catch (error) {
    // The client may never end the body, so this is not awaited.
    reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

function refuseCutOff(): never {
  throw new HttpError("body_invalid", { motivo: "o corpo foi interrompido" });
}

function requireSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new HttpError("body_too_large", { limite: `${maxBytes} bytes` });
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes a body, or a line of one, without its byte order mark.
 *
 * @param maxBytes Maximum size in bytes.
 * @throws {HttpError} If it is larger, or not UTF-8.
 */
export function decodeText(bytes: Uint8Array, maxBytes: number): string {
  requireSize(bytes.length, maxBytes);
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new HttpError("body_invalid", { motivo: "deve ser UTF-8" });
  }
}

/**
 * Parses the JSON of a body, or of a line of one.
 *
 * @throws {HttpError} If it is not JSON.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError("body_invalid", { motivo: "deve ser JSON" });
  }
}
