import {
  createServiceHandler,
  type Handler,
  type HandlerOptions,
} from "./service_handler.ts";

export type { Handler, HandlerOptions };

/**
 * Creates the function that handles requests, for any server. The rate limit
 * needs the connection as second argument, which `Deno.serve` passes.
 *
 * @throws {ConfigError} If a setting is not allowed.
 * @throws {TypeError} If the setting `rateLimitStore` lacks its `limits`.
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
): Handler {
  return createServiceHandler(options);
}
