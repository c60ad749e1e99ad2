/** How a server, a log or an address may repeat a text, for tests that none of these shows. */

/** Writes a text in some encoding. */
export type Spell = (text: string) => string;

const formEncode: Spell = (text) =>
  String(new URLSearchParams({ "": text })).slice(1);
const jsonEncode: Spell = (text) => JSON.stringify(text).slice(1, -1);
const addressOf = (path: string) => new URL(path, "https://x.example/");

export const SPELLINGS: Readonly<Record<string, Spell>> = {
  "as it is": (text) => text,
  "form-encoded": formEncode,
  "form-encoded, %20 for spaces": (text) =>
    formEncode(text).replaceAll("+", "%20"),
  "by encodeURIComponent": encodeURIComponent,
  "by encodeURI": encodeURI,
  "in a path": (text) =>
    addressOf(`/${text.replace(/[#?/\\\s%]/g, encodeURIComponent)}`)
      .pathname.slice(1),
  "in a query": (text) =>
    addressOf(`?${text.replace(/[#\s]/g, encodeURIComponent)}`)
      .search.slice(1),
  "%-encoded in small letters": (text) =>
    encodeURIComponent(text).replace(/%../g, (hex) => hex.toLowerCase()),
  "JSON-escaped": jsonEncode,
  "JSON-escaped to ASCII": (text) =>
    jsonEncode(text).replace(
      /[^\x20-\x7e]/g,
      (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
    ),
  "all %-encoded but letters and digits": (text) =>
    text.replace(/[^a-z\d]/giu, escapeBytes),
};

function escapeBytes(char: string): string {
  return Array.from(
    new TextEncoder().encode(char),
    (byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0"),
  ).join("");
}
