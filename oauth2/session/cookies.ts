import type { FillRandom } from "../sign_in/new_flow.ts";
import { seal, type SealKey, unseal } from "../sign_in/seal.ts";
import { type HasHeaders, headerOf } from "./node.ts";

/** Settings of the cookies. */
export interface CookieSettings {
  /** Keys that seal the cookies. */
  readonly secret: SealKey | readonly SealKey[];
  /** Text without which no other cookie is unsealed, e.g. of another client. */
  readonly context: string;
  /** False for plain http on loopback, which has no secure cookies. */
  readonly secure: boolean;
  readonly clock: () => number;
  readonly random: FillRandom | undefined;
}

/** Most cookies of one name to try: a subdomain may have set others. */
const MAX_COOKIES = 4;

/** Reads and writes sealed cookies. */
export class Cookies {
  readonly #settings: CookieSettings;

  constructor(settings: CookieSettings) {
    this.#settings = settings;
  }

  /** Returns the name of a cookie, with a prefix that binds it to this host. */
  nameOf(name: string): string {
    return this.#settings.secure ? `__Host-${name}` : name;
  }

  /** Lists the names of the cookies of a request, in their order. */
  names(request: HasHeaders): string[] {
    return [...new Set(pairsOf(request).map(([name]) => name))];
  }

  /** Returns the value of a cookie; undefined if it is missing or invalid. */
  async read<T>(request: HasHeaders, name: string): Promise<T | undefined> {
    const { secret, clock } = this.#settings;
    const texts = pairsOf(request).filter(([found]) => found === name);
    for (const [, text] of texts.slice(0, MAX_COOKIES)) {
      const value = await unseal<T>(text, secret, {
        name: this.#contextOf(name),
        clock,
      });
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Returns a `Set-Cookie` header; `maxAge` is in seconds. */
  async write(
    name: string,
    value: object,
    { maxAge, sameSite = "Lax" }: { maxAge: number; sameSite?: "Lax" | "None" },
  ): Promise<string> {
    const { secret, clock, random } = this.#settings;
    const options = { name: this.#contextOf(name), maxAge, clock, random };
    return this.#format(
      name,
      await seal(value, secret, options),
      maxAge,
      sameSite,
    );
  }

  /** Returns the `Set-Cookie` header that deletes a cookie. */
  delete(name: string): string {
    return this.#format(name, "", 0, "Lax");
  }

  #contextOf(name: string): string {
    return `${name} ${this.#settings.context}`;
  }

  #format(
    name: string,
    value: string,
    maxAge: number,
    sameSite: string,
  ): string {
    const secure = this.#settings.secure ? "; Secure" : "";
    return `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
  }
}

/** Lists the cookies of a request (RFC 6265 section 4.2.1). */
function pairsOf(request: HasHeaders): [name: string, value: string][] {
  return headerOf(request, "cookie").split(";").map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}
