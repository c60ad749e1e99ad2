import type { Schema } from "../open_api/schema.ts";
import { describeError, type ErrorCode, ERRORS } from "../errors.ts";
import { TAGS } from "../open_api/tags.ts";
import type { PageFiles } from "../web_page/page_files.ts";
import { FOLDER } from "../web_page/render.ts";
import { escapeHtml } from "../web_page/template.ts";
import type { PageLanguage } from "../web_page/texts.ts";
import { DOCS_TEXTS, type DocsTexts } from "./docs_texts.ts";
import { memberNames, richText, typeHtml } from "./schema_html.ts";

/** Parameter in the OpenAPI document. */
interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly example?: string | number;
}

/** Bodies by media type. */
type ContentObject = Readonly<
  Record<string, { readonly schema: Schema; readonly example?: unknown }>
>;

/** Response, or a reference to one. */
interface ResponseObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: ContentObject;
}

/** Operation in the OpenAPI document. */
interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly ParameterObject[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: ContentObject;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** Parts of the OpenAPI document that the page shows. */
export interface OpenApiObject {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, OperationObject>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Options of {@linkcode renderDocs}. */
interface DocsView {
  /** OpenAPI document in the language of the page. */
  readonly document: OpenApiObject;
  readonly language: PageLanguage;
  /** True if the query names the language. */
  readonly isChosen: boolean;
  /** Relative URL of the service, with a slash at its end. */
  readonly root: string;
}

/** Operation with its place in the document. */
interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** Renders the reference of the API. */
export function renderDocs(
  { loaded }: Pick<PageFiles, "loaded">,
  { document, language, isChosen, root }: DocsView,
): string {
  const texts = DOCS_TEXTS[language];
  const fileOf = (name: string) => `${root}${FOLDER}/${loaded.get(name)!.name}`;
  const groups = groupsOf(document);
  const home = isChosen ? `${root}?lang=${language}` : root;
  return `<!doctype html>
<html lang="${texts.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${texts.title}</title>
<link rel="icon" type="image/svg+xml" href="${fileOf("icon.svg")}">
<link rel="stylesheet" href="${fileOf("style.css")}">
<link rel="stylesheet" href="${fileOf("docs.css")}">
</head>
<body class="docs">
<a class="skip" href="#operations">${texts.skip}</a>
<header class="site wrap">
<a class="brand" href="${home}">CEP</a>
<nav aria-label="${texts.home}">
<a href="${root}openapi.json">openapi.json</a>
<a href="?lang=${texts.other}" lang="${texts.other}" hreflang="${texts.other}">${texts.otherName}</a>
</nav>
</header>
<main class="wrap">
<h1>${texts.title}</h1>
<p>${richText(texts.intro)}</p>
<nav class="index" id="operations" aria-label="${texts.operations}">
${groups.map((it) => indexHtml(it, language)).join("\n")}
</nav>
${groups.map((it) => groupHtml(it, language, root)).join("\n")}
<section aria-labelledby="errors"><h2 id="errors">${texts.errors}</h2>
<dl>${errorsHtml(document, language)}</dl></section>
<section aria-labelledby="schemas"><h2 id="schemas">${texts.schemas}</h2>
<p>${richText(texts.schemasIntro)}</p>
${schemasHtml(document)}</section>
</main>
<footer class="wrap"><p class="fine">${
    escapeHtml(document.info.version)
  }</p></footer>
</body>
</html>
`;
}

/** Operations by the name of their group. */
type Group = readonly [name: string, operations: readonly Placed[]];

function groupsOf({ tags, paths }: OpenApiObject): Group[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({
      method: method.toUpperCase(),
      path,
      operation,
    }))
  );
  return tags.map(({ name }) => [
    name,
    all.filter(({ operation }) => operation.tags.includes(name)),
  ]);
}

function titleOf(name: string, language: PageLanguage): string {
  const { title } = TAGS.find((tag) => tag.name === name)!;
  return escapeHtml(title[language]);
}

function indexHtml([name, operations]: Group, language: PageLanguage): string {
  const items = operations.map(({ method, path, operation }) =>
    `<li><a href="#${operation.operationId}">${method} ${path}</a></li>`
  );
  return `<p><a href="#group-${name}">${titleOf(name, language)}</a></p>
<ul>${items.join("")}</ul>`;
}

function groupHtml(
  [name, operations]: Group,
  language: PageLanguage,
  root: string,
): string {
  const texts = DOCS_TEXTS[language];
  return `<section aria-labelledby="group-${name}">
<h2 id="group-${name}">${titleOf(name, language)}</h2>
${operations.map((it) => operationHtml(it, texts, root)).join("\n")}
</section>`;
}

