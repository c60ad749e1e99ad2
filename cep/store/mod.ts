/**
 * Database of CEPs: embedded libSQL. All SQL is in this folder.
 *
 * @module
 */
export {
  type Address,
  type Field,
  type FieldName,
  FIELDS,
  type Origin,
} from "../address.ts";
export type { Entry, Locality, Neighbourhood, Place } from "../entry.ts";
export { openStore, type OpenStoreOptions } from "./embedded.ts";
export type { Logger } from "../logger.ts";
export * from "./store.ts";
