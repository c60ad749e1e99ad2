/** XML declaration, with the line feed after it. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Characters with a meaning in XML, and those that it cannot contain. */
const SPECIAL =
  // deno-lint-ignore no-control-regex
  /[&<>"'\u0000-\u0008\v\f\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Characters among which are all of {@linkcode SPECIAL}. */
// deno-lint-ignore no-control-regex
const SUSPECT = /[&<>"'\u0000-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

/**
 * Escapes text for an element. A character that XML cannot contain becomes a
 * replacement character.
 */
export function escapeXml(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replaceAll(SPECIAL, (it) => ENTITIES[it] ?? "\uFFFD");
}

/** Returns an element on a line of its own, with text as its content. */
export function xmlElement(name: string, text: string, indent: string): string {
  return `${indent}<${name}>${escapeXml(text)}</${name}>\n`;
}
