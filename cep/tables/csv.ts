import { isBlank, type Row, RowReader, textOf } from "./row_reader.ts";

/** Delimiters that are recognized. */
const DELIMITERS = [",", ";", "\t", "|"];

/**
 * Delimiter of a table with one column, whose cells may contain commas: half of
 * a surrogate pair, which does not occur in decoded text.
 */
export const NO_DELIMITER = "\uD800";

/**
 * Returns the delimiter by which the first row has the most cells,
 * {@linkcode NO_DELIMITER} if it has only one, `undefined` if its end has not
 * arrived.
 */
export function findDelimiter(
  text: string,
  isEnd: boolean,
): string | undefined {
  const counts = DELIMITERS.map((delimiter) => {
    const row = firstRow(text, delimiter, isEnd);
    if (row === undefined) return isEnd ? 0 : NaN;
    return row.fault === undefined ? splitCells(row, delimiter).length : 0;
  });
  const most = Math.max(...counts);
  if (Number.isNaN(most)) return undefined;
  return most > 1 ? DELIMITERS[counts.indexOf(most)] : NO_DELIMITER;
}

function firstRow(
  text: string,
  delimiter: string,
  isEnd: boolean,
): Row | undefined {
  const reader = new RowReader(delimiter);
  for (const row of reader.push(text)) if (!isBlank(row)) return row;
  if (!isEnd) return undefined;
  for (const row of reader.end()) if (!isBlank(row)) return row;
  return undefined;
}

/** Splits a row into its cells. */
export function splitCells(row: Row, delimiter: string): string[] {
  const text = textOf(row);
  if (row.fault !== undefined || !text.includes('"')) {
    return text.split(delimiter);
  }
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
