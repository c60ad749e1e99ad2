/** Events in the order of their times; of equal times, in that of their adds. */
export class EventQueue<T> {
  readonly #heap: { time: number; order: number; item: T }[] = [];
  #added = 0;

  /** Number of events. */
  get size(): number {
    return this.#heap.length;
  }

  /** Adds an event. */
  add(time: number, item: T): void {
    const heap = this.#heap;
    const event = { time, order: this.#added++, item };
    let i = heap.length;
    while (i > 0) {
      const parent = heap[(i - 1) >> 1]!;
      // The new event has the highest order.
      if (parent.time <= time) break;
      heap[i] = parent;
      i = (i - 1) >> 1;
    }
    heap[i] = event;
  }

  /** Removes the first event. */
  next(): { readonly time: number; readonly item: T } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || first === last) {
      return first;
    }
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

interface Ordered {
  readonly time: number;
  readonly order: number;
}

function isBefore(left: Ordered, right: Ordered): boolean {
  return left.time < right.time ||
    (left.time === right.time && left.order < right.order);
}
