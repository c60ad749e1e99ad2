/** Tables of comma-separated values. */

const DELIMITERS = [";", ",", "\t", "|"];

/** Decodes UTF-8, UTF-16 with a mark, or else Latin-1 as Windows writes it. */
export function decode(bytes) {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xFF && second === 0xFE) {
    return new TextDecoder("utf-16le").decode(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Characters of a table in which its header ends. */
const HEADER_LENGTH = 65_536;

/**
 * Finds the delimiter by which the header has the most cells, `""` without any:
 * then the commas of an address in its only column divide nothing.
 *
 * @param {(rows: string[][]) => number} findHeader Index of the header.
 */
export function findDelimiter(text, findHeader = () => 0) {
  const start = text.slice(0, HEADER_LENGTH);
  const counts = DELIMITERS.map((it) => {
    const rows = parseCsv(start, it).filter((row) => row.length > 0);
    return rows[findHeader(rows)]?.length ?? 0;
  });
  const most = Math.max(...counts);
  return most > 1 ? DELIMITERS[counts.indexOf(most)] : "";
}

/** Parses a table into rows of cells. Blank lines have none. */
export function parseCsv(text, delimiter = findDelimiter(text)) {
  const rows = [];
  let row = [];
  let i = 0;
  while (i < text.length || row.length > 0) {
    let cell = "";
    if (text[i] === '"') [cell, i] = quotedCell(text, i, delimiter);
    const start = i;
    while (i < text.length && text[i] !== delimiter && !isLineEnd(text[i])) i++;
    // Text after the closing quote belongs to the cell, as in spreadsheets.
    row.push(cell + text.slice(start, i));
    if (i < text.length && text[i] === delimiter) {
      i++;
      continue;
    }
    rows.push(row.length > 1 || row[0] !== "" ? row : []);
    row = [];
    i += text[i] === "\r" && text[i + 1] === "\n" ? 2 : 1;
  }
  return rows;
}

function isLineEnd(character) {
  return character === "\n" || character === "\r";
}

/**
 * Content of a cell in quotes, and where it ends. A quote without its pair is
 * text, as is one whose pair on another line ends no cell: it would take the
 * rows in between along.
 */
function quotedCell(text, start, delimiter) {
  let cell = "";
  let from = start + 1;
  while (true) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return ["", start];
    cell += text.slice(from, quote);
    from = quote + 1;
    if (text[from] !== '"') break;
    cell += '"';
    from++;
  }
  const isEnd = from === text.length || text[from] === delimiter ||
    isLineEnd(text[from]);
  return isEnd || !/[\r\n]/.test(cell) ? [cell, from] : ["", start];
}

/**
 * Formats rows for spreadsheets in Portuguese: semicolons, decimal commas, and
 * a byte order mark by which they know UTF-8.
 */
export function formatCsv(rows) {
  const lines = rows.map((cells) => cells.map(toCell).join(";"));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

function toCell(value) {
  if (typeof value === "number") return `${value}`.replace(".", ",");
  const text = isFormula(value) ? `'${value}` : value;
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** True for a text that spreadsheets would run; plain numbers are harmless. */
function isFormula(text) {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d[\d.,]*$/.test(text);
}
