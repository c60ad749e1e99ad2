import { SETTINGS } from "./config.ts";
import { nearestName } from "../record/nearest_name.ts";

/** Variable that has no effect. */
interface UnknownSetting {
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
