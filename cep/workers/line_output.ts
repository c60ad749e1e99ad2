/**
 * Output of several processes in one stream, line by line.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";

/** Bytes of a line that are kept back at most. */
const MAX_LINE_BYTES = 1_048_576;

const NEWLINE = 0x0a;

/**
 * Copies a stream to another one in whole lines, at the speed of its reader, so
 * that lines of several sources do not mix.
 */
export async function copyLines(
  from: Readable,
  to: Pick<Writable, "write">,
): Promise<void> {
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve) => to.write(bytes, () => resolve()));
  let kept: Buffer[] = [];
  let keptBytes = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    const end = keptBytes + chunk.length > MAX_LINE_BYTES
      ? chunk.length
      : chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      await write(Buffer.concat([...kept, chunk.subarray(0, end)]));
      kept = [];
      keptBytes = 0;
    }
    if (end < chunk.length) {
      kept.push(chunk.subarray(end));
      keptBytes += chunk.length - end;
    }
  }
  if (keptBytes > 0) await write(Buffer.concat([...kept, Buffer.from("\n")]));
}
