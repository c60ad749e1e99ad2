import { crc32 } from "node:zlib";
import { free } from "../../util/free.ts";
import {
  bytesOf,
  CEP,
  LATITUDE,
  LONGITUDE,
  POINTS_PART_BYTES,
  POINTS_VERSION,
  type PointsHeader,
  STRIDE,
} from "./points_layout.ts";
import { sortPoints } from "./sort_points.ts";

/** Takes points, and returns the parts of their k-d tree. */
export class PointsWriter {
  #points = new Int32Array(1024 * STRIDE);
  #count = 0;

  /** Number of points. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds the point of a CEP. Each CEP has one point at most.
   *
   * @param latitude Latitude in 1/100000 degree.
   * @param longitude Longitude in 1/100000 degree.
   * @throws {RangeError} If the point is not on the globe.
   */
  add(cep: number, latitude: number, longitude: number): void {
    if (!isWithin(latitude, 90_00000) || !isWithin(longitude, 180_00000)) {
      throw new RangeError(
        `Cannot add the point of a CEP: ${latitude}, ${longitude} is not on ` +
          "the globe",
      );
    }
    const i = this.#count++ * STRIDE;
    if (i === this.#points.length) {
      const larger = new Int32Array(2 * i);
      larger.set(this.#points);
      free(this.#points);
      this.#points = larger;
    }
    this.#points[i + CEP] = cep;
    this.#points[i + LATITUDE] = latitude;
    this.#points[i + LONGITUDE] = longitude;
  }

  /**
   * Iterates over the parts of the tree, which yields to other work between
   * them. No point can be added afterwards.
   *
   * @returns The header.
   */
  async *finish(): AsyncGenerator<Uint8Array, PointsHeader> {
    const points = this.#points.subarray(0, this.#count * STRIDE);
    await sortPoints(points);
    const bytes = new Uint8Array(points.buffer, 0, bytesOf(this.#count));
    let checksum = 0;
    for (let start = 0; start < bytes.length; start += POINTS_PART_BYTES) {
      const part = bytes.slice(start, start + POINTS_PART_BYTES);
      checksum = crc32(part, checksum);
      yield part;
    }
    free(this.#points);
    return { version: POINTS_VERSION, count: this.#count, checksum };
  }
}

function isWithin(value: number, limit: number): boolean {
  return Number.isInteger(value) && value >= -limit && value <= limit;
}
