import type { Interval } from "./search_index.ts";
import { bisect } from "../util/bisect.ts";

/** Sorts intervals, and joins those that overlap or touch. */
export function merge(intervals: Interval[]): Interval[] {
  intervals.sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [start, end] of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) {
      last[1] = Math.max(last[1], end);
    } else {
      merged.push([start, end]);
    }
  }
  return merged;
}

/** Returns the numbers in both of two sorted lists; `undefined` is all. */
export function intersect(
  a: readonly Interval[] | undefined,
  b: readonly Interval[],
): readonly Interval[] {
  if (a === undefined) return b;
  const both: Interval[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const start = Math.max(a[i]![0], b[j]![0]);
    const end = Math.min(a[i]![1], b[j]![1]);
    if (start < end) both.push([start, end]);
    if (a[i]![1] < b[j]![1]) i++;
    else j++;
  }
  return both;
}

/** True if a number is in one of some sorted intervals; `undefined` is all. */
export function contains(
  intervals: readonly Interval[] | undefined,
  value: number,
): boolean {
  if (intervals === undefined) return true;
  const i = bisect(intervals.length, (i) => intervals[i]![1] <= value);
  return i < intervals.length && intervals[i]![0] <= value;
}
