import { createInflateRaw } from "node:zlib";
import { CHUNK_BYTES } from "./bytes.ts";

/**
 * Bytes that are passed on at once: they inflate to 16 MB at most, which are in
 * memory together.
 */
const INPUT_BYTES = 1 << 14;

/**
 * Decompresses deflated bytes (RFC 1951).
 *
 * @param size Number of bytes that are expected.
 * @throws {Error} If the bytes are damaged, or if there are more bytes than
 * expected.
 */
export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES });
  const output: Uint8Array[] = [];
  let length = 0;
  inflater.on("data", (chunk: Uint8Array) => {
    length += chunk.length;
    if (length > size) {
      inflater.destroy(
        new Error(`it contains more than the ${size} bytes in its header`),
      );
    } else {
      output.push(chunk);
    }
  });
  // Deflated bytes mark their own end, which may precede that of the input.
  const end = new Promise<void>((resolve, reject) => {
    inflater.on("end", resolve);
    inflater.on("error", reject);
  });
  // Only races look at it.
  end.catch(() => {});
  const write = (input: Uint8Array) =>
    new Promise<void>((resolve) => inflater.write(input, () => resolve()));
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += INPUT_BYTES) {
        const input = chunk.subarray(start, start + INPUT_BYTES);
        await Promise.race([write(input), end]);
        yield* output.splice(0);
      }
    }
    inflater.end();
    await end;
    yield* output.splice(0);
  } finally {
    inflater.destroy();
  }
}
