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
 * Finds the variables that have the prefix of a setting, or a name similar to
 * one, but are not settings. They may belong to other programs.
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
): UnknownSetting[] {
  return namesOf(env)
    .filter((name) =>
      name.includes("_") && !NAMES.includes(name) && env[name]?.trim()
    )
    .toSorted()
    .map((name) => {
      const removed = REMOVED.includes(name);
      return {
        name,
        removed,
        nearest: removed ? undefined : nearestName(name, NAMES),
      };
    })
    .filter(({ name, nearest }) =>
      nearest !== undefined || PREFIXES.has(prefixOf(name))
    );
}

/** Lists the variables; none without the permission of Deno to list them. */
function namesOf(env: Readonly<Record<string, string | undefined>>): string[] {
  try {
    return Object.keys(env);
  } catch {
    return [];
  }
}

/**
 * Returns the most similar name, if it differs in at most a quarter of its
 * letters, or the only one that begins with these words.
 */
export function nearestName(
  name: string,
  names: readonly string[],
): string | undefined {
  const [nearest] = names
    .map((known) => ({ known, distance: distanceOf(name, known) }))
    .filter(({ distance }) => distance <= name.length / 4)
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest !== undefined) return nearest.known;
  const longer = names.filter((known) =>
    /^[_-]/.test(known.slice(name.length)) && known.startsWith(name)
  );
  return longer.length === 1 ? longer[0] : undefined;
}

/**
 * Returns the number of letters to insert, remove or replace, or of neighbours
 * to exchange, to get one name from another.
 */
function distanceOf(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= from.length; i++) {
    const last = rows[i - 1]!;
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && from[i - 1] === to[j - 2] &&
        from[i - 2] === to[j - 1];
      const exchanged = isExchanged ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, last[j]! + 1, row[j - 1]! + 1, exchanged));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
