import { type Address, formatCep } from "../../record/address.ts";
import type { Build } from "../../build.ts";
import { stateFacts } from "../../record/states.ts";
import type { DataSource } from "../../store/store.ts";
import { creditOf } from "../sources.ts";
import { examples } from "./examples.ts";
import { dateOf } from "./finder.ts";
import type { PageFiles } from "./page_files.ts";
import { fillTemplate, type Values } from "./template.ts";
import { fill, formatDistance, PAGE_TEXTS, type PageTexts } from "./texts.ts";
import {
  coordinates,
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
  { version, repo }: Pick<Build, "version" | "repo">,
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
    docs: view.hasDocs ? "true" : "",
    docsLang: isChosen ? `?lang=${language}` : "",
    home: isChosen ? `?lang=${language}` : "./",
    otherUrl: `?${queryOf(view)}lang=${other}`,
    query: view.query,
    search: view.search ? "true" : "",
    exampleCep: formatCep(view.example.cep),
    exampleWords: view.example.words,
    exampleQuery: `${new URLSearchParams({ q: view.example.words })}`,
    examples: examples(texts, view.example, {
      search: view.search,
      census: hasSource(release, "cnefe"),
    }),
    version,
    repo,
    data: dataLine(texts, release),
    credit: typeof release === "object" ? creditOf(release.sources) ?? "" : "",
    dne: hasSource(release, "dne") ? "true" : "",
    date: typeof release === "object" ? dateOf(texts, release) : "",
    ...mapValues(texts, result),
    ...recordValues(texts, view),
    ...listValues(texts, view),
    ...noticeValues(texts, view),
  });
}

/** True if the data come from a source, among others. */
function hasSource(
  release: PageView["release"],
  source: DataSource,
): boolean {
  return typeof release === "object" && release.sources.includes(source);
}

/** Returns the number of records, and the time and the names of the data. */
function dataLine(texts: PageTexts, release: PageView["release"]): string {
  if (release === undefined) return texts.noData;
  if (release === "unreadable") return texts.unavailable;
  const { totalCeps, dneVersion } = release;
  const line = fill(texts.data, {
    count: totalCeps.toLocaleString(texts.lang),
    date: dateOf(texts, release),
  });
  const hasCensus = hasSource(release, "cnefe");
  const hasName = dneVersion !== "" || hasCensus && hasSource(release, "dne");
  const names = [
    hasName && fill(texts.release, { name: dneVersion }).trim(),
    hasCensus && texts.census,
  ].filter(Boolean);
  return names.length === 0 ? line : `${line} (${names.join(", ")})`;
}

function textValues(texts: PageTexts): Values {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === "string" ? [[`t.${name}`, text]] : []
    ),
  );
}

function fileValues(
  { loaded, preloaded, states }: PageFiles,
  { result }: PageView,
): Values {
  const uf = result.kind === "record" ? result.record.uf : "";
  const urls = [...loaded].map(([name, file]) =>
    [`file.${name}`, `${FOLDER}/${file.name}`] as const
  );
  const preloads = preloaded.map((name) =>
    `<link rel="modulepreload" href="${FOLDER}/${loaded.get(name)!.name}">`
  );
  return {
    ...Object.fromEntries(urls),
    preloads: preloads.join("\n    "),
    states: withStateOnTop(withNames(states), uf),
  };
}

/** Adds the names of the states, for the browser. */
function withNames(states: string): string {
  return states.replaceAll(
    /id="uf-(..)"/g,
    (id, uf) => `${id} data-name="${stateFacts(uf)?.name ?? ""}"`,
  );
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
  const point = result.kind === "record" ? result.point : undefined;
  const { x, y } = point
    ? project(point.latitude, point.longitude)
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
    mark: point ? "true" : "",
    mapTitle: point ? fill(texts.marked, names) : texts.country,
    caption: point && record ? caption(texts, record) : "",
  };
}

