/** Queue whose removed items do not move the others. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  /** Number of items. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds an item at the end. */
  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes the first item. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head++];
    if (this.#head > 1000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Removes all items and returns them. */
  clear(): T[] {
    const items = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return items;
  }
}
