import { lowerBound } from "./bisect.ts";
import { free } from "./free.ts";

/** Array of 32-bit numbers that doubles its capacity when it is full. */
export class Growing {
  #numbers = new Uint32Array(1024);
  /** Number of items. */
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.#numbers);
      free(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = number;
  }

  /** Items, until the next one is added. */
  get all(): Uint32Array<ArrayBuffer> {
    return this.#numbers.subarray(0, this.length);
  }

  at(i: number): number {
    return this.#numbers[i]!;
  }

  /** Returns the index of an item, if all are in order; -1 without it. */
  findSorted(number: number): number {
    const i = lowerBound(this.#numbers, number, 0, this.length);
    return i < this.length && this.#numbers[i] === number ? i : -1;
  }

  set(i: number, number: number): void {
    this.#numbers[i] = number;
  }

  /** Adds 1 to an item, or appends a 1. */
  increment(i: number): void {
    if (i === this.length) this.push(1);
    else this.#numbers[i]!++;
  }

  /** Frees the items. None can be read or added afterwards. */
  free(): void {
    free(this.#numbers);
  }
}
