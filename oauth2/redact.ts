import { config } from "./config.ts";

/** Names that are secret whatever the configuration says. */
const SECRET_ENDING = /(token|secret|password|assertion|credential|apikey)s?$/;

/** Shorter values are no secrets, and would blot out parts of plain words. */
const SHORTEST_SECRET = 4;

const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** What can be read as a query or form, and nothing else. */
export const FORM = /^[^\s=&<>{}"]+=(?!=*$)[^\s&]*(&[^\s=&]+=[^\s&]*)*$/;

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

  /** A text without the secrets of a request, on one line. */
  text(text: string, request: Redactable): string {
    return oneLine(
      this.#secretsOf(request).reduce(
        (text, secret) => text.replaceAll(secret, () => this.label),
        text,
      ),
    );
  }

  /** The longest first, so that none is left half hidden. */
  #secretsOf({ url, headers, body, secrets }: Redactable): string[] {
    const credentials = [...headers]
      .map(([name, value]) => [name, value.replace(/^\S+\s+/, "")] as const);
    const found = [
      ...url.searchParams,
      ...headers,
      ...credentials,
      ...readFields(body),
    ]
      .filter(([name]) => this.isSecret(name)).map(([, value]) => value);
    return [...new Set([...found, ...secrets].flatMap(spellings))]
      .filter((value) => value.length >= SHORTEST_SECRET)
      .sort((a, b) => b.length - a.length);
  }
}

/** The fields of a form or of a JSON object, as text. */
function readFields(body: unknown): Iterable<[string, string]> {
  if (body instanceof URLSearchParams) return body;
  if (typeof body !== "string") return [];
  if (FORM.test(body)) return new URLSearchParams(body);
  try {
    return Object.entries(Object(JSON.parse(body)))
      .map(([name, value]) => [name, String(value)]);
  } catch {
    return [];
  }
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

/** The ways in which a server, or an address in a message, may spell a value. */
function spellings(value: string): string[] {
  const form = String(new URLSearchParams({ "": value })).slice(1);
  return [
    value,
    form,
    form.replaceAll("+", "%20"),
    JSON.stringify(value).slice(1, -1),
  ];
}
