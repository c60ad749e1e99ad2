/**
 * The database of postal codes: libSQL, embedded. All SQL lives in this folder.
 *
 * @module
 */
export * from "./embedded.ts";
export * from "./store.ts";
