/** The answer that a parser reads. */
export interface Parseable {
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** The media type, in lower case and without parameters; "" if not told. */
  readonly contentType: string;
  /** The body as text. */
  readonly body: string;
}

/**
 * Reads a body. What it throws is kept as the `parseError` of the response,
 * whose `parsed` is the body itself then.
 */
export type Parser = (body: string, response: Parseable) => unknown;

/**
 * How to read a body: the name of a parser, a parser, or `false` for not at
 * all. The media type decides where this is undefined or a name unknown.
 */
export type Parse = string | Parser | false;

const parsers = new Map<string, Parser>([
  ["json", parseJson],
  ["text/javascript", parseJson],
  ["query", parseForm],
  ["application/x-www-form-urlencoded", parseForm],
  ["text", parseText],
]);
const JSON_TYPE = /^(application|text)\/json$|\+json$/;

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

/** The parser that a caller wants, or that a media type asks for. */
export function findParser(
  parse: Parse | undefined,
  contentType: string,
  untyped: Parser = parseText,
): Parser {
  if (typeof parse === "function") return parse;
  if (parse === false) return parseText;
  return parsers.get(parse?.toLowerCase() ?? "") ?? parsers.get(contentType) ??
    (JSON_TYPE.test(contentType)
      ? parseJson
      : contentType === ""
      ? untyped
      : parseText);
}

/** Reads a JSON object or array; anything else stays the text that it is. */
export function parseJson(body: string): unknown {
  if (body === "") return body;
  const value: unknown = JSON.parse(body);
  return typeof value === "object" && value !== null ? value : body;
}

/** Reads a form: all values are text, and a repeated name has a list of them. */
export function parseForm(
  body: string,
): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const earlier = fields.get(name);
    if (earlier === undefined) fields.set(name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, [earlier, value]);
  }
  return Object.fromEntries(fields);
}

/** Reads a token answer that does not tell its type: as JSON, else as a form. */
export function parseUntyped(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return parseForm(body);
  }
}

function parseText(body: string): string {
  return body;
}
