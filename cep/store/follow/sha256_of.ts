import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Returns the SHA-256 of a file, as hexadecimal digits. */
export async function sha256Of(
  path: string,
  signal?: AbortSignal,
): Promise<string> {
  const hash = createHash("sha256");
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  await pipeline(file, hash, signal ? { signal } : {});
  return hash.digest("hex");
}
