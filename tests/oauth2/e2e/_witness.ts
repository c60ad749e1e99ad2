/** Recorder of secrets and of values that must not show them. */
import { assertEquals } from "@std/assert";
import type { Fetch } from "../../../oauth2/mod.ts";
import { loggerTo } from "../_client.ts";
import { print } from "../_print.ts";
import { SPELLINGS } from "../_spellings.ts";

/** Parameters and fields with secrets. */
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
 * Recorder between a client and the network. It collects the secrets on the wire
 * and the log of the client, and compares them in {@linkcode Witness.check}.
 */
export class Witness {
  readonly #secrets = new Set<string>();
  readonly #values: unknown[] = [];
  /** Lines of the log. */
  readonly lines: string[] = [];

  /** Logger of a client. */
  readonly logger = loggerTo(this.lines);

  /** Function `fetch` of a client. */
  readonly fetch: Fetch = this.over((url, init) => fetch(url, init));

  /** Wraps another `fetch`. */
  over(fetch: Fetch): Fetch {
    return async (url, init) => {
      const request = new Request(url, init);
      this.#readRequest(request, await request.text());
      const response = await fetch(url, init);
      this.#readResponse(await response.clone().text());
      return response;
    };
  }

  /** Adds a secret that is not sent through the recorder. */
  hide<T extends string>(secret: T): T {
    this.#secrets.add(secret);
    return secret;
  }

  /** Adds a value that must not show secrets, and its response. */
  see<T extends object>(value: T): T {
    this.#values.push(value);
    if ("response" in value) this.#values.push(value.response);
    return value;
  }

  /** Throws if a value or a line shows a secret. */
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
