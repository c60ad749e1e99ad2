import { setImmediate } from "node:timers/promises";
import { type Allocate, plainMemory } from "../../util/memory.ts";
import { boundsOf } from "./bounds.ts";
import { depthOf, middleOf, STRIDE } from "./points_layout.ts";

/** Sides of the box of a node, in the order of their offsets. */
export const SIDES = 4;
export const SOUTH = 0;
export const NORTH = 1;
export const WEST = 2;
export const EAST = 3;

/** Points that are enclosed before other work gets a turn. */
const POINTS_PER_TURN = 50_000;

/** Data of a k-d tree, which other threads read from the same memory. */
export interface TreeArrays {
  /** Points in the order of `points_layout.ts`. */
  readonly points: Int32Array;
  /** Boxes of the nodes; the children of node `i` are `2i + 1` and `2i + 2`. */
  readonly boxes: Int32Array;
}

/** Computes the boxes of the nodes of sorted points. */
export async function enclosePoints(
  points: Int32Array,
  allocate: Allocate = plainMemory,
): Promise<TreeArrays> {
  const count = points.length / STRIDE;
  const depth = depthOf(count);
  const size = (2 ** (depth + 1) - 1) * SIDES;
  const boxes = new Int32Array(allocate(size * Int32Array.BYTES_PER_ELEMENT));

  async function encloseLater(
    node: number,
    start: number,
    end: number,
    depth: number,
  ): Promise<void> {
    if (end - start <= POINTS_PER_TURN) {
      enclose(node, start, end, depth);
      await setImmediate();
      return;
    }
    const middle = middleOf(start, end);
    await encloseLater(2 * node + 1, start, middle, depth - 1);
    await encloseLater(2 * node + 2, middle, end, depth - 1);
    encloseChildren(node);
  }

  /** Computes the boxes of a node and of those below it. */
  function enclose(
    node: number,
    start: number,
    end: number,
    depth: number,
  ): void {
    if (depth === 0) {
      boxes.set(boundsOf(points, start, end), node * SIDES);
      return;
    }
    const middle = middleOf(start, end);
    enclose(2 * node + 1, start, middle, depth - 1);
    enclose(2 * node + 2, middle, end, depth - 1);
    encloseChildren(node);
  }

  function encloseChildren(node: number): void {
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

  await encloseLater(0, 0, count, depth);
  return { points, boxes };
}
