import { type BestPoints, SAMPLE_SIZE } from "./point_samples.ts";

/** Accuracy of the census, in metres (IBGE: a mean square error of 5.84 m). */
export const LEAST_RADIUS = 6;

/** Share of the points within the radius. */
const SHARE = 0.95;

/** Metres per millionth of a degree of latitude. */
const METRES = 40_030_000 / 360 / 1e6;

/** Place of a set of points. */
export interface MedianPoint {
  /** Median in 1/100000 of a degree. */
  readonly latitude: number;
  /** Median in 1/100000 of a degree. */
  readonly longitude: number;
  /** Distance within which 95 % of the points lie, in whole metres. */
  readonly radius: number;
}

/** Sorted values, and then distances, of the points of one call. */
const values = new Float64Array(SAMPLE_SIZE);

/**
 * Returns the median of points on each axis, which a few wrong points do not
 * move.
 */
export function medianPoint(
  { latitudes, longitudes }: BestPoints,
): MedianPoint | undefined {
  const count = latitudes.length;
  if (count === 0) return undefined;
  const latitude = median(latitudes);
  const longitude = median(longitudes);
  const narrow = Math.cos(latitude / 1e6 * Math.PI / 180);
  const distances = values.subarray(0, count);
  for (let i = 0; i < count; i++) {
    const north = latitudes[i]! - latitude;
    const east = (longitudes[i]! - longitude) * narrow;
    distances[i] = Math.sqrt(north * north + east * east);
  }
  distances.sort();
  const distance = distances[Math.ceil(SHARE * count) - 1]!;
  return {
    latitude: Math.round(latitude / 10),
    longitude: Math.round(longitude / 10),
    radius: Math.max(LEAST_RADIUS, Math.round(distance * METRES)),
  };
}

function median(points: Int32Array): number {
  const { length } = points;
  const sorted = values.subarray(0, length);
  sorted.set(points);
  sorted.sort();
  const middle = length >> 1;
  return length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
