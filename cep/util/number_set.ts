/** Bits per page, as a power of two. */
const PAGE_BITS = 16;

/**
 * Set of whole numbers below 2³². Pages of 8 kB are added where there are
 * numbers, so that its size depends on their range rather than on how many there
 * are: 12.5 MB for all CEPs, 125 MB for all numbers of nine digits.
 */
export class NumberSet {
  readonly #pages: (Uint8Array | undefined)[] = [];

  /**
   * Adds a number.
   *
   * @returns True if it was not yet in the set.
   */
  add(number: number): boolean {
    const page = number >>> PAGE_BITS;
    const bits = this.#pages[page] ?? this.#addPage(page);
    const bit = 1 << (number & 7);
    const position = positionOf(number);
    const byte = bits[position]!;
    if ((byte & bit) !== 0) return false;
    bits[position] = byte | bit;
    return true;
  }

  /** Returns true if the set contains a number. */
  has(number: number): boolean {
    const bits = this.#pages[number >>> PAGE_BITS];
    if (bits === undefined) return false;
    return (bits[positionOf(number)]! & 1 << (number & 7)) !== 0;
  }

  #addPage(page: number): Uint8Array {
    // Holes would make the array slow.
    while (this.#pages.length <= page) this.#pages.push(undefined);
    return this.#pages[page] = new Uint8Array(1 << PAGE_BITS - 3);
  }
}

/** Returns the position of a number's byte in its page. */
function positionOf(number: number): number {
  return (number & (1 << PAGE_BITS) - 1) >>> 3;
}
