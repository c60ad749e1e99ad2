import { free } from "../util/free.ts";
import { Growing } from "../util/growing.ts";

/** Names by number; equal names have the same number. */
export class NameTable {
  /** Words of all names. */
  readonly words: Growing = new Growing();
  /** First word of each name, and the end. */
  readonly starts: Growing = new Growing();
  /** Number of words of each name that are its type. */
  readonly typeLengths: Growing = new Growing();
  readonly #hashes = new Growing();
  /** Hash table of names, plus one each; 0 is free. */
  #slots = new Uint32Array(1 << 12);

  constructor() {
    this.starts.push(0);
  }

  /** Number of names. */
  get size(): number {
    return this.typeLengths.length;
  }

  /** Finds or adds a name. */
  find(words: readonly number[], typeLength: number): number {
    if (2 * this.size > this.#slots.length) this.#grow();
    const mask = this.#slots.length - 1;
    const hash = hashOf(words, typeLength);
    let slot = hash & mask;
    while (true) {
      const found = this.#slots[slot]! - 1;
      if (found < 0) break;
      if (
        this.#hashes.at(found) === hash &&
        this.#equals(found, words, typeLength)
      ) return found;
      slot = slot + 1 & mask;
    }
    const name = this.size;
    this.#slots[slot] = name + 1;
    this.#hashes.push(hash);
    for (const word of words) this.words.push(word);
    this.starts.push(this.words.length);
    this.typeLengths.push(typeLength);
    return name;
  }

  #equals(name: number, words: readonly number[], typeLength: number): boolean {
    const start = this.starts.at(name);
    if (this.starts.at(name + 1) - start !== words.length) return false;
    if (this.typeLengths.at(name) !== typeLength) return false;
    for (let i = 0; i < words.length; i++) {
      if (this.words.at(start + i) !== words[i]) return false;
    }
    return true;
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    for (let name = 0; name < this.size; name++) {
      let slot = this.#hashes.at(name) & slots.length - 1;
      while (slots[slot] !== 0) slot = slot + 1 & slots.length - 1;
      slots[slot] = name + 1;
    }
    free(this.#slots);
    this.#slots = slots;
  }

  /** Ends the finding of names, and frees its memory. */
  end(): void {
    free(this.#slots);
    this.#hashes.free();
  }
}

function hashOf(words: ArrayLike<number>, typeLength: number): number {
  let hash = typeLength + 1;
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ words[i]!, 0x9E3779B1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
