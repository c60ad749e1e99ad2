import type { Address } from "../record/address.ts";
import { toAddress, wrong } from "./answers.ts";
import type { Parameters } from "./base_url.ts";

/** Query for the records nearest to a place. */
export interface NearestQuery {
  /** Latitude in degrees, from -90 to 90. */
  readonly latitude: number;
  /** Longitude in degrees, from -180 to 180. */
  readonly longitude: number;
  /**
   * Maximum number of records, at most 100.
   *
   * @default {10}
   */
  readonly limit?: number | undefined;
}

/** Record near a place. */
export interface NearAddress extends Address {
  /** Distance in whole metres. */
  readonly distancia_m: number;
}

/** Returns the parameters of a query. */
export function nearestParameters(
  { latitude, longitude, limit }: NearestQuery,
): Parameters {
  return {
    lat: formatDegrees(latitude),
    lng: formatDegrees(longitude),
    limite: limit,
  };
}

/** Formats degrees to the centimetre, without an exponent. */
function formatDegrees(degrees: number): string {
  return Number(degrees).toFixed(7);
}

/**
 * Checks a record near a place.
 *
 * @throws {CepError} If it is not a record, or has no distance.
 */
export function toNearAddress(value: unknown): NearAddress {
  const address = toAddress(value);
  const { distancia_m } = value as Record<string, unknown>;
  if (typeof distancia_m !== "number") throw wrong("a record has no distance");
  return { ...address, distancia_m };
}
