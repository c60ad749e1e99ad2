import { free } from "../../util/free.ts";
import type { NearestQuery } from "../queries.ts";
import {
  EAST,
  NORTH,
  SIDES,
  SOUTH,
  type TreeArrays,
  WEST,
} from "./read_points.ts";
import {
  CEP,
  cosine,
  depthOf,
  haversine,
  LATITUDE,
  LONGITUDE,
  middleOf,
  STRIDE,
  toMetres,
  UNITS,
} from "./points_layout.ts";

/** Point, and its distance from another one. */
export interface NearPoint {
  readonly cep: number;
  /** Distance in metres. */
  readonly distance: number;
}

/**
 * Part of a lower bound that is kept. Rounding must not put it above the
 * distance of a point on the edge of the box.
 */
const KEPT = 1 - 1e-9;

/** Points in the order of `points_layout.ts`, with a box around each node. */
export class KdTree {
  readonly #points: Int32Array;
  readonly #depth: number;
  readonly #boxes: Int32Array;

  /** @param arrays Arrays of `readPoints`, also of another thread. */
  constructor({ points, boxes }: TreeArrays) {
    this.#points = points;
    this.#boxes = boxes;
    this.#depth = depthOf(this.count);
  }

  get count(): number {
    return this.#points.length / STRIDE;
  }

  /** Frees the memory. The tree has no points afterwards. */
  free(): void {
    free(this.#points, this.#boxes);
  }

  /** Finds the nearest points, those at the same distance in order of CEP. */
  nearest({ latitude, longitude, limit }: NearestQuery): NearPoint[] {
    const points = this.#points;
    const count = this.count;
    const found = new NearestPoints(Math.min(limit, count));
    if (found.capacity === 0) return [];
    const cosineOfQuery = cosine(latitude);

    const visitLeaf = (start: number, end: number) => {
      for (let i = start * STRIDE; i < end * STRIDE; i += STRIDE) {
        const degrees = points[i + LATITUDE]! / UNITS;
        const distance = haversine(degrees - latitude) +
          cosineOfQuery * cosine(degrees) *
            haversine(points[i + LONGITUDE]! / UNITS - longitude);
        found.offer(points[i + CEP]!, distance);
      }
    };
    const boundOf = (node: number) =>
      this.#lowerBound(node, latitude, longitude, cosineOfQuery);
    const visit = (
      node: number,
      start: number,
      end: number,
      depth: number,
    ): void => {
      if (depth === 0) return visitLeaf(start, end);
      const middle = middleOf(start, end);
      const first = 2 * node + 1;
      const second = first + 1;
      const toFirst = boundOf(first);
      const toSecond = boundOf(second);
      const isSecondNearer = toSecond < toFirst;
      if (isSecondNearer && toSecond <= found.farthest) {
        visit(second, middle, end, depth - 1);
      }
      if (toFirst <= found.farthest) visit(first, start, middle, depth - 1);
      if (!isSecondNearer && toSecond <= found.farthest) {
        visit(second, middle, end, depth - 1);
      }
    };
    visit(0, 0, count, this.#depth);
    return found.toArray().map(({ cep, haversine }) => ({
      cep,
      distance: toMetres(haversine),
    }));
  }

  /**
   * Returns a haversine that no point of a node is below. The terms of the
   * formula are minimised one by one; degrees of longitude are shortest at the
   * side of the box that is nearest to a pole.
   */
  #lowerBound(
    node: number,
    latitude: number,
    longitude: number,
    cosineOfQuery: number,
  ): number {
    const boxes = this.#boxes;
    const i = node * SIDES;
    const south = boxes[i + SOUTH]! / UNITS;
    const north = boxes[i + NORTH]! / UNITS;
    const west = boxes[i + WEST]! / UNITS;
    const east = boxes[i + EAST]! / UNITS;
    const height = latitude < south
      ? haversine(south - latitude)
      : latitude > north
      ? haversine(latitude - north)
      : 0;
    if (longitude >= west && longitude <= east) return height * KEPT;
    // Haversines are periodic: the shorter way may cross the date line.
    const width = Math.min(
      haversine(west - longitude),
      haversine(longitude - east),
    );
    const shortest = cosine(Math.max(Math.abs(south), Math.abs(north)));
    return (height + cosineOfQuery * Math.max(0, shortest) * width) * KEPT;
  }
}

/**
 * Heap of the nearest points with the farthest one on top. Of two points at the
 * same distance, that with the lower CEP is the nearer one.
 */
class NearestPoints {
  readonly #haversines: Float64Array;
  readonly #ceps: Int32Array;
  #size = 0;

  /**
   * @param capacity Maximum number of points, at least 1.
   */
  constructor(readonly capacity: number) {
    this.#haversines = new Float64Array(capacity);
    this.#ceps = new Int32Array(capacity);
  }

  /** Distance, as a haversine, beyond which no point is kept. */
  get farthest(): number {
    return this.#size < this.capacity ? Infinity : this.#haversines[0]!;
  }

  /** Keeps a point if it is one of the nearest. */
  offer(cep: number, haversine: number): void {
    if (this.#size < this.capacity) this.#rise(this.#size++, cep, haversine);
    else if (this.#isBelow(0, cep, haversine)) this.#sink(cep, haversine);
  }

  /** Returns the points, the nearest one first, and their haversines. */
  toArray(): { cep: number; haversine: number }[] {
    return Array.from({ length: this.#size }, (_, i) => ({
      cep: this.#ceps[i]!,
      haversine: this.#haversines[i]!,
    })).sort((a, b) => a.haversine - b.haversine || a.cep - b.cep);
  }

  /** True if a point is nearer than the one at an index. */
  #isBelow(i: number, cep: number, haversine: number): boolean {
    const other = this.#haversines[i]!;
    return haversine < other || haversine === other && cep < this.#ceps[i]!;
  }

  /** Inserts a point at an index, or above it. */
  #rise(i: number, cep: number, haversine: number): void {
    while (i > 0) {
      const parent = i - 1 >> 1;
      if (this.#isBelow(parent, cep, haversine)) break;
      this.#copy(parent, i);
      i = parent;
    }
    this.#put(i, cep, haversine);
  }

  /** Replaces the point on top. */
  #sink(cep: number, haversine: number): void {
    let i = 0;
    while (true) {
      let child = 2 * i + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#isChildBelow(child, child + 1)) {
        child++;
      }
      if (!this.#isBelow(child, cep, haversine)) break;
      this.#copy(child, i);
      i = child;
    }
    this.#put(i, cep, haversine);
  }

  #isChildBelow(a: number, b: number): boolean {
    return this.#isBelow(b, this.#ceps[a]!, this.#haversines[a]!);
  }

  #copy(from: number, to: number): void {
    this.#put(to, this.#ceps[from]!, this.#haversines[from]!);
  }

  #put(i: number, cep: number, haversine: number): void {
    this.#ceps[i] = cep;
    this.#haversines[i] = haversine;
  }
}
