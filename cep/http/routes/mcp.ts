/**
 * `POST /mcp`: the API as tools of agents, by the Model Context Protocol over
 * Streamable HTTP, without sessions.
 */
import type { Build } from "../../build.ts";
import { describeError, HttpError } from "../errors.ts";
import {
  type Endpoint,
  type Exchange,
  type Route,
  textBody,
} from "../exchange.ts";
import { type Schema, STRING } from "../open_api/schema.ts";
import { refuseUnknown } from "../parameters.ts";
import { contentType, readJson } from "../read_body.ts";

/** Operations that are tools: those that answer a question about a place. */
const TOOLS: readonly string[] = [
  "getCep",
  "searchAddresses",
  "matchAddress",
  "findNearest",
  "listMunicipalities",
  "getMunicipality",
  "listDistricts",
  "listNeighbourhoods",
];

/** Maximum size of a message, several times that of an address. */
const MAX_BYTES = 65_536;

/** Headers that the protocol reads. */
const HEADERS: readonly string[] = [
  "accept",
  "content-type",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
];

/** Tools for agents. The protocol describes them itself, so OpenAPI does not. */
const MCP: Endpoint = {
  method: "POST",
  id: "callMcp",
  pattern: "/mcp",
  summary: { en: "tools for agents", pt: "ferramentas para agentes" },
  parameters: [],
  answers: {},
  errors: [],
};

/** As much of `@modelcontextprotocol/server` as is used. */
export interface McpLibrary {
  readonly Server: new (
    info: { readonly name: string; readonly version: string },
    options: { readonly capabilities: { readonly tools: object } },
  ) => McpServer;
  readonly createMcpHandler: (
    create: () => McpServer,
    options: { readonly maxSubscriptions: number },
  ) => {
    fetch(
      request: Request,
      options: { readonly parsedBody: unknown },
    ): Promise<Response>;
  };
}

interface McpServer {
  setRequestHandler(
    method: string,
    handle: (request: ToolRequest) => unknown,
  ): void;
}

interface ToolRequest {
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}

/** Options of {@linkcode mcp}. */
export interface McpOptions {
  /** Routes, some of which are tools. */
  readonly routes: readonly Route[];
  /** Running build. */
  readonly build: Build;
}

/** Returns a function that creates the route of agents. */
export function mcp(library: McpLibrary): (options: McpOptions) => Route {
  return ({ routes, build }) => {
    const tools = routes.filter(({ id }) => TOOLS.includes(id));
    const list = { tools: tools.map(toTool) };
    return {
      ...MCP,
      async handle(exchange) {
        contentType(exchange, "application/json");
        const parsedBody = await readJson(exchange, MAX_BYTES);
        if (!isObject(parsedBody)) {
          throw new HttpError("body_invalid", {
            motivo: "deve ser uma mensagem JSON-RPC",
          });
        }
        // The library would answer an unexpected error, and nobody would log it.
        let failure: { readonly error: unknown } | undefined;
        const create = () => {
          const { version } = build;
          const server = new library.Server(
            { name: "carteiro-cep", version },
            { capabilities: { tools: {} } },
          );
          server.setRequestHandler("tools/list", () => list);
          server.setRequestHandler("tools/call", async ({ params }) => {
            try {
              return await call(exchange, tools, params);
            } catch (error) {
              failure = { error };
              throw error;
            }
          });
          return server;
        };
        // A subscription would keep the answer open, and nothing ever changes.
        const { fetch } = library.createMcpHandler(create, {
          maxSubscriptions: 0,
        });
        const response = await fetch(toRequest(exchange), { parsedBody });
        const text = await response.text();
        if (failure !== undefined) throw failure.error;
        const type = response.headers.get("content-type") ?? "text/plain";
        return {
          status: response.status,
          ...(text !== "" && { body: textBody(text, type) }),
        };
      },
    };
  };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Describes an operation as a tool. */
function toTool({ id, summary, parameters, content }: Endpoint): object {
  const body = content?.content?.["application/json"];
  return {
    name: id,
    description: summary.pt,
    inputSchema: body ?? schemaOf(parameters),
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

function schemaOf(parameters: Endpoint["parameters"]): Schema {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, example, schema = STRING }) => [
      name,
      { ...schema, description: description.pt, examples: [example] },
    ]),
  );
  const required = parameters
    .filter(({ in: location, unless }) =>
      location === "path" || unless?.length === 0
    )
    .map(({ name }) => name);
  return { type: "object", properties, required, additionalProperties: false };
}

/** Calls a tool. An error of the API is a result, which an agent can read. */
async function call(
  exchange: Exchange,
  tools: readonly Route[],
  { name = "", arguments: values = {} }: ToolRequest["params"] = {},
): Promise<object> {
  try {
    const route = tools.find(({ id }) => id === name);
    if (route === undefined) refuseUnknown(name, tools.map(({ id }) => id));
    const { body } = await route.handle(toExchange(exchange, route, values));
    return resultOf(`${body?.content}`, false);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { body } = describeError(error.code, error.details);
    return resultOf(JSON.stringify(body), true);
  }
}

function resultOf(text: string, isError: boolean): object {
  return {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text),
    isError,
  };
}

/** Returns the exchange of an operation with the given values. */
function toExchange(
  exchange: Exchange,
  route: Route,
  values: Readonly<Record<string, unknown>>,
): Exchange {
  const { method = "GET", parameters } = route;
  const variables: Record<string, string> = {};
  const query = new URLSearchParams();
  if (method === "GET") {
    for (const [name, value] of Object.entries(values)) {
      const parameter = parameters.find((it) => it.name === name);
      if (parameter === undefined) {
        refuseUnknown(name, parameters.map((it) => it.name));
      }
      if (parameter.in === "path") variables[name] = `${value}`;
      else query.set(name, `${value}`);
    }
  }
  const request = new Request("http://localhost/", {
    method,
    ...(method === "POST" && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(values),
    }),
  });
  return {
    ...exchange,
    request,
    requestHeaders: request.headers,
    method,
    query: `${query}`,
    route,
    variables: { ...missing(parameters), ...variables },
    headers: {},
  };
}

/** Returns empty texts for the variables of a path, which are required. */
function missing(parameters: Endpoint["parameters"]): Record<string, string> {
  return Object.fromEntries(
    parameters.filter((it) => it.in === "path").map(({ name }) => [name, ""]),
  );
}

/** Returns the request as the library reads it; its body is read already. */
function toRequest({ requestHeaders }: Exchange): Request {
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = requestHeaders.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new Request("http://localhost/mcp", { method: "POST", headers });
}

/** Package that is loaded, and its versions. */
export const MCP_PACKAGE = {
  name: "@modelcontextprotocol/server",
  version: "^2.4.0",
};

/**
 * Loads the library, whose name is no literal, so that neither bundles nor the
 * executable contain it.
 *
 * @throws {Error} If it is not installed.
 */
export async function loadMcp(): Promise<McpLibrary> {
  const { name, version } = MCP_PACKAGE;
  try {
    return await ("Deno" in globalThis
      ? import(`npm:/${name}@${version}`)
      : import(`@modelcontextprotocol/${"server"}`));
  } catch (error) {
    throw new Error(
      `Cannot load ${name}, which API_MCP needs: install it beside the service`,
      { cause: error },
    );
  }
}
