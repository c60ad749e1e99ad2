/** Number of possible prefixes. */
const PREFIXES = 100_000;

/**
 * Set of five-digit prefixes, with a bit for each: prefix `p` is bit `p % 8`,
 * counted from the lowest, of byte `⌊p / 8⌋`. Its text is base64.
 */
export class PrefixSet {
  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Creates a set of prefixes. */
  static of(prefixes: Iterable<string>): PrefixSet {
    const bytes = new Uint8Array(PREFIXES / 8);
    for (const prefix of prefixes) {
      const [index, bit] = locate(prefix);
      bytes[index]! |= bit;
    }
    return new PrefixSet(bytes);
  }

  /**
   * Parses the text of a set.
   *
   * @returns The set, or `undefined` for any other text.
   */
  static parse(text: string): PrefixSet | undefined {
    let binary: string;
    try {
      binary = atob(text);
    } catch {
      return undefined;
    }
    if (binary.length !== PREFIXES / 8) return undefined;
    return new PrefixSet(
      Uint8Array.from(binary, (character) => character.charCodeAt(0)),
    );
  }

  /** True if the set contains a prefix. */
  has(prefix: string): boolean {
    const [index, bit] = locate(prefix);
    return (this.#bytes[index]! & bit) !== 0;
  }

  /** Returns the text of the set. */
  toString(): string {
    let binary = "";
    for (const byte of this.#bytes) binary += String.fromCharCode(byte);
    return btoa(binary);
  }
}

function locate(prefix: string): [index: number, bit: number] {
  const number = Number(prefix);
  return [Math.floor(number / 8), 1 << number % 8];
}
