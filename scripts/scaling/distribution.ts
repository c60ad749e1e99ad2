/**
 * Distributions of durations in seconds.
 *
 * @module
 */

/** Uniform number from 0 up to, but not including, 1. */
export type Uniform = () => number;

/** Distribution of durations. */
export interface Distribution {
  /** Mean in seconds. */
  readonly mean: number;
  /** Draws a duration. */
  sample(uniform: Uniform): number;
}

/** Durations that a share of all, from 0 to 1, does not exceed, in order. */
export type Quantiles = readonly (readonly [share: number, seconds: number])[];

/** Always the same duration. */
export function constant(mean: number): Distribution {
  return { mean, sample: () => mean };
}

/** Durations between the events of a Poisson process. */
export function exponential(mean: number): Distribution {
  return { mean, sample: (uniform) => -mean * Math.log(1 - uniform()) };
}

/** Distribution that is linear between measured quantiles. */
export function empirical(quantiles: Quantiles): Distribution {
  const [first, ...others] = quantiles;
  if (first === undefined || others.length === 0) {
    throw new RangeError("Cannot make a distribution: it needs two quantiles");
  }
  let mean = first[0] * first[1];
  let before = first;
  for (const next of others) {
    mean += (next[0] - before[0]) * (next[1] + before[1]) / 2;
    before = next;
  }
  mean += (1 - before[0]) * before[1];
  return { mean, sample: (uniform) => quantileOf(quantiles, uniform()) };
}

/** Reads a quantile between measured ones. */
export function quantileOf(quantiles: Quantiles, share: number): number {
  let [low, from] = quantiles[0]!;
  if (share <= low) return from;
  for (const [high, to] of quantiles) {
    if (share <= high) {
      return high === low
        ? to
        : from + (to - from) * (share - low) / (high - low);
    }
    low = high;
    from = to;
  }
  return from;
}

/**
 * Distribution of measured times, made faster: times up to the 99th percentile
 * shrink by a factor, and the excess of the slowest over it, which comes from
 * garbage collection and the scheduler, stays.
 *
 * @param mean Mean of the result in seconds. A mean below that of the excess
 * alone shrinks the excess, too.
 */
export function withMean(quantiles: Quantiles, mean: number): Distribution {
  const knee = quantileOf(quantiles, 0.99);
  const split = quantiles.map(([share, time]) => {
    const body = Math.min(time, knee);
    return { share, body, excess: time - body };
  });
  const combine = (bodyFactor: number, excessFactor: number) =>
    empirical(
      split.map(({ share, body, excess }) =>
        [share, body * bodyFactor + excess * excessFactor] as const
      ),
    );
  const factor = (mean - combine(0, 1).mean) / combine(1, 0).mean;
  if (factor > 0) return combine(factor, 1);
  const all = mean / combine(1, 1).mean;
  return combine(all, all);
}
