import { CepError } from "./error.ts";

/** Maximum size of a body in bytes. */
export const MAX_BODY_BYTES: number = 16 * 1024 * 1024;

/**
 * Reads a body as UTF-8.
 *
 * @throws {CepError} If it is larger than {@linkcode MAX_BODY_BYTES}.
 */
export async function readText(
  response: Response,
  signal: AbortSignal,
): Promise<string> {
  const { body, status } = response;
  // React Native has no streams.
  if (!body) return await response.text();
  const reader = body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    const decoder = new TextDecoder();
    let size = 0;
    let text = "";
    while (true) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > MAX_BODY_BYTES) {
        throw new CepError(
          "response_invalid",
          `Cannot read the response: it is longer than ${MAX_BODY_BYTES} bytes`,
          { status },
        );
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
