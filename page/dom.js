/** Elements of the page, its texts, and forms of values. */

/** Texts in the language of the page. */
export let texts = {};

/** Sets the texts, before anything is shown. */
export function setTexts(given) {
  texts = given;
}

/** Finds an element. */
export function find(selector, root = document) {
  return root.querySelector(selector);
}

/** Finds all elements. */
export function findAll(selector, root = document) {
  return [...root.querySelectorAll(selector)];
}

/** Sets the text of a slot, and hides it if asked to. */
export function setSlot(name, text, { hide = false } = {}) {
  for (const slot of findAll(`[data-slot="${name}"]`)) {
    slot.textContent = text;
    if (hide) slot.hidden = text === "";
  }
}

/** Shows that a search is under way. */
export function showBusy(isBusy) {
  find("#busy").hidden = !isBusy;
}

/** Shows why a table cannot be used, or hides it. */
export function showProblem(text) {
  setSlot("tableProblem", text);
  find("#table-problem").hidden = text === "";
}

/** Creates an element. */
export function element(name, properties = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** Replaces names in braces by their values. */
export function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Formats eight digits with a hyphen. */
export function formatCep(cep) {
  return `${cep.slice(0, 5)}-${cep.slice(5)}`;
}

/** Returns the eight digits of a written CEP, `undefined` for other texts. */
export function parseCep(text) {
  const written =
    /^[ \t\xA0]*\d{2}(?:\d{3}|\.\d{3}(?=[- \t\xA0]))[ \t\xA0]{0,3}-?[ \t\xA0]{0,3}\d{3}[ \t\xA0]*$/;
  return written.test(text) ? text.replaceAll(/\D/g, "") : undefined;
}

/** Street of a record, or the name of its place. */
export function streetLine(
  { nome, logradouro, complemento, distrito, cidade },
) {
  const street = [logradouro, complemento].filter(Boolean).join(", ");
  return [nome, street].filter(Boolean).join(" · ") || distrito || cidade;
}

/** Neighbourhood, municipality and state of a record. */
export function placeLine({ bairro, distrito, cidade, uf }) {
  const places = [bairro, distrito, `${cidade} – ${uf}`];
  return [...new Set(places)].filter(Boolean).join(", ");
}

/** Latitude and longitude of a record, `""` if they are unknown. */
export function coordinates({ latitude, longitude }) {
  return latitude === undefined ? "" : `${latitude}, ${longitude}`;
}

/** Formats a whole or decimal number. */
export function formatNumber(number) {
  return Number(number).toLocaleString(document.documentElement.lang, {
    maximumFractionDigits: 1,
  });
}

/** Formats a whole number. */
export function count(number) {
  return number.toLocaleString(document.documentElement.lang);
}

/** Formats metres. */
export function formatDistance(metres) {
  return metres < 1000
    ? fill(texts.metres, { n: formatNumber(Math.round(metres)) })
    : fill(texts.kilometres, { n: formatNumber(metres / 1000) });
}

/** Query string of a record, in the chosen language. */
export function recordUrl(cep) {
  return `?${withLanguage({ cep: formatCep(cep) })}`;
}

/** Query string with the language, if the page was opened with one. */
export function withLanguage(parameters) {
  const lang = new URLSearchParams(location.search).get("lang");
  return `${new URLSearchParams({ ...parameters, ...(lang && { lang }) })}`;
}

/** List of records, each a link. */
export function recordItems(records) {
  return records.map((record) =>
    element(
      "li",
      {},
      element(
        "a",
        { href: recordUrl(record.cep) },
        element("span", {
          className: "what",
          textContent: streetLine(record),
        }),
        element("span", {
          className: "of",
          textContent: record.distancia_m === undefined
            ? placeLine(record)
            : `${placeLine(record)} · ${formatDistance(record.distancia_m)}`,
        }),
        element("span", {
          className: "cep",
          textContent: formatCep(record.cep),
        }),
      ),
    )
  );
}
