/** Lower bounds of the buckets grow by this factor. */
const FACTOR = 1.05;
/** Milliseconds of the first bucket. */
const FIRST = 0.05;
const BUCKETS = 320;

/** Distribution of latencies, in constant memory and exact to 5 %. */
export class Latency {
  readonly #counts = new Uint32Array(BUCKETS);
  /** Number of values. */
  count = 0;
  /** Highest value, in milliseconds. */
  max = 0;

  /** Adds a value in milliseconds. */
  add(milliseconds: number): void {
    this.count++;
    this.max = Math.max(this.max, milliseconds);
    const bucket = Math.log(milliseconds / FIRST) / Math.log(FACTOR);
    const index = Math.min(Math.max(Math.ceil(bucket), 0), BUCKETS - 1);
    this.#counts[index]!++;
  }

  /** Returns the value that a share of all values do not exceed. */
  quantile(share: number): number {
    const rank = Math.ceil(share * this.count);
    let seen = 0;
    for (let i = 0; i < BUCKETS - 1; i++) {
      seen += this.#counts[i]!;
      if (seen >= rank) return Math.min(FIRST * FACTOR ** i, this.max);
    }
    return this.max;
  }
}
