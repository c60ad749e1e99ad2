/** Tables of the documentation of `cep`. */
import { BUILD } from "../../cep/build.ts";
import {
  completeConfig,
  SETTINGS,
  type Translated,
} from "../../cep/settings/config.ts";
import { FIELDS } from "../../cep/record/fields.ts";
import { ERRORS } from "../../cep/http/errors.ts";
import type { Endpoint } from "../../cep/http/exchange.ts";
import { tagOf, TAGS } from "../../cep/http/open_api/tags.ts";
import { docs } from "../../cep/http/routes/docs.ts";
import { makeRoutes } from "../../cep/http/routes.ts";
import { Traffic } from "../../cep/http/traffic.ts";
import type { Reader } from "../../cep/store/store.ts";
import { boolean, type Task, TASKS } from "../../cep/settings/setting.ts";
import { TABLES } from "../../cep/release/schema.ts";
import { markdownTable } from "../markdown.ts";

/** Language of the documentation. */
export type Language = keyof Translated;

const WORDS = {
  cause: { en: "cause", pt: "causa" },
  code: { en: "code", pt: "code" },
  default: { en: "default", pt: "padrão" },
  field: { en: "field", pt: "campo" },
  meaning: { en: "meaning", pt: "significado" },
  name: { en: "name", pt: "nome" },
  none: { en: "none", pt: "nenhum" },
  or: { en: "or", pt: "ou" },
  request: { en: "request", pt: "requisição" },
  answer: { en: "response", pt: "resposta" },
  rows: { en: "rows", pt: "linhas" },
  status: { en: "status", pt: "status" },
  table: { en: "table", pt: "tabela" },
};

/** Returns the tables in a language, by name of their marks. */
export function cepTables(language: Language) {
  return {
    endpoints: endpointsTables(language),
    errors: errorsTable(language),
    fields: fieldsTable(language),
    first: settingsTable("start", language),
    settings: settingsTables(language),
    tables: sqlTablesTable(language),
  };
}

/** Tables of the settings, one for each task. */
function settingsTables(language: Language): string {
  return (Object.keys(TASKS) as Task[]).map((task) =>
    `## ${TASKS[task][language]}\n\n${settingsTable(task, language)}`
  ).join("\n\n");
}

function settingsTable(task: Task, language: Language): string {
  const { name, meaning, default: initial, none, or } = WORDS;
  const rows = Object.values(SETTINGS).filter((it) => it.task === task)
    .map(({ name, alias, help, values, parse, default: value }) => [
      alias ? `\`${name}\` (${or[language]} \`${alias}\`)` : `\`${name}\``,
      parse === boolean.parse
        ? help[language]
        : `${help[language]}: ${values[language]}`,
      value === "" ? none[language] : `\`${value}\``,
    ]);
  return table([name, meaning, initial], rows, language);
}

function fieldsTable(language: Language): string {
  const rows = Object.entries(FIELDS)
    .map(([name, field]) => [`\`${name}\``, field[language]]);
  return table([WORDS.field, WORDS.meaning], rows, language);
}

/** Documentation of every endpoint. */
export const ENDPOINTS: readonly Endpoint[] = makeRoutes({
  store: {} as Reader, // No route is called.
  config: completeConfig(),
  build: BUILD,
  traffic: new Traffic(),
  docs,
});

/** Tables of the endpoints, one for each group. */
function endpointsTables(language: Language): string {
  return TAGS.map(({ name, title }) => {
    const rows = ENDPOINTS.filter((endpoint) => tagOf(endpoint) === name)
      .map(({ method = "GET", pattern, summary }) => [
        `\`${method} ${pattern}\``,
        summary[language],
      ]);
    return `### ${title[language]}\n\n${
      table([WORDS.request, WORDS.answer], rows, language)
    }`;
  }).join("\n\n");
}

function errorsTable(language: Language): string {
  const rows = Object.entries(ERRORS).map(([code, { status, cause }]) => [
    // The member `docs` of an error links to it.
    `<a id="${code}"></a>\`${code}\``,
    `${status}`,
    cause[language],
  ]);
  return table([WORDS.code, WORDS.status, WORDS.cause], rows, language);
}

function sqlTablesTable(language: Language): string {
  const rows = Object.entries(TABLES)
    .map(([name, { rows }]) => [`\`${name}\``, rows[language]]);
  return table([WORDS.table, WORDS.rows], rows, language);
}

function table(
  head: readonly Translated[],
  rows: readonly (readonly string[])[],
  language: Language,
): string {
  return markdownTable(head.map((title) => title[language]), rows);
}
