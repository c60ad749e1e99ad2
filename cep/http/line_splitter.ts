import { Buffer } from "node:buffer";

/**
 * Splits bytes into lines, without their line ends. The characters of a line
 * are its bytes, as ISO-8859-1: other encodings would not be as fast.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  /** Bytes as characters, and the position after the last line. */
  #text = "";
  #position = 0;
  /** Start of the line that the next bytes continue. */
  #start = "";
  #ended = false;

  /** @param maxBytes Bytes that are kept of a line, in addition to one. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds bytes, after {@linkcode next} has returned all lines so far. */
  push({ buffer, byteOffset, byteLength }: Uint8Array): void {
    this.#text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
    this.#position = 0;
  }

  /** Ends the input: the last line may lack its line end. */
  end(): void {
    this.#ended = true;
  }

  /**
   * Returns the next line; `undefined` if its end has not arrived, and after
   * the last line.
   */
  next(): string | undefined {
    const end = this.#text.indexOf("\n", this.#position);
    const isFound = end !== -1;
    const part = this.#text.slice(this.#position, isFound ? end : undefined);
    this.#position = isFound ? end + 1 : this.#text.length;
    const line = this.#start === "" ? part : this.#start + part;
    const kept = line.length > this.#maxBytes
      ? line.slice(0, this.#maxBytes + 1)
      : line;
    const isComplete = isFound || (this.#ended && line !== "");
    this.#start = isComplete ? "" : kept;
    return isComplete ? kept : undefined;
  }
}
