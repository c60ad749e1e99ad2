/** Arguments of calls, in the spelling of the library. */
import { splitParams } from "../../../oauth2/core/call_params.ts";
import { REQUEST_OPTIONS } from "../../../oauth2/core/call_params.ts";
import { OPTION_NAMES } from "../../../oauth2/core/token_hash.ts";
import { toFunction } from "./functions.ts";
import { toTestKey } from "./keys.ts";
import { isObject } from "./vector.ts";

const TOKEN_OPTIONS = new Set<string>(OPTION_NAMES.map(([, name]) => name));

/** Converts a name to camel case. */
export function camelize(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts the names of an object to camel case. */
export function camelizeKeys(value: unknown): unknown {
  return mapEntries(value, camelize);
}

/**
 * Converts an argument: names of options to camel case, and named functions and
 * keys to those of the runner. Other names are sent as they are.
 */
export function toArgument(value: unknown): unknown {
  return mapEntries(value, (name) => {
    const option = camelize(name);
    return isOption(option) ? option : name;
  });
}

/** Returns true for an option of a call, a request or a token. */
export function isOption(name: string): boolean {
  return TOKEN_OPTIONS.has(name) || REQUEST_OPTIONS.get(name) === name ||
    isCallOption(name);
}

function isCallOption(name: string): boolean {
  try {
    return Object.hasOwn(splitParams({ [name]: true }).call, name);
  } catch {
    // A misspelled parameter, e.g. `redirectUri`.
    return false;
  }
}

function mapEntries(value: unknown, rename: (name: string) => string): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [rename(name), toTestKey(toFunction(item))]),
  );
}
