/**
 * Lines of the debug log. The client loads this module when a log is wanted, and
 * not before.
 */
import type { HeaderFields } from "./headers.ts";
import { isForm } from "./params.ts";
import type { Redactor } from "./redactor.ts";
import type { WireRequest } from "./request.ts";
import type { OAuth2Response } from "./response.ts";

/** Longer bodies are hidden whole. */
const MAX_BODY = 64 * 1024;

/** Deeper structures are hidden whole, so that a log line stays a line. */
const DEEPEST = 16;

/** Line in the making. */
interface Line {
  readonly redactor: Redactor;
  readonly isAnswer: boolean;
  /** Values hidden by their names, which may stand under other names too. */
  readonly hidden: unknown[];
}

/** Describes a request on one line, without its secrets. */
export function describeRequest(
  request: WireRequest,
  redactor: Redactor,
): string {
  return describe(`request: ${request.method}`, request, request, redactor);
}

/** Describes the response to a request on one line, without the secrets of either. */
export function describeResponse(
  response: OAuth2Response,
  request: WireRequest,
  redactor: Redactor,
): string {
  return describe(`response: ${response.status}`, response, request, redactor);
}

/** Joins a start, address, headers and body to a line, without the secrets of a request. */
function describe(
  start: string,
  message: WireRequest | OAuth2Response,
  request: WireRequest,
  redactor: Redactor,
): string {
  const hidden: unknown[] = [];
  const line = { redactor, isAnswer: message !== request, hidden };
  const parts = [
    `oauth2 ${start} ${describeUrl(message.url, line)}`,
    JSON.stringify(describeHeaders(message.headers, line)),
    describeBody(message.body, line),
  ];
  const secrets = [...redactor.secretsOf(request), ...hidden];
  const known = { url: request.url, headers: {}, secrets };
  return parts.map((part) => redactor.text(part, known)).join(" ").trimEnd();
}

/** Hides the secret parameters of a URL, or all of one that names a user. */
function describeUrl(url: string | URL, line: Line): string {
  const text = String(url);
  if (/^[^/?#]*:\/\/[^/?#]*@/.test(text)) return line.redactor.label;
  return text.replace(
    /([?#&])([^=&?#]*)=([^&#]*)/g,
    (_, mark: string, name: string, value: string) =>
      `${mark}${name}=${redact(name, value, line)}`,
  );
}

/** Hides the values of secret headers. */
function describeHeaders(headers: Headers | HeaderFields, line: Line): unknown {
  const { location, ...fields } = Object.fromEntries(new Headers(headers));
  return {
    ...redact("", fields, line) as HeaderFields,
    ...location && { location: describeUrl(location, line) },
  };
}

/** Hides the secrets of a body, or all of one that is neither JSON nor a form. */
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
    // Neither: there are no names by which to tell what is secret.
  }
  return label;
}

/**
 * Hides the values of secret fields in plain data, and values without a name to
 * tell by: the items of lists.
 */
function redact(name: string, value: unknown, line: Line, depth = 0): unknown {
  const { redactor, isAnswer, hidden } = line;
  // A number in an answer is the error code of a server.
  const isErrorCode = isAnswer && name === "code" && Number.isFinite(value);
  if (redactor.isSecret(name) && !isErrorCode) {
    hidden.push(value);
    return redactor.label;
  }
  if (typeof value === "string") {
    return redactor.namesSecret(value) ? redactor.label : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return redactor.label;
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
