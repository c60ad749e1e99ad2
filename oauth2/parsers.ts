import { isJsonType } from "./media_type.ts";
import { isForm } from "./params.ts";
import type { OAuth2Response } from "./response.ts";

/**
 * Function that reads a body. An error that it throws is the `parseError` of
 * the response, whose `parsed` is the body then.
 */
export type Parser = (body: string, response: OAuth2Response) => unknown;

/** Parsers by names and media types. */
export type Parsers = { readonly [nameOrMediaType: string]: Parser };

/**
 * Choice of a parser: its name, a parser itself, or `false` for the text as it
 * is. The media type decides where this is undefined or a name unknown.
 */
export type Parse = string | Parser | false;

/** Error of a body that is not what its media type says. */
export class MalformedBody extends SyntaxError {}

const parsers = new Map<string, Parser>([
  ["json", parseJson],
  ["text/javascript", parseJson],
  ["query", parseForm],
  ["application/x-www-form-urlencoded", parseForm],
  ["text", parseText],
]);

/** Registers a parser for the whole process, by name and by media types. */
export function registerParser(
  name: string,
  mimeTypes: readonly string[],
  parser: Parser,
): void {
  for (const key of [name, ...mimeTypes]) {
    parsers.set(key.toLowerCase(), parser);
  }
}

/** Finds the parser that a call, a client or a media type asks for. */
export function findParser(
  parse: Parse | undefined,
  contentType: string,
  untyped: Parser = parseText,
  own: Parsers = {},
): Parser {
  if (typeof parse === "function") return parse;
  if (parse === false) return parseText;
  const find = (key: string) =>
    Object.entries(own).find(([name]) => name.toLowerCase() === key)?.[1] ??
      parsers.get(key);
  return find(parse?.toLowerCase() ?? "") ?? find(contentType) ??
    (isJsonType(contentType)
      ? parseJson
      : contentType === ""
      ? untyped
      : parseText);
}

/** Reads a JSON object or array; any other value stays the text that it is. */
export function parseJson(body: string): unknown {
  if (body === "") return body;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The message of the platform would quote the body.
    throw new MalformedBody("Cannot parse the body: it is not JSON");
  }
  return typeof value === "object" && value !== null ? value : body;
}

/** Reads a form: all values are text, and a repeated name has a list of them. */
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

/**
 * Reads a token response without a media type: as a form if it can be nothing
 * else, otherwise as JSON.
 */
export function parseUntyped(body: string): unknown {
  return isForm(body) ? parseForm(body) : parseJson(body);
}

function parseText(body: string): string {
  return body;
}
