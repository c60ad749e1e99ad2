import { config } from "./config.ts";

/** Names that are secret whatever the configuration says. */
const SECRET_ENDING = /(token|secret|password|assertion|credential|apikey)s?$/;

/** Shorter values are no secrets, and would blot out parts of plain words. */
const SHORTEST_SECRET = 4;

/** What an encoded secret holds, or one that was not encoded well. */
const ESCAPE = /[%\\+\uFFFD]/;
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** What is looked at to find the secrets of a request. */
export interface Redactable {
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: unknown;
  /** Further values that must not show. */
  readonly secrets: readonly string[];
}

/**
 * Keeps secrets out of what people read. It takes the label and the names of
 * the configuration when it is made.
 */
export class Redactor {
  readonly label: string = config.filteredLabel;
  #names = new Set(config.filteredDebugKeys.map(plain));

  /** Whether a parameter, field or header of this name holds a secret. */
  isSecret(name: string): boolean {
    // `auth[access_token]` and `user.password` are judged by each of their parts.
    return name.split(/[[\].:/]/).some((part) => {
      const name = plain(part);
      return this.#names.has(name) || SECRET_ENDING.test(name);
    });
  }

  /** Makes a name secret from now on. */
  hide(name: string): void {
    this.#names.add(plain(name));
  }

  /** A text without the secrets of a request, on one line. */
  text(text: string, request: Redactable): string {
    const secrets = this.#secretsOf(request);
    const hidden = secrets.reduce(
      (text, secret) => text.replaceAll(secret, () => this.label),
      text,
    );
    const isLeft = ESCAPE.test(hidden) &&
      secrets.some((secret) => hidden.includes(unescapedPart(secret)));
    return oneLine(isLeft ? this.label : hidden);
  }

  /** The longest first, so that none is left half hidden. */
  #secretsOf({ url, headers, body, secrets }: Redactable): string[] {
    const fields: [string, unknown][] = [...url.searchParams, ...headers];
    for (const [name, value] of headers) {
      fields.push([name, value.replace(/^\S+\s+/, "")]);
    }
    if (body instanceof URLSearchParams || body instanceof FormData) {
      fields.push(...body);
    }
    if (typeof body === "string") {
      fields.push(...new URLSearchParams(body), ...jsonFields(body));
    }
    const found = fields.filter(([name]) => this.isSecret(name))
      .flatMap(([, value]) =>
        Object(value) === value ? Object.values(value as object) : value
      )
      .map(String);
    return [...found, ...secrets]
      .filter((value) => value.length >= SHORTEST_SECRET)
      .sort((a, b) => b.length - a.length);
  }
}

/** All fields of a text that is JSON, the nested ones too. */
function jsonFields(text: string): [string, unknown][] {
  const fields: [string, unknown][] = [];
  try {
    JSON.parse(text, (name, value) => {
      fields.push([name, value]);
      return value;
    });
  } catch {
    // No JSON.
  }
  return fields;
}

/**
 * The longest part of a secret that stands in every encoding of it: none
 * escapes letters and digits. It is "", and so in every text, if the secret has
 * too few of them to be known by.
 */
function unescapedPart(secret: string): string {
  const [longest = ""] = secret.split(/[^a-z\d]+/i)
    .sort((a, b) => b.length - a.length);
  return longest.length < SHORTEST_SECRET ? "" : longest;
}

/** A text on one line and of bearable length, for messages and logs. */
export function oneLine(text: string): string {
  const line = text.replace(CONTROL_CHARACTERS, " ");
  return line.length > 1000 ? line.slice(0, 1000) + "…" : line;
}

/** `accessToken`, `Access-Token` and `access_token` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
