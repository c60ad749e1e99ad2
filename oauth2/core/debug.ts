/**
 * Lines of the debug log. The client imports this module with the first line.
 */
import type { HeaderFields } from "./headers.ts";
import { isForm } from "./params.ts";
import { isHarmless, type Redactor, unescape } from "./redactor.ts";
import type { WireRequest } from "./transport.ts";
import type { OAuth2Response } from "./response.ts";

/** Maximum length of a logged body, in characters; longer ones are redacted. */
const MAX_BODY = 64 * 1024;

/** Maximum depth of logged data; deeper values are redacted. */
const MAX_DEPTH = 16;

/** Maximum length of a name within a text. */
const MAX_NAME = 80;

interface Line {
  readonly redactor: Redactor;
  readonly isResponse: boolean;
  /** Values redacted by name, which may occur again under other names. */
  readonly redacted: unknown[];
  /** True if fields are secret unless they are known to be harmless. */
  readonly hidesParams: boolean;
}

/** Formats a request as one line, with its secrets redacted. */
export function describeRequest(
  request: WireRequest,
  redactor: Redactor,
): string {
  return describe(`request: ${request.method}`, request, request, redactor);
}

/**
 * Formats the response to a request as one line, with the secrets of both
 * redacted.
 */
export function describeResponse(
  response: OAuth2Response,
  request: WireRequest,
  redactor: Redactor,
): string {
  return describe(`response: ${response.status}`, response, request, redactor);
}

function describe(
  start: string,
  message: WireRequest | OAuth2Response,
  request: WireRequest,
  redactor: Redactor,
): string {
  const redacted: unknown[] = [];
  const isResponse = message !== request;
  const line = { redactor, isResponse, redacted, hidesParams: false };
  const hidesParams = !isResponse && request.hidesParams === true;
  const params = { ...line, hidesParams };
  const parts = [
    `oauth2 ${start} ${describeUrl(message.url, request.body ? line : params)}`,
    JSON.stringify(describeHeaders(message.headers, line)),
    describeBody(message.body, params),
  ];
  const secrets = [...redactor.secretsOf(request), ...redacted];
  const known = { ...request, headers: {}, secrets };
  return parts.map((part) => redactor.text(part, known)).join(" ").trimEnd();
}

/** Redacts the secret parameters of a URL, or all of a URL with a user. */
function describeUrl(url: string | URL, line: Line): string {
  const text = String(url);
  if (/^[^/?#]*:\/\/[^/?#]*@/.test(text)) return line.redactor.label;
  return text.replace(
    /([?#&])([^=&?#]*)=([^&#]*)/g,
    (_, mark: string, name: string, value: string) =>
      `${mark}${name}=${redact(name, value, line, 1)}`,
  );
}

function describeHeaders(headers: Headers | HeaderFields, line: Line): unknown {
  const { location, ...fields } = Object.fromEntries(new Headers(headers));
  return {
    ...redact("", fields, line) as HeaderFields,
    ...location && { location: describeUrl(location, line) },
  };
}

/** Redacts the secrets of a JSON or form body, or all of any other body. */
function describeBody(body: unknown, line: Line): string {
  const { label } = line.redactor;
  if (!body) return "";
  if (typeof body !== "string") return label;
  if (body.length > MAX_BODY) return `${label} (${body.length} characters)`;
  if (isForm(body)) return describeUrl(`?${body}`, line).slice(1);
  try {
    const value: unknown = JSON.parse(body);
    if (Object(value) === value) return JSON.stringify(redact("", value, line));
  } catch {
    // Without names, any part may be secret.
  }
  return label;
}

/**
 * Redacts the values of secret fields in plain data, and the items of arrays,
 * which have no name.
 */
function redact(name: string, value: unknown, line: Line, depth = 0): unknown {
  const { redactor, isResponse, redacted, hidesParams } = line;
  // Parameters are the members of the body.
  if (hidesParams && depth === 1 && !isHarmless(name)) return redactor.label;
  // A numeric `code` in a response is an error code.
  const isErrorCode = isResponse && name === "code" && Number.isFinite(value);
  if (redactor.isSecret(name) && !isErrorCode) {
    redacted.push(value);
    return redactor.label;
  }
  if (typeof value === "string") {
    return namesSecret(value, redactor) ? redactor.label : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return redactor.label;
  if (Array.isArray(value)) {
    return value.map((item) =>
      typeof item === "object"
        ? redact("", item, line, depth + 1)
        : redactor.label
    );
  }
  return Object.fromEntries(
    Object.entries(value).map((
      [name, item],
    ) => [name, redact(name, item, line, depth + 1)]),
  );
}

/**
 * Returns true if a text itself contains secret names, such as nested JSON or a
 * URL.
 */
function namesSecret(text: string, redactor: Redactor): boolean {
  return unescape(text).split(/[=:]/).slice(0, -1).some((before) => {
    const [name = ""] =
      /[\w.[\]-]+(?=["'\\\s+]*$)/.exec(before.slice(-MAX_NAME)) ?? [];
    return redactor.isSecret(name);
  });
}
