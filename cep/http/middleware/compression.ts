import { acceptsEncodings } from "@std/http/negotiation";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  addVary,
  type Answer,
  type Exchange,
  type Middleware,
  sentBody,
} from "../exchange.ts";

const gzipAsync = promisify(gzip);

/** Minimum size of a body; a smaller one fits into one packet uncompressed. */
const MIN_BYTES = 1024;

/**
 * Compresses bodies with gzip for clients that accept it (RFC 9110, 12.5.3). It
 * uses zlib because `CompressionStream` has no level.
 *
 * @param level 1 (fast) to 9 (small).
 */
export function compression(level: number): Middleware {
  return {
    after(exchange, answer) {
      const { body } = answer;
      // A stream is sent as it is: its chunks must not wait for a compressor.
      if (body === undefined || body.content instanceof ReadableStream) {
        return answer;
      }
      const { type, content, gzipped, length = 0 } = body;
      if (length < MIN_BYTES) return answer;
      addVary(exchange, "Accept-Encoding");
      if (!acceptsGzip(exchange)) return answer;
      weakenTag(exchange);
      return sentBody(exchange, answer) === undefined
        ? answer
        : gzipped
        ? withGzipped(exchange, answer, type, gzipped)
        : compress(exchange, answer, { type, content }, level);
    },
  };
}

function acceptsGzip({ request, requestHeaders }: Exchange): boolean {
  // The library treats a missing or empty header as accepting everything.
  return Boolean(requestHeaders.get("accept-encoding")) &&
    acceptsEncodings(request, "gzip", "identity") === "gzip";
}

/** Weakens the ETag: a strong one would identify the uncompressed bytes. */
function weakenTag({ headers }: Exchange): void {
  if (headers["etag"]) headers["etag"] = `W/${headers["etag"]}`;
}

async function compress(
  exchange: Exchange,
  answer: Answer,
  { type, content }: { type: string; content: string | Uint8Array },
  level: number,
): Promise<Answer> {
  const gzipped = await gzipAsync(content, { level });
  return withGzipped(exchange, answer, type, gzipped);
}

function withGzipped(
  { headers }: Exchange,
  answer: Answer,
  type: string,
  gzipped: Uint8Array,
): Answer {
  headers["content-encoding"] = "gzip";
  return {
    ...answer,
    body: { type, content: gzipped, length: gzipped.length },
  };
}
