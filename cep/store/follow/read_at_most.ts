import { SourceError } from "./source.ts";

/**
 * Reads a UTF-8 text.
 *
 * @throws {SourceError} If it is longer than allowed, or not UTF-8.
 */
export async function readAtMost(
  bytes: number,
  body: AsyncIterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let read = 0;
  for await (const chunk of body) {
    read += chunk.length;
    if (read > bytes) throw new SourceError(`it has more than ${bytes} bytes`);
    text += decode(decoder, chunk);
  }
  return text + decode(decoder);
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new SourceError("it is not UTF-8");
  }
}
