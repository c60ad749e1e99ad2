/** Values by the names in a template. */
export type Values = Readonly<Record<string, string>>;

const MARK = /\{\{\{\s*([\w.]+)\s*\}\}\}|\{\{\s*(\??)([\w.-]+)\s*\}\}/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (it) => ENTITIES[it]!);
}

/**
 * Fills a template: `{{name}}` with a value, escaped; `{{{name}}}` with HTML;
 * `{{?name}}` with the attribute `hidden` if the value is empty.
 *
 * @throws {TypeError} If a value is missing.
 */
export function fillTemplate(template: string, values: Values): string {
  return template.replaceAll(MARK, (_, html, question, name) => {
    const key: string = html ?? name;
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) {
      throw new TypeError(`Cannot fill "${key}": no such value`);
    }
    if (html !== undefined) return value;
    if (question) return value === "" ? "hidden" : "";
    return escapeHtml(value);
  });
}
