/** The page: search, address bar, messages. */
import { Failure, get } from "./api.js";
import { enableAround, resetAround } from "./around.js";
import { enableDrop } from "./drop.js";
import { combobox } from "./combobox.js";
import {
  element,
  fill,
  find,
  findAll,
  formatCep,
  parseCep,
  recordItems,
  recordUrl,
  setSlot,
  setTexts,
  texts,
  withLanguage,
} from "./dom.js";
import { enableExamples } from "./examples.js";
import {
  enableCopies,
  hideRecord,
  readRecord,
  showLetter,
  showRecord,
} from "./record.js";

/** Number of suggestions. */
const SUGGESTIONS = 7;

/** Number of results. */
const RESULTS = 10;

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
  readRecord(input.value);

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
    const text = textIn(new URL(link.href).search);
    if (link.hreflang || text === "") return;
    event.preventDefault();
    input.value = text;
    open(text, { push: true });
  });
  addEventListener("popstate", () => {
    // A jump to a section changes the fragment alone.
    if (location.search === shown) return;
    follow();
    input.value = textIn(shown);
    open(input.value, { push: false });
  });
}

/** CEP or text in a query string. */
function textIn(search) {
  const query = new URLSearchParams(search);
  return (query.get("cep") ?? query.get("q") ?? "").trim();
}

/** Adds what is shown to the history. */
function push(search) {
  history.pushState(null, "", search);
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
  const input = find("#q");
  const query = input.value;
  latest++;
  input.value = formatCep(record.cep);
  push(recordUrl(record.cep));
  show(record, query);
}

/** Looks up a CEP or searches for a text. */
async function open(text, { push: isNew }) {
  const search = ++latest;
  clear();
  if (text === "") return;
  const cep = parseCep(text);
  if (isNew) push(cep ? recordUrl(cep) : `?${withLanguage({ q: text })}`);
  find("#status").textContent = texts.loading;
  try {
    if (cep === undefined && /^[\d.\-\s]*$/.test(text)) {
      return showNotice(fill(texts.invalid, { query: text }));
    }
    const records = cep
      ? [await get(`cep/${cep}`)]
      : (await get(`busca?q=${encodeURIComponent(text)}&limite=${RESULTS}`))
        .data;
    if (search !== latest) return;
    if (records.length === 0) {
      showNotice(fill(texts.noResults, { query: text }));
    } else if (records.length === 1) show(records[0], text);
    else showList(records);
  } catch (error) {
    if (search === latest) showFailure(error, cep);
  }
}

/** Hides results and messages. */
function clear() {
  hideRecord();
  resetAround();
  find("#list").hidden = true;
  find("#notice").hidden = true;
  find("#status").textContent = "";
}

function show(record, query) {
  clear();
  showRecord(record, query);
  find("#status").textContent = fill(texts.shown, {
    cep: formatCep(record.cep),
  });
  find("#result").focus({ preventScroll: true });
  find("#cep").scrollIntoView({ block: "nearest" });
}

function showList(records) {
  find("#list").hidden = false;
  find('[data-slot="records"]').replaceChildren(...recordItems(records));
  find("#status").textContent = fill(texts.resultCount, { n: records.length });
}

/** Shows a message, and a link to a CEP. */
function showNotice(text, cep) {
  const notice = find("#notice");
  const more = find('[data-slot="noticeMore"]');
  find("#status").textContent = "";
  more.hidden = !cep;
  if (cep) {
    more.replaceChildren(element("a", {
      href: recordUrl(cep),
      textContent: fill(texts.successor, { cep: formatCep(cep) }),
    }));
  }
  notice.hidden = false;
  setSlot("notice", text);
}

function showFailure(error, cep) {
  if (!(error instanceof Failure)) {
    showNotice(texts.broken);
    throw error;
  }
  const { code, cep_novo, sugestao } = error.body;
  const names = { cep: formatCep(cep ?? "") };
  if (code === "cep_replaced") {
    const text = cep_novo ? texts.replaced : texts.retiredCep;
    showNotice(fill(text, names), cep_novo);
  } else if (code === "cep_not_found") {
    showNotice(
      sugestao
        ? fill(texts.notFoundIn, {
          ...names,
          city: sugestao.cidade,
          uf: sugestao.uf,
        })
        : fill(texts.notFound, names),
    );
  } else showNotice(error.message);
}
