/**
 * A self-hosted service for Brazilian postal codes: it imports the national
 * address directory (DNE) into libSQL and answers `GET /cep/01310100`.
 *
 * @example Mount the service in a server of your own
 * ```ts no-eval
 * import { createHandler, openStore, seed } from "@carteiro/cep";
 *
 * const store = await openStore({ path: "./data" });
 * if (await store.release() === undefined) {
 *   await seed({ directory: "./dne", store });
 * }
 * Deno.serve(createHandler({ store }));
 * ```
 *
 * @module
 */
export {
  type Address,
  type Entry,
  formatCep,
  type Locality,
  type Neighbourhood,
  type Origin,
  parseCep,
  STATES,
} from "./address.ts";
export {
  type Config,
  ConfigError,
  parseConfig,
  type Setting,
  SETTINGS,
} from "./config.ts";
export * from "./dne/seed.ts";
export {
  type Build,
  type ConnectionInfo,
  createHandler,
  type HandlerOptions,
} from "./handler.ts";
export {
  DatabaseError,
  openStore,
  type OpenStoreOptions,
} from "./store/mod.ts";
