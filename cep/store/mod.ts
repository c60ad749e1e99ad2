/**
 * The database of postal codes: libSQL, embedded. All SQL lives in this folder.
 *
 * @module
 */
export type {
  Address,
  Entry,
  Locality,
  Neighbourhood,
  Origin,
} from "../address.ts";
export * from "./embedded.ts";
export * from "./store.ts";
