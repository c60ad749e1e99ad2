/** Table of addresses: its columns, its answers, and the rows in doubt. */
import { answeredRows, candidatesOf, kindOf, reasonOf } from "./answers.js";
import { askRows } from "./ask_rows.js";
import { findHeader, guessParts, PARTS, splitHeader } from "./columns.js";
import { decode, findDelimiter, formatCsv, parseCsv } from "./csv.js";
import {
  count,
  element,
  fill,
  find,
  findAll,
  setSlot,
  showProblem,
  texts,
} from "./dom.js";
import { doubtfulItems } from "./doubtful.js";

/** Size of the largest file: it is held in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Rows that show what is in the columns. */
const PREVIEWED = 3;

/** Rows in doubt that are shown at once. */
const SHOWN_AT_ONCE = 20;

/** Chosen table, its answers so far, and its rows in doubt. */
let table;
let answers = [];
let doubtful = [];
/** Ends the requests, `undefined` while there are none. */
let running;
/** True while answers would be lost with the page. */
let isUnsaved = false;

enable();

/** Opens a file, and shows its columns. Nothing is sent. */
export async function openTable(file) {
  if (file.size > MAX_BYTES) return showProblem(texts.tooLarge);
  const cells = await readCells(file);
  if (typeof cells === "string") return showProblem(cells);
  // As spreadsheets number their rows.
  const numbers = cells.flatMap((row, i) => isBlank(row) ? [] : [i + 1]);
  const { above, header, rows } = splitHeader(filledRows(cells), columnName);
  if (rows.length === 0) return showProblem(texts.emptyTable);
  table = {
    name: file.name,
    above,
    header,
    rows,
    numbers: numbers.slice(-rows.length),
  };
  showMapping();
}

function isBlank(row) {
  return row.every((it) => `${it}`.trim() === "");
}

/** Reads the rows of a file, or says why it cannot. */
async function readCells(file) {
  const buffer = await file.arrayBuffer();
  const start = new Uint8Array(buffer.slice(0, 4096));
  const text = new TextDecoder("windows-1252").decode(start);
  if (text.startsWith("PK")) {
    const { NotCalculated, readXlsx } = await import("./xlsx.js");
    const isTable = (rows) => {
      const [below] = filledRows(rows).slice(1);
      return below && guessParts(headerOf(rows), []).some(Boolean);
    };
    return await readXlsx(buffer, isTable).then(
      withWideHeader,
      (error) =>
        error instanceof NotCalculated ? texts.notCalculated : texts.noTable,
    );
  }
  const isUtf16 = start[0] === 0xFF && start[1] === 0xFE;
  const isOther = start.includes(0) && !isUtf16 ||
    /^(%PDF|\{\\rtf|<!doctype|<html|<\?xml)/i.test(text);
  return isOther ? texts.noTable : readCsv(buffer);
}

function readCsv(buffer) {
  const text = decode(buffer);
  const delimiter = findDelimiter(text, findHeader);
  const rows = parseCsv(text, delimiter);
  const header = headerOf(rows);
  return rows.map((row) => withinHeader(row, header, delimiter));
}

function headerOf(rows) {
  const filled = filledRows(rows);
  return filled[findHeader(filled)] ?? [];
}

function filledRows(rows) {
  return rows.filter((row) => !isBlank(row));
}

/** Row whose last cell holds those that are beyond the header. */
function withinHeader(row, { length }, delimiter) {
  const end = row.findLastIndex((it) => it.trim() !== "") + 1;
  return end <= length
    ? row.slice(0, length)
    : [...row.slice(0, length - 1), row.slice(length - 1, end).join(delimiter)];
}

/** Rows whose header names the columns that only other rows have, too. */
function withWideHeader(rows) {
  const width = rows.reduce((most, it) => Math.max(most, it.length), 0);
  const header = headerOf(rows);
  return rows.map((row) =>
    row === header
      ? Array.from({ length: width }, (_, i) => `${row[i] ?? ""}`)
      : row
  );
}

function columnName(n) {
  return fill(texts.column, { n });
}

function enable() {
  find("#mapping").addEventListener("submit", (event) => {
    event.preventDefault();
    const parts = chosenParts();
    if (parts.every((it) => it === "")) {
      find("#mapping select").focus();
      return showProblem(texts.noColumns);
    }
    showProblem("");
    table.parts = parts;
    answers = [];
    isUnsaved = true;
    showOnly("#progress");
    work();
  });
  on("reset", () => {
    showProblem("");
    isUnsaved = false;
    showOnly("#drop");
    find("#file").focus();
  });
  on("pause", () => running?.abort());
  on("resume", work);
  on("more", showMore);
  on("csv", () => {
    const text = formatCsv(answeredRows(table, answers));
    save(new Blob([text], { type: "text/csv;charset=utf-8" }), "csv");
  });
  on("xlsx", async () => {
    const { writeXlsx } = await import("./xlsx.js");
    save(await writeXlsx(answeredRows(table, answers)), "xlsx");
  });
  addEventListener("beforeunload", (event) => {
    if (isUnsaved) event.preventDefault();
  });
}

function on(action, listener) {
  for (const button of findAll(`[data-action="${action}"]`)) {
    button.addEventListener("click", listener);
  }
}

function showOnly(shown) {
  for (const part of ["#drop", "#mapping", "#progress"]) {
    find(part).hidden = part !== shown;
  }
}

/** Shows the columns with their guesses, above the first rows. */
function showMapping() {
  const { name, header, rows } = table;
  const parts = guessParts(header, rows);
  const names = { name, n: count(rows.length) };
  setSlot("fileName", fill(texts.rowsOf, names));
  showProblem(parts.every((it) => it === "") ? texts.noKnownColumn : "");
  find("#mapping table").replaceChildren(
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...header.map((it, i) => toHeading(it || columnName(i + 1), parts[i])),
      ),
    ),
    element(
      "tbody",
      {},
      ...rows.slice(0, PREVIEWED).map((row) =>
        element(
          "tr",
          {},
          ...header.map((_, i) => element("td", { textContent: row[i] ?? "" })),
        )
      ),
    ),
  );
  showOnly("#mapping");
  find("#mapping select").focus();
}

