/**
 * Cells of CSV (RFC 4180).
 *
 * @module
 */
import type { Row } from "./row_reader.ts";

/** Delimiters that are recognized. */
const DELIMITERS = [",", ";", "\t", "|"];

/**
 * Delimiter of a table with one column, whose cells may contain commas: half of
 * a surrogate pair, which does not occur in decoded text.
 */
export const NO_DELIMITER = "\uD800";

/**
 * Returns the most frequent delimiter of a header outside of quotes,
 * {@linkcode NO_DELIMITER} if it has only one column.
 */
export function findDelimiter(header: string): string {
  const bare = header.replaceAll(/"[^"]*(?:""[^"]*)*"/g, "");
  const counts = DELIMITERS.map((it) => bare.split(it).length - 1);
  const most = Math.max(...counts);
  return most === 0 ? NO_DELIMITER : DELIMITERS[counts.indexOf(most)]!;
}

/** Splits a row into its cells. */
export function splitCells({ raw, fault }: Row, delimiter: string): string[] {
  const text = raw.replace(/\r?\n$/, "");
  if (fault !== undefined || !text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  let i = 0;
  while (true) {
    let end: number;
    if (text[i] === '"') {
      const quoted = /"([^"]*(?:""[^"]*)*)"/y;
      quoted.lastIndex = i;
      const [all = "", content = ""] = quoted.exec(text) ?? [];
      cells.push(content.replaceAll('""', '"'));
      end = i + all.length;
    } else {
      const next = text.indexOf(delimiter, i);
      end = next < 0 ? text.length : next;
      cells.push(text.slice(i, end));
    }
    if (end >= text.length) return cells;
    i = end + 1;
  }
}

/** Joins cells to a row without its line end. */
export function joinCells(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter)
      ? `"${cell.replaceAll('"', '""')}"`
      : cell
  ).join(delimiter);
}
