/** Comparison of outcomes. */
import { assertEquals, AssertionError } from "@std/assert";
import { inspect } from "node:util";
import {
  AccessToken,
  ConnectionError,
  OAuth2Error,
  OAuth2Response,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { TOKEN_CLASSES } from "./functions.ts";
import type { Json, Outcome, Text, UrlOutcome } from "./vector.ts";

/** Actual outcome of a call. */
export type Got = { readonly value: unknown } | { readonly thrown: unknown };

/** Throws at the first difference between two outcomes. */
export function checkOutcome(got: Got, outcome: Outcome): void {
  const { url, token, response, text, error } = outcome;
  if (error && !token && !response) {
    if (!("thrown" in got)) {
      throw new AssertionError(`not an error: ${inspect(got.value)}`);
    }
    return checkError(got.thrown, error);
  }
  if ("thrown" in got) throw got.thrown;
  const { value } = got;
  if (url !== undefined) {
    checkUrl(value, url);
  } else if (token) {
    checkToken(value, token);
    if (error) checkError((value as AccessToken).response?.error, error);
  } else if (response) {
    checkResponse(value, response);
    if (error) checkError((value as OAuth2Response).error, error);
  } else if (text) {
    checkText(String(value), text);
  } else {
    assertEquals(value, outcome.value);
  }
}

function checkUrl(value: unknown, expected: string | UrlOutcome): void {
  if (typeof expected === "string") return assertEquals(value, expected);
  const { origin, pathname, searchParams } = new URL(String(value));
  if (expected.origin_and_path !== undefined) {
    assertEquals(origin + pathname, expected.origin_and_path);
  }
  if (expected.query) {
    const query = [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    });
    assertEquals(Object.fromEntries(query), expected.query);
  }
  checkText(String(value), expected);
}

function checkToken(value: unknown, expected: Json): void {
  assertIsA(value, AccessToken);
  const { class: name, response, ...fields } = expected;
  if (name !== undefined) {
    assertEquals(value.constructor, TOKEN_CLASSES[String(name)]);
  }
  checkFields({
    token: value.token,
    refresh_token: value.refreshToken,
    expires_in: value.expiresIn,
    expires_at: value.expiresAt,
    expires_latency: value.expiresLatency,
    expires: value.expires(),
    expired: value.expired(),
    params: value.params,
  }, fields);
  if (response) checkResponse(value.response, response as Json);
}

function checkResponse(value: unknown, expected: Json): void {
  assertIsA(value, OAuth2Response);
  const { headers, ...fields } = expected;
  checkFields({
    status: value.status,
    url: value.url,
    content_type: value.contentType,
    body: value.body,
    parsed: value.parsed,
    parse_error: value.parseError !== undefined,
    error: value.error,
  }, fields);
  checkFields(Object.fromEntries(value.headers), headers as Json ?? {});
}

const ERROR_KINDS: Record<string, (error: unknown) => boolean> = {
  oauth2: (error) => error instanceof OAuth2Error,
  connection: (error) =>
    error instanceof ConnectionError && !(error instanceof TimeoutError),
  timeout: (error) => error instanceof TimeoutError,
  argument: (error) => error instanceof TypeError && !isFault(error),
  not_supported: (error) =>
    error instanceof DOMException && error.name === "NotSupportedError",
  own: (error) =>
    !["oauth2", "connection", "timeout", "argument", "not_supported"]
      .some((kind) => ERROR_KINDS[kind]!(error)),
};

/** Returns true for a TypeError of the runtime, caused by a fault of the library. */
function isFault({ message }: TypeError): boolean {
  return /\bis not (a function|iterable|defined)|\bproperties of\b/.test(
    message,
  );
}

function checkError(value: unknown, expected: Json): void {
  const { kind, body, message_contains, message_lacks, ...fields } = expected;
  assertIsA(value, Error);
  if (!ERROR_KINDS[String(kind)]!(value)) {
    throw new AssertionError(`not of the kind ${kind}: ${inspect(value)}`);
  }
  const { code, description, uri, status, retryable, retryAfter } =
    value as Partial<OAuth2Error>;
  const { message } = value;
  checkFields({
    code,
    description,
    uri,
    status,
    retryable,
    retry_after: retryAfter,
    message,
  }, fields);
  if (body !== undefined) {
    assertEquals((value as OAuth2Error).response.body, body);
  }
  checkText(message, {
    contains: message_contains as string[] ?? [],
    lacks: message_lacks as string[] ?? [],
  });
}

function assertIsA<T>(
  value: unknown,
  type: abstract new (...args: never[]) => T,
): asserts value is T {
  if (!(value instanceof type)) {
    throw new AssertionError(`not a ${type.name}: ${inspect(value)}`);
  }
}

/** Compares the expected fields; null means absent. */
export function checkFields(got: Json, expected: Json): void {
  for (const [name, value] of Object.entries(expected)) {
    assertEquals({ [name]: got[name] ?? null }, { [name]: value });
  }
}

function checkText(text: string, { contains = [], lacks = [] }: Text): void {
  for (const part of contains) {
    if (!text.includes(part)) {
      throw new AssertionError(`"${part}" is not in: ${text}`);
    }
  }
  for (const part of lacks) {
    if (text.includes(part)) {
      throw new AssertionError(`"${part}" is in: ${text}`);
    }
  }
}

/** Compares lines, joined to one text. */
export function checkLines(
  lines: string[],
  expected: Text | [] | undefined,
): void {
  if (Array.isArray(expected)) assertEquals(lines, []);
  else if (expected) checkText(lines.join("\n"), expected);
}
