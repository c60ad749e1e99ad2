import type { Build } from "../build.ts";
import type { Config } from "../settings/config.ts";
import type { Reader } from "../store/store.ts";
import { compatible } from "./compatible/routes.ts";
import type { Route } from "./exchange.ts";
import type { OtherFigures } from "./figures.ts";
import type { RateLimitStore } from "./rate_limiter.ts";
import { batch } from "./routes/batch.ts";
import { census } from "./routes/census.ts";
import { debug } from "./routes/debug.ts";
import type { docs } from "./routes/docs.ts";
import { health } from "./routes/health.ts";
import { history } from "./routes/history.ts";
import { lookup, LookupCount } from "./routes/lookup.ts";
import { match } from "./routes/match.ts";
import type { mcp } from "./routes/mcp.ts";
import { metricsRoute } from "./routes/metrics.ts";
import { municipalities } from "./routes/municipalities.ts";
import { nearest } from "./routes/nearest.ts";
import { OPEN_API, openApi } from "./routes/open_api.ts";
import { states } from "./routes/states.ts";
import { search } from "./routes/search.ts";
import { webPage } from "./routes/web_page.ts";
import { lazyPageFiles } from "./web_page/page_files.ts";
import type { Traffic } from "./traffic.ts";

/** Options of {@linkcode makeRoutes}. */
export interface RoutesOptions {
  /** Store of the records. */
  readonly store: Reader;
  /** Settings. */
  readonly config: Config;
  /** Running build. */
  readonly build: Build;
  /** Counters of requests, `undefined` for no metrics. */
  readonly traffic: Traffic | undefined;
  /** Quotas of clients, `undefined` for no limit. */
  readonly limits?: RateLimitStore | undefined;
  /** Returns the longest delay of the event loop since the last call. */
  readonly eventLoopLag?: (() => number) | undefined;
  /** Figures of other processes. */
  readonly others?: OtherFigures | undefined;
  /** Creates the route of the reference of the API, if there is one. */
  readonly docs?: typeof docs | undefined;
  /** Creates the route of agents, if there is one. */
  readonly mcp?: ReturnType<typeof mcp> | undefined;
}

/** Creates every route, in the order of the documentation. */
export function makeRoutes(
  {
    store,
    config,
    build,
    traffic,
    limits,
    eventLoopLag,
    others,
    docs: createDocs,
    mcp: createMcp,
  }: RoutesOptions,
): Route[] {
  const options = { ...config, store, build, lookups: new LookupCount() };
  const files = lazyPageFiles();
  const routes = [
    ...lookup(options),
    ...history(options),
    ...census(options),
    ...batch(options),
    ...states(options),
    ...municipalities(options),
    ...(config.search ? [...search(options), ...match(options)] : []),
    ...nearest(options),
    ...compatible(options),
    ...(config.page
      ? webPage({ ...options, files, hasDocs: createDocs !== undefined })
      : []),
    ...health(options),
    ...debug(options),
    ...(traffic
      ? [metricsRoute({ ...options, traffic, limits, eventLoopLag, others })]
      : []),
  ];
  const endpoints = [...routes, OPEN_API];
  const references = createDocs && config.page
    ? [createDocs({ endpoints, build, files })]
    : [];
  return [
    ...routes,
    openApi({ endpoints: [...endpoints, ...references], build, store }),
    ...references,
    ...(createMcp ? [createMcp({ routes, build })] : []),
  ];
}
