/**
 * `GET /openapi.json`: description of the API.
 */
import type { Build } from "../../build.ts";
import type { DataSource, Reader } from "../../store/store.ts";
import type { Endpoint, Route } from "../exchange.ts";
import { type Body, jsonBody } from "../exchange.ts";
import { openApiDocument } from "../open_api/document.ts";
import {
  array,
  jsonContent,
  object,
  type Schema,
  STRING,
} from "../open_api/schema.ts";

const OBJECT: Schema = { type: "object" };

const DOCUMENT: Schema = object({
  openapi: STRING,
  info: OBJECT,
  security: array(OBJECT),
  servers: array(OBJECT),
  tags: array(OBJECT),
  paths: OBJECT,
  components: OBJECT,
});

/** Description of the API. */
export const OPEN_API: Endpoint = {
  id: "getOpenApi",
  pattern: "/openapi.json",
  summary: {
    en: "the API in OpenAPI 3.1",
    pt: "a API em OpenAPI 3.1",
  },
  parameters: [],
  answers: {
    200: {
      en: "the OpenAPI document",
      pt: "o documento OpenAPI",
      content: jsonContent(DOCUMENT),
    },
  },
  errors: [],
};

/** Options of {@linkcode openApi}. */
export interface OpenApiOptions {
  /** All routes. */
  readonly endpoints: readonly Endpoint[];
  /** Running build. */
  readonly build: Build;
  /** Store of the records, whose sources the document names. */
  readonly store: Pick<Reader, "release">;
}

/**
 * Creates the route of the document, which is made on the first request, and
 * again when the data are from other sources.
 */
export function openApi({ endpoints, build, store }: OpenApiOptions): Route {
  let made: { readonly sources: string; readonly body: Body } | undefined;
  return {
    ...OPEN_API,
    async handle() {
      const sources = await sourcesOf(store);
      if (made?.sources !== `${sources}`) {
        const document = openApiDocument({ endpoints, build, sources });
        const body = jsonBody(JSON.stringify(document));
        made = { sources: `${sources}`, body };
      }
      return { status: 200, body: made.body };
    },
  };
}

/** Returns the sources of the data: the DNE without a release. */
async function sourcesOf(
  store: Pick<Reader, "release">,
): Promise<readonly DataSource[]> {
  const release = await store.release().catch(() => undefined);
  return release?.sources ?? ["dne"];
}
