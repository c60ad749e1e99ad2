/**
 * The lines of the debug log. The client loads this module when it is wanted,
 * and not before.
 */
import type { Redactor } from "./redact.ts";
import type { OAuth2Response } from "./response.ts";
import type { WireRequest } from "./transport.ts";

/** What can be read as a query or form, and nothing else. */
const FORM = /^[^\s=&<>{}"]+=(?!=*$)[^\s&]*(&[^\s=&]+=[^\s&]*)*$/;

/** Longer names are not looked at whole. */
const MAX_NAME = 80;

/** Deeper structures are hidden whole, so that a log line stays a line. */
const DEEPEST = 16;

/** A line about a request, without its secrets. */
export function describeRequest(
  request: WireRequest,
  redactor: Redactor,
): string {
  const { method, url } = request;
  const start = `oauth2 request: ${method} ${describeUrl(url, redactor)}`;
  return describe(start, request, request, redactor);
}

/** A line about the answer to a request, without the secrets of either. */
export function describeResponse(
  response: OAuth2Response,
  request: WireRequest,
  redactor: Redactor,
): string {
  const { status, url } = response;
  const start = `oauth2 response: ${status} ${describeUrl(url, redactor)}`;
  return describe(start, response, request, redactor);
}

/** A line of its start, of headers and of a body, without the secrets of a request. */
function describe(
  start: string,
  { headers, body }: { headers: Headers; body?: unknown },
  request: WireRequest,
  redactor: Redactor,
): string {
  return [
    start,
    JSON.stringify(describeHeaders(headers, redactor)),
    describeBody(body, redactor),
  ].map((part) => redactor.text(part, request)).join(" ").trimEnd();
}

/** An address in which the secret parameters are hidden; hidden whole if it names a user. */
function describeUrl(url: string | URL, redactor: Redactor): string {
  const text = String(url);
  if (/^[^/?#]*:\/\/[^/?#]*@/.test(text)) return redactor.label;
  return text.replace(
    /([?#&])([^=&?#]*)=([^&#]*)/g,
    (pair, mark: string, name: string, value: string) =>
      redactor.isSecret(unescape(name)) || tellsSecret(value, redactor)
        ? `${mark}${name}=${redactor.label}`
        : pair,
  );
}

/** Headers in which the secret ones are hidden. */
function describeHeaders(
  headers: Headers,
  redactor: Redactor,
): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [
      name,
      name === "location"
        ? describeUrl(value, redactor)
        : redactor.isSecret(name) || tellsSecret(value, redactor)
        ? redactor.label
        : value,
    ]),
  );
}

/** A body without its secrets; hidden whole if it is neither JSON nor a form. */
function describeBody(body: unknown, redactor: Redactor): string {
  if (body === undefined || body === null || body === "") return "";
  const text = body instanceof URLSearchParams ? String(body) : body;
  if (typeof text !== "string") return redactor.label;
  if (FORM.test(text)) return describeUrl(`?${text}`, redactor).slice(1);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) {
      return JSON.stringify(redactFields(value, redactor));
    }
  } catch {
    // Neither: there are no names by which to tell what is secret.
  }
  return redactor.label;
}

/**
 * Plain data in which the values of secret fields are hidden, and what has no
 * name to tell by: the items of a list that is no field's.
 */
function redactFields(value: object, redactor: Redactor, depth = 0): unknown {
  const redact = (item: unknown): unknown =>
    typeof item !== "object" || item === null
      ? typeof item === "string" && tellsSecret(item, redactor)
        ? redactor.label
        : item
      : depth === DEEPEST
      ? redactor.label
      : redactFields(item, redactor, depth + 1);
  return Array.isArray(value)
    ? value.map((item) =>
      typeof item === "object" ? redact(item) : redactor.label
    )
    : Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        redactor.isSecret(name) ? redactor.label : redact(item),
      ]),
    );
}

/** Whether a text names something secret itself, as JSON or an address in a value does. */
function tellsSecret(text: string, redactor: Redactor): boolean {
  return unescape(text).split(/[=:]/).slice(0, -1).some((before) => {
    const [name] = /[\w.[\]-]+(?=["'\\\s]*$)/.exec(before.slice(-MAX_NAME)) ??
      [];
    return name !== undefined && redactor.isSecret(name);
  });
}

/** Takes the escapes of a form back, as well as they go. */
function unescape(text: string): string {
  return text.replace(
    /%([\da-f]{2})/gi,
    (_, hex) => String.fromCharCode(parseInt(hex, 16)),
  ).replaceAll("+", " ");
}
