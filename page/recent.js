/** Last lookups, kept in this browser alone. */
import { find, recordItems } from "./dom.js";

const KEY = "carteiro";
const MOST = 5;

/** Fields that a list of records shows. */
const FIELDS = "cep nome logradouro complemento bairro distrito cidade uf";

/** Makes the button forget the lookups. */
export function enableRecent() {
  find("#recent button").addEventListener("click", () => {
    write([]);
    showRecent(true);
    find("#q").focus();
  });
}

/** Keeps a record as the last that was looked up. */
export function remember(record) {
  const kept = Object.fromEntries(
    FIELDS.split(" ").map((name) => [name, record[name] ?? ""]),
  );
  const others = read().filter(({ cep }) => cep !== record.cep);
  write([kept, ...others].slice(0, MOST));
}

/** Shows the last lookups, or hides them. */
export function showRecent(isShown) {
  const records = isShown ? read() : [];
  find("#recent").hidden = records.length === 0;
  find("#recent ol").replaceChildren(...recordItems(records));
}

function read() {
  try {
    const records = JSON.parse(localStorage.getItem(KEY)) ?? [];
    return records.filter(({ cep }) => /^\d{8}$/.test(cep));
  } catch {
    // Without a storage, or with one that another page has written.
    return [];
  }
}

function write(records) {
  try {
    localStorage.setItem(KEY, JSON.stringify(records));
  } catch {
    // Without a storage, nothing is kept.
  }
}
