/** Comparison of responses with the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Endpoint } from "../../../cep/http/exchange.ts";
import { openApiDocument } from "../../../cep/http/open_api/document.ts";
import { pathOf } from "../../../cep/http/open_api/operation.ts";

/** Response, read to its end. */
export interface Received {
  readonly status: number;
  /** Media type without parameters, `""` without a body. */
  readonly type: string;
  readonly text: string;
}

/** Reads a response. */
export async function receive(response: Response): Promise<Received> {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  return { status: response.status, type, text: await response.text() };
}

interface Operation {
  readonly parameters: readonly {
    readonly name: string;
    readonly example?: unknown;
  }[];
  readonly responses: Readonly<Record<string, Reference & Documented>>;
}

interface Documented {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Reference {
  readonly $ref?: string;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Documented>>;
  };
}

/** OpenAPI document of some endpoints. */
export class Contract {
  readonly document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });

  constructor(endpoints: readonly Endpoint[]) {
    const build = { version: "1.2.3", commit: "", repo: "" };
    const document = openApiDocument({ endpoints, build });
    this.document = document as unknown as OpenApi;
    this.#ajv.addSchema(closed(document) as object, "api");
  }

  /**
   * Checks that the document allows a response of an endpoint. Members of
   * objects that it does not name are refused, too. An endpoint that only
   * returns errors is not in the document.
   *
   * @throws {Error} If it does not.
   */
  check(endpoint: Endpoint, { status, type, text }: Received): void {
    if (Object.keys(endpoint.answers).length === 0) return;
    const path = pathOf(endpoint);
    const method = (endpoint.method ?? "GET").toLowerCase();
    const name = `${method} ${path}: ${status} ${type}`;
    const given = this.document.paths[path]?.[method]?.responses[status];
    if (given === undefined) throw new Error(`${name} is not documented`);
    const code = given.$ref?.split("/").at(-1);
    const documented = code === undefined
      ? given
      : this.document.components.responses[code]!;
    const types = Object.keys(documented.content ?? {});
    if (text === "" && types.length === 0) return;
    if (!types.includes(type)) throw new Error(`${name}: not one of ${types}`);
    const pointer = code === undefined
      ? ["paths", path, method, "responses", `${status}`]
      : ["components", "responses", code];
    this.#checkBody(name, pointer, type, text);
  }

  /**
   * Checks the example of each parameter of an endpoint.
   *
   * @throws {Error} If the schema of its parameter does not allow an example.
   */
  checkExamples(endpoint: Endpoint): void {
    const path = pathOf(endpoint);
    const method = (endpoint.method ?? "GET").toLowerCase();
    const parameters = this.document.paths[path]?.[method]?.parameters ?? [];
    for (const [i, { name, example = "" }] of parameters.entries()) {
      const pointer = ["paths", path, method, "parameters", `${i}`, "schema"];
      const validate = this.#schema(pointer);
      if (validate(example)) continue;
      throw new Error(`${name}: ${this.#ajv.errorsText(validate.errors)}`);
    }
  }

  /**
   * Checks that the document allows a body of a request.
   *
   * @throws {Error} If it does not.
   */
  checkRequest(endpoint: Endpoint, type: string, text: string): void {
    const path = pathOf(endpoint);
    const method = (endpoint.method ?? "GET").toLowerCase();
    const pointer = ["paths", path, method, "requestBody"];
    this.#checkBody(`${method} ${path}`, pointer, type, text);
  }

  #checkBody(
    name: string,
    pointer: readonly string[],
    type: string,
    text: string,
  ): void {
    const validate = this.#schema([...pointer, "content", type, "schema"]);
    const value = /[/+]json$/.test(type) ? JSON.parse(text) : text;
    if (validate(value)) return;
    const reasons = this.#ajv.errorsText(validate.errors);
    throw new Error(`${name}: ${reasons}: ${text}`);
  }

  #schema(pointer: readonly string[]): ValidateFunction {
    const fragment = pointer.map((it) =>
      encodeURIComponent(it.replaceAll("~", "~0").replaceAll("/", "~1"))
    ).join("/");
    return this.#ajv.getSchema(`api#/${fragment}`) ??
      this.#ajv.compile({ $ref: `api#/${fragment}` });
  }
}

/** Refuses unknown members of objects, which the document allows. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, it]) => [name, closed(it)]),
  );
  return "properties" in value && "type" in value
    ? { additionalProperties: false, ...members }
    : members;
}
