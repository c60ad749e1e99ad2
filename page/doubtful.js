/** Rows in doubt, with the records that they may mean. */
import { kindOf } from "./answers.js";
import { send } from "./api.js";
import {
  element,
  fill,
  find,
  formatCep,
  placeLine,
  streetLine,
  texts,
} from "./dom.js";

/**
 * List items for rows in doubt. The records of their candidates are fetched
 * together, and shown when they arrive.
 *
 * @param {object[]} rows Each with its number, address, answer, candidates, and
 * `confirm`, which takes the record that a person has chosen, if any.
 */
export function doubtfulItems(rows) {
  const records = fetchRecords(rows);
  return rows.map((row) => toItem(row, records));
}

/** Fetches the candidates' records by their CEPs. */
async function fetchRecords(rows) {
  const known = new Map(
    rows.map(({ answer }) => answer.registro)
      .filter(Boolean).map((it) => [it.cep, it]),
  );
  const missing = rows.flatMap(({ candidates }) => candidates)
    .filter((cep) => !known.has(cep));
  if (missing.length === 0) return known;
  const response = await send("ceps", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([...new Set(missing)]),
  });
  for (const it of await response.json()) known.set(it.cep, it);
  return known;
}

function toItem(row, records) {
  const { number, address, answer, candidates, reason } = row;
  const item = element(
    "li",
    {},
    element("p", { className: "fine" }, fill(texts.rowNumber, { n: number })),
    element("p", {}, address || "–"),
  );
  if (reason || kindOf(answer) === "none") {
    const none = candidates.length > 0
      ? texts.farCandidates
      : texts.noCandidate;
    item.append(element("p", { className: "of" }, reason || none));
  }
  if (candidates.length > 0) item.append(toChoice(row, records));
  return item;
}

function toChoice({ number, answer, candidates, confirm }, records) {
  const found = new Map();
  const options = candidates.map((cep) =>
    element("option", { value: cep, textContent: formatCep(cep) })
  );
  const none = element("option", { value: "", textContent: texts.leaveEmpty });
  const select = element("select", {}, ...options, none);
  select.value = answer.cep ?? "";
  select.setAttribute("aria-label", fill(texts.cepOfRow, { n: number }));
  const place = element("p", { className: "of" });
  const button = element("button", {
    type: "button",
    className: "quiet",
    textContent: texts.confirm,
  });
  button.setAttribute("aria-label", fill(texts.confirmRow, { n: number }));
  const describe = () => {
    const record = found.get(select.value);
    place.textContent = record ? describeRecord(record) : "";
  };
  select.addEventListener("change", () => {
    button.textContent = texts.confirm;
    describe();
  });
  button.addEventListener("click", () => {
    const cep = select.value;
    confirm(cep === "" ? undefined : found.get(cep) ?? { cep });
    button.textContent = texts.confirmed;
    find("#status").textContent = texts.confirmed;
  });
  records.then((known) => {
    for (const option of options) {
      const record = known.get(option.value);
      if (record?.cidade === undefined) continue;
      found.set(option.value, record);
      option.textContent = `${formatCep(option.value)} · ${
        describeRecord(record)
      }`;
    }
    describe();
  }, () => {
    // Without the records, the codes alone can be chosen.
  });
  return element(
    "div",
    { className: "choice" },
    select,
    button,
    place,
  );
}

function describeRecord(record) {
  return `${streetLine(record)}, ${placeLine(record)}`;
}
