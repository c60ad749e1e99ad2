import { LATITUDE, LONGITUDE, STRIDE } from "./points_layout.ts";

/** Bounds in 1/100000 degree: south, north, west, east. */
export type Bounds = readonly [
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
