import type { Config } from "./config.ts";
import type { HeaderFields } from "./headers.ts";
import { isPlainObject } from "./params.ts";
import { toSnakeCase } from "./snaky.ts";

/** Endings of names that are secret whatever the configuration says. */
const SECRET_ENDING =
  /(token|secret|pass(word|phrase|code|wd)|pwd|assertion|credential|apikey|authorization|cookie|signature|(auth(orization)?|mfa|otp|verification)code)s?$/;
/** Last words that are secret; "monkey" and "shipping" are not. */
const SECRET_WORD =
  /(^|[^a-z\d])(key|pin|t?otp|jwt|auth|session|sig)s?[^a-z\d]*$/;

/** Shorter values are not taken for secrets: they would hide parts of plain words. */
const SHORTEST_SECRET = 4;
/** Longer bytes are not decoded. */
const MAX_BYTES = 64 * 1024;
/** Longer texts are cut off in messages and logs. */
const MAX_LINE = 1000;
/** Longer names are not looked at whole. */
const MAX_NAME = 80;

/** Marks of an encoded text, or of one that was not encoded well. */
const ESCAPE = /[%\\+\uFFFD]|&#?\w+;/;
/** Escapes of URLs and JSON, of ASCII letters at least. */
const ESCAPED = /(?:%|\\u00)([\da-f]{2})/gi;
/** Deeper encodings are not undone. */
const MAX_ENCODINGS = 5;
/** Stands in the place of each character of a secret; no text has it. */
const MASK = "\uFFFF";
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Parts of a request that may hold secrets. */
export interface Redactable {
  readonly url: URL;
  readonly headers: HeaderFields;
  readonly body?: unknown;
  /** Further values that must not show. */
  readonly secrets: readonly unknown[];
}

/**
 * Keeps secrets out of logs and messages, with the label and the names of the
 * configuration at the time it is made.
 */
export class Redactor {
  readonly label: string;
  #names: Set<string>;
  #secrets = new WeakMap<Redactable, readonly string[]>();

  constructor({ filteredLabel, filteredDebugKeys }: Config) {
    this.label = filteredLabel;
    this.#names = new Set(filteredDebugKeys.map(plain));
  }

  /** Judges by its name, encoded or not, whether a parameter, field or header is secret. */
  isSecret(name: string): boolean {
    // `auth[access_token]` and `user.password` are judged by each of their parts.
    return unescape(name).split(/[[\].:/]/).some((part) => {
      const name = plain(part);
      return this.#names.has(name) || SECRET_ENDING.test(name) ||
        SECRET_WORD.test(toSnakeCase(part));
    });
  }

  /** Tells a text that names something secret itself, as JSON or a URL in a value does. */
  namesSecret(text: string): boolean {
    return unescape(text).split(/[=:]/).slice(0, -1).some((before) => {
      const [name = ""] =
        /[\w.[\]-]+(?=["'\\\s+]*$)/.exec(before.slice(-MAX_NAME)) ?? [];
      return this.isSecret(name);
    });
  }

  /** Makes a name secret from now on. */
  hide(name: string): void {
    this.#names.add(plain(name));
  }

  /** Redacts the secrets of a request in a text, and puts it on one line. */
  text(text: string, request: Redactable): string {
    // A secret that begins on the line ends here, in whatever encoding.
    const start = text.slice(0, 25 * MAX_LINE);
    return oneLine(mask(start, this.secretsOf(request)))
      .replace(/\uFFFF+/g, () => this.label);
  }

  /** Tells whether a text, however long, holds a secret of a request. */
  finds(text: string, request: Redactable): boolean {
    return mask(text, this.secretsOf(request)) !== text;
  }

  /**
   * Lists the secrets of a request, the longest first, so that none is left half
   * hidden; of one that is longer than a line, the start.
   */
  secretsOf(request: Redactable): readonly string[] {
    const secrets = this.#secrets.get(request) ?? this.#findSecrets(request);
    this.#secrets.set(request, secrets);
    return secrets;
  }

  #findSecrets({ url, headers, body, secrets }: Redactable): string[] {
    const found = new Set<unknown>(secrets);
    const credentials = Object.entries(headers)
      .map(([name, value]) => [name, withoutScheme(value)]);
    const others: unknown[] = [
      url.searchParams,
      headers,
      Object.fromEntries(credentials),
      dataOf(body),
    ];
    const harmless = new Set<string>();
    // Both lists grow as nested values are found.
    for (const value of others) {
      for (const [name, item] of fieldsOf(value)) {
        if (!harmless.has(name) && this.isSecret(name)) found.add(item);
        else {
          harmless.add(name);
          others.push(item);
        }
      }
    }
    for (const value of found) {
      for (const [, item] of fieldsOf(value)) found.add(item);
    }
    return [...found]
      .filter((value) => typeof value === "string" || typeof value === "number")
      .map((value) => String(value).slice(0, MAX_LINE))
      .filter((text) => text.length >= SHORTEST_SECRET)
      .sort((a, b) => b.length - a.length);
  }
}

/** Reads a body that is JSON or a form, or leaves it as it is. */
function dataOf(body: unknown): unknown {
  const text = (body as ArrayBuffer | undefined)?.byteLength! <= MAX_BYTES
    ? new TextDecoder().decode(body as ArrayBuffer)
    : body;
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return new URLSearchParams(text);
  }
}

/** Lists the fields of plain data or a form; the items of a list have no name. */
function fieldsOf(value: unknown): Iterable<[name: string, value: unknown]> {
  if (value instanceof FormData || value instanceof URLSearchParams) {
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => ["", item]);
  return isPlainObject(value) ? Object.entries(value) : [];
}

/**
 * Masks the secrets in a text, which keeps its length; or the whole text, if it
 * holds one in some encoding.
 */
function mask(text: string, secrets: readonly string[]): string {
  const masked = secrets.reduce(
    (text, secret) => text.replaceAll(secret, MASK.repeat(secret.length)),
    text,
  );
  if (!ESCAPE.test(masked)) return masked;
  const both = `${masked} ${unescape(masked)}`;
  const isLeft = secrets.some((secret) => both.includes(unescapedPart(secret)));
  return isLeft ? MASK : masked;
}

/** Leaves out the first word of a header, such as "Bearer". */
export function withoutScheme(value: string): string {
  return value.replace(/^\S+\s+/, "");
}

/** Decodes escapes of ASCII letters, and escapes of these. */
export function unescape(text: string): string {
  for (let depth = 0; depth < MAX_ENCODINGS; depth++) {
    text = text.replace(
      ESCAPED,
      (_, hex) => String.fromCharCode(parseInt(hex, 16)),
    );
  }
  return text;
}

/**
 * Finds the longest part of a secret that is the same in every usual encoding of
 * it: none escapes letters and digits. A secret with too few of them has the
 * part "", which every text includes.
 */
function unescapedPart(secret: string): string {
  const [longest = ""] = secret.split(/[^a-z\d]+/i)
    .sort((a, b) => b.length - a.length);
  return longest.length < SHORTEST_SECRET ? "" : longest;
}

/** Puts a text on one line of bearable length, for messages and logs. */
export function oneLine(text: string): string {
  const line = text.slice(0, MAX_LINE).replace(CONTROL_CHARACTERS, " ");
  return text.length > MAX_LINE ? line + "…" : line;
}

/** `accessToken`, `Access-Token` and `access_token` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
