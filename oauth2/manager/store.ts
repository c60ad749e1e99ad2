/**
 * Store of secret texts by key, shared by the processes of an application.
 *
 * With {@linkcode TokenStore.compareAndSwap} or {@linkcode TokenStore.lock},
 * several processes may share the store; with neither, only one. A write that
 * lands after its timeout is harmless with `compareAndSwap` alone: prefer it.
 */
export interface TokenStore {
  /** Returns the value of a key. */
  get(key: string): Promise<string | undefined>;
  /**
   * Sets the value of a key; undefined deletes it. A token manager calls it only
   * if the store has no {@linkcode TokenStore.compareAndSwap}.
   */
  set(key: string, value: string | undefined): Promise<void>;
  /**
   * Sets the value of a key if it has the expected value, atomically;
   * undefined stands for no value. Returns false if it has another one.
   */
  compareAndSwap?(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean>;
  /**
   * Runs a function while no other process runs one for the same key. It reads
   * and writes one value; no request is sent meanwhile.
   */
  lock?<T>(key: string, run: () => Promise<T>): Promise<T>;
}
