/**
 * Distances on the mean sphere by the haversine formula, with
 * `hav(x) = sin²(x / 2)`:
 *
 * ```text
 * hav(angle) = hav(Δlatitude) + cos(latitude 1) cos(latitude 2) hav(Δlongitude)
 * ```
 *
 * No term is negative, so that near points lose no precision, and the minima of
 * the terms add up to a lower bound.
 */
/** Mean radius of the Earth in metres (IUGG). */
const RADIUS = 6_371_008.8;

/** Radians per degree. */
const RADIANS = Math.PI / 180;

/** Returns the cosine of an angle in degrees. */
export function cosine(degrees: number): number {
  return Math.cos(degrees * RADIANS);
}

/** Returns the haversine of an angle in degrees, of any sign. */
export function haversine(degrees: number): number {
  const sine = Math.sin(degrees * (RADIANS / 2));
  return sine * sine;
}

/** Returns the distance in metres of an angle with a haversine. */
export function toMetres(haversine: number): number {
  return 2 * RADIUS * Math.asin(Math.sqrt(Math.min(1, haversine)));
}
