/**
 * All routes of the service.
 *
 * @module
 */
import type { Build } from "../build.ts";
import type { Reader } from "../store/store.ts";
import type { Route } from "./exchange.ts";
import { debug } from "./routes/debug.ts";
import { health } from "./routes/health.ts";
import { lookup } from "./routes/lookup.ts";
import { metricsRoute } from "./routes/metrics.ts";
import type { Traffic } from "./traffic.ts";

/** Options of {@linkcode makeRoutes}. */
export interface RoutesOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "release" | "findJson" | "list">;
  /** Seconds for which clients may keep a record. */
  readonly cacheSeconds: number;
  /** The running program. */
  readonly build: Build;
  /** The requests answered, without which there are no metrics. */
  readonly traffic: Traffic | undefined;
}

/** Makes every route, in the order in which they are documented. */
export function makeRoutes(
  { store, cacheSeconds, build, traffic }: RoutesOptions,
): Route[] {
  const lookups = { memory: 0, database: 0 };
  return [
    ...lookup({ store, cacheSeconds }, lookups),
    ...health(store, build),
    ...debug(store),
    ...(traffic ? [metricsRoute({ store, traffic, lookups, build })] : []),
  ];
}
