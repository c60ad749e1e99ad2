/** Sees to it that nothing a test shows holds a secret of that test. */
import { assertEquals } from "@std/assert";
import { inspect } from "node:util";

/** Parameters and fields that are secret on the wire. */
const SECRET_FIELDS = new Set([
  "access_token",
  "assertion",
  "client_assertion",
  "client_secret",
  "code",
  "code_verifier",
  "id_token",
  "password",
  "refresh_token",
  "token",
]);

/** What people see of a value. */
const VIEWS: Readonly<Record<string, (value: unknown) => unknown>> = {
  String: (value) => String(value),
  JSON: (value) => JSON.stringify(value),
  "Deno.inspect": (value) => Deno.inspect(value, { depth: 9 }),
  "util.inspect": (value) => inspect(value, { depth: 9, showHidden: true }),
  stack: (value) => value instanceof Error ? value.stack : "",
};

/**
 * It stands between a client and the network, and thus knows each secret that
 * went over the wire; what the client logs and gives back is shown to it.
 */
export class Witness {
  readonly #secrets = new Set<string>();
  readonly #values: unknown[] = [];
  readonly lines: string[] = [];

  /** For the option `logger` of a client. */
  readonly logger = {
    debug: (line: string) => void this.lines.push(line),
    warn: (line: string) => void this.lines.push(line),
  };

  /** For the option `fetch` of a client. */
  readonly fetch = async (
    url: string,
    init: RequestInit,
  ): Promise<Response> => {
    const request = new Request(url, init);
    this.#readRequest(request, await request.clone().text());
    const response = await fetch(request);
    this.#readResponse(await response.clone().text());
    return response;
  };

  /** Makes a secret known that may not go over the wire here. */
  hide<T extends string>(secret: T): T {
    this.#secrets.add(secret);
    return secret;
  }

  /** Takes a value that people may print, and the response that it holds. */
  see<T extends object>(value: T): T {
    this.#values.push(value);
    if ("response" in value) this.#values.push(value.response);
    return value;
  }

  /** Fails if anything seen or logged shows a secret. */
  check(): void {
    const secrets = [...this.#secrets].flatMap(spellings);
    const leaks = [...this.#values, ...this.lines].flatMap((value) =>
      Object.entries(VIEWS)
        .map(([view, show]) => [view, String(show(value))] as const)
        .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
        .map(([view, text]) => `${view}: ${text}`)
    );
    assertEquals(leaks, []);
  }

  #readRequest({ url, headers }: Request, body: string): void {
    const [, credentials] = headers.get("authorization")?.split(" ") ?? [];
    if (credentials) this.hide(credentials);
    this.#hideFields(new URL(url).searchParams);
    this.#hideFields(new URLSearchParams(body));
  }

  #readResponse(body: string): void {
    if (!body.startsWith("{")) return;
    this.#hideFields(Object.entries(JSON.parse(body)));
  }

  #hideFields(fields: Iterable<[string, unknown]>): void {
    for (const [name, value] of fields) {
      if (SECRET_FIELDS.has(name)) this.hide(String(value));
    }
  }
}

/** The ways in which a value may stand in a text. */
function spellings(value: string): string[] {
  if (value === "") return [];
  const form = new URLSearchParams({ "": value }).toString().slice(1);
  return [
    value,
    encodeURIComponent(value),
    form,
    form.replaceAll("+", "%20"),
    JSON.stringify(value).slice(1, -1),
  ];
}
