import type { Config } from "./config.ts";
import type { HeaderFields } from "./headers.ts";
import { isPlainObject } from "./params.ts";
import { toSnakeCase } from "./snaky.ts";

/** Endings of names that are always secret. */
const SECRET_ENDING =
  /(token|secret|pass(word|phrase|code|wd)|pwd|assertion|credential|apikey|authorization|cookie|signature|samlresponse|(auth(orized|orization)?|mfa|otp|oob|tx|backup|recovery|verification)code)s?$/;
/**
 * Last words of names that are always secret. Excludes "monkey" and "shipping".
 */
const SECRET_WORD =
  /(^|[^a-z\d])(key|pin|t?otp|jwt|auth|session|sig)s?[^a-z\d]*$/;

/**
 * Parameters of requests to the authorization server that are not secret; all
 * others may be.
 */
const HARMLESS =
  /^(scope|state|resource|audience|clientid|redirecturi|codechallenge(method)?|\w+type(hint)?)$/;
/**
 * Minimum length of a secret. Redacting shorter values would garble the text.
 */
const MIN_SECRET = 4;
/** The same for parameters that may be secret, e.g. `true` or a number. */
const MIN_UNKNOWN = 8;
/** Maximum length of a binary body that is searched for secrets. */
const MAX_BYTES = 64 * 1024;
const MAX_LINE = 1000;

/** Characters of encoded text, including a failed decoding. */
const ENCODED = /[%\\+\uFFFD]|&#?\w+;/;
/** Escapes of Latin-1 characters in URLs and JSON. */
const ESCAPE = /(?:%|\\u00)([\da-f]{2})/gi;
/** Maximum number of nested encodings that are decoded. */
const MAX_ENCODINGS = 5;
/** Placeholder for one character of a secret: a noncharacter of Unicode. */
const MASK = "\uFFFF";
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Part of a path that looks like a secret, such as the token of a bot: long, with
 * letters and digits, and no UUID, such as the id of a tenant.
 */
const SECRET_PART =
  /^(?=.*\d)(?=.*[a-z])(?![\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$)[\w:.~%-]{24,}$/i;

/** Parts of a request that may hold secrets. */
export interface Redactable {
  readonly url: URL;
  readonly headers: HeaderFields;
  readonly body?: unknown;
  /** Additional values to redact. */
  readonly secrets: readonly unknown[];
  /** True if all parameters may be secret, unless they are known. */
  readonly hidesParams?: boolean;
}

/**
 * Redacts secrets in logs and messages. Label and names are those of the
 * settings when the instance is created.
 */
export class Redactor {
  readonly label: string;
  #names: Set<string>;
  #secrets = new WeakMap<Redactable, readonly string[]>();

  constructor({ filteredLabel, filteredDebugKeys }: Config) {
    this.label = filteredLabel;
    this.#names = new Set(filteredDebugKeys.map(normalize));
  }

  /** Returns true if the name of a parameter, field or header is secret. */
  isSecret(name: string): boolean {
    // Splits `auth[access_token]` and `user.password`.
    return unescape(name).split(/[[\].:/]/).some((part) => {
      const name = normalize(part);
      return this.#names.has(name) || SECRET_ENDING.test(name) ||
        SECRET_WORD.test(toSnakeCase(part));
    });
  }

  hide(name: string): void {
    this.#names.add(normalize(name));
  }

  /** Redacts the secrets of a request in a text, and formats it as one line. */
  text(text: string, request: Redactable): string {
    // Long enough for a secret that begins within the line, in any encoding.
    const start = text.slice(0, 25 * MAX_LINE);
    const params = request.hidesParams
      ? dataOf(request.body) ?? request.url.searchParams
      : undefined;
    // Only as they are: parts of them, e.g. of an e-mail address, occur anywhere.
    const unknown = [...fieldsOf(params)].flatMap(([name, value]) =>
      isHarmless(name) || String(value).length < MIN_UNKNOWN
        ? []
        : String(value)
    );
    return oneLine(mask(hide(start, unknown), this.secretsOf(request)))
      .replace(/\uFFFF+/g, () => this.label);
  }

  finds(text: string, request: Redactable): boolean {
    return mask(text, this.secretsOf(request)) !== text;
  }

  /**
   * Returns the secrets of a request, the longest first, because one may
   * contain another. Secrets longer than a line are truncated.
   */
  secretsOf(request: Redactable): readonly string[] {
    const secrets = this.#secrets.get(request) ?? this.#findSecrets(request);
    this.#secrets.set(request, secrets);
    return secrets;
  }

  #findSecrets({ url, headers, body, secrets }: Redactable): string[] {
    const found = new Set<unknown>(secrets);
    for (const part of url.pathname.split("/")) {
      if (SECRET_PART.test(part)) found.add(part);
    }
    const credentials = Object.entries(headers)
      .map(([name, value]) => [name, withoutScheme(value)]);
    const values: unknown[] = [
      url.searchParams,
      headers,
      Object.fromEntries(credentials),
      dataOf(body),
    ];
    const publicNames = new Set<string>();
    // Both loops append nested values to the collection they iterate.
    for (const value of values) {
      for (const [name, item] of fieldsOf(value)) {
        if (!publicNames.has(name) && this.isSecret(name)) found.add(item);
        else {
          publicNames.add(name);
          values.push(item);
        }
      }
    }
    for (const value of found) {
      for (const [, item] of fieldsOf(value)) found.add(item);
    }
    return [...found]
      .filter((value) => typeof value === "string" || typeof value === "number")
      .map((value) => String(value).slice(0, MAX_LINE))
      .filter((text) => text.length >= MIN_SECRET)
      .sort((a, b) => b.length - a.length);
  }
}