/** Heading of a column, with the choice of what is in it. */
function toHeading(name, guess) {
  const options = ["", ...PARTS].map((value) =>
    element("option", {
      value,
      textContent: value === "" ? texts.ignore : texts.partNames[value],
      selected: value === guess,
    })
  );
  const label = element("label", {}, name, element("select", {}, ...options));
  return element("th", { scope: "col" }, label);
}

function chosenParts() {
  return findAll("#mapping select").map(({ value }) => value);
}

/** Asks for the answers that are missing, until all are there or it is paused. */
async function work() {
  const { rows, parts } = table;
  const mine = table;
  running = new AbortController();
  const { signal } = running;
  find("progress").max = rows.length;
  for (const hidden of [".counts", "#doubtful"]) find(hidden).hidden = true;
  showActions({ pause: true });
  showProgress();
  let problem = "";
  try {
    const missing = rows.slice(answers.length);
    await askRows(missing.map((row) => toAddress(row, parts)), {
      signal,
      onAnswer(answer) {
        answers.push(answer);
        showProgress();
      },
      onWait: (text) => setSlot("progressText", text),
    });
  } catch (error) {
    problem = signal.aborted ? texts.paused : error.message;
  }
  running = undefined;
  if (table === mine) showOutcome(problem);
}

function showProgress() {
  find("progress").value = answers.length;
  setSlot("progressText", fill(texts.rowOf, progressNames()));
}

function progressNames() {
  return { done: count(answers.length), n: count(table.rows.length) };
}

function showActions(shown) {
  for (const button of findAll("#progress > .actions [data-action]")) {
    button.hidden = !shown[button.dataset.action];
  }
}

/** Shows the counts, and the rows in doubt. */
function showOutcome(problem) {
  const isComplete = answers.length === table.rows.length;
  showActions({ resume: !isComplete, xlsx: true, csv: true, reset: true });
  setSlot(
    "progressText",
    [problem, fill(texts.rowOf, progressNames())].filter(Boolean).join(" "),
  );
  find(".counts").hidden = false;
  const counts = showCounts();
  const kinds = answers.map(kindOf);
  doubtful = ["check", "none"].flatMap((kind) =>
    answers.flatMap((_, i) => kinds[i] === kind ? [i] : [])
  );
  find("#doubtful ol").replaceChildren();
  find("#doubtful").hidden = doubtful.length === 0;
  showMore();
  find("#status").textContent = [problem, fill(texts.counts, counts)]
    .filter(Boolean).join(" ");
  find(`[data-action="${isComplete ? "xlsx" : "resume"}"]`).focus();
}

function showCounts() {
  const counts = { certain: 0, check: 0, none: 0 };
  for (const answer of answers) counts[kindOf(answer)]++;
  for (const [kind, n] of Object.entries(counts)) setSlot(kind, count(n));
  return counts;
}

/** Shows further rows in doubt. */
function showMore() {
  const list = find("#doubtful ol");
  const shown = list.children.length;
  const next = doubtful.slice(shown, shown + SHOWN_AT_ONCE);
  find('[data-action="more"]').hidden =
    doubtful.length <= shown + SHOWN_AT_ONCE;
  list.append(...doubtfulItems(next.map((i) => ({
    number: table.numbers[i],
    address: Object.values(toAddress(table.rows[i], table.parts)).join(", "),
    answer: answers[i],
    candidates: candidatesOf(answers[i]),
    reason: reasonOf(answers[i]),
    confirm(record) {
      const cep = record?.cep ?? null;
      answers[i] = {
        ...answers[i],
        cep,
        registro: record ?? null,
        // Those of the answer that a person has replaced.
        pontuacao: "",
        diferencas: [],
        confirmed: true,
      };
      isUnsaved = true;
      showCounts();
    },
  }))));
}

/** Offers a file with the answers for download. */
function save(blob, extension) {
  const href = URL.createObjectURL(blob);
  const download = table.name.replace(/(\.\w+)?$/, `-cep.${extension}`);
  element("a", { href, download }).click();
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  isUnsaved = answers.length < table.rows.length;
}

function toAddress(row, parts) {
  const address = {};
  parts.forEach((part, i) => {
    const text = `${row[i] ?? ""}`.trim();
    if (part === "" || text === "") return;
    // Spreadsheets drop the zero at the start of a CEP.
    const value = part === "cep" && /^\d{7}$/.test(text) ? `0${text}` : text;
    // Two columns of one part, e.g. a street in two cells, are joined.
    address[part] = address[part] ? `${address[part]} ${value}` : value;
  });
  return address;
}
