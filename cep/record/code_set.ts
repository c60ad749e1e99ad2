/**
 * Set of CEPs, with one bit for each of the hundred million possible CEPs: 12.5
 * MB in total.
 */
export class CodeSet {
  readonly #bits = new Uint8Array(100_000_000 / 8);

  /**
   * Adds a CEP of eight digits.
   *
   * @returns True if it was not yet in the set.
   */
  add(cep: string): boolean {
    const number = Number(cep);
    const mask = 1 << (number & 7);
    const byte = this.#bits[number >> 3]!;
    this.#bits[number >> 3] = byte | mask;
    return (byte & mask) === 0;
  }
  /** True if the set contains a CEP, given as a number. */
  has(number: number): boolean {
    return (this.#bits[number >> 3]! & (1 << (number & 7))) !== 0;
  }
}
