/** Examples of the API, run on this server. */
import { element, find, findAll, texts } from "./dom.js";

/** Longest text of an answer that is shown. */
const MAX_SHOWN = 4000;

/** Makes the examples run, and shows how a terminal asks the same. */
export function enableExamples() {
  for (const button of findAll("[data-run]")) {
    const { run: method, path, body } = button.dataset;
    const example = button.closest(".example");
    button.hidden = false;
    const url = new URL(path, location.href).href;
    find("code", example).textContent = body
      ? `curl -s ${url} --json '${body}'`
      : `curl -s '${url}'`;
    button.addEventListener("click", async () => {
      button.disabled = true;
      const text = await ask(method, path, body);
      button.disabled = false;
      find("[data-answer]", example).replaceChildren(
        element("pre", { textContent: text, tabIndex: 0 }),
      );
      find("pre", example).setAttribute("role", "region");
      find("pre", example).setAttribute("aria-label", texts.answer);
    });
  }
}

async function ask(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      ...(body && {
        body,
        headers: { "content-type": "application/json" },
      }),
    });
    const text = JSON.stringify(await response.json(), null, 2);
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text;
  } catch {
    return navigator.onLine ? texts.unreachable : texts.offline;
  }
}
