import { crc32 } from "node:zlib";
import { freePart } from "../../util/free.ts";
import { type Allocate, plainMemory } from "../../util/memory.ts";
import { enclosePoints, type TreeArrays } from "./enclose_points.ts";
import {
  bytesOf,
  MAX_POINTS,
  POINTS_PART_BYTES,
  POINTS_VERSION,
  type PointsHeader,
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
