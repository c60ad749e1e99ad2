import {
  ReleaseDirectory,
  type ReleaseFile,
} from "../../../cep/store/release_directory.ts";
import { within } from "../_within.ts";

/** Message of a store that has opened another release. */
export const NOTICED = "Opened a new release";

/** Directory that counts the polls of a store. */
export class WatchedDirectory extends ReleaseDirectory {
  #looks = 0;
  #wake: () => void = () => {};

  override current(): Promise<ReleaseFile | undefined> {
    this.#looks++;
    this.#wake();
    return super.current();
  }

  /**
   * Waits for a complete poll that has not begun yet.
   *
   * @param calls Number of calls of `present` until the poll after it has
   * begun: a poll that fails makes two.
   */
  async looked(calls: 2 | 4 = 2): Promise<void> {
    const end = this.#looks + calls;
    while (this.#looks < end) {
      const next = new Promise<void>((resolve) => this.#wake = resolve);
      await within("a look for a release", next);
    }
  }
}
