/**
 * Parsing of the national address directory: its layout, its lines and the join
 * that makes addresses of its rows. Nothing here touches a file or a database.
 *
 * @module
 */
export type { Origin } from "../address.ts";
export type { Entry, Locality, Neighbourhood } from "../entry.ts";
export * from "./join.ts";
export * from "./layout.ts";
export * from "./lines.ts";
