/**
 * Compressed answers.
 *
 * @module
 */
import { acceptsEncodings } from "@std/http/negotiation";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { addVary, type Body, type Middleware, sentBody } from "./exchange.ts";

const gzipAsync = promisify(gzip);

/** Bodies below this many bytes are not worth it. */
const MIN_BYTES = 200;

/**
 * Compresses bodies with gzip for clients that accept it (RFC 9110, 12.5.3).
 * The platform's compression stream takes no level, hence zlib.
 *
 * @param level 1 (fast) to 9 (small).
 */
export function compression(level: number): Middleware {
  return (next) => async (exchange) => {
    const answer = await next(exchange);
    const { body } = answer;
    if (body === undefined || body.length < MIN_BYTES) return answer;
    const { request, headers } = exchange;
    addVary(exchange, "Accept-Encoding");
    const sent = sentBody(exchange, answer);
    if (sent === undefined || !acceptsGzip(request)) return answer;
    headers["content-encoding"] = "gzip";
    // A strong validator would promise the same bytes as the plain answer has.
    if (headers["etag"]) headers["etag"] = `W/${headers["etag"]}`;
    body.gzipped ??= await compress(body, level);
    return { ...answer, body: body.gzipped };
  };
}

async function compress(body: Body, level: number): Promise<Body> {
  const content = await gzipAsync(body.content, { level });
  return { type: body.type, content, length: content.length };
}

function acceptsGzip(request: Request): boolean {
  // Without the header, or with an empty one, the library accepts anything.
  return Boolean(request.headers.get("accept-encoding")) &&
    acceptsEncodings(request, "gzip", "identity") === "gzip";
}
