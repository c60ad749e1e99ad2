/** Tables of Excel (Office Open XML), read and written as rows of cells. */
import { readZip, writeZip } from "./zip.js";

/** Formats of numbers that are dates, of those that every file has. */
const DATES = [14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47];

/** Day 0 of a spreadsheet: it takes 1900 for a leap year. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

/** Rows that a sheet may have. */
const MAX_ROWS = 1_048_576;

const OPEN = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const SCHEMAS = "http://schemas.openxmlformats.org";
const MAIN = `xmlns="${SCHEMAS}/spreadsheetml/2006/main"`;
const RELATIONS = `${SCHEMAS}/officeDocument/2006/relationships`;
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Error of a formula whose result is not in the file. */
export class NotCalculated extends Error {}

/**
 * Reads the first visible sheet that is a table, else the first one. Empty rows
 * have no cells.
 *
 * @param {ArrayBuffer} buffer
 * @param {(rows: (string | number)[][]) => boolean} isTable
 * @returns {Promise<(string | number)[][]>}
 * @throws {TypeError} If it is no such file.
 * @throws {NotCalculated} If a program wrote formulas without their results.
 */
export async function readXlsx(buffer, isTable = () => true) {
  const zip = readZip(buffer);
  const open = async (path) => {
    const unpack = zip.get(path);
    return unpack && parseXml(new TextDecoder().decode(await unpack()));
  };
  const book = await open("xl/workbook.xml");
  const links = await open("xl/_rels/workbook.xml.rels");
  if (!book || !links) throw new TypeError("No workbook");
  const shared = await open("xl/sharedStrings.xml");
  const texts = shared ? all(shared, "si").map(richText) : [];
  const isDate = dateStyles(await open("xl/styles.xml"));
  const sheets = all(book, "sheet");
  const visible = sheets.filter((it) =>
    !/hidden/i.test(it.getAttribute("state"))
  );
  let first;
  for (const sheet of visible.length > 0 ? visible : sheets.slice(0, 1)) {
    const id = sheet.getAttributeNS(RELATIONS, "id");
    const target = all(links, "Relationship")
      .find((it) => it.getAttribute("Id") === id).getAttribute("Target");
    const page = await open(
      target.startsWith("/") ? target.slice(1) : `xl/${target}`,
    );
    const rows = sheetRows(page, texts, isDate);
    if (isTable(rows)) return rows;
    first ??= rows;
  }
  return first;
}

function sheetRows(page, texts, isDate) {
  const rows = [];
  for (const row of all(page, "row")) {
    const number = Number(row.getAttribute("r"));
    while (rows.length + 1 < Math.min(number, MAX_ROWS)) rows.push([]);
    rows.push(rowCells(row, texts, isDate));
  }
  return rows;
}

function rowCells(row, texts, isDate) {
  const cells = [];
  let next = 0;
  for (const cell of row.children) {
    const reference = cell.getAttribute("r");
    const column = reference ? columnOf(reference) : next;
    next = column + 1;
    const value = valueOf(cell, texts, isDate);
    if (value === "") continue;
    while (cells.length < column) cells.push("");
    cells[column] = value;
  }
  return cells;
}

