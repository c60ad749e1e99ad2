/** Examples of the API in some languages, run on this server. */
import { element, fill, find, findAll, formatNumber, texts } from "./dom.js";

/** Longest text of an answer that is shown. */
const MAX_SHOWN = 4000;

/** Requests as programs of each language write them, by the id of its tab. */
const WRITTEN = {
  "tab-curl": ({ url, body }) =>
    body ? `curl -s ${url} --json '${body}'` : `curl -s '${url}'`,
  "tab-js": ({ url, body }) =>
    body
      ? `const response = await fetch("${url}", {\n  method: "POST",\n` +
        `  headers: { "content-type": "application/json" },\n` +
        `  body: JSON.stringify(${body}),\n});\n` +
        `const answer = await response.json();`
      : `const response = await fetch("${url}");\n` +
        `const answer = await response.json();`,
  "tab-python": ({ url, body }) =>
    body
      ? `import requests\n\nanswer = requests.post("${url}",\n` +
        `    json=${body}, timeout=5).json()`
      : `import requests\n\nanswer = requests.get("${url}", timeout=5).json()`,
};

/** Makes the examples run, and shows them in the chosen language. */
export function enableExamples() {
  const tabs = findAll("[role=tab]");
  const select = (tab) => {
    for (const it of tabs) {
      it.setAttribute("aria-selected", `${it === tab}`);
      it.tabIndex = it === tab ? 0 : -1;
    }
    find("#examples").setAttribute("aria-labelledby", tab.id);
    for (const button of findAll("[data-run]")) {
      const { path, body } = button.dataset;
      const url = new URL(path, location.href).href;
      find("code", button.closest(".example")).textContent = WRITTEN[tab.id]({
        url,
        body,
      });
    }
  };
  find("#examples").setAttribute("role", "tabpanel");
  select(tabs[0]);
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step === undefined) return;
      const next = tabs[(i + step + tabs.length) % tabs.length];
      select(next);
      next.focus();
    });
  });
  for (const button of findAll("[data-run]")) {
    button.hidden = false;
    button.addEventListener("click", () => run(button));
  }
}

/** Runs an example, and shows its answer, status and time. */
async function run(button) {
  const { run: method, path, body } = button.dataset;
  button.disabled = true;
  const { status, text } = await ask(method, path, body);
  button.disabled = false;
  const answer = element("pre", { textContent: text, tabIndex: 0 });
  answer.setAttribute("role", "region");
  answer.setAttribute("aria-label", texts.answer);
  find("[data-answer]", button.closest(".example")).replaceChildren(
    element("p", { className: "fine", textContent: status }),
    answer,
  );
  find("#status").textContent = status;
}

async function ask(method, path, body) {
  const start = performance.now();
  try {
    const response = await fetch(path, {
      method,
      ...(body && {
        body,
        headers: { "content-type": "application/json" },
      }),
    });
    const text = JSON.stringify(await response.json(), null, 2);
    return {
      status: fill(texts.statusAndTime, {
        status: response.status,
        ms: formatNumber(performance.now() - start),
      }),
      text: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text,
    };
  } catch {
    const text = navigator.onLine ? texts.unreachable : texts.offline;
    return { status: "", text };
  }
}
