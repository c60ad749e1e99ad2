import { free } from "../util/free.ts";
import { Growing } from "../util/growing.ts";
import { FoldedText } from "./fold.ts";
import { isDropped } from "./word_kinds.ts";

/** Bits of a word that is left out before another one, and at the end. */
const DROPPED_BEFORE = 1;
const DROPPED_LAST = 2;

/**
 * Words by number. They are found by their letters, because most words of a DNE
 * are known: no string is made of them.
 */
export class WordTable {
  /** All words. */
  readonly texts: string[] = [];
  readonly #folded = new FoldedText();
  readonly #hashes = new Growing();
  readonly #drops = new Growing();
  /** Words of the current text. */
  readonly #found: number[] = [];
  /** Hash table of words, plus one each; 0 is free. */
  #slots = new Uint32Array(1 << 12);

  /** Finds or adds the words of a text, without its prepositions. */
  wordsOf(text: string): number[] {
    const folded = this.#folded;
    folded.fold(text);
    const found = this.#found;
    let count = 0;
    for (let i = 0; i < folded.count; i++) {
      const word = this.#find(folded.startOf(i), folded.endOf(i));
      const bit = i === folded.count - 1 ? DROPPED_LAST : DROPPED_BEFORE;
      if ((this.#drops.at(word) & bit) === 0) found[count++] = word;
    }
    // An array that grows would have room for seventeen words.
    const words = new Array<number>(count);
    for (let i = 0; i < count; i++) words[i] = found[i]!;
    return words;
  }

  /** Finds or adds a word that has been folded. */
  readonly find = (word: string): number => {
    this.#folded.fold(word);
    return this.#find(0, word.length);
  };

  #find(start: number, end: number): number {
    const { letters } = this.#folded;
    const mask = this.#slots.length - 1;
    const hash = hashOf(letters, start, end);
    let slot = hash & mask;
    while (true) {
      const word = this.#slots[slot]! - 1;
      if (word < 0) {
        return this.#add(slot, hash, this.#folded.slice(start, end));
      }
      if (
        this.#hashes.at(word) === hash &&
        equals(this.texts[word]!, letters, start, end)
      ) return word;
      slot = slot + 1 & mask;
    }
  }

  #add(slot: number, hash: number, text: string): number {
    const word = this.texts.push(text) - 1;
    this.#hashes.push(hash);
    this.#drops.push(
      (isDropped(text, false) ? DROPPED_BEFORE : 0) +
        (isDropped(text, true) ? DROPPED_LAST : 0),
    );
    this.#slots[slot] = word + 1;
    if (2 * this.texts.length > this.#slots.length) this.#grow();
    return word;
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    for (let word = 0; word < this.texts.length; word++) {
      let slot = this.#hashes.at(word) & slots.length - 1;
      while (slots[slot] !== 0) slot = slot + 1 & slots.length - 1;
      slots[slot] = word + 1;
    }
    free(this.#slots);
    this.#slots = slots;
  }

  /** Ends the finding of words, and frees its memory. */
  end(): void {
    free(this.#slots);
    this.#hashes.free();
    this.#drops.free();
  }
}

function hashOf(letters: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ letters[i]!, 0x9E3779B1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

function equals(
  text: string,
  letters: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (text.length !== end - start) return false;
  for (let i = start; i < end; i++) {
    if (text.charCodeAt(i - start) !== letters[i]) return false;
  }
  return true;
}

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
    const hash = hashOfName(words, typeLength);
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

function hashOfName(words: ArrayLike<number>, typeLength: number): number {
  let hash = typeLength + 1;
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ words[i]!, 0x9E3779B1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
