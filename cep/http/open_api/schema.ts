import { STATES, WRITTEN_CEP } from "../../record/address.ts";
import type { Translated } from "../../settings/setting.ts";

/**
 * Schema of a JSON value. A schema with a `title` becomes a component of the
 * document, named by its title.
 */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Schemas by the names of the members of an object. */
export type Properties = Readonly<Record<string, Schema>>;

/** Schemas of a body by its media type. */
export type Content = Readonly<Record<string, Schema>>;

/** Any string. */
export const STRING: Schema = { type: "string" };

/** True or false. */
export const BOOLEAN: Schema = { type: "boolean" };

/** CEP of eight digits. */
export const CEP_DIGITS: Schema = matching(/^\d{8}$/, "01310100");

/** CEP in one of its written forms. */
export const CEP_TEXT: Schema = matching(WRITTEN_CEP, "01310-100");

/** Abbreviation of a state. */
export const STATE: Schema = { type: "string", enum: STATES };

/** Abbreviation of a state in any letter case. */
export const STATE_TEXT: Schema = matching(
  new RegExp(`^(?:${STATES.map(inAnyCase).join("|")})$`),
  "SP",
);

/** A string of a pattern. */
export function matching({ source }: RegExp, example: string): Schema {
  // Outside JavaScript, \d and \D are about the digits of all scripts.
  const pattern = source.replaceAll("\\d", "[0-9]")
    .replaceAll("\\D", "[^0-9]");
  return { type: "string", pattern, examples: [example] };
}

function inAnyCase(text: string): string {
  return text.replaceAll(/./g, (it) => `[${it}${it.toLowerCase()}]`);
}

/** One of several strings. */
export function oneOfStrings(...values: string[]): Schema {
  return { type: "string", enum: values };
}

/** A whole number. */
export function integer(minimum = 0, maximum?: number): Schema {
  return {
    type: "integer",
    minimum,
    ...(maximum !== undefined && { maximum }),
  };
}

/** A number. */
export function number(minimum?: number, maximum?: number): Schema {
  return {
    type: "number",
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

/** A value of a schema, or null. */
export function nullable(schema: Schema): Schema {
  return typeof schema["type"] === "string" && !("title" in schema) &&
      !("enum" in schema)
    ? { ...schema, type: [schema["type"], "null"] }
    : { anyOf: [schema, { type: "null" }] };
}

/** A value of any of several schemas. */
export function anyOf(...schemas: Schema[]): Schema {
  return { anyOf: schemas };
}

/** An array. */
export function array(items: Schema, maxItems?: number): Schema {
  return { type: "array", items, ...(maxItems !== undefined && { maxItems }) };
}

/** An object with the members of `required`, and perhaps those of `optional`. */
export function object(
  required: Properties,
  optional: Properties = {},
): Schema {
  return {
    type: "object",
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** An object with any names as members. */
export function record(values: Schema): Schema {
  return { type: "object", additionalProperties: values };
}

/** A schema with a description, which the document has in its language. */
export function described(description: Translated, schema: Schema): Schema {
  return { ...schema, description };
}

/** A schema that is a component of the document. */
export function named(title: string, schema: Schema): Schema {
  return { ...schema, title };
}

/** A body of JSON. */
export function jsonContent(schema: Schema): Content {
  return { "application/json": schema };
}

/** A body of text. */
export function textContent(type = "text/plain"): Content {
  return { [type]: STRING };
}

/** A body of JSON values, one per line. */
export function linesContent(line: Schema): Content {
  const type = "application/x-ndjson";
  return {
    [type]: { type: "string", contentMediaType: type, contentSchema: line },
  };
}
