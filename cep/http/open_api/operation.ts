import { type Translated, withoutMarks } from "../../settings/setting.ts";
import { type ErrorCode, type ErrorKind, ERRORS } from "../errors.ts";
import {
  type AnswerDoc,
  COMMON_ERRORS,
  type Endpoint,
  type Parameter,
} from "../exchange.ts";
import type { Components } from "./components.ts";
import { errorSchema } from "./error_schema.ts";
import { type Content, jsonContent, type Schema, STRING } from "./schema.ts";
import { tagOf } from "./tags.ts";

/** Object of the document. */
export type Json = Record<string, unknown>;

/**
 * Errors of an operation. A request with another method does not belong to it.
 */
export function errorsOf(
  { errors, free, lenient }: Pick<Endpoint, "errors" | "free" | "lenient">,
): readonly ErrorCode[] {
  const common = COMMON_ERRORS.filter((code) =>
    code !== "method_not_allowed" && !(free && code === "rate_limited")
  );
  // Unknown parameters are refused.
  const strict: ErrorCode[] = free || lenient ? [] : ["parameter_invalid"];
  return [...new Set([...errors, ...strict, ...common])];
}

/** Returns the path of a pattern in the document: `/cep/{cep}`. */
export function pathOf({ pattern }: Pick<Endpoint, "pattern">): string {
  return pattern.replaceAll(/:(\w+)/g, "{$1}");
}

/** Returns the operation of an endpoint. */
export function operationOf(endpoint: Endpoint, components: Components): Json {
  const { content, summary, parameters } = endpoint;
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint)],
    summary: withoutMarks(sentence(summary, components)),
    parameters: [
      ...parameters.map((it) => parameterOf(it, components)),
      ...(304 in endpoint.answers ? [ifNoneMatch(components)] : []),
    ],
    ...(content && {
      requestBody: {
        description: sentence(content.description, components),
        required: true,
        content: Object.fromEntries(
          Object.entries(content.examples).map(([type, example]) => [type, {
            schema: components.lift(content.content?.[type] ?? STRING),
            example: isJson(type) ? JSON.parse(example) : example,
          }]),
        ),
      },
    }),
    responses: responsesOf(endpoint, components),
  };
}

/** Returns the reference to the response of an error. */
export function errorReference(code: ErrorCode): Json {
  return { $ref: `#/components/responses/${code}` };
}

/** Returns the response of an error, for the components of the document. */
export function errorResponse(code: ErrorCode, components: Components): Json {
  const { cause }: ErrorKind = ERRORS[code];
  return {
    description: sentence(cause, components),
    ...(code === "rate_limited" && {
      headers: {
        "Retry-After": {
          description: sentence(WAIT, components),
          schema: { type: "integer", minimum: 1 },
        },
      },
    }),
    content: contentOf(jsonContent(errorSchema(code)), components),
  };
}

const WAIT = { en: "seconds to wait", pt: "segundos de espera" };

const EARLIER = {
  en: "`ETag` of an earlier response: without a change, the status is 304",
  pt: "`ETag` de uma resposta anterior: sem mudança, a resposta é 304",
};

const VERSION = { en: "version of the record", pt: "versão do registro" };

function ifNoneMatch(components: Components): Json {
  const description = sentence(EARLIER, components);
  return { name: "If-None-Match", in: "header", description, schema: STRING };
}

function isJson(type: string): boolean {
  return type === "application/json";
}

/** Returns a text in the language of the document, with a capital letter. */
function sentence(texts: Translated, { language }: Components): string {
  const { [language]: text } = texts;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function parameterOf(parameter: Parameter, components: Components): Json {
  const { name, in: location, description, example, schema = STRING, unless } =
    parameter;
  return {
    name,
    in: location,
    required: location === "path" || unless?.length === 0,
    description: sentence(description, components) +
      condition(parameter, components),
    schema: components.lift(schema),
    example: isNumeric(schema) ? Number(example) : example,
  };
}

function isNumeric({ type }: Schema): boolean {
  return type === "integer" || type === "number";
}

/** Describes when a parameter is required; OpenAPI has no member for it. */
function condition(
  { unless = [] }: Parameter,
  { language }: Components,
): string {
  if (unless.length === 0) return "";
  const names = unless.map((name) => `\`${name}\``).join(", ");
  return `; ${
    language === "pt" ? "obrigatório sem" : "required without"
  } ${names}`;
}

function responsesOf(endpoint: Endpoint, components: Components): Json {
  const codes: ReadonlyMap<number, readonly ErrorCode[]> = Map.groupBy(
    errorsOf(endpoint),
    (code) => ERRORS[code].status,
  );
  const statuses = new Set([
    ...Object.keys(endpoint.answers).map(Number),
    ...codes.keys(),
  ]);
  return Object.fromEntries(
    [...statuses].sort((a, b) => a - b).map((status) => [
      status,
      responseOf(endpoint, status, codes.get(status) ?? [], components),
    ]),
  );
}

function responseOf(
  { answers }: Endpoint,
  status: number,
  codes: readonly ErrorCode[],
  components: Components,
): Json {
  const answer: AnswerDoc | undefined = answers[status];
  const [code, ...others] = codes;
  if (answer === undefined && code !== undefined && others.length === 0) {
    return errorReference(code);
  }
  const descriptions = [
    ...(answer === undefined ? [] : [sentence(answer, components)]),
    ...codes.map((code) => sentence(ERRORS[code].cause, components)),
  ];
  const content = { ...answer?.content, ...errorContent(codes, answer) };
  return {
    description: descriptions.join("; "),
    ...(status < 400 && 304 in answers && {
      headers: {
        ETag: { description: sentence(VERSION, components), schema: STRING },
      },
    }),
    ...(Object.keys(content).length > 0 && {
      content: contentOf(content, components),
    }),
  };
}

/** Returns the JSON of several errors, and of an answer with their status. */
function errorContent(
  codes: readonly ErrorCode[],
  answer: AnswerDoc | undefined,
): Content {
  if (codes.length === 0) return {};
  const own = answer?.content?.["application/json"];
  const schemas = [...(own ? [own] : []), ...codes.map(errorSchema)];
  return jsonContent(
    schemas.length === 1 ? schemas[0]! : { oneOf: schemas },
  );
}

function contentOf(content: Content, components: Components): Json {
  return Object.fromEntries(
    Object.entries(content)
      .map(([type, schema]) => [type, { schema: components.lift(schema) }]),
  );
}
