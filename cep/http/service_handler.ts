import { BUILD, type Build } from "../build.ts";
import { completeConfig, type Config } from "../settings/config.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import type { Reader } from "../store/store.ts";
import {
  accessLog,
  metrics,
  requestId,
  spanFinder,
  tracing,
} from "./middleware/telemetry.ts";
import { clientAddress } from "./client_address.ts";
import type { ConnectionInfo, Middleware, Variables } from "./exchange.ts";
import type { OtherFigures } from "./figures.ts";
import { compression } from "./middleware/compression.ts";
import { cors } from "./middleware/cors.ts";
import { errors } from "./middleware/errors.ts";
import { quotaOf, rateLimit } from "./middleware/rate_limit.ts";
import { securityHeaders } from "./middleware/security_headers.ts";
import { pipeline } from "./pipeline.ts";
import { RateLimiter, type RateLimitStore } from "./rate_limiter.ts";
import { type Incoming, type Reply, splitTarget, toResponse } from "./reply.ts";
import { Router, UNKNOWN } from "./router.ts";
import { makeRoutes } from "./routes.ts";
import type { docs } from "./routes/docs.ts";
import type { mcp } from "./routes/mcp.ts";
import { Traffic } from "./traffic.ts";
import { Turns } from "../util/turns.ts";

/** Options of `createHandler`. */
export interface HandlerOptions {
  /** Store of the records. */
  readonly store: Reader;
  /**
   * Settings that differ from the defaults, e.g. `{ rateLimit: false }`.
   *
   * @default {{}}
   */
  readonly config?: Partial<Config>;
  /**
   * Logger of requests (at debug level) and failures.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
  /**
   * Quotas of clients, shared with other processes: {@linkcode openLimits}.
   *
   * @default {quotas of this handler alone}
   */
  readonly limits?: RateLimitStore;
  /**
   * Returns the longest delay of the event loop since the last call, in seconds,
   * for `/metrics`.
   *
   * @default {none, for which the metric is 0}
   */
  readonly eventLoopLag?: () => number;
  /**
   * Figures of other processes that `/metrics` adds to those of this one.
   *
   * @default {those of this process alone}
   */
  readonly others?: OtherFigures;
  /**
   * Build that the health check and the metrics report.
   *
   * @default {the version of this package}
   */
  readonly build?: Build;
  /**
   * Milliseconds within which the body of a request must arrive or, of a
   * stream, the next line. Answers to a stream must be received as fast.
   *
   * @default {30_000}
   */
  readonly bodyMs?: number;
  /**
   * Monotonic clock, in milliseconds.
   *
   * @default {performance.now}
   */
  readonly now?: () => number;
}

/** Function that handles requests, for any server. */
export interface Handler {
  /** Responds to a request. */
  (request: Request, info?: ConnectionInfo): Response | Promise<Response>;
  /** Responds to a request of a server that has lighter ones than `Request`. */
  readonly reply: (
    request: Incoming,
    info?: ConnectionInfo,
  ) => Reply | Promise<Reply>;
}

/** Options of {@linkcode createServiceHandler}. */
export interface ServiceHandlerOptions extends HandlerOptions {
  /**
   * Creates the route `/docs`, if the page is on. Bundles for edge workers are
   * too large with it.
   *
   * @default {none}
   */
  readonly docs?: typeof docs;
  /**
   * Creates the route `/mcp`.
   *
   * @default {none}
   */
  readonly mcp?: ReturnType<typeof mcp>;
}

/** Creates the function of `createHandler`, with routes that it lacks. */
export function createServiceHandler(
  options: ServiceHandlerOptions,
): Handler {
  const {
    logger = defaultLogger(),
    build = BUILD,
    bodyMs = 30_000,
    now = () => performance.now(),
  } = options;
  const config = completeConfig(options.config);
  const traffic = config.metrics ? new Traffic() : undefined;
  const limits = config.rateLimit ? limitsOf(options, config) : undefined;
  const turns = new Turns(now);
  const router = new Router(
    makeRoutes({ ...options, config, build, traffic, limits }),
  );
  const respond = pipeline(
    middlewares(config, traffic, limits, logger, now),
    errors(logger),
  );

  const reply: Handler["reply"] = (request, info) => {
    const start = now();
    const requestHeaders = request.headers;
    const host = requestHeaders.get("host");
    const { path, query } = splitTarget(request.url, host);
    const { route, variables } = router.match(path) ?? NO_MATCH;
    return respond({
      request,
      method: request.method,
      requestHeaders,
      path,
      query,
      info,
      bodyMs,
      turns,
      start,
      route,
      variables,
      headers: {},
      id: "",
      idGiven: false,
      allowance: undefined,
      charge: undefined,
    });
  };
  const handle = (request: Request, info?: ConnectionInfo) => {
    const replied = reply(request, info);
    return replied instanceof Promise
      ? replied.then(toResponse)
      : toResponse(replied);
  };
  return Object.assign(handle, { reply });
}

function limitsOf({ limits }: HandlerOptions, config: Config): RateLimitStore {
  if (limits === undefined && config.rateLimitStore !== "") {
    throw new TypeError(
      "Cannot use rateLimitStore: the option limits must be its openLimits()",
    );
  }
  return limits ?? new RateLimiter(quotaOf(config));
}

const NO_VARIABLES: Variables = {};
const NO_MATCH = { route: UNKNOWN, variables: NO_VARIABLES };

/** Middleware of every route, the outermost first. */
function middlewares(
  config: Config,
  traffic: Traffic | undefined,
  limits: RateLimitStore | undefined,
  logger: Logger,
  now: () => number,
): Middleware[] {
  const clientOf = clientAddress(config.trustedProxies);
  const activeSpan = spanFinder();
  return [
    ...(activeSpan ? [tracing(activeSpan)] : []),
    securityHeaders(config),
    requestId(),
    ...(traffic ? [metrics(traffic, now)] : []),
    ...(config.logLevel === "debug" ? [accessLog(logger, clientOf, now)] : []),
    cors(config),
    ...(config.gzip ? [compression(config.gzipLevel)] : []),
    ...(limits
      ? [rateLimit(quotaOf(config), limits, clientOf, now, logger)]
      : []),
  ];
}
