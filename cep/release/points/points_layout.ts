/**
 * Layout of the points of a release: the places of its CEPs, in the order of a
 * k-d tree.
 *
 * A point is three 32-bit integers, little-endian: CEP, latitude and longitude
 * in units of which
 * a degree has {@linkcode UNITS}. All points are one array, cut into parts of
 * {@linkcode POINTS_PART_BYTES}.
 *
 * The tree has no nodes of its own. A node is an interval of points; its
 * children are its halves, of which the second begins at
 * {@linkcode middleOf}. No point of the first half is further north (or, if
 * the node is wider than high, further east) than one of the second half. The
 * leaves are all at the depth {@linkcode depthOf}.
 */
/** Version of the layout; other versions are not read. */
export const POINTS_VERSION = 1;

/** Maximum size of a part: a server refuses rows of several megabytes. */
export const POINTS_PART_BYTES = 1 << 20;

/**
 * Units of latitude and longitude per degree: a unit of latitude is 1.1 metres.
 */
export const UNITS = 100_000;

/** Integers per point. */
export const STRIDE = 3;

/** Offset of the CEP, of the latitude and of the longitude in a point. */
export const CEP = 0;
export const LATITUDE = 1;
export const LONGITUDE = 2;

/** Maximum number of points: one for each CEP. */
export const MAX_POINTS = 100_000_000;

/** Maximum number of points in a leaf. */
const LEAF_POINTS = 16;

/** Header of the points, stored beside their parts. */
export interface PointsHeader {
  readonly version: number;
  readonly count: number;
  /** CRC-32 of the bytes of all parts. */
  readonly checksum: number;
}

/** Returns the depth of the leaves, 0 if the root is the only one. */
export function depthOf(count: number): number {
  let depth = 0;
  while (count > LEAF_POINTS * 2 ** depth) depth++;
  return depth;
}

/** Returns the start of the second half of an interval of points. */
export function middleOf(start: number, end: number): number {
  return start + end >>> 1;
}

/** Returns the size of all points in bytes. */
export function bytesOf(count: number): number {
  return count * STRIDE * Int32Array.BYTES_PER_ELEMENT;
}

/** Rounds an angle in degrees to units. */
export function toUnits(degrees: number): number {
  return Math.round(degrees * UNITS);
}

export function toDegrees(units: number): number {
  return units / UNITS;
}

/** Formats a number of units as degrees with five decimals. */
export function formatDegrees(units: number): string {
  const size = Math.abs(units);
  const whole = Math.floor(size / UNITS);
  const rest = size - whole * UNITS;
  const high = Math.floor(rest / 100);
  return (units < 0 ? "-" : "") + whole + POINTS[high]! +
    PAIRS[rest - high * 100]!;
}

/** Decimal point and three digits. */
const POINTS: readonly string[] = digits(3).map((text) => `.${text}`);

/** Two digits. */
const PAIRS: readonly string[] = digits(2);

function digits(length: number): string[] {
  return Array.from(
    { length: 10 ** length },
    (_, i) => `${i}`.padStart(length, "0"),
  );
}

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

/** Bounds in 1/100000 degree: south, north, west, east. */
type Bounds = readonly [
  south: number,
  north: number,
  west: number,
  east: number,
];

/** Returns the bounds of the points from one index up to another. */
export function boundsOf(
  points: Int32Array,
  start: number,
  end: number,
): Bounds {
  let south = Infinity, north = -Infinity, west = Infinity, east = -Infinity;
  for (let i = start * STRIDE; i < end * STRIDE; i += STRIDE) {
    const latitude = points[i + LATITUDE]!;
    const longitude = points[i + LONGITUDE]!;
    if (latitude < south) south = latitude;
    if (latitude > north) north = latitude;
    if (longitude < west) west = longitude;
    if (longitude > east) east = longitude;
  }
  return [south, north, west, east];
}
