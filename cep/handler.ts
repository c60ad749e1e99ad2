/**
 * The service as a function: a request in, a response out.
 *
 * @module
 */
import { BUILD, type Build } from "./build.ts";
import { type Config, parseConfig } from "./config.ts";
import { accessLog } from "./http/access_log.ts";
import { clientAddress } from "./http/client_address.ts";
import { compression } from "./http/compression.ts";
import { cors } from "./http/cors.ts";
import { debug } from "./http/debug.ts";
import { errors, HttpError } from "./http/errors.ts";
import {
  type Answer,
  type ConnectionInfo,
  type Exchange,
  type Handler,
  type Middleware,
  type Route,
  sentBody,
} from "./http/exchange.ts";
import { health } from "./http/health.ts";
import { lookup } from "./http/lookup.ts";
import { metrics } from "./http/metrics.ts";
import { rateLimit } from "./http/rate_limit.ts";
import { requestId } from "./http/request_id.ts";
import { defaultLogger, type Logger } from "./logger.ts";
import type { Store } from "./store/store.ts";

/** Options of {@linkcode createHandler}. */
export interface HandlerOptions {
  /** Where the records are. */
  readonly store: Store;
  /**
   * Settings that differ from the defaults, e.g. `{ rateLimit: false }`.
   *
   * @default {{}}
   */
  readonly config?: Partial<Config>;
  /**
   * Where requests (at debug level) and failures are logged.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
  /**
   * What the health check says of the program.
   *
   * @default {the version of this package}
   */
  readonly build?: Build;
  /**
   * A clock that never goes back, in milliseconds.
   *
   * @default {performance.now}
   */
  readonly now?: () => number;
}

/**
 * Makes the function that answers requests. Mount it in any server; the rate
 * limit needs the connection as its second argument, which `Deno.serve` gives.
 *
 * @example
 * ```ts
 * import { createHandler, openStore } from "@carteiro/cep";
 *
 * const store = await openStore({ path: ":memory:" });
 * const handler = createHandler({ store, config: { rateLimit: false } });
 * const response = await handler(new Request("http://localhost/cep/01310100"));
 * console.assert(response.status === 503); // nothing has been imported
 * await store.close();
 * ```
 */
export function createHandler(
  options: HandlerOptions,
): (request: Request, info?: ConnectionInfo) => Promise<Response> {
  const {
    store,
    logger = defaultLogger(),
    build = BUILD,
    now = () => performance.now(),
  } = options;
  const config = { ...parseConfig(), ...options.config };
  const cache = { hits: 0, misses: 0 };
  const figures = config.metrics
    ? metrics(store, cache, build, now)
    : undefined;
  const router = new Router([
    ...lookup({ store, ...config }, cache),
    ...debug(store),
    health(store, build),
    ...(figures ? [figures.route] : []),
  ]);
  const handle = chain(middlewares(config, logger, now, figures), answerRoute);

  return async (request, info) => {
    const { path, query } = splitUrl(request);
    const { route, param } = router.match(path);
    const exchange: Exchange = {
      request,
      path,
      query,
      info,
      route,
      param,
      headers: {},
      id: "",
    };
    return toResponse(exchange, await handle(exchange));
  };
}

/** What surrounds every route, the outermost first. */
function middlewares(
  config: Config,
  logger: Logger,
  now: () => number,
  figures: { readonly middleware: Middleware } | undefined,
): Middleware[] {
  const clientOf = clientAddress(config.trustedProxies);
  const {
    rateLimitMax: max,
    rateLimitBurst: burst,
    rateLimitMinutes: minutes,
  } = config;
  return [
    requestId(),
    ...(figures ? [figures.middleware] : []),
    ...(config.logLevel === "debug" ? [accessLog(logger, clientOf, now)] : []),
    cors({
      origins: config.corsOrigins,
      methods: config.corsMethods,
      headers: config.corsHeaders,
    }),
    ...(config.gzip ? [compression(config.gzipLevel)] : []),
    errors(logger),
    ...(config.rateLimit
      ? [rateLimit({ max, burst, minutes }, clientOf, now)]
      : []),
  ];
}

function chain(middlewares: readonly Middleware[], last: Handler): Handler {
  return middlewares.reduceRight((next, middleware) => middleware(next), last);
}

class Router {
  readonly #exact = new Map<string, Route>();
  readonly #variable = new Map<string, Route>();

  /** @param routes Patterns of plain segments; the last may be a variable. */
  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const [parent, variable] = route.pattern.split(":");
      if (variable === undefined) this.#exact.set(route.pattern, route);
      else this.#variable.set(parent!, route);
    }
  }

  match(path: string): { route: Route; param: string } {
    const plain = path.length > 1 && path.endsWith("/")
      ? path.slice(0, -1)
      : path;
    const exact = this.#exact.get(plain);
    if (exact !== undefined) return { route: exact, param: "" };
    const cut = plain.lastIndexOf("/") + 1;
    const route = this.#variable.get(plain.slice(0, cut)) ?? UNKNOWN_ROUTE;
    return { route, param: plain.slice(cut) };
  }
}

const UNKNOWN_ROUTE: Route = {
  pattern: "unknown",
  handle: () => Promise.reject(new HttpError("route_not_found")),
};

const ALLOWED_METHODS = ["GET", "HEAD"];

async function answerRoute(exchange: Exchange): Promise<Answer> {
  const { route, request, headers } = exchange;
  if (route !== UNKNOWN_ROUTE && !ALLOWED_METHODS.includes(request.method)) {
    headers["allow"] = ALLOWED_METHODS.join(", ");
    throw new HttpError("method_not_allowed");
  }
  return await route.handle(exchange);
}

/** What no name of a host holds, and what would begin a path or end one. */
const NO_HOST = /[/?#\\]/;

/**
 * The path and the query of the URL. A server gives it with the host as the
 * client wrote it, which a parser may refuse, or which may hold a path that
 * would be taken for the one asked for: that leads nowhere.
 */
function splitUrl(
  { url, headers }: Request,
): { path: string; query: string } {
  if (NO_HOST.test(headers.get("host") ?? "")) return { path: "", query: "" };
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end === -1
    ? { path: url.slice(start), query: "" }
    : { path: url.slice(start, end), query: url.slice(end + 1) };
}

function toResponse(exchange: Exchange, answer: Answer): Response {
  const { headers } = exchange;
  const { status } = answer;
  // What has not changed is not described either (RFC 9110, 15.4.5).
  const body = status === 304 ? undefined : answer.body;
  const content = sentBody(exchange, answer)?.content ?? null;
  const response = new Response(content as BodyInit | null, {
    status,
    headers: body === undefined ? {} : { "content-type": body.type },
  });
  // Setting them one by one is several times faster than passing them all.
  for (const name in headers) response.headers.set(name, headers[name]!);
  // Not every server knows the length of a body, and HEAD has none.
  if (body !== undefined) {
    response.headers.set("content-length", `${body.length}`);
  }
  return response;
}
