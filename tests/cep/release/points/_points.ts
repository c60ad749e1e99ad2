import {
  KdTree,
  type NearPoint,
} from "../../../../cep/release/points/kd_tree.ts";
import type { PointsHeader } from "../../../../cep/release/points/points_layout.ts";
import { PointsWriter } from "../../../../cep/release/points/points_writer.ts";
import { readPoints } from "../../../../cep/release/points/read_points.ts";

/** CEP, and its latitude and longitude in 1/100000 degree. */
export type Point = readonly [cep: number, latitude: number, longitude: number];

/** Header of points, and their parts. */
export interface WrittenPoints {
  readonly header: PointsHeader;
  readonly parts: Uint8Array[];
}

/** Writes points. */
export async function writePoints(
  points: Iterable<Point>,
): Promise<WrittenPoints> {
  const writer = new PointsWriter();
  for (const point of points) writer.add(...point);
  const all = writer.finish();
  const parts: Uint8Array[] = [];
  while (true) {
    const { done, value } = await all.next();
    if (done) return { header: value, parts };
    parts.push(value);
  }
}

/** Reads parts, which are freed. */
export async function readWritten(
  { header, parts }: WrittenPoints,
): Promise<KdTree> {
  return new KdTree(await readPoints(header, toAsync(parts)));
}

/** Returns the tree of points. */
export async function treeOf(points: Iterable<Point>): Promise<KdTree> {
  return await readWritten(await writePoints(points));
}

async function* toAsync<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Angle between two directions as vectors, without haversines. */
export function distanceByVectors(
  [, latitude, longitude]: Point,
  other: { readonly latitude: number; readonly longitude: number },
): number {
  const a = toVector(latitude / 1e5, longitude / 1e5);
  const b = toVector(other.latitude, other.longitude);
  const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const cross = Math.hypot(
    a[1]! * b[2]! - a[2]! * b[1]!,
    a[2]! * b[0]! - a[0]! * b[2]!,
    a[0]! * b[1]! - a[1]! * b[0]!,
  );
  return 6_371_008.8 * Math.atan2(cross, dot);
}

function toVector(latitude: number, longitude: number): number[] {
  const [a, b] = [latitude * Math.PI / 180, longitude * Math.PI / 180];
  return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)];
}

/** Returns the CEPs of points. */
export function cepsOf(points: readonly NearPoint[]): number[] {
  return points.map(({ cep }) => cep);
}
