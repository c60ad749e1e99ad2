/**
 * Service as a function from `Request` to `Response`, without the import of the
 * DNE and without a database: for runtimes that have neither files nor native
 * code.
 *
 * @module
 */
export * from "./handler.ts";
export type * from "../build.ts";
export type * from "../settings/config.ts";
export type * from "../store/mod.ts";
export type { Variation } from "../record/address.ts";
export type { ConnectionInfo } from "./exchange.ts";
export type { Figure, Figures, FigureSample, OtherFigures } from "./figures.ts";
export type { Allowance, RateLimitStore, Sharing } from "./rate_limiter.ts";
export type { Incoming, Reply, RequestHeaders } from "./reply.ts";
