import { collectGarbage } from "../../util/collect_garbage.ts";
import type { SharedParts } from "../../release/release_parts.ts";

/** Number of the thread of the broker. */
const OWN = 1;

/**
 * Parts of the releases that threads read. The first thread to ask for a part
 * reads it, and the others get the same memory. A release is forgotten when the
 * last thread has dropped it.
 */
export class PartsBroker {
  /** Threads that use a release. */
  readonly #users = new Map<number, Set<number>>();
  readonly #parts = new Map<number, Map<string, Promise<unknown>>>();
  readonly #collect: () => void;

  /** @param collect Collects the garbage of the thread of the broker. */
  constructor(collect: () => void = collectGarbage) {
    this.#collect = collect;
  }

  /** Parts as the thread of the broker uses them. */
  get own(): SharedParts {
    return {
      take: (release, name, read) => this.take(OWN, { release, name }, read),
      drop: (release) => this.drop(OWN, release),
    };
  }

  /**
   * Returns a part. If the thread that reads it fails, the next one reads it.
   *
   * @param read Reads the part in the thread that asks.
   */
  async take<T>(
    thread: number,
    { release, name }: { readonly release: number; readonly name: string },
    read: () => Promise<T>,
  ): Promise<T> {
    getOrAdd(this.#users, release, () => new Set()).add(thread);
    const parts = getOrAdd(this.#parts, release, () => new Map());
    while (true) {
      const known: Promise<T> | undefined = parts.get(name);
      if (known === undefined) break;
      try {
        return await known;
      } catch {
        // Another thread may have begun to read it by now.
      }
    }
    const reading = read();
    parts.set(name, reading);
    reading.catch(() => parts.delete(name));
    return await reading;
  }

  /** Notes that a thread no longer uses a release. */
  drop(thread: number, release: number): void {
    const users = this.#users.get(release);
    if (!users?.delete(thread)) return;
    if (users.size === 0) {
      this.#users.delete(release);
      this.#parts.delete(release);
    }
    if (users.size === 0 || thread === OWN) this.#collect();
  }

  /** Notes that a thread has ended. */
  dropAll(thread: number): void {
    for (const release of [...this.#users.keys()]) this.drop(thread, release);
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, value = make());
  return value;
}
