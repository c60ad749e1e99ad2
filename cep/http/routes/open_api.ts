/**
 * `GET /openapi.json`: description of the API.
 *
 * @module
 */
import type { Build } from "../../build.ts";
import type { Endpoint, Route } from "../exchange.ts";
import { jsonBody } from "../exchange.ts";
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
  /** All other routes. */
  readonly routes: readonly Endpoint[];
  /** Running build. */
  readonly build: Build;
}

/** Creates the route of the document, which is made on the first request. */
export function openApi({ routes, build }: OpenApiOptions): Route {
  let text: string | undefined;
  return {
    ...OPEN_API,
    handle() {
      const endpoints = [...routes, OPEN_API];
      text ??= JSON.stringify(openApiDocument({ endpoints, build }));
      return { status: 200, body: jsonBody(text) };
    },
  };
}
