/**
 * Parsing of the DNE, the national address directory: layout, lines, and the
 * conversion of rows into entries. No function accesses a file or a database.
 *
 * @module
 */
export type { Origin } from "../../record/address.ts";
export type { Entry, Locality, Neighbourhood } from "../../record/entry.ts";
export * from "./join.ts";
export * from "./layout.ts";
export * from "./lines.ts";
