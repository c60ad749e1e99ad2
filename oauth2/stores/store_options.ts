import { checkNames, type KnownNames, knownNames } from "../core/names.ts";
import { invalid } from "../core/type_error.ts";

/** Lifetime of the values of a store. */
export interface TtlOptions {
  /**
   * Seconds after the last change at which a value is deleted.
   *
   * @default {never}
   */
  ttl?: number | undefined;
  /**
   * Function that returns the time in milliseconds since 1970.
   *
   * @default {Date.now}
   */
  clock?: (() => number) | undefined;
}

const TTL_OPTIONS = knownNames<TtlOptions>({ ttl: true, clock: true });

/**
 * Checks the options of a store.
 *
 * @throws {TypeError} If one is unknown, or the ttl is not a whole number of
 * seconds, 1 or more.
 */
export function checkOptions(
  options: { readonly ttl?: number | undefined },
  known: KnownNames,
): void {
  checkNames(options, known);
  const { ttl } = options;
  if (ttl === undefined || Number.isSafeInteger(ttl) && ttl >= 1) return;
  throw invalid(
    `Cannot use ttl ${ttl}: it must be a whole number of seconds, 1 or more`,
  );
}

/**
 * Returns lifetime and clock of a store, in milliseconds.
 *
 * @throws {TypeError} In the cases of {@linkcode checkOptions}.
 */
export function readTtl(options: TtlOptions) {
  checkOptions(options, TTL_OPTIONS);
  const { ttl = Infinity, clock = () => Date.now() } = options;
  return { lifetime: ttl * 1000, clock };
}

/**
 * Checks what a store keeps its values in.
 *
 * @throws {TypeError} If it has none of the methods.
 */
export function checkMethods(database: unknown, ...methods: string[]): void {
  const found = Object(database);
  if (methods.some((name) => typeof found[name] === "function")) return;
  throw invalid(
    `Cannot use the store or database: it has no method ${
      methods.join(" or ")
    }; await a Promise first`,
  );
}
