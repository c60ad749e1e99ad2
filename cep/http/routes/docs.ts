/**
 * `GET /docs`: reference of the API, for people.
 */
import type { Build } from "../../build.ts";
import { type OpenApiObject, renderDocs } from "../docs_page/render_docs.ts";
import type { Endpoint, Route } from "../exchange.ts";
import {
  htmlAnswer,
  LANGUAGE,
  languageOf,
  type RenderedPage,
} from "../html_answer.ts";
import { openApiDocument } from "../open_api/document.ts";
import { textContent } from "../open_api/schema.ts";
import { compress, type PageFiles } from "../web_page/page_files.ts";

/** Reference of the API. */
export const DOCS: Endpoint = {
  id: "getDocs",
  pattern: "/docs",
  free: true,
  summary: {
    en: "the reference of the API as a page, from the OpenAPI document",
    pt: "a referência da API em uma página, a partir do documento OpenAPI",
  },
  parameters: [LANGUAGE],
  answers: {
    200: {
      en: "the page, in Portuguese or English",
      pt: "a página, em português ou inglês",
      content: textContent("text/html"),
    },
    304: {
      en: "`If-None-Match` names the current version of the page",
      pt: "`If-None-Match` indica a versão atual da página",
    },
  },
  errors: [],
};

/** Options of {@linkcode docs}. */
export interface DocsOptions {
  /** All other routes. */
  readonly endpoints: readonly Endpoint[];
  /** Running build. */
  readonly build: Build;
  /** Returns the files of the page, whose look it has. */
  readonly files: () => PageFiles;
}

/** Creates the route of the reference, rendered once for each language. */
export function docs(
  { endpoints: others, build, files }: DocsOptions,
): Route {
  const endpoints = [...others, DOCS];
  const pages = new Map<string, RenderedPage>();
  return {
    ...DOCS,
    handle(exchange) {
      const parameters = new URLSearchParams(exchange.query);
      const view = {
        ...languageOf(exchange, parameters),
        root: exchange.path.endsWith("/") ? "../" : "./",
      };
      const key = JSON.stringify(view);
      let page = pages.get(key);
      if (page === undefined) {
        const { language } = view;
        const document = openApiDocument({ endpoints, build, language });
        const html = renderDocs(files(), {
          ...view,
          document: document as unknown as OpenApiObject,
        });
        page = { status: 200, html, gzipped: compress(html) };
        pages.set(key, page);
      }
      return htmlAnswer(exchange, page);
    },
  };
}
