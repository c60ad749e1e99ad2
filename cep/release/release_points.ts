import type { KdTree, NearPoint } from "./points/kd_tree.ts";
import { DatabaseError } from "./errors.ts";
import type { NearestQuery } from "./queries.ts";

export class ReleasePoints {
  readonly #read: () => Promise<KdTree>;
  #tree: Promise<KdTree> | undefined;
  /** Queries that wait for the points. */
  #waiting = 0;
  #isRetired = false;
  #isDamaged = false;

  /**
   * @param read Reads the points.
   */
  constructor(read: () => Promise<KdTree>) {
    this.#read = read;
  }

  /** True if the points were read, and are damaged or missing. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /**
   * Finds the points nearest to a place.
   *
   * @throws {Error} If they are damaged or of another version.
   */
  async nearest(query: NearestQuery): Promise<NearPoint[]> {
    this.#waiting++;
    try {
      this.#tree ??= this.#readOnce();
      return (await this.#tree).nearest(query);
    } finally {
      this.#waiting--;
      if (this.#isRetired) this.#free();
    }
  }

  /** Reads the points; again only if the database was out of reach. */
  async #readOnce(): Promise<KdTree> {
    try {
      return await this.#read();
    } catch (error) {
      // Megabytes that are damaged are not read again by each query.
      if (error instanceof DatabaseError) this.#tree = undefined;
      else this.#isDamaged = true;
      throw error;
    }
  }

  /** Frees the points. Queries that wait for them are completed. */
  retire(): void {
    this.#isRetired = true;
    this.#free();
  }

  #free(): void {
    if (this.#waiting > 0) return;
    this.#tree?.then((tree) => tree.free(), () => {});
    this.#tree = undefined;
  }
}

/**
 * Checks a query.
 *
 * @throws {RangeError} If its place is not on the globe, or its limit is not a
 * whole number.
 */
export function requireNearestQuery(
  { latitude, longitude, limit }: NearestQuery,
): void {
  // NaN is in no range.
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    throw new RangeError(
      `Cannot find records near ${latitude}, ${longitude}: it is not on the ` +
        "globe",
    );
  }
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw new RangeError(
      `Cannot find ${limit} records: the limit must be a whole number`,
    );
  }
}
