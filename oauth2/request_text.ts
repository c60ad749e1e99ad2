/**
 * Bodies of requests from others.
 *
 * @module
 */

/**
 * Reads the body of a request as text. Returns undefined, and reads no further,
 * if it is longer than `maxBytes`.
 */
export async function readText(
  { body }: Request,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = await reader?.read() ?? { done: true };
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > maxBytes) {
      reader?.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
