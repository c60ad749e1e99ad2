/**
 * Stores of a token manager: memory, Deno KV, libSQL and SQLite, servers
 * compatible with Redis, and encryption of any of them. They take the client
 * object of a database, and import no package.
 *
 * @module
 */
export {
  type DenoKv,
  type DenoKvAtomic,
  type DenoKvEntry,
  DenoKvStore,
  type DenoKvStoreOptions,
} from "./deno_kv_store.ts";
export type { AesKey } from "../core/aes_gcm.ts";
export type { WebCryptoKey } from "../core/web_crypto.ts";
export { EncryptedStore } from "./encrypted_store.ts";
export {
  type LibsqlClient,
  LibsqlStore,
  type LibsqlStoreOptions,
  type SqliteDatabase,
  type SqliteStatement,
} from "./libsql_store.ts";
export { MemoryStore, type MemoryStoreOptions } from "./memory_store.ts";
export {
  type RedisClient,
  RedisStore,
  type RedisStoreOptions,
} from "./redis_store.ts";
export type { TtlOptions } from "./store_options.ts";
export type { TokenStore } from "../manager/store.ts";
