/**
 * Parsing of the DNE, the national address directory: layout, lines, and the
 * conversion of rows into entries. No function accesses a file or a database.
 *
 * @module
 */
export type { Origin } from "../../record/address.ts";
export type { Entry, Locality, Neighbourhood } from "../../record/entry.ts";
export * from "./join.ts";
export {
  COLUMNS,
  type DetailFamily,
  type DneFile,
  type Family,
  FILES,
  isOptional,
  OPTIONAL_FILES,
  parseRow,
  RejectedRow,
  type Rejection,
  REQUIRED_FILES,
  type Row,
} from "./layout.ts";
export { findForeignEncoding, MAX_LINE_LENGTH, readLines } from "./lines.ts";
