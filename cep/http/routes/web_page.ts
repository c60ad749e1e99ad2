/**
 * `GET /`: the page for people, and the files that it loads.
 */
import { formatCep, parseCep } from "../../record/address.ts";
import type { Build } from "../../build.ts";
import { DatabaseError } from "../../store/store.ts";
import { HttpError } from "../errors.ts";
import {
  addVary,
  type Answer,
  type Endpoint,
  type Exchange,
  expose,
  type Route,
} from "../exchange.ts";
import {
  htmlAnswer,
  LANGUAGE,
  languageOf,
  type RenderedPage,
} from "../html_answer.ts";
import { STRING, textContent } from "../open_api/schema.ts";
import { ExampleFinder, WELL_KNOWN } from "../web_page/example_address.ts";
import {
  type Found,
  notice,
  PageFinder,
  type PageFinderOptions,
  type Question,
} from "../web_page/finder.ts";
import {
  compress,
  type PageFile,
  type PageFiles,
} from "../web_page/page_files.ts";
import { describeSearch, OPEN_SEARCH_TYPE } from "../web_page/open_search.ts";
import { FOLDER, renderPage } from "../web_page/render.ts";
import { fill, formatWait, PAGE_TEXTS } from "../web_page/texts.ts";
import type { PageView } from "../web_page/view.ts";

const YEAR_SECONDS = 31_536_000;

/** Maximum length of a text to search for. */
const MAX_QUERY = 300;

/** Maximum number of pages without a query in memory. */
const MAX_HOMES = 8;

/** Page for people. */
export const PAGE: Endpoint = {
  id: "getPage",
  pattern: "/",
  free: true,
  summary: {
    en: "the page: search, map, spreadsheets; `?cep=` looks up a CEP without " +
      "JavaScript, and counts as a request",
    pt: "a página: busca, mapa, planilhas; `?cep=` consulta um CEP sem " +
      "JavaScript, e conta como uma requisição",
  },
  parameters: [
    {
      name: "cep",
      in: "query",
      description: { en: "CEP to look up", pt: "CEP a consultar" },
      example: "01310-100",
    },
    {
      name: "q",
      in: "query",
      description: {
        en: "CEP, or words of an address",
        pt: "CEP, ou palavras de um endereço",
      },
      example: "avenida paulista",
    },
    {
      name: "parecidos",
      in: "query",
      description: {
        en: "with any value, also records that only resemble the words",
        pt: "com qualquer valor, também registros só parecidos com as palavras",
      },
      example: "1",
    },
    LANGUAGE,
  ],
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
    400: {
      en: "the page: not a CEP",
      pt: "a página: não é um CEP",
      content: textContent("text/html"),
    },
    404: {
      en: "the page: no such CEP",
      pt: "a página: CEP inexistente",
      content: textContent("text/html"),
    },
    429: {
      en: "the page: too many lookups",
      pt: "a página: consultas demais",
      content: textContent("text/html"),
    },
    503: {
      en: "the page: nothing has been imported, or the database is unreadable",
      pt: "a página: nada foi importado ainda, ou o banco está ilegível",
      content: textContent("text/html"),
    },
  },
  errors: [],
};

/** Files that the page loads. */
export const PAGE_FILE: Endpoint = {
  id: "getPageFile",
  pattern: `/${FOLDER}/:arquivo`,
  free: true,
  summary: {
    en: "a file of the page, named by its content and cached for a year",
    pt: "um arquivo da página, nomeado por seu conteúdo e em cache por um ano",
  },
  parameters: [{
    name: "arquivo",
    in: "path",
    description: {
      en: "name of the file; without the hash of its content, it is not cached",
      pt: "nome do arquivo; sem o hash do conteúdo, não fica em cache",
    },
    example: "style.css",
  }],
  answers: {
    200: {
      en: "the file",
      pt: "o arquivo",
      content: {
        "text/css": STRING,
        "text/javascript": STRING,
        "image/svg+xml": STRING,
      },
    },
  },
  errors: ["route_not_found"],
};

/** Icon that browsers ask for on their own. */
export const ICON: Endpoint = {
  id: "getIcon",
  pattern: "/favicon.ico",
  free: true,
  summary: { en: "the icon of the page", pt: "o ícone da página" },
  parameters: [],
  answers: {
    200: {
      en: "the icon",
      pt: "o ícone",
      content: textContent("image/svg+xml"),
    },
  },
  errors: [],
};

/** Description of the search, by which browsers add it to their own. */
export const OPEN_SEARCH: Endpoint = {
  id: "getOpenSearch",
  pattern: "/opensearch.xml",
  free: true,
  summary: {
    en: "the search of the page, for the search engines of a browser",
    pt: "a busca da página, para os mecanismos de busca de um navegador",
  },
  parameters: [],
  answers: {
    200: {
      en: "the description, in OpenSearch 1.1",
      pt: "a descrição, em OpenSearch 1.1",
      content: textContent(OPEN_SEARCH_TYPE),
    },
  },
  errors: [],
};

