import { FORM_TYPE } from "../core/body.ts";
import { isForm, isPlainObject } from "../core/params.ts";
import { MalformedBody, parseForm, parseJson } from "../core/parsers.ts";
import type { Parser, Parsers } from "../core/response.ts";

/**
 * Deviations of the responses of a server. A path names members of nested
 * objects: `error.type`.
 */
export interface ResponseQuirks {
  /**
   * Reads responses with the media type `text/plain`, `text/html` or
   * `text/javascript` as JSON or as a form.
   *
   * @default {false}
   */
  readonly textResponses?: boolean | undefined;
  /**
   * Paths of the error code and its description, for errors that are no
   * `error` of the specifications. A response with such a code is an error,
   * whatever its status.
   */
  readonly error?: {
    readonly code: string;
    readonly description?: string | undefined;
    /** Registered codes, by those of this server. */
    readonly codes?: { readonly [code: string]: string } | undefined;
  } | undefined;
  /** Path of the object with the token, instead of the whole response. */
  readonly tokenPath?: string | undefined;
  /**
   * Separator of scopes in responses, or `list` for a list.
   *
   * @default {" "}
   */
  readonly responseScopes?: string | undefined;
  /** Registered names of fields, by their names at this server. */
  readonly fieldNames?: { readonly [name: string]: string } | undefined;
}

/** Returns true for the URL of an endpoint of the server. */
export type IsEndpoint = (url: string) => boolean;

type Fields = Record<string, unknown>;

const TEXT_TYPES = ["text/plain", "text/html", "text/javascript"];

/** Parsers that change the responses of the endpoints. */
export function quirkyParsers(
  quirks: ResponseQuirks,
  isEndpoint: IsEndpoint,
): Parsers {
  const { textResponses, error, fieldNames } = quirks;
  const at = (parser: Parser, other: Parser): Parser => (body, response) =>
    isEndpoint(response.url)
      ? change(quirks, parser(body, response))
      : other(body, response);
  const parsers: Record<string, Parser> = {};
  if (error || fieldNames) {
    parsers["application/json"] = at(parseJson, parseJson);
    parsers[FORM_TYPE] = at(parseForm, parseForm);
  }
  for (const type of textResponses ? TEXT_TYPES : []) {
    // The core reads text/javascript as JSON.
    const other = type === "text/javascript"
      ? parseJson
      : (body: string) => body;
    parsers[type] = at(parseText, other);
  }
  return parsers;
}

/** Parses text as a form or as JSON; other text is returned as it is. */
function parseText(text: string): unknown {
  if (isForm(text.trim())) return parseForm(text.trim());
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof MalformedBody) return text;
    throw error;
  }
}

/** Gives errors and fields the form of the specifications. */
function change(
  { error, fieldNames = {} }: ResponseQuirks,
  parsed: unknown,
): unknown {
  if (!isPlainObject(parsed)) return parsed;
  const code = error && find(parsed, error.code);
  if (isText(code) || typeof code === "number") {
    const description = error?.description !== undefined
      ? find(parsed, error.description)
      : undefined;
    return {
      // The original is in the body of the response.
      error: Object.hasOwn(error?.codes ?? {}, code)
        ? error!.codes![code]
        : String(code),
      ...isText(description) && { error_description: description },
    };
  }
  const own = new Set(Object.keys(parsed));
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => {
      const other = Object.hasOwn(fieldNames, name) ? fieldNames[name]! : name;
      // The registered name wins if there are both.
      return [own.has(other) ? name : other, value];
    }),
  );
}

/** Finds the object with the token, and joins its scopes with spaces. */
export function extractToken(
  { tokenPath, responseScopes }: ResponseQuirks,
  fields: Fields,
): Fields | undefined {
  const found = tokenPath === undefined ? fields : find(fields, tokenPath);
  if (!isPlainObject(found)) return undefined;
  const { scope } = found;
  if (responseScopes === undefined) return found;
  const scopes = responseScopes === "list"
    ? scope
    : isText(scope)
    ? scope.split(responseScopes)
    : undefined;
  if (!Array.isArray(scopes) || !scopes.every(isText)) return found;
  return { ...found, scope: scopes.map((scope) => scope.trim()).join(" ") };
}

function find(value: unknown, path: string): unknown {
  return path.split(".").reduce(
    (object, name) =>
      isPlainObject(object) && Object.hasOwn(object, name)
        ? object[name]
        : undefined,
    value,
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
