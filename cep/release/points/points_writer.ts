import { crc32 } from "node:zlib";
import { setImmediate } from "node:timers/promises";
import { free } from "../../util/free.ts";
import {
  boundsOf,
  bytesOf,
  CEP,
  cosine,
  depthOf,
  LATITUDE,
  LONGITUDE,
  middleOf,
  POINTS_PART_BYTES,
  POINTS_VERSION,
  type PointsHeader,
  STRIDE,
  UNITS,
} from "./points_layout.ts";

/** Takes points, and returns the parts of their k-d tree. */
export class PointsWriter {
  #points = new Int32Array(1024 * STRIDE);
  #count = 0;

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

/** Points that are sorted before other work gets a turn. */
const POINTS_PER_TURN = 50_000;

/** Sorts points in place, as `points_layout.ts` describes. */
async function sortPoints(points: Int32Array): Promise<void> {
  const sortLater = async (start: number, end: number, depth: number) => {
    if (end - start <= POINTS_PER_TURN) {
      sort(points, start, end, depth);
      await setImmediate();
      return;
    }
    const middle = halve(points, start, end);
    await setImmediate();
    await sortLater(start, middle, depth - 1);
    await sortLater(middle, end, depth - 1);
  };
  const count = points.length / STRIDE;
  await sortLater(0, count, depthOf(count));
}

/** Sorts an interval of points. */
function sort(
  points: Int32Array,
  start: number,
  end: number,
  depth: number,
): void {
  if (depth === 0) return;
  const middle = halve(points, start, end);
  sort(points, start, middle, depth - 1);
  sort(points, middle, end, depth - 1);
}

/** Splits an interval across its longer side, and returns the middle. */
function halve(points: Int32Array, start: number, end: number): number {
  const middle = middleOf(start, end);
  select(points, start, end, middle, longerSide(points, start, end));
  return middle;
}

/** Returns the axis on which an interval of points is longer, in metres. */
function longerSide(points: Int32Array, start: number, end: number): number {
  const [south, north, west, east] = boundsOf(points, start, end);
  const width = (east - west) * cosine((south + north) / 2 / UNITS);
  return width > north - south ? LONGITUDE : LATITUDE;
}

/**
 * Partitions an interval at `middle`: no point before it has a greater value
 * than one behind it (Hoare's quickselect).
 */
function select(
  points: Int32Array,
  start: number,
  end: number,
  middle: number,
  axis: number,
): void {
  let low = start;
  let high = end - 1;
  while (low < high) {
    const pivot = pickPivot(points, low, high, axis);
    let i = low;
    let j = high;
    while (i <= j) {
      while (points[i * STRIDE + axis]! < pivot) i++;
      while (points[j * STRIDE + axis]! > pivot) j--;
      if (i <= j) swap(points, i++, j--);
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

/**
 * Returns the median of three values of an interval, from positions without a
 * pattern: with fixed ones, some orders of points need quadratic time. The
 * positions are the same each time, so that the tree is.
 */
function pickPivot(
  points: Int32Array,
  low: number,
  high: number,
  axis: number,
): number {
  let state = low ^ Math.imul(high, 0x9E3779B1);
  const pick = () => {
    state = Math.imul(state ^ state >>> 15, 0x85EBCA6B) + 0x6D2B79F5 | 0;
    const part = ((state ^ state >>> 13) >>> 0) / 2 ** 32;
    return points[(low + Math.floor(part * (high - low + 1))) * STRIDE + axis]!;
  };
  const a = pick();
  const b = pick();
  const c = pick();
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(points: Int32Array, a: number, b: number): void {
  for (let i = a * STRIDE, j = b * STRIDE, k = 0; k < STRIDE; k++, i++, j++) {
    const value = points[i]!;
    points[i] = points[j]!;
    points[j] = value;
  }
}
