/** Sees to it that nothing a test shows holds a secret of that test. */
import { assertEquals } from "@std/assert";
import type { Fetch } from "../../../oauth2/mod.ts";
import { print } from "../print.ts";
import { SPELLINGS } from "../spellings.ts";

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
  readonly fetch: Fetch = this.over((url, init) => fetch(url, init));

  /** Stands between a client and another `fetch`. */
  over(fetch: Fetch): Fetch {
    return async (url, init) => {
      const request = new Request(url, init);
      this.#readRequest(request, await request.text());
      const response = await fetch(url, init);
      this.#readResponse(await response.clone().text());
      return response;
    };
  }

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
    const secrets = [...this.#secrets]
      .filter((secret) => secret !== "")
      .flatMap((secret) =>
        Object.values(SPELLINGS).map((spell) => spell(secret))
      );
    const leaks = [...this.#values, ...this.lines]
      .flatMap((value) => print(value).split("\n"))
      .filter((line) => secrets.some((secret) => line.includes(secret)));
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
