import type { Texts } from "./file_counts.ts";
import { MAX_ROW_BYTES } from "./row_scanner.ts";
import { TextTable } from "./text_table.ts";

/** Texts for counts, as bytes: a million strings would take much more. */
export class TextList {
  readonly #table = new TextTable();
  readonly #encoder = new TextEncoder();
  /** A text of a row has at most three bytes per byte of the row. */
  readonly #bytes = new Uint8Array(3 * MAX_ROW_BYTES);

  /** Creates a list with the empty text, which has the index 0. */
  constructor() {
    this.indexOf("");
  }

  /** Returns the index of a text, which is added if it is new. */
  indexOf(text: string): number {
    const { written } = this.#encoder.encodeInto(text, this.#bytes);
    return this.#table.indexOf(this.#bytes, 0, written);
  }

  /**
   * Compares the texts of two indexes by their characters.
   *
   * @returns A negative number if the first one precedes, 0 if they are equal.
   */
  compare(a: number, b: number): number {
    if (a === b) return 0;
    const first = this.#table.at(a);
    const second = this.#table.at(b);
    const length = Math.min(first.length, second.length);
    for (let i = 0; i < length; i++) {
      const difference = first[i]! - second[i]!;
      if (difference !== 0) return difference;
    }
    return first.length - second.length;
  }

  /** Returns all texts. */
  toTexts(): Texts {
    const { bytes, starts, size } = this.#table;
    return {
      bytes: bytes.slice(0, starts[size]),
      starts: starts.slice(0, size + 1),
    };
  }
}

/** Returns a text of a list. */
export function textAt({ bytes, starts }: Texts, index: number): string {
  return decoder.decode(bytes.subarray(starts[index], starts[index + 1]));
}

const decoder = new TextDecoder();
