/** Search box with a list of suggestions (WAI-ARIA: editable combobox). */
import { fill, find, setSlot, texts } from "./dom.js";
import { element, formatCep, placeLine, showBusy, streetLine } from "./dom.js";

/** Pause after the last key before a search is sent. */
const PAUSE_MS = 180;

/** Time from which a search is seen to take long. */
const SLOW_MS = 250;

/** Shortest text to search for. */
const MIN_LENGTH = 3;

/**
 * Makes an input a combobox.
 *
 * @param {object} options
 * @param {(text: string, signal: AbortSignal) => Promise<object[]>}
 *   options.search Finds records.
 * @param {(record: object) => void} options.pick Takes a record.
 * @param {(error: Error) => void} options.fail Takes the error of a search.
 */
export function combobox({ search, pick, fail }) {
  const input = find("#q");
  const list = find("#options");
  const status = find("#status");
  let records = [];
  let active = -1;
  let timer;
  let request = new AbortController();

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");

  function close() {
    clearTimeout(timer);
    request.abort();
    showBusy(false);
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    select(-1);
  }

  function select(index) {
    active = index;
    [...list.children].forEach((option, i) => {
      option.setAttribute("aria-selected", `${i === index}`);
    });
    if (index === -1) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", list.children[index].id);
    list.children[index].scrollIntoView({ block: "nearest" });
  }

  function show(found) {
    records = found;
    list.replaceChildren(...found.map(toOption));
    select(-1);
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", `${found.length > 0}`);
    status.textContent = found.length === 0
      ? texts.noSuggestions
      : fill(texts.suggestionCount, { n: found.length });
  }

  async function ask(text) {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const slow = setTimeout(showBusy, SLOW_MS, true);
    try {
      const found = await search(text, signal);
      if (!signal.aborted) show(found);
    } catch (error) {
      if (signal.aborted) return;
      close();
      fail(error);
    } finally {
      clearTimeout(slow);
      if (!signal.aborted) showBusy(false);
    }
  }

  function take(index) {
    const record = records[index];
    close();
    pick(record);
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    request.abort();
    setSlot("notice", "");
    find("#notice").hidden = true;
    const text = input.value.trim();
    if (text.length < MIN_LENGTH) return close();
    timer = setTimeout(() => ask(text), PAUSE_MS);
  });

  input.addEventListener("keydown", (event) => {
    const isOpen = !list.hidden;
    const last = records.length - 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) {
        const text = input.value.trim();
        if (text.length >= MIN_LENGTH) ask(text);
        return;
      }
      const isDown = event.key === "ArrowDown";
      // The input itself is between the last option and the first.
      if (isDown) select(active === last ? -1 : active + 1);
      else select(active === -1 ? last : active - 1);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      close();
    } else if (event.key === "Enter" && isOpen && active !== -1) {
      event.preventDefault();
      take(active);
    } else if (event.key === "Tab") close();
  });

  input.addEventListener("blur", () => setTimeout(close, 0));
  // Keeps the focus in the input, so that a click is no blur.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take([...list.children].indexOf(option));
  });

  return { close };
}

function toOption(record, i) {
  const option = element(
    "li",
    { id: `option-${i}` },
    element("span", {
      textContent: streetLine(record),
    }),
    element("span", { className: "of", textContent: placeLine(record) }),
    element("span", { className: "cep", textContent: formatCep(record.cep) }),
  );
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  return option;
}
