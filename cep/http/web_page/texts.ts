import { EN } from "./texts_en.ts";
import { type PageTexts, PT } from "./texts_pt.ts";

export type { PageTexts };

/** Language of the page. */
export type PageLanguage = "pt" | "en";

/** Texts of the page by language. */
export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = {
  pt: PT,
  en: EN,
};

/** Names of the texts that the browser writes. */
const BROWSER_TEXTS = [
  "title",
  "loading",
  "shown",
  "suggestionCount",
  "noSuggestions",
  "resultCount",
  "moreThan",
  "noResults",
  "invalid",
  "notFound",
  "notFoundIn",
  "notFoundNear",
  "noExact",
  "similar",
  "replaced",
  "retiredCep",
  "successor",
  "limitedUntil",
  "seconds",
  "minutes",
  "unavailable",
  "broken",
  "unreachable",
  "offline",
  "copied",
  "notCopied",
  "country",
  "marked",
  "seat",
  "placed",
  "placedOne",
  "metres",
  "kilometres",
  "counted",
  "noNeighbours",
  "townParts",
  "neighbourhoods",
  "andMore",
  "noRanges",
  "noChanges",
  "retired",
  "tooLarge",
  "emptyTable",
  "reading",
  "noTable",
  "notCalculated",
  "column",
  "rowsOf",
  "noKnownColumn",
  "noColumns",
  "ignore",
  "partNames",
  "rowOf",
  "paused",
  "counts",
  "rowNumber",
  "cepOfRow",
  "confirm",
  "confirmRow",
  "confirmed",
  "leaveEmpty",
  "noCandidate",
  "farCandidates",
  "answer",
  "statusAndTime",
  "kinds",
] as const satisfies readonly (keyof PageTexts)[];

/** Module that starts the page in the browser, with the texts of a language. */
export function startModule(language: PageLanguage): string {
  const texts = Object.fromEntries(
    BROWSER_TEXTS.map((name) => [name, PAGE_TEXTS[language][name]]),
  );
  return `import { start } from "./app.js";\n\nstart(${
    JSON.stringify(texts)
  });\n`;
}

/** Replaces names in braces by their values. */
export function fill(
  text: string,
  values: Readonly<Record<string, string>>,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Formats metres. */
export function formatDistance(texts: PageTexts, metres: number): string {
  const [n, text] = metres < 1000
    ? [Math.round(metres), texts.metres]
    : [metres / 1000, texts.kilometres];
  const digits = { maximumFractionDigits: 1 };
  return fill(text, { n: n.toLocaleString(texts.lang, digits) });
}

/** Formats seconds to wait. */
export function formatWait(texts: PageTexts, seconds: number): string {
  return seconds < 90
    ? fill(texts.seconds, { n: `${seconds}` })
    : fill(texts.minutes, { n: `${Math.ceil(seconds / 60)}` });
}
