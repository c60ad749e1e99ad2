/**
 * Characters that windows-1252 has for the bytes from 0x80 on: those of
 * ISO-8859-1, and others in place of its control characters.
 */
const WINDOWS_1252 = new TextDecoder("windows-1252")
  .decode(Uint8Array.from({ length: 0x80 }, (_, i) => 0x80 + i));

/** UTF-8 of an accented letter that was read as one byte a character: `Ã£`. */
const MISREAD = RegExp(
  `([\u00C2\u00C3])([\u0080-\u00BF${WINDOWS_1252.slice(0, 0x20)}])`,
  "g",
);

/** Most times that a text was misread. */
const MAX_MISREAD = 3;

/** Combining mark of each accent in HTML. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: "\u0301",
  grave: "\u0300",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  cedil: "\u0327",
};

/** Tag of a web page: `<br>`. */
const TAG = /<\/?[a-z]{1,10} ?\/?>/gi;

const ENTITY = /&([A-Za-z])(acute|grave|circ|tilde|uml|cedil);/g;

/**
 * Restores the accents of a text, and drops the tags of a web page. Returns the
 * same text if nothing is damaged.
 */
export function repairText(text: string): string {
  return decodeUtf8(text).replaceAll(
    ENTITY,
    (_, letter: string, accent: string) => letter + ACCENTS[accent],
  ).replaceAll("&amp;", "&").replaceAll("&nbsp;", " ").replaceAll(TAG, " ")
    .normalize("NFC");
}

function decodeUtf8(text: string): string {
  for (let i = 0; i < MAX_MISREAD && text.search(MISREAD) >= 0; i++) {
    text = text.replaceAll(MISREAD, (_, lead: string, trail: string) => {
      const byte = trail.charCodeAt(0) < 0x100
        ? trail.charCodeAt(0)
        : 0x80 + WINDOWS_1252.indexOf(trail);
      return String.fromCharCode(
        (lead.charCodeAt(0) & 0x1F) << 6 | byte & 0x3F,
      );
    });
  }
  return text;
}
