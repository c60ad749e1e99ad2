/**
 * Projection of the map of Brazil: plate carrée, true to scale at its middle.
 */
/** West and north edges in degrees, and units of the drawing per degree. */
export const PROJECTION = {
  west: -74.1,
  north: 5.4,
  perLongitude: 15.5,
  perLatitude: 16,
} as const;

/** Size of the drawing, for its `viewBox`. */
export const MAP_SIZE = { width: 616, height: 630 } as const;

/** Point of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the point of a place in the drawing. */
export function project(latitude: number, longitude: number): Point {
  const { west, north, perLongitude, perLatitude } = PROJECTION;
  return {
    x: round((longitude - west) * perLongitude),
    y: round((north - latitude) * perLatitude),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