export function isHarmless(name: string): boolean {
  return HARMLESS.test(normalize(name));
}

/** Parses a body of text or bytes as JSON or a form. */
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

/** Returns the fields of plain data or a form. Items of arrays have no name. */
function fieldsOf(value: unknown): Iterable<[name: string, value: unknown]> {
  if (value instanceof FormData || value instanceof URLSearchParams) {
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => ["", item]);
  return isPlainObject(value) ? Object.entries(value) : [];
}

/**
 * Masks the secrets in a text, character by character, or the whole text if it
 * contains an encoded secret.
 */
function mask(text: string, secrets: readonly string[]): string {
  const masked = hide(text, secrets);
  if (!ENCODED.test(masked)) return masked;
  const both = `${masked} ${unescape(masked)}`;
  const isLeft = secrets.some((secret) => both.includes(unescapedPart(secret)));
  return isLeft ? MASK : masked;
}

function hide(text: string, values: readonly string[]): string {
  return values.reduce(
    (text, value) => text.replaceAll(value, MASK.repeat(value.length)),
    text,
  );
}

/** Removes the scheme of a header value, e.g. "Bearer". */
export function withoutScheme(value: string): string {
  return value.replace(/^\S+\s+/, "");
}

/** Decodes escapes of Latin-1 characters, including nested ones. */
export function unescape(text: string): string {
  for (let depth = 0; depth < MAX_ENCODINGS; depth++) {
    text = text.replace(
      ESCAPE,
      (_, hex) => String.fromCharCode(parseInt(hex, 16)),
    );
  }
  return text;
}

/**
 * Returns the longest run of letters and digits in a secret, which no usual
 * encoding escapes. Returns "", which every text includes, if it is too short.
 */
function unescapedPart(secret: string): string {
  const [longest = ""] = secret.split(/[^a-z\d]+/i)
    .sort((a, b) => b.length - a.length);
  return longest.length < MIN_SECRET ? "" : longest;
}

/** Formats a text as one line of limited length, for messages and logs. */
export function oneLine(text: string): string {
  const line = text.slice(0, MAX_LINE).replace(CONTROL_CHARACTERS, " ");
  return text.length > MAX_LINE ? line + "…" : line;
}

/** Normalizes `accessToken`, `Access-Token` and `access_token` to one name. */
function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
