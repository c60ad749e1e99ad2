import { crc32 } from "node:zlib";
import { setImmediate } from "node:timers/promises";
import { freePart } from "../../util/free.ts";
import { type Allocate, plainMemory } from "../../util/memory.ts";
import {
  boundsOf,
  bytesOf,
  depthOf,
  MAX_POINTS,
  middleOf,
  POINTS_PART_BYTES,
  POINTS_VERSION,
  type PointsHeader,
  STRIDE,
} from "./points_layout.ts";

/** Error of points that are damaged or of another version. */
export class PointsError extends Error {
  /** Always `PointsError`. */
  override readonly name = "PointsError";
}

/**
 * Reads points with the boxes of their tree, and frees their parts.
 *
 * @throws {PointsError} If they are of another version or damaged.
 */
export async function readPoints(
  { version, count, checksum }: PointsHeader,
  parts: AsyncIterable<Uint8Array>,
  allocate: Allocate = plainMemory,
): Promise<TreeArrays> {
  if (version !== POINTS_VERSION) {
    throw new PointsError(
      `Cannot read points: their layout version is ${version}, ` +
        `not ${POINTS_VERSION}`,
    );
  }
  const bytes = allocateFor(count, allocate);
  let end = 0;
  let sum = 0;
  for await (const part of parts) {
    const expected = Math.min(POINTS_PART_BYTES, bytes.length - end);
    if (part.length === 0 || part.length !== expected) throw mismatch();
    sum = crc32(part, sum);
    bytes.set(part, end);
    end += part.length;
    freePart(part);
  }
  if (end !== bytes.length) throw mismatch();
  if (sum !== checksum) {
    throw new PointsError("Cannot read points: their checksum does not match");
  }
  return await enclosePoints(new Int32Array(bytes.buffer), allocate);
}

/** Allocates the memory at once, so that it is returned when it is freed. */
function allocateFor(count: number, allocate: Allocate): Uint8Array {
  if (Number.isInteger(count) && count >= 0 && count <= MAX_POINTS) {
    return new Uint8Array(allocate(bytesOf(count)));
  }
  throw mismatch();
}

function mismatch(): PointsError {
  return new PointsError(
    "Cannot read points: their parts do not match their header",
  );
}

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
async function enclosePoints(
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
