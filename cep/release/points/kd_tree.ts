import { free } from "../../util/free.ts";
import { NearestPoints } from "./nearest_points.ts";
import {
  EAST,
  NORTH,
  SIDES,
  SOUTH,
  type TreeArrays,
  WEST,
} from "./enclose_points.ts";
import {
  CEP,
  depthOf,
  LATITUDE,
  LONGITUDE,
  middleOf,
  STRIDE,
  UNITS,
} from "./points_layout.ts";
import { cosine, haversine, toMetres } from "./sphere.ts";

/** Point, and its distance from another one. */
export interface NearPoint {
  /** CEP as a number. */
  readonly cep: number;
  /** Distance in metres. */
  readonly distance: number;
}

/** Query of {@linkcode KdTree.nearest}. */
export interface NearQuery {
  /** Latitude in degrees, from -90 to 90. */
  readonly latitude: number;
  /** Longitude in degrees, from -180 to 180. */
  readonly longitude: number;
  /** Maximum number of points. */
  readonly limit: number;
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

  /** Number of points. */
  get count(): number {
    return this.#points.length / STRIDE;
  }

  /** Frees the memory. The tree has no points afterwards. */
  free(): void {
    free(this.#points, this.#boxes);
  }

  /** Finds the nearest points, those at the same distance in order of CEP. */
  nearest({ latitude, longitude, limit }: NearQuery): NearPoint[] {
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
