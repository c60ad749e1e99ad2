/** UTF-8 that was read as ISO-8859-1: `SÃ£o`. */
const MISREAD = /[\u00C3\u00C2][\u0080-\u00BF]/;

/** Combining mark of each accent in HTML. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: "\u0301",
  grave: "\u0300",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  cedil: "\u0327",
};

const ENTITY = /&([A-Za-z])(acute|grave|circ|tilde|uml|cedil);/g;

/** Restores the accents of a text. Returns the same text if none is damaged. */
export function repairText(text: string): string {
  return decodeUtf8(text).replaceAll(
    ENTITY,
    (_, letter: string, accent: string) => letter + ACCENTS[accent],
  ).replaceAll("&amp;", "&").replaceAll("&nbsp;", " ").normalize("NFC");
}

function decodeUtf8(text: string): string {
  // deno-lint-ignore no-control-regex -- all characters of ISO-8859-1
  if (!MISREAD.test(text) || !/^[\x00-\xFF]*$/.test(text)) return text;
  const bytes = Uint8Array.from(text, (it) => it.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}
