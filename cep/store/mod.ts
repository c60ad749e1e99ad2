/**
 * Database of CEPs: libSQL, embedded or on a server.
 *
 * @module
 */
export {
  type Address,
  type CensusFieldName,
  type Field,
  type FieldName,
  FIELDS,
  type Origin,
  type OwnFieldName,
} from "../record/address.ts";
export * from "../record/census.ts";
export type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
  Place,
} from "../record/entry.ts";
export type {
  CepRange,
  Gazetteer,
  GazetteerLocality,
  GazetteerNeighbourhood,
  LocalityRange,
} from "../release/gazetteer.ts";
export type { Logger } from "../util/logger.ts";
export type { Agreements } from "../search/reading/understanding.ts";
export type { SeenNumbers } from "../record/seen_numbers.ts";
export { openStore, type OpenStoreOptions } from "./open_store.ts";
export type { SharedParts } from "../release/release_parts.ts";
export * from "./store.ts";
