/**
 * HTML of the page.
 *
 * @module
 */
import { type Address, formatCep } from "../../address.ts";
import { stateFacts } from "../../states.ts";
import type { Build } from "../../build.ts";
import type { PageFiles } from "./page_files.ts";
import { MAP_SIZE, project, PROJECTION } from "./projection.ts";
import { fillTemplate, type Values } from "./template.ts";
import { fill, PAGE_TEXTS, type PageTexts } from "./texts.ts";
import {
  letterLines,
  type PageResult,
  type PageView,
  placeLine,
  streetLine,
} from "./view.ts";

/** Folder of the files that the page loads, relative to it. */
export const FOLDER = "pagina";

/** Renders the page. */
export function renderPage(
  files: PageFiles,
  view: PageView,
  { version }: Pick<Build, "version">,
): string {
  const { language, isChosen, result, release } = view;
  const texts = PAGE_TEXTS[language];
  const other = language === "pt" ? "en" : "pt";
  const entry = files.loaded.get(`${language}.js`)!;
  return fillTemplate(files.document, {
    ...textValues(texts),
    ...fileValues(files, view),
    entry: `${FOLDER}/${entry.name}`,
    langField: isChosen
      ? `<input type="hidden" name="lang" value="${language}">`
      : "",
    andLang: isChosen ? `&lang=${language}` : "",
    home: isChosen ? `?lang=${language}` : "./",
    otherUrl: `?${queryOf(view)}lang=${other}`,
    query: view.query,
    search: view.search ? "true" : "",
    examples: examples(texts, view.search),
    version,
    data: dataLine(texts, release),
    ...mapValues(texts, result),
    ...recordValues(texts, result),
    ...listValues(texts, view),
    ...noticeValues(texts, view),
  });
}

/** Returns the number of records, and the time and the name of the release. */
function dataLine(texts: PageTexts, release: PageView["release"]): string {
  if (release === undefined) return texts.noData;
  if (release === "unreadable") return texts.unavailable;
  const { totalCeps, seededAt, dneVersion } = release;
  const line = fill(texts.data, {
    count: totalCeps.toLocaleString(texts.lang),
    date: new Date(seededAt).toLocaleDateString(texts.lang, {
      dateStyle: "long",
      timeZone: "America/Sao_Paulo",
    }),
  });
  const name = fill(texts.release, { name: dneVersion });
  return dneVersion === "" ? line : `${line} (${name})`;
}

function textValues(texts: PageTexts): Values {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === "string" ? [[`t.${name}`, text]] : []
    ),
  );
}

function fileValues({ loaded, states }: PageFiles, { result }: PageView) {
  const uf = result.kind === "record" ? result.record.uf : "";
  const names = [...loaded].map(([name, file]) =>
    [`file.${name}`, `${FOLDER}/${file.name}`] as const
  );
  const preloads = names
    .filter(([name]) => /(?<!pt|en)\.js$/.test(name))
    .map(([, url]) => `<link rel="modulepreload" href="${url}">`);
  return {
    ...Object.fromEntries(names),
    preloads: preloads.join("\n    "),
    states: withStateOnTop(states, uf),
  };
}

/** Marks a state, and draws it last: neighbours would cover its outline. */
function withStateOnTop(states: string, uf: string): string {
  const mark = `id="uf-${uf}"`;
  const path = states.match(/<path[^>]*>/g)?.find((it) => it.includes(mark));
  return path === undefined
    ? states
    : states.replace(path, "") + path.replace(mark, `class="here" ${mark}`);
}

/** Returns the query string that the other language keeps. */
function queryOf({ query, result }: PageView): string {
  if (result.kind === "record") return `cep=${formatCep(result.record.cep)}&`;
  return query === "" ? "" : `q=${encodeURIComponent(query)}&`;
}

function mapValues(
  texts: PageTexts,
  result: PageResult,
): Values {
  const { west, north, perLongitude, perLatitude } = PROJECTION;
  const record = result.kind === "record" ? result.record : undefined;
  const seat = result.kind === "record" ? result.seat : undefined;
  const { x, y } = seat
    ? project(seat.latitude, seat.longitude)
    : { x: 0, y: 0 };
  const names = {
    city: record?.cidade ?? "",
    state: stateFacts(record?.uf ?? "")?.name ?? "",
  };
  return {
    width: `${MAP_SIZE.width}`,
    height: `${MAP_SIZE.height}`,
    projection: [west, north, perLongitude, perLatitude].join(" "),
    x: `${x}`,
    y: `${y}`,
    mark: seat ? "true" : "",
    mapTitle: seat ? fill(texts.marked, names) : texts.country,
    caption: seat ? fill(texts.seat, names) : "",
  };
}

