/** Bits per page, as a power of two. */
const PAGE_BITS = 16;

/**
 * Numbers below a limit. Pages of 8 kB are added where there are numbers, so
 * that its size depends on their range rather than on how many there are:
 * 125 MB for all numbers of nine digits.
 */
export class NumberSet {
  readonly #pages: (Uint8Array | undefined)[] = [];

  /** Adds a number. Returns false if it is there. */
  add(number: number): boolean {
    const page = number >>> PAGE_BITS;
    const bits = this.#pages[page] ?? this.#addPage(page);
    const bit = 1 << (number & 7);
    const position = (number & (1 << PAGE_BITS) - 1) >>> 3;
    const byte = bits[position]!;
    if ((byte & bit) !== 0) return false;
    bits[position] = byte | bit;
    return true;
  }

  #addPage(page: number): Uint8Array {
    // Holes would make the array slow.
    while (this.#pages.length <= page) this.#pages.push(undefined);
    return this.#pages[page] = new Uint8Array(1 << PAGE_BITS - 3);
  }
}
