/**
 * Parts of releases that several threads read. Each thread has its own stores,
 * which ask for the parts of the releases that they open.
 */
export interface SharedParts {
  /**
   * Returns a part of a release: as another thread has read it, or from `read`.
   *
   * @param release Id of the release.
   * @param name Name of the part.
   * @param read Reads the part. The result can be sent to other threads, which
   * read the same memory.
   */
  take<T>(release: number, name: string, read: () => Promise<T>): Promise<T>;
  /** Gives back the parts of a release that this thread reads no more. */
  drop(release: number): void;
}
