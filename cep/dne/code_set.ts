/**
 * The codes that an import has seen.
 *
 * @module
 */

/**
 * A set of eight-digit codes: one bit for each of the hundred million, 12.5 MB
 * however many there are.
 */
export class CodeSet {
  readonly #bits = new Uint8Array(100_000_000 / 8);

  /** Adds a code and tells whether it was new. */
  add(cep: string): boolean {
    const code = Number(cep);
    const mask = 1 << (code & 7);
    const byte = this.#bits[code >> 3]!;
    this.#bits[code >> 3] = byte | mask;
    return (byte & mask) === 0;
  }
}
