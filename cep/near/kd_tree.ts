/**
 * k-d tree of the points of a release, in memory.
 *
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { free } from "../free.ts";
import { boundsOf } from "./bounds.ts";
import { NearestPoints } from "./nearest_points.ts";
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

/** Sides of the box of a node, in the order of their offsets. */
const SIDES = 4;
const SOUTH = 0;
const NORTH = 1;
const WEST = 2;
const EAST = 3;

/** Points that are enclosed before other work gets a turn. */
const POINTS_PER_TURN = 50_000;

/**
 * Part of a lower bound that is kept. Rounding must not put it above the
 * distance of a point on the edge of the box.
 */
const KEPT = 1 - 1e-9;

/** Points in the order of `points_layout.ts`, with a box around each node. */
export class KdTree {
  readonly #points: Int32Array<ArrayBuffer>;
  readonly #depth: number;
  /** Boxes of the nodes; the children of node `i` are `2i + 1` and `2i + 2`. */
  readonly #boxes: Int32Array<ArrayBuffer>;

  private constructor(points: Int32Array<ArrayBuffer>) {
    this.#points = points;
    this.#depth = depthOf(this.count);
    this.#boxes = new Int32Array((2 ** (this.#depth + 1) - 1) * SIDES);
  }

  /** Creates a tree of sorted points. */
  static async of(points: Int32Array<ArrayBuffer>): Promise<KdTree> {
    const tree = new KdTree(points);
    await tree.#encloseAll();
    return tree;
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

  /** Computes the boxes of all nodes. */
  async #encloseAll(): Promise<void> {
    const encloseLater = async (
      node: number,
      start: number,
      end: number,
      depth: number,
    ): Promise<void> => {
      if (end - start <= POINTS_PER_TURN) {
        this.#enclose(node, start, end, depth);
        await setImmediate();
        return;
      }
      const middle = middleOf(start, end);
      await encloseLater(2 * node + 1, start, middle, depth - 1);
      await encloseLater(2 * node + 2, middle, end, depth - 1);
      this.#encloseChildren(node);
    };
    await encloseLater(0, 0, this.count, this.#depth);
  }

  /** Computes the boxes of a node and of those below it. */
  #enclose(node: number, start: number, end: number, depth: number): void {
    if (depth === 0) return this.#enclosePoints(node, start, end);
    const middle = middleOf(start, end);
    this.#enclose(2 * node + 1, start, middle, depth - 1);
    this.#enclose(2 * node + 2, middle, end, depth - 1);
    this.#encloseChildren(node);
  }

  #enclosePoints(leaf: number, start: number, end: number): void {
    this.#boxes.set(boundsOf(this.#points, start, end), leaf * SIDES);
  }

  #encloseChildren(node: number): void {
    const boxes = this.#boxes;
    const a = (2 * node + 1) * SIDES;
    const b = a + SIDES;
    const lower = (side: number) =>
      Math.min(boxes[a + side]!, boxes[b + side]!);
    const upper = (side: number) =>
      Math.max(boxes[a + side]!, boxes[b + side]!);
    boxes.set(
      [lower(SOUTH), upper(NORTH), lower(WEST), upper(EAST)],
      node * SIDES,
    );
  }
}