/** Options of {@linkcode webPage}. */
export interface WebPageOptions extends PageFinderOptions {
  /** Running build. */
  readonly build: Build;
  /** True if the service has the reference of the API. */
  readonly hasDocs: boolean;
  /** Returns the files of the page. */
  readonly files: () => PageFiles;
}

/** Creates the routes of the page. */
export function webPage(
  { store, search, build, files, hasDocs }: WebPageOptions,
): Route[] {
  const finder = new PageFinder({ store, search });
  const exampleFinder = new ExampleFinder(store);
  const homes = new Map<string, RenderedPage>();

  async function findSafely(
    exchange: Exchange,
    question: Question,
  ): Promise<Found> {
    const { texts } = question;
    const allowance = await exchange.charge?.();
    if (allowance?.allowed === false) {
      const { waitSeconds } = allowance;
      exchange.headers["retry-after"] = `${waitSeconds}`;
      expose(exchange, "Retry-After");
      const wait = formatWait(texts, waitSeconds);
      return notice(429, fill(texts.limited, { wait }));
    }
    try {
      return await finder.find(question);
    } catch (error) {
      if (error instanceof DatabaseError) return notice(503, texts.unavailable);
      throw error;
    }
  }

  /** Renders the page without a query, once for each release and language. */
  function renderHome(view: Omit<PageView, "result">): RenderedPage {
    const { language, isChosen, release, example } = view;
    const name = typeof release === "object" ? release.id : release;
    const key = `${language} ${isChosen} ${name} ${example.cep}`;
    let home = homes.get(key);
    if (home === undefined) {
      // Those of an earlier release are of no use.
      if (homes.size >= MAX_HOMES) homes.clear();
      const shown: PageView = { ...view, result: { kind: "none" } };
      const html = renderPage(files(), shown, build);
      home = { status: 200, html, gzipped: compress(html) };
      homes.set(key, home);
    }
    return home;
  }

  async function render(exchange: Exchange): Promise<RenderedPage> {
    const parameters = new URLSearchParams(exchange.query);
    const { language, isChosen } = languageOf(exchange, parameters);
    const query = (parameters.get("cep") ?? parameters.get("q") ?? "")
      .trim().slice(0, MAX_QUERY);
    const release = await store.release().catch(() => "unreadable" as const);
    const example = typeof release === "object"
      ? await exampleFinder.find(release)
      : WELL_KNOWN;
    const view = {
      language,
      isChosen,
      query,
      release,
      search,
      hasDocs,
      example,
    };
    if (query === "") return renderHome(view);
    const { status, result } = await findSafely(exchange, {
      query,
      similar: parameters.has("parecidos"),
      texts: PAGE_TEXTS[language],
    });
    const shown: PageView = {
      ...view,
      result,
      query: result.kind === "record" && parseCep(query) !== undefined
        ? formatCep(result.record.cep)
        : query,
    };
    return { status, html: renderPage(files(), shown, build) };
  }

  return [
    {
      ...PAGE,
      async handle(exchange) {
        // Relative links would not work on `//`.
        if (exchange.path !== "/") throw new HttpError("route_not_found");
        return htmlAnswer(exchange, await render(exchange));
      },
    },
    {
      ...PAGE_FILE,
      handle({ variables }) {
        return answerFile(variables["arquivo"]!, files().loaded);
      },
    },
    {
      ...ICON,
      handle() {
        const icon = files().loaded.get("icon.svg")!;
        return { ...fileAnswer(icon), maxAge: 86_400 };
      },
    },
    {
      ...OPEN_SEARCH,
      handle(exchange) {
        const { requestHeaders } = exchange;
        const { language } = languageOf(exchange, new URLSearchParams());
        addVary(exchange, "Accept-Language");
        const content = describeSearch(
          language,
          requestHeaders.get("host") ?? "",
          // A wrong one only misleads the browser that has sent it.
          requestHeaders.get("x-forwarded-proto") === "https",
        );
        const type = `${OPEN_SEARCH_TYPE}; charset=utf-8`;
        const { length } = new TextEncoder().encode(content);
        return { status: 200, body: { type, content, length } };
      },
    },
  ];
}

/**
 * Answers with a file. One that is named by another content, or by none, is
 * sent as it is now but not cached: instances of two versions may share a load
 * balancer during an update.
 */
function answerFile(
  given: string,
  files: ReadonlyMap<string, PageFile>,
): Answer {
  const file = files.get(given.replace(/\.[0-9a-f]{8}(?=\.\w+$)/, ""));
  if (file === undefined) throw new HttpError("route_not_found");
  const answer = fileAnswer(file);
  return file.name === given
    ? { ...answer, maxAge: YEAR_SECONDS, immutable: true }
    : answer;
}

function fileAnswer({ type, content, gzipped }: PageFile): Answer {
  const body = { type, content, length: content.length, gzipped };
  return { status: 200, body };
}