function recordValues(texts: PageTexts, result: PageResult): Values {
  const record = result.kind === "record" ? result.record : undefined;
  const cep = record ? formatCep(record.cep) : "";
  return {
    title: record ? `${cep} · ${texts.title}` : texts.title,
    cep,
    kind: record ? texts.kinds[record.tipo_origem] ?? "" : "",
    street: record ? streetLine(record) : "",
    place: record ? placeLine(record) : "",
    letter: record ? letterLines(record) : "",
    boxes: [...(cep || "00000-000")].map((it) =>
      it === "-" ? `<span class="dash">-</span>` : `<span>${it}</span>`
    ).join(""),
    rows: Object.entries(texts.fields).map(([name, label]) =>
      row(texts, name, label, record)
    ).join(""),
  };
}

function row(
  { copy, copyPart }: PageTexts,
  name: string,
  label: string,
  record: Address | undefined,
): string {
  const value = record?.[name as keyof Address] ?? "";
  const shown = name === "cep" && value !== "" ? formatCep(value) : value;
  return fillTemplate(
    `<div {{?value}} data-row="{{name}}"><dt>{{label}}</dt>` +
      `<dd data-slot="part.{{name}}">{{value}}</dd>` +
      `<dd><button type="button" class="quiet" data-copy="part.{{name}}" ` +
      `aria-label="{{copyPart}}" hidden>{{copy}}</button></dd></div>`,
    {
      name,
      label,
      value: shown,
      copy,
      copyPart: fill(copyPart, { name: label }),
    },
  );
}

function listValues(
  texts: PageTexts,
  { result, isChosen, language }: PageView,
) {
  const records = result.kind === "records" ? result.records : [];
  const lang = isChosen ? `&lang=${language}` : "";
  return {
    listTitle: texts.results,
    results: records.map((record) =>
      fillTemplate(
        `<li><a href="?cep={{cep}}{{lang}}"><span class="what">{{street}}` +
          `</span><span class="of">{{place}}</span><span class="cep">{{cep}}` +
          `</span></a></li>`,
        {
          cep: formatCep(record.cep),
          lang,
          street: streetLine(record),
          place: placeLine(record),
        },
      )
    ).join(""),
  };
}

function noticeValues(
  texts: PageTexts,
  { result, isChosen, language }: PageView,
) {
  const { text = "", cep = undefined } = result.kind === "notice" ? result : {};
  const lang = isChosen ? `&lang=${language}` : "";
  return {
    notice: text,
    noticeUrl: cep === undefined ? "" : `?cep=${formatCep(cep)}${lang}`,
    noticeLink: cep === undefined
      ? ""
      : fill(texts.successor, { cep: formatCep(cep) }),
  };
}

/** Examples of the API, by the text that describes them. */
const EXAMPLES = [
  { text: "exampleCep", line: "GET cep/01310100" },
  {
    text: "exampleSearch",
    line: "GET busca?q=avenida+paulista+1578&limite=3",
    search: true,
  },
  {
    text: "exampleMatch",
    line: "POST enderecos",
    body: '{"endereco": "Av. Paulista 1578, Bela Vista, São Paulo/SP"}',
    search: true,
  },
  {
    text: "exampleBatch",
    line: "POST ceps",
    body: '["01310-100", "20040020"]',
  },
  { text: "examplePlace", line: "GET municipios/3550308" },
] as const;

function examples(texts: PageTexts, search: boolean): string {
  return EXAMPLES.filter((it) => search || !("search" in it)).map((it) => {
    const [method = "", path = ""] = it.line.split(" ");
    const body = "body" in it ? it.body : "";
    return fillTemplate(
      `<div class="example"><p class="what">{{what}}</p><div class="line">` +
        `<code>{{method}} /{{path}}<span {{?body}}><br>{{body}}</span></code>` +
        `<button type="button" class="quiet" data-run="{{method}}" ` +
        `data-path="{{path}}" data-body="{{body}}" aria-label="{{label}}" ` +
        `hidden>{{run}}</button></div><div data-answer></div></div>`,
      {
        what: texts[it.text],
        method,
        path,
        body,
        run: texts.run,
        label: `${texts.run}: ${texts[it.text]}`,
      },
    );
  }).join("");
}