function operationHtml(
  { method, path, operation }: Placed,
  texts: DocsTexts,
  root: string,
): string {
  const { operationId, summary, parameters, requestBody, responses } =
    operation;
  const answers = Object.entries(responses)
    .map(([status, it]) => answerHtml(status, it)).join("");
  const example = method === "GET" ? exampleOf(path, parameters) : undefined;
  return `<article aria-labelledby="${operationId}">
<h3 id="${operationId}"><code>${method} ${path}</code></h3>
<p>${richText(summary)}.</p>
${
    example === undefined
      ? ""
      : `<p>${texts.example}: <a href="${escapeHtml(root + example)}"><code>` +
        `${escapeHtml(`/${example}`)}</code></a></p>`
  }
${
    parameters.length === 0 ? "" : `<h4>${texts.parameters}</h4>
<dl>${parameters.map((it) => parameterHtml(it, texts)).join("")}</dl>`
  }
${
    requestBody === undefined
      ? ""
      : `<h4>${texts.body}</h4><p>${richText(requestBody.description)}.</p>
${bodyHtml(requestBody.content)}`
  }
<h4>${texts.answers}</h4>
<dl>${answers}</dl>
</article>`;
}

/** URL of an example, relative to the service. */
function exampleOf(
  path: string,
  parameters: readonly ParameterObject[],
): string {
  const filled = path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name) => {
    const found = parameters.find((it) => it.name === name);
    return encodeURIComponent(`${found?.example}`);
  });
  const inQuery = parameters.filter((it) => it.in === "query");
  const required = inQuery.filter((it) => it.required);
  // Without any, many routes return all, or nothing.
  const sent = required.length > 0 || path.includes("{")
    ? required
    : inQuery.slice(0, 1);
  const query = new URLSearchParams(
    sent.map(({ name, example }) => [name, `${example}`]),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function parameterHtml(
  { name, required, description }: ParameterObject,
  texts: DocsTexts,
): string {
  const mark = required ? ` <span>${texts.required}</span>` : "";
  return `<dt><code>${escapeHtml(name)}</code>${mark}</dt>` +
    `<dd>${richText(description)}</dd>`;
}

function bodyHtml(content: ContentObject): string {
  return Object.entries(content).map(([type, { example }]) => {
    const text = typeof example === "string"
      ? example
      : JSON.stringify(example, null, 2);
    return `<p><code>${type}</code></p>
<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
  }).join("\n");
}

const ERROR_REFERENCE = /"#\/components\/(?:responses\/|schemas\/Erro_)(\w+)"/g;

function answerHtml(status: string, response: ResponseObject): string {
  const { description = "", content = {} } = response;
  const codes = [...JSON.stringify(response).matchAll(ERROR_REFERENCE)]
    .map(([, code]) => code!);
  const isError = Number(status) >= 400 && codes.length > 0;
  const text = isError ? "" : `<p>${richText(description)}</p>`;
  const links = [...new Set(codes)]
    .map((code) => `<a href="#Erro_${code}"><code>${code}</code></a>`);
  const types = Object.entries(content).map(([type, { schema }]) =>
    `<p><code>${type}</code> <code class="type">${typeHtml(schema)}</code></p>`
  );
  return `<dt>${status}</dt><dd>${text}${
    isError ? links.join(", ") : types.join("")
  }</dd>`;
}

const ERROR_SCHEMA = /^Erro_/;

function errorsHtml(
  { components }: OpenApiObject,
  language: PageLanguage,
): string {
  return Object.keys(components.schemas).filter((it) => ERROR_SCHEMA.test(it))
    .map((name) => {
      const code = name.replace(ERROR_SCHEMA, "") as ErrorCode;
      const { status, cause, example } = ERRORS[code];
      const { error } = describeError(code, example).body;
      return `<dt id="${name}"><code>${code}</code> ${status}</dt>
<dd><p>${richText(cause[language])}</p>
<p lang="pt-BR"><q>${escapeHtml(error)}</q></p></dd>`;
    }).join("\n");
}

function schemasHtml({ components }: OpenApiObject): string {
  return Object.entries(components.schemas)
    .filter(([name]) => !ERROR_SCHEMA.test(name))
    .map(([name, schema]) => {
      const members = schema["properties"] as Record<string, object>;
      const values = Object.values(members ?? {}) as Record<string, unknown>[];
      const rows = memberNames(schema).map((member, i) => {
        const { description = "" } = values[i]!;
        return `<dt><code>${escapeHtml(member)}: ${
          typeHtml(values[i]!)
        }</code></dt><dd>${richText(`${description}`)}</dd>`;
      });
      return `<h3 id="${name}"><code>${name}</code></h3>
<dl>${rows.join("")}</dl>`;
    }).join("\n");
}
