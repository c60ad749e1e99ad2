import { mix, withRoom } from "./tables.ts";

/**
 * Maximum number of points in a sample. More would make the median more precise
 * and the reading slower.
 */
export const SAMPLE_SIZE = 128;

/** Points per block: a sample grows block by block. */
const BLOCK_SIZE = 8;

/** Maximum number of blocks of a sample. */
const BLOCKS = SAMPLE_SIZE / BLOCK_SIZE;

/** Points per slab, as a power of two. */
const SLAB_BITS = 14;
const SLAB_SIZE = 1 << SLAB_BITS;

/** Blocks side by side: a slab is never moved, which would need it twice. */
interface Slab {
  readonly keys: Uint32Array;
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
}

/** Points of the best tier of a group. */
interface BestPoints {
  /** Millionths of a degree. */
  readonly latitudes: Int32Array;
  /** Millionths of a degree. */
  readonly longitudes: Int32Array;
}

/**
 * Keeps the points of each group with the lowest keys, so that they do not
 * depend on the order of the rows. A key is the tier of precision, then a hash
 * of the address: the points of the best tier win.
 *
 * The sample is a heap with the highest key at its root. A position is the
 * number of a slab, then that of a point in it.
 */
export class PointSamples {
  readonly #slabs: Slab[] = [];
  /** Number of points in all blocks. */
  #taken = 0;
  /** Positions of the blocks of each group. */
  #blocks = new Uint32Array(BLOCKS << 10);
  /** Number of points of each group. */
  #sizes = new Uint8Array(1 << 10);
  readonly #best = {
    latitudes: new Int32Array(SAMPLE_SIZE),
    longitudes: new Int32Array(SAMPLE_SIZE),
  };

  /**
   * Adds the point of an address.
   *
   * @param tier Tier of precision, 0 for the best one to 2.
   * @param hash Number of 32 bits that depends on the address.
   * @param latitude Millionths of a degree.
   * @param longitude Millionths of a degree.
   */
  add(
    group: number,
    tier: number,
    hash: number,
    latitude: number,
    longitude: number,
  ): void {
    const key = (tier << 30 | mix(hash) >>> 2) >>> 0;
    this.#sizes = withRoom(this.#sizes, group);
    const size = this.#sizes[group]!;
    if (size < SAMPLE_SIZE) {
      this.#rise(group, size, key, latitude, longitude);
    } else if (!this.#isBelow(this.#at(group, 0), key, latitude, longitude)) {
      this.#sink(group, key, latitude, longitude);
    }
  }

  /**
   * Returns the points of the best tier that a group has, in no particular
   * order. They are valid until the next call.
   */
  bestOf(group: number): BestPoints {
    const { latitudes, longitudes } = this.#best;
    const size = this.#sizes[group] ?? 0;
    let count = 0;
    let bestTier = 3;
    for (let i = 0; i < size; i++) {
      const position = this.#at(group, i);
      const slab = this.#slabs[position >>> SLAB_BITS]!;
      const at = position & SLAB_SIZE - 1;
      const tier = slab.keys[at]! >>> 30;
      if (tier > bestTier) continue;
      if (tier < bestTier) count = 0;
      bestTier = tier;
      latitudes[count] = slab.latitudes[at]!;
      longitudes[count] = slab.longitudes[at]!;
      count++;
    }
    return {
      latitudes: latitudes.subarray(0, count),
      longitudes: longitudes.subarray(0, count),
    };
  }

  /** Returns the position of a point of a group. */
  #at(group: number, index: number): number {
    const block = group * BLOCKS + Math.trunc(index / BLOCK_SIZE);
    return this.#blocks[block]! + index % BLOCK_SIZE;
  }

  /** Adds a point at the end of a heap. */
  #rise(
    group: number,
    size: number,
    key: number,
    latitude: number,
    longitude: number,
  ): void {
    if (size % BLOCK_SIZE === 0) this.#addBlock(group, size / BLOCK_SIZE);
    this.#sizes[group] = size + 1;
    let at = size;
    while (at > 0) {
      const parent = at - 1 >> 1;
      const above = this.#at(group, parent);
      if (!this.#isBelow(above, key, latitude, longitude)) break;
      this.#copy(above, this.#at(group, at));
      at = parent;
    }
    this.#put(this.#at(group, at), key, latitude, longitude);
  }

  /** Replaces the root of a full heap. */
  #sink(
    group: number,
    key: number,
    latitude: number,
    longitude: number,
  ): void {
    let at = 0;
    for (let child = 1; child < SAMPLE_SIZE; child = 2 * at + 1) {
      let below = this.#at(group, child);
      if (child + 1 < SAMPLE_SIZE) {
        const right = this.#at(group, child + 1);
        if (this.#isBelowPoint(below, right)) {
          below = right;
          child++;
        }
      }
      if (this.#isBelow(below, key, latitude, longitude)) break;
      this.#copy(below, this.#at(group, at));
      at = child;
    }
    this.#put(this.#at(group, at), key, latitude, longitude);
  }

  #addBlock(group: number, index: number): void {
    if (this.#taken >>> SLAB_BITS === this.#slabs.length) {
      this.#slabs.push({
        keys: new Uint32Array(SLAB_SIZE),
        latitudes: new Int32Array(SLAB_SIZE),
        longitudes: new Int32Array(SLAB_SIZE),
      });
    }
    this.#blocks = withRoom(this.#blocks, group * BLOCKS + index);
    this.#blocks[group * BLOCKS + index] = this.#taken;
    this.#taken += BLOCK_SIZE;
  }

  /** True for a point that sorts before another one. */
  #isBelow(
    position: number,
    key: number,
    latitude: number,
    longitude: number,
  ): boolean {
    const slab = this.#slabs[position >>> SLAB_BITS]!;
    const at = position & SLAB_SIZE - 1;
    if (slab.keys[at] !== key) return slab.keys[at]! < key;
    if (slab.latitudes[at] !== latitude) return slab.latitudes[at]! < latitude;
    return slab.longitudes[at]! < longitude;
  }

  #isBelowPoint(position: number, other: number): boolean {
    const slab = this.#slabs[other >>> SLAB_BITS]!;
    const at = other & SLAB_SIZE - 1;
    return this.#isBelow(
      position,
      slab.keys[at]!,
      slab.latitudes[at]!,
      slab.longitudes[at]!,
    );
  }

  #put(
    position: number,
    key: number,
    latitude: number,
    longitude: number,
  ): void {
    const slab = this.#slabs[position >>> SLAB_BITS]!;
    const at = position & SLAB_SIZE - 1;
    slab.keys[at] = key;
    slab.latitudes[at] = latitude;
    slab.longitudes[at] = longitude;
  }

  #copy(from: number, to: number): void {
    const slab = this.#slabs[from >>> SLAB_BITS]!;
    const at = from & SLAB_SIZE - 1;
    this.#put(to, slab.keys[at]!, slab.latitudes[at]!, slab.longitudes[at]!);
  }
}

/** Accuracy of the census, in metres (IBGE: a mean square error of 5.84 m). */
const LEAST_RADIUS = 6;

/** Share of the points within the radius. */
const SHARE = 0.95;

/** Metres per millionth of a degree of latitude. */
const METRES = 40_030_000 / 360 / 1e6;

/** Place of a set of points. */
interface MedianPoint {
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