/** Returns the meaning of the dot on the map. */
function caption(
  texts: PageTexts,
  { latitude, cidade, enderecos, raio_m }: Address,
): string {
  if (latitude === undefined) return fill(texts.seat, { city: cidade });
  return fill(enderecos === 1 ? texts.placedOne : texts.placed, {
    n: Number(enderecos).toLocaleString(texts.lang),
    distance: formatDistance(texts, Number(raio_m)),
  });
}

function recordValues(
  texts: PageTexts,
  { result, release }: PageView,
): Values {
  const record = result.kind === "record" ? result.record : undefined;
  const cep = record ? formatCep(record.cep) : "";
  return {
    title: record ? `${cep} · ${texts.title}` : texts.title,
    description: record
      ? `${streetLine(record)}, ${placeLine(record)}`
      : texts.description,
    cep,
    kind: record ? kindOf(texts, record, release) : "",
    coordinates: record ? coordinates(record) : "",
    ...placeLinks(record),
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

/** Returns links to the place of a record on maps. */
function placeLinks(
  { latitude, longitude, raio_m = 0 }: Partial<Address> = {},
): Values {
  if (latitude === undefined) return { geo: "", osm: "" };
  const zoom = raio_m <= 300 ? 17 : raio_m <= 1500 ? 15 : 13;
  const at = `${latitude},${longitude}`;
  return {
    geo: `geo:${at}?q=${at}`,
    osm: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}` +
      `#map=${zoom}/${latitude}/${longitude}`,
  };
}

/** Names the kind of a record for people. */
function kindOf(
  { kinds, counted }: PageTexts,
  { tipo_origem }: Address,
  release: PageView["release"],
): string {
  return tipo_origem === "cnefe" && !hasSource(release, "dne")
    ? counted
    : kinds[tipo_origem] ?? "";
}

function row(
  { copy, copyPart }: PageTexts,
  name: string,
  label: string,
  record: Address | undefined,
): string {
  const shown = record ? partOf(record, name) : "";
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

function partOf(record: Address, name: string): string {
  if (name === "cep") return formatCep(record.cep);
  if (name === "coordenadas") return coordinates(record);
  return `${record[name as keyof Address] ?? ""}`;
}

function listValues(
  texts: PageTexts,
  { result, isChosen, language }: PageView,
) {
  const records = result.kind === "records" ? result.records : [];
  const lang = isChosen ? `&lang=${language}` : "";
  return {
    listTitle: result.kind === "records"
      ? fill(result.hasMore ? texts.moreThan : texts.resultCount, {
        n: `${records.length}`,
      })
      : "",
    hasMore: result.kind === "records" && result.hasMore ? "true" : "",
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
  const shown = result.kind === "notice" ? result : { text: "" };
  const lang = isChosen ? `&lang=${language}` : "";
  const { text, cep, similarTo } = shown as Partial<
    Extract<PageResult, { kind: "notice" }>
  >;
  const [query, link] = cep !== undefined
    ? [`cep=${formatCep(cep)}`, fill(texts.successor, { cep: formatCep(cep) })]
    : similarTo !== undefined
    ? [`${new URLSearchParams({ q: similarTo })}&parecidos=1`, texts.similar]
    : ["", ""];
  return {
    notice: text ?? "",
    noticeUrl: query === "" ? "" : `?${query}${lang}`,
    noticeLink: link,
  };
}

/**
 * Projection of the map of Brazil: plate carrée, true to scale at its middle.
 */
/** West and north edges in degrees, and units of the drawing per degree. */
const PROJECTION = {
  west: -74.1,
  north: 5.4,
  perLongitude: 15.5,
  perLatitude: 16,
} as const;

/** Size of the drawing, for its `viewBox`. */
export const MAP_SIZE = { width: 616, height: 630 } as const;

/** Point of the drawing. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the point of a place in the drawing. */
export function project(latitude: number, longitude: number): Point {
  const { west, north, perLongitude, perLatitude } = PROJECTION;
  return {
    x: round((longitude - west) * perLongitude),
    y: round((north - latitude) * perLatitude),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
