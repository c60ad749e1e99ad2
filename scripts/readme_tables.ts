/**
 * Writes the tables that the program knows into the READMEs of `cep`, between
 * marks such as `<!-- settings … -->` and `<!-- /settings -->`.
 *
 * @module
 */
import { BUILD } from "../cep/build.ts";
import { SETTINGS, type Translated } from "../cep/config.ts";
import { FIELDS } from "../cep/fields.ts";
import type { Endpoint } from "../cep/http/exchange.ts";
import { makeRoutes } from "../cep/http/routes.ts";
import { Traffic } from "../cep/http/traffic.ts";
import { fillMarked, markdownTable } from "./markdown.ts";
import { ROOT } from "./root.ts";

/** A language of the documents. */
export type Language = keyof Translated;

/** The README of each language. */
export const READMES: Readonly<Record<Language, string>> = {
  en: `${ROOT}cep/README.md`,
  pt: `${ROOT}cep/README.pt-BR.md`,
};

/** The tables in a README, by the names of their marks. */
const TABLES: Readonly<Record<string, (language: Language) => string>> = {
  endpoints: endpointsTable,
  fields: fieldsTable,
  settings: settingsTable,
};

const WORDS = {
  default: { en: "default", pt: "padrão" },
  field: { en: "field", pt: "campo" },
  meaning: { en: "meaning", pt: "significado" },
  name: { en: "name", pt: "nome" },
  none: { en: "none", pt: "nenhum" },
  or: { en: "or", pt: "ou" },
  request: { en: "request", pt: "requisição" },
  answer: { en: "answer", pt: "resposta" },
  values: { en: "values", pt: "valores" },
};

/** The settings. */
export function settingsTable(language: Language): string {
  const { name, meaning, values, default: initial, none, or } = WORDS;
  const rows = Object.values(SETTINGS).map((it) => [
    it.alias
      ? `\`${it.name}\` (${or[language]} \`${it.alias}\`)`
      : `\`${it.name}\``,
    it.help[language],
    it.values[language],
    it.default === "" ? none[language] : `\`${it.default}\``,
  ]);
  return table([name, meaning, values, initial], rows, language);
}

/** The fields of a record. */
export function fieldsTable(language: Language): string {
  const rows = Object.entries(FIELDS)
    .map(([name, field]) => [`\`${name}\``, field[language]]);
  return table([WORDS.field, WORDS.meaning], rows, language);
}

/** Every endpoint, as the routes of a service without data tell them. */
export const ENDPOINTS: readonly Endpoint[] = makeRoutes({
  store: {
    release: () => Promise.resolve(undefined),
    findJson: () => Promise.resolve(undefined),
    list: () => Promise.resolve({ total: 0, data: [] }),
  },
  cacheSeconds: 0,
  build: BUILD,
  traffic: new Traffic(),
});

/** The endpoints. */
export function endpointsTable(language: Language): string {
  const rows = ENDPOINTS.map(({ pattern, summary }) => [
    `\`GET ${pattern}\``,
    summary[language],
  ]);
  return table([WORDS.request, WORDS.answer], rows, language);
}

function table(
  head: readonly Translated[],
  rows: readonly (readonly string[])[],
  language: Language,
): string {
  return markdownTable(head.map((title) => title[language]), rows);
}

/**
 * A README with every table as the program knows it.
 *
 * @throws {Error} If the marks of a table are missing.
 */
export function withTables(readme: string, language: Language): string {
  return Object.entries(TABLES).reduce(
    (text, [name, make]) => fillMarked(text, name, make(language)),
    readme,
  );
}

if (import.meta.main) {
  for (const language of ["en", "pt"] as const) {
    const readme = Deno.readTextFileSync(READMES[language]);
    Deno.writeTextFileSync(READMES[language], withTables(readme, language));
  }
}
