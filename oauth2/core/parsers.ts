import { isJsonType } from "./media_type.ts";
import { isForm } from "./params.ts";
import type { OAuth2Response } from "./response.ts";

/**
 * Function that parses a body. If it throws, the error is the `parseError` of
 * the response, and `parsed` is the body as text.
 */
export type Parser = (body: string, response: OAuth2Response) => unknown;

/** Parsers by name or media type. */
export type Parsers = { readonly [nameOrMediaType: string]: Parser };

/**
 * Parser, name of a parser, or false for text. Undefined and unknown names
 * select the parser of the media type.
 */
export type Parse = string | Parser | false;

/** Body that does not match its media type. */
export class MalformedBody extends SyntaxError {}

const parsers = new Map<string, Parser>([
  ["json", parseJson],
  ["application/json", parseJson],
  ["text/javascript", parseJson],
  ["query", parseForm],
  ["application/x-www-form-urlencoded", parseForm],
  ["text", parseText],
]);

/** Registers a parser of the process by name and media types. */
export function registerParser(
  name: string,
  mimeTypes: readonly string[],
  parser: Parser,
): void {
  for (const key of [name, ...mimeTypes]) {
    parsers.set(key.toLowerCase(), parser);
  }
}

/** Returns the parser of a call, a client or a media type. */
export function findParser(
  parse: Parse | undefined,
  contentType: string,
  untyped: Parser = parseText,
  own: Parsers = {},
): Parser {
  if (typeof parse === "function") return parse;
  if (parse === false) return parseText;
  const find = (key: string) => {
    const name = Object.keys(own).find((name) => name.toLowerCase() === key);
    return (name !== undefined && own[name]) || parsers.get(key);
  };
  return (parse && find(parse.toLowerCase())) || find(contentType) ||
    (isJsonType(contentType)
      ? parseJson
      : contentType === ""
      ? untyped
      : parseText);
}

/** Parses a JSON object or array. Other JSON values are returned as text. */
export function parseJson(body: string): unknown {
  if (body === "") return body;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The platform's message would quote the body.
    throw new MalformedBody("Cannot parse the body: it is not JSON");
  }
  return typeof value === "object" && value !== null ? value : body;
}

/** Parses a form. Values are text, or a list of texts for a repeated name. */
export function parseForm(
  body: string,
): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const earlier = fields.get(name);
    if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, earlier === undefined ? value : [earlier, value]);
  }
  return Object.fromEntries(fields);
}

/** Parses a token response without a media type, as a form or as JSON. */
export function parseUntyped(body: string): unknown {
  return isForm(body) ? parseForm(body) : parseJson(body);
}

function parseText(body: string): string {
  return body;
}