/** Column of a reference from 0: 27 for `AB3`. */
function columnOf(reference) {
  let column = 0;
  for (const letter of reference.match(/^[A-Z]+/)?.[0] ?? "A") {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}

function valueOf(cell, texts, isDate) {
  const type = cell.getAttribute("t");
  if (type === "inlineStr") return richText(cell);
  const child = (name) =>
    [...cell.children].find((it) => it.localName === name);
  const value = child("v")?.textContent ?? "";
  if (type === "s") return texts[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "VERDADEIRO" : "FALSO";
  if (type && type !== "n") return value;
  if (value === "" && child("f")) throw new NotCalculated();
  if (value === "") return value;
  const number = Number(value);
  return isDate[Number(cell.getAttribute("s"))]
    ? formatDate(number)
    // As a spreadsheet shows it: 0.1 + 0.2 has 17 digits in the file.
    : Number(number.toPrecision(15));
}

function formatDate(days) {
  const date = new Date(DAY_0 + Math.round(days * DAY_MS));
  const [day, time] = date.toISOString().split("T");
  const written = day.split("-").reverse().join("/");
  return days % 1 === 0 ? written : `${written} ${time.slice(0, 5)}`;
}

/** Text of an element without the reading aids of East Asian scripts. */
function richText(element) {
  return all(element, "t").filter((it) => it.parentNode.localName !== "rPh")
    .map((it) => it.textContent).join("");
}

/** Tells of each style of cells whether it is that of a date. */
function dateStyles(styles) {
  if (!styles) return [];
  const own = all(styles, "numFmt").map((it) => [
    Number(it.getAttribute("numFmtId")),
    // Without colours and literal text, as in [Red]0 "dias".
    /[dmyhs]/i.test(
      it.getAttribute("formatCode").replaceAll(/\[[^\]]*\]|"[^"]*"|\\./g, ""),
    ),
  ]);
  const isDate = new Map([...DATES.map((it) => [it, true]), ...own]);
  const formats = all(styles, "cellXfs")[0];
  return formats
    ? all(formats, "xf").map((it) =>
      isDate.get(Number(it.getAttribute("numFmtId"))) ?? false
    )
    : [];
}

function all(node, name) {
  return [...node.getElementsByTagNameNS("*", name)];
}

function parseXml(text) {
  const parsed = new DOMParser().parseFromString(text, "application/xml");
  if (all(parsed, "parsererror").length > 0) throw new TypeError("No XML");
  return parsed;
}

/**
 * Writes rows as a file with one sheet. Texts stay texts, formulas included.
 *
 * @param {(string | number)[][]} rows
 * @returns {Promise<Blob>}
 */
export async function writeXlsx(rows) {
  const zip = await writeZip({
    "[Content_Types].xml": `${OPEN}<Types xmlns="${SCHEMAS}/package/2006/` +
      `content-types"><Default Extension="rels" ContentType="application/` +
      `vnd.openxmlformats-package.relationships+xml"/>` +
      contentType("/xl/workbook.xml", "sheet.main") +
      contentType("/xl/styles.xml", "styles") +
      contentType("/xl/worksheets/sheet1.xml", "worksheet") + `</Types>`,
    "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `${OPEN}<workbook ${MAIN} xmlns:r="${RELATIONS}">` +
      `<sheets><sheet name="CEP" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ["worksheet", "worksheets/sheet1.xml"],
      ["styles", "styles.xml"],
    ),
    // The second style is text, so that a CEP stays one when it is edited.
    "xl/styles.xml": `${OPEN}<styleSheet ${MAIN}><fonts count="1"><font/>` +
      `</fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills>` +
      `<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>` +
      `<cellXfs count="2"><xf/><xf numFmtId="49" applyNumberFormat="1"/>` +
      `</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" ` +
      `builtinId="0"/></cellStyles></styleSheet>`,
    "xl/worksheets/sheet1.xml": `${OPEN}<worksheet ${MAIN}><sheetData>${
      rows.map(toRow).join("")
    }</sheetData></worksheet>`,
  });
  return new Blob([zip], { type: `${TYPES}.sheet` });
}

function toRow(cells, i) {
  const row = i + 1;
  const written = cells.map((it, column) =>
    it === "" ? "" : toCell(it, `${letters(column)}${row}`)
  );
  return `<row r="${row}">${written.join("")}</row>`;
}

function toCell(value, reference) {
  if (typeof value === "number") {
    return `<c r="${reference}"><v>${value}</v></c>`;
  }
  return `<c r="${reference}" t="inlineStr" s="1"><is>` +
    `<t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
}

/** Letters of a column from 0: `AB` for 27. */
function letters(column) {
  const before = Math.floor(column / 26);
  const last = String.fromCharCode(65 + column % 26);
  return before === 0 ? last : letters(before - 1) + last;
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    // Characters that XML cannot have.
    // deno-lint-ignore no-control-regex
    .replaceAll(/[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, "");
}

function contentType(path, type) {
  return `<Override PartName="${path}" ContentType="${TYPES}.${type}+xml"/>`;
}

function relations(...links) {
  const items = links.map(([type, target], i) =>
    `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${type}" ` +
    `Target="${target}"/>`
  );
  return `${OPEN}<Relationships xmlns="${SCHEMAS}/package/2006/` +
    `relationships">${items.join("")}</Relationships>`;
}
