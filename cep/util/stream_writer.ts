import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";

/** Closing of a pipe by its reader, which may need only the first lines. */
export class OutputClosed extends Error {
  /** Always `OutputClosed`. */
  override readonly name = "OutputClosed";
}

/**
 * Returns a function that writes to a stream as UTF-8, and waits until it has
 * taken the text.
 */
export function streamWriter(
  stream: Pick<Writable, "write">,
): (text: string) => Promise<void> {
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(Buffer.from(text), (error) => {
        if (!error) resolve();
        else if ((error as NodeJS.ErrnoException).code === "EPIPE") {
          reject(new OutputClosed("Cannot write the output: it is closed"));
        } else {
          reject(
            new Error(`Cannot write the output: ${error.message}`, {
              cause: error,
            }),
          );
        }
      });
    });
}
