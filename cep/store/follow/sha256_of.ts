import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** Bytes that are read at once. */
const CHUNK_BYTES = 1_048_576;

/** Reads a file in large chunks. */
export function chunksOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/**
 * Returns the SHA-256 of a file, as hexadecimal digits.
 *
 * @param signal Ends the reading.
 */
export async function sha256Of(
  path: string,
  signal?: AbortSignal,
): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(path)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest("hex");
}
