/** Ratio of neighbouring buckets, for quantiles that are exact to 0.5%. */
const RATIO = 1.01;

/** Lower bound of the first bucket in seconds. */
const LEAST = 1e-7;

/** Durations in seconds, counted in buckets of equal ratio. */
export class Latencies {
  readonly #counts: number[] = [];
  #count = 0;
  #sum = 0;
  #max = 0;

  /** Number of durations. */
  get count(): number {
    return this.#count;
  }

  /** Mean, 0 without durations. */
  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** Longest duration, 0 without durations. */
  get max(): number {
    return this.#max;
  }

  /** Counts a duration. */
  add(seconds: number): void {
    const bucket = seconds <= LEAST
      ? 0
      : Math.floor(Math.log(seconds / LEAST) / Math.log(RATIO));
    while (this.#counts.length <= bucket) this.#counts.push(0);
    this.#counts[bucket]!++;
    this.#count++;
    this.#sum += seconds;
    if (seconds > this.#max) this.#max = seconds;
  }

  /** Duration that a share of all, from 0 to 1, does not exceed. */
  quantile(share: number): number {
    if (share >= 1) return this.#max;
    let rest = share * this.#count;
    for (const [bucket, count] of this.#counts.entries()) {
      rest -= count;
      if (count > 0 && rest <= 0) {
        return Math.min(LEAST * RATIO ** (bucket + 0.5), this.#max);
      }
    }
    return this.#max;
  }
}
