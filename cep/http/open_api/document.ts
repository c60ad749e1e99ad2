import type { Translated } from "../../settings/setting.ts";
import type { Build } from "../../build.ts";
import type { DataSource } from "../../store/store.ts";
import type { Endpoint } from "../exchange.ts";
import { describeSources } from "../sources.ts";
import { Components } from "./components.ts";
import {
  errorReference,
  errorResponse,
  errorsOf,
  type Json,
  operationOf,
  pathOf,
} from "./operation.ts";
import { tagOf, TAGS } from "./tags.ts";

/** Options of {@linkcode openApiDocument}. */
export interface DocumentOptions {
  /** Documentation of the routes. */
  readonly endpoints: readonly Endpoint[];
  /** Running build. */
  readonly build: Build;
  /**
   * Sources of the data.
   *
   * @default {["dne"]}
   */
  readonly sources?: readonly DataSource[];
  /**
   * Language of operations and schemas.
   *
   * @default {"pt"}
   */
  readonly language?: keyof Translated;
}

const CONVENTIONS = "`HEAD` é aceito onde `GET` é aceito, e uma " +
  "barra no fim da rota é ignorada. Outro método resulta em 405, com `Allow`; " +
  "uma rota desconhecida, em 404, com o código `route_not_found`.";

/** Creates the OpenAPI 3.1 document of the routes. */
export function openApiDocument(
  { endpoints, build, sources = ["dne"], language }: DocumentOptions,
): Json {
  const components = new Components(language);
  const paths: Record<string, Json> = {};
  // A path that only returns errors is not an operation.
  const useful = endpoints.filter(({ answers }) =>
    Object.keys(answers).length > 0
  );
  for (const endpoint of useful) {
    const { method = "GET" } = endpoint;
    const operations = paths[pathOf(endpoint)] ??= {};
    operations[method.toLowerCase()] = operationOf(endpoint, components);
  }
  const codes = [...new Set(useful.flatMap(errorsOf))].filter((code) =>
    JSON.stringify(paths).includes(JSON.stringify(errorReference(code)))
  );
  const responses = Object.fromEntries(
    codes.map((code) => [code, errorResponse(code, components)]),
  );
  const used = new Set(useful.map(tagOf));
  return {
    openapi: "3.1.1",
    info: {
      title: "CEP",
      version: build.version,
      description: `${describeSources(sources)} ${CONVENTIONS}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [],
    servers: [{ url: "." }],
    tags: TAGS.filter(({ name }) => used.has(name))
      .map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas: components.schemas, responses },
  };
}
