/**
 * All routes of the service.
 *
 * @module
 */
import type { Build } from "../build.ts";
import type { Config } from "../config.ts";
import type { Reader } from "../store/store.ts";
import type { Route } from "./exchange.ts";
import { debug } from "./routes/debug.ts";
import { health } from "./routes/health.ts";
import { lookup, LookupCount } from "./routes/lookup.ts";
import { metricsRoute } from "./routes/metrics.ts";
import type { Traffic } from "./traffic.ts";

/** Options of {@linkcode makeRoutes}. */
export interface RoutesOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "release" | "findJson" | "list">;
  /** Settings. */
  readonly config: Config;
  /** Running build. */
  readonly build: Build;
  /** Counters of requests, `undefined` for no metrics. */
  readonly traffic: Traffic | undefined;
}

/** Creates every route, in the order of the documentation. */
export function makeRoutes(
  { store, config, build, traffic }: RoutesOptions,
): Route[] {
  const options = { ...config, store, build, lookups: new LookupCount() };
  return [
    ...lookup(options),
    ...health(options),
    ...debug(options),
    ...(traffic ? [metricsRoute({ ...options, traffic })] : []),
  ];
}
