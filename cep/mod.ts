/**
 * A self-hosted service for Brazilian postal codes (CEP): it imports the
 * national address directory (DNE) into libSQL and answers `GET /cep/01310100`.
 *
 * @example Mount the service in your own server
 * ```ts
 * import { createHandler, openStore, seed } from "@carteiro/cep";
 *
 * const store = await openStore({ path: ":memory:" });
 * await seed({ directory: "./samples/dne", store });
 * const server = Deno.serve({ port: 0 }, createHandler({ store }));
 *
 * const { port } = server.addr;
 * const response = await fetch(`http://localhost:${port}/cep/01310100`);
 * console.assert((await response.json()).logradouro === "Avenida Paulista");
 *
 * await server.shutdown();
 * await store.close();
 * ```
 *
 * @module
 */
export * from "./record/address.ts";
export * from "./settings/config.ts";
export * from "./import/update/update.ts";
export * from "./http/handler.ts";
export * from "./serve/limits/open_limits.ts";
export * from "./import/seed.ts";
export * from "./store/mod.ts";
export * from "./record/street_number.ts";
export type { Build } from "./build.ts";
export type { ConnectionInfo } from "./http/exchange.ts";
export type {
  Figure,
  Figures,
  FigureSample,
  OtherFigures,
} from "./http/figures.ts";
export type {
  Allowance,
  RateLimitStore,
  Sharing,
} from "./http/rate_limiter.ts";
export type { Logger } from "./util/logger.ts";
