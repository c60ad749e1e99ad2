/**
 * Environment variables that look like settings and are not.
 *
 * @module
 */
import { SETTINGS } from "./config.ts";

/** A variable that has no effect. */
export interface UnknownSetting {
  /** Its name. */
  readonly name: string;
  /** True if an earlier version knew it. */
  readonly removed: boolean;
  /** The setting that may be meant, `undefined` if none has a name like it. */
  readonly nearest: string | undefined;
}

/** Prefixes of the names of settings, but for `MODE`. */
const PREFIXED = /^(?:API|DB|SEED|LOG)_/;

/** Settings of earlier versions. */
const REMOVED: readonly string[] = ["API_CACHE_RECORDS"];

const NAMES = Object.values(SETTINGS)
  .flatMap(({ name, alias }) => alias === undefined ? [name] : [name, alias]);

/**
 * The variables that are set, begin like settings and are none. Other programs
 * in the same environment may have set them.
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
): UnknownSetting[] {
  return Object.keys(env)
    .filter((name) =>
      PREFIXED.test(name) && !NAMES.includes(name) && env[name]?.trim()
    )
    .toSorted()
    .map((name) => {
      const removed = REMOVED.includes(name);
      return { name, removed, nearest: removed ? undefined : nearestTo(name) };
    });
}

/** The known name that differs in at most a quarter of the letters. */
function nearestTo(name: string): string | undefined {
  const [nearest] = NAMES
    .map((known) => ({ known, distance: distanceOf(name, known) }))
    .filter(({ distance }) => distance <= name.length / 4)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.known;
}

/** Letters to insert, delete or replace to make one word the other. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
