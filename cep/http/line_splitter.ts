/**
 * Splitting of bytes into short lines.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** Characters of a line that are kept; the rest of a longer line is dropped. */
const MAX_LENGTH = 256;

/** UTF-8 byte order mark, decoded as ISO-8859-1. */
const BYTE_ORDER_MARK = "\xEF\xBB\xBF";

/**
 * Splits bytes into lines, without their line ends. Bytes are decoded as
 * ISO-8859-1, which is enough for CEPs: other characters are errors anyway.
 */
export class LineSplitter {
  /** Decoded bytes, and the position after the last line. */
  #text = "";
  #position = 0;
  /** Start of the line that the next bytes continue. */
  #start = "";
  #isFirst = true;
  #ended = false;

  /** Adds bytes, after {@linkcode next} has returned all lines so far. */
  push(bytes: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = bytes;
    this.#text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
    this.#position = 0;
  }

  /** Ends the input: the last line may lack its line end. */
  end(): void {
    this.#ended = true;
  }

  /**
   * Returns the next line, at most 257 characters of it; `undefined` if
   * its end has not arrived, and after the last line.
   */
  next(): string | undefined {
    const end = this.#text.indexOf("\n", this.#position);
    const part = end === -1
      ? this.#text.slice(this.#position)
      : this.#text.slice(this.#position, end);
    const line = this.#start === "" ? part : this.#start + part;
    const kept = line.length > MAX_LENGTH
      ? line.slice(0, MAX_LENGTH + 1)
      : line;
    const isComplete = end !== -1 || (this.#ended && line !== "");
    this.#start = isComplete ? "" : kept;
    this.#position = end === -1 ? this.#text.length : end + 1;
    return isComplete ? this.#clean(kept) : undefined;
  }

  /** Removes a byte order mark before the first line. */
  #clean(line: string): string {
    const isMarked = this.#isFirst && line.startsWith(BYTE_ORDER_MARK);
    this.#isFirst = false;
    return isMarked ? line.slice(BYTE_ORDER_MARK.length) : line;
  }
}
