/** The page: search, address bar, messages. */
import { Failure, get, send } from "./api.js";
import { enableAround, openTown, resetAround } from "./around.js";
import { combobox } from "./combobox.js";
import {
  element,
  fill,
  find,
  findAll,
  formatCep,
  parseCep,
  placeLine,
  recordItems,
  recordUrl,
  setSlot,
  setTexts,
  showBusy,
  streetLine,
  texts,
  withLanguage,
} from "./dom.js";
import { enableDrop } from "./drop.js";
import { hasWords, isTown } from "./exact.js";
import { enableExamples } from "./examples.js";
import { enableRecent, remember, showRecent } from "./recent.js";
import { townCard } from "./town.js";
import {
  enableCopies,
  hideRecord,
  readRecord,
  showLetter,
  showRecord,
} from "./record.js";

/** Number of suggestions. */
const SUGGESTIONS = 7;

/** Number of results at first, and after a click. */
const RESULTS = 10;
const FURTHER = 100;

/** Number of the latest search, so that an earlier answer is dropped. */
let latest = 0;
/** Query string of what is shown. */
let shown = location.search;
let box;

/** Starts the page with the texts of its language. */
export function start(given) {
  setTexts(given);
  const input = find("#q");
  const hasSearch = document.body.dataset.search !== "";
  if (hasSearch) {
    box = combobox({ search: suggest, pick, fail: showFailure });
    enableDrop();
  }
  enableCopies();
  enableAround();
  enableExamples();
  for (const it of findAll("[data-script]")) it.hidden = false;
  for (const id of ["recipient", "number", "unit"]) {
    find(`#${id}`).addEventListener("input", showLetter);
  }
  enableRecent();
  const record = readRecord(input.value);
  if (record) keep(record);
  showRecent(textIn(shown) === "");

  find("#search").addEventListener("submit", (event) => {
    event.preventDefault();
    box?.close();
    const text = input.value.trim();
    if (text !== "") open(text, { push: true });
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="?"]');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey &&
      !event.shiftKey;
    if (!link || !isPlain) return;
    const { search } = new URL(link.href);
    const text = textIn(search);
    if (link.hreflang || text === "") return;
    event.preventDefault();
    // What someone has searched for stays beside one of its results.
    if (!link.closest("#list")) input.value = text;
    open(text, { push: true, similar: isSimilar(search) });
  });
  addEventListener("popstate", ({ state }) => {
    // A jump to a section changes the fragment alone.
    if (location.search === shown) return;
    follow();
    const text = textIn(shown);
    input.value = state?.words ?? text;
    open(text, { push: false, similar: isSimilar(shown) });
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  find("#further button").addEventListener("click", showFurther);
}

/** CEP or text in a query string. */
function textIn(search) {
  const query = new URLSearchParams(search);
  return (query.get("cep") ?? query.get("q") ?? "").trim();
}

/** True if a query string asks for records that only resemble its words. */
function isSimilar(search) {
  return new URLSearchParams(search).has("parecidos");
}

/** Adds what is shown to the history, with the words in the search box. */
function push(search) {
  history.pushState({ words: find("#q").value }, "", search);
  follow();
}

/** Keeps what is shown in the link to the other language. */
function follow() {
  shown = location.search;
  const link = find("a[hreflang]");
  const query = new URLSearchParams(shown);
  query.set("lang", link.hreflang.slice(0, 2));
  link.href = `?${query}`;
}

async function suggest(text, signal) {
  const q = encodeURIComponent(text);
  const path = `busca?q=${q}&limite=${SUGGESTIONS}`;
  return (await get(path, { signal })).data;
}

/** Shows a suggestion. */
function pick(record) {
  latest++;
  push(recordUrl(record.cep));
  show(record);
}

/** Looks up a CEP or searches for a text. */
async function open(text, { push: isNew, similar = false }) {
  const search = ++latest;
  clear();
  showRecent(text === "");
  if (text === "") return;
  const cep = parseCep(text);
  if (isNew) {
    const query = { q: text, ...(similar && { parecidos: 1 }) };
    push(cep ? recordUrl(cep) : `?${withLanguage(query)}`);
  }
  if (cep === undefined && /^[\d.\-\s]*$/.test(text)) {
    return showNotice(fill(texts.invalid, { query: text }));
  }
  showBusy(true);
  find("#status").textContent = texts.loading;
  try {
    const found = cep ? await lookUp(cep) : await searchFor(text, similar);
    if (search === latest) found();
  } catch (error) {
    if (search !== latest) return;
    showBusy(false);
    showFailure(error, cep);
  }
}

/** Looks up a CEP. Returns what shows it. */
async function lookUp(cep) {
  try {
    const record = await get(`cep/${cep}`);
    return () => show(record);
  } catch (error) {
    const isUnknown = error.body?.code === "cep_not_found";
    const place = isUnknown ? error.body.sugestao ?? await nearTo(cep) : null;
    if (!isUnknown) throw error;
    const text = error.body.sugestao
      ? texts.notFoundIn
      : place
      ? texts.notFoundNear
      : texts.notFound;
    return () =>
      showNotice(fill(text, {
        cep: formatCep(cep),
        date: document.body.dataset.date,
        city: place?.cidade,
        uf: place?.uf,
      }));
  }
}

/** Finds a record whose CEP begins as one that does not exist. */
async function nearTo(cep) {
  if (document.body.dataset.search === "") return undefined;
  for (const digits of [5, 3]) {
    const path = `busca?q=${cep.slice(0, digits)}&limite=1`;
    const found = (await get(path).catch(() => ({ data: [] }))).data[0];
    if (found?.cep.startsWith(cep.slice(0, digits))) return found;
  }
}

/** Searches for a text. Returns what shows the records. */
async function searchFor(text, similar) {
  const { data, cursor } = await searchRecords(text, RESULTS);
  if (data.length === 0) {
    return () => showNotice(fill(texts.noResults, { query: text }));
  }
  if (!similar && !await isNamed(text, data)) {
    return () =>
      showNotice(fill(texts.noExact, { query: text }), {
        href: `?${withLanguage({ q: text, parecidos: 1 })}`,
        textContent: texts.similar,
      });
  }
  const town = data.find((it) => isTown(text, it, stateOf(it)));
  return () => {
    if (data.length === 1) return show(data[0]);
    showList(data, cursor);
    if (town) showTown(town);
  };
}

/** Shows the card of a municipality above the records in it. */
async function showTown({ codigo_ibge }) {
  const search = latest;
  const card = await townCard(codigo_ibge).catch(() => undefined);
  if (!card || search !== latest) return;
  find("#town div").replaceChildren(...card);
  find("#town").hidden = false;
}

function stateOf({ uf }) {
  return find(`#uf-${uf}`)?.dataset.name ?? "";
}

function searchRecords(text, limit) {
  return get(`busca?q=${encodeURIComponent(text)}&limite=${limit}`);
}

/** True if a text names one of the records, perhaps with typing errors. */
async function isNamed(text, records) {
  if (records.some((it) => hasWords(text, it, stateOf(it)))) return true;
  try {
    const answer = await send("enderecos", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ endereco: text }),
    });
    return (await answer.json()).cep !== null;
  } catch {
    return true;
  }
}

