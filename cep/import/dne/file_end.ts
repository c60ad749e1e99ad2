import { SeedError } from "./seed_error.ts";

/** Bytes that end the last line: LF, CR, and a final Ctrl-Z. */
const ENDS: ReadonlySet<number> = new Set([0x0A, 0x0D, 0x1A]);

/**
 * End of a file. A last line without a line end is complete in files of
 * Correios, so only one that is faulty, too, was cut off.
 */
export class FileEnd {
  #last = 0x0A;
  #faulty = 0;

  /** Watches the bytes of the file. */
  async *watch(
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#last = chunk.at(-1) ?? this.#last;
      yield chunk;
    }
  }

  /** Notes a line that cannot be used. */
  noteFault(line: number): void {
    this.#faulty = line;
  }

  /**
   * Checks the file after it has been read.
   *
   * @param verb Verb of the message.
   * @param lines Number of its lines.
   * @throws {SeedError} If it was cut off.
   */
  check(verb: "import" | "update from", file: string, lines: number): void {
    if (ENDS.has(this.#last) || this.#faulty < lines || lines === 0) return;
    throw new SeedError(
      `Cannot ${verb} ${file}: it was cut off in line ${lines}, which is ` +
        "incomplete; copy the file again, or end the line",
    );
  }
}
