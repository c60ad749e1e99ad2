/**
 * Environment variables with the prefix of a setting that are not settings.
 *
 * @module
 */
import { SETTINGS } from "./config.ts";

/** Variable that has no effect. */
export interface UnknownSetting {
  /** Name of the variable. */
  readonly name: string;
  /** True if it was a setting of an earlier version. */
  readonly removed: boolean;
  /** Setting with the most similar name, `undefined` if none is similar. */
  readonly nearest: string | undefined;
}

/** Settings of earlier versions. */
const REMOVED: readonly string[] = ["API_CACHE_RECORDS"];

const NAMES = Object.values(SETTINGS)
  .flatMap(({ name, alias }) => alias === undefined ? [name] : [name, alias]);

/** First words of all settings except `MODE`. */
const PREFIXES: ReadonlySet<string> = new Set(
  NAMES.filter((name) => name.includes("_")).map(prefixOf),
);

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf("_"));
}

/**
 * Finds the variables that have the prefix of a setting but are not settings.
 * They may belong to other programs.
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
): UnknownSetting[] {
  return Object.keys(env)
    .filter((name) =>
      PREFIXES.has(prefixOf(name)) && !NAMES.includes(name) && env[name]?.trim()
    )
    .toSorted()
    .map((name) => {
      const removed = REMOVED.includes(name);
      return { name, removed, nearest: removed ? undefined : nearestTo(name) };
    });
}

/**
 * Returns the most similar name, if it differs in at most a quarter of its
 * letters.
 */
function nearestTo(name: string): string | undefined {
  const [nearest] = NAMES
    .map((known) => ({ known, distance: distanceOf(name, known) }))
    .filter(({ distance }) => distance <= name.length / 4)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.known;
}

/** Returns the Levenshtein distance of two names. */
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
