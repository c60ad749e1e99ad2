/** Encodings in which a server, a log or a URL may repeat a secret. */

/** Encodes a text. */
export type Spell = (text: string) => string;

const formEncode: Spell = (text) =>
  String(new URLSearchParams({ "": text })).slice(1);
const jsonEncode: Spell = (text) => JSON.stringify(text).slice(1, -1);
const urlOf = (path: string) => new URL(path, "https://x.example/");

/** Encodings by name. */
export const SPELLINGS: Readonly<Record<string, Spell>> = {
  "unchanged": (text) => text,
  "form-encoded": formEncode,
  "form-encoded, %20 for spaces": (text) =>
    formEncode(text).replaceAll("+", "%20"),
  "encoded by encodeURIComponent": encodeURIComponent,
  "encoded by encodeURI": encodeURI,
  "encoded in a path": (text) =>
    urlOf(`/${text.replace(/[#?/\\\s%]/g, encodeURIComponent)}`)
      .pathname.slice(1),
  "encoded in a query": (text) =>
    urlOf(`?${text.replace(/[#\s]/g, encodeURIComponent)}`)
      .search.slice(1),
  "percent-encoded in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (hex) => hex.toLowerCase()),
  "JSON-escaped": jsonEncode,
  "JSON-escaped to ASCII": (text) =>
    jsonEncode(text).replace(
      /[^\x20-\x7e]/g,
      (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
    ),
  "percent-encoded except letters and digits": (text) =>
    text.replace(/[^a-z\d]/giu, escapeBytes),
};

function escapeBytes(char: string): string {
  return Array.from(
    new TextEncoder().encode(char),
    (byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0"),
  ).join("");
}