/** Hides results and messages. */
function clear() {
  hideRecord();
  resetAround();
  find("#list").hidden = true;
  find("#town").hidden = true;
  find("#notice").hidden = true;
  showBusy(false);
  find("#status").textContent = "";
}

function show(record) {
  clear();
  showRecord(record, find("#q").value);
  keep(record);
  showRecent(false);
  find("#status").textContent = fill(texts.shown, {
    cep: formatCep(record.cep),
    address: [streetLine(record), placeLine(record)].join(", "),
  });
  find("#result").focus({ preventScroll: true });
  find("#cep").scrollIntoView({ block: "nearest" });
}

/** Keeps a record as looked up, and opens the card of one that is a town. */
function keep(record) {
  remember(record);
  if (!record.logradouro && !record.nome) openTown();
}

function showList(records, cursor) {
  clear();
  const count = fill(cursor ? texts.moreThan : texts.resultCount, {
    n: records.length,
  });
  find("#list").hidden = false;
  find("#further").hidden = !cursor || records.length > RESULTS;
  setSlot("listTitle", count);
  find('[data-slot="records"]').replaceChildren(...recordItems(records));
  find("#status").textContent = count;
}

/** Shows up to a hundred results. */
async function showFurther() {
  const search = ++latest;
  const button = find("#further button");
  button.disabled = true;
  try {
    const { data, cursor } = await searchRecords(textIn(shown), FURTHER);
    if (search !== latest) return;
    const isTownShown = !find("#town").hidden;
    showList(data, cursor);
    find("#town").hidden = !isTownShown;
    find(`[data-slot="records"] li:nth-child(${RESULTS + 1}) a`)?.focus();
  } catch (error) {
    if (search === latest) showNotice(error.message);
  } finally {
    button.disabled = false;
  }
}

/** Shows a message, and a link. */
function showNotice(text, link) {
  showBusy(false);
  const more = find('[data-slot="noticeMore"]');
  find("#status").textContent = "";
  more.hidden = !link;
  if (link) more.replaceChildren(element("a", link));
  find("#notice").hidden = false;
  setSlot("notice", text);
}

function showFailure(error, cep) {
  if (!(error instanceof Failure)) {
    showNotice(texts.broken);
    throw error;
  }
  const { code, cep_novo } = error.body;
  if (code !== "cep_replaced") return showNotice(error.message);
  const text = cep_novo ? texts.replaced : texts.retiredCep;
  showNotice(
    fill(text, { cep: formatCep(cep) }),
    cep_novo && {
      href: recordUrl(cep_novo),
      textContent: fill(texts.successor, { cep: formatCep(cep_novo) }),
    },
  );
}
