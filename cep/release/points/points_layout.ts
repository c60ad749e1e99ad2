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
  /** {@linkcode POINTS_VERSION}. */
  readonly version: number;
  /** Number of points. */
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
