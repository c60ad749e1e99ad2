import { toBase64Url } from "../core/base64.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { isSameText } from "../core/same_text.ts";
import { checkSeconds } from "../core/seconds.ts";
import { invalid } from "../core/type_error.ts";

/** Source of nonces. */
export interface NonceSource {
  /** Returns the nonce for the next proof. */
  issue(): string | Promise<string>;
  /** Returns true for a nonce of this server that has not expired. */
  isValid(nonce: string): boolean | Promise<boolean>;
}

/** Options of {@linkcode DpopNonces}. */
export interface DpopNoncesOptions {
  /**
   * Seconds for which a nonce is valid, at least; at most twice as long.
   *
   * @default {300}
   */
  lifetime?: number | undefined;
  /**
   * Clock, in milliseconds since 1970.
   *
   * @default {Date.now}
   */
  clock?: (() => number) | undefined;
}

const OPTIONS = knownNames<DpopNoncesOptions>({ lifetime: true, clock: true });
const MIN_SECRET = 32;

/**
 * Source of nonces that needs no store: a nonce is an HMAC of its time. All
 * processes of a server share the secret.
 */
export class DpopNonces implements NonceSource {
  #key: Promise<CryptoKey>;
  #lifetime: number;
  #clock: () => number;

  /**
   * Creates a source; the secret has 32 random bytes or more.
   *
   * @throws {TypeError} If the secret is shorter, an option is unknown, or the
   * lifetime is invalid.
   */
  constructor(
    secret: Uint8Array<ArrayBuffer>,
    options: DpopNoncesOptions = {},
  ) {
    checkNames(options, OPTIONS);
    const { lifetime = 300, clock = Date.now } = options;
    if (!(secret instanceof Uint8Array) || secret.length < MIN_SECRET) {
      throw invalid(
        `Cannot use the secret: it must be ${MIN_SECRET} bytes or longer`,
      );
    }
    checkSeconds("lifetime", lifetime);
    if (lifetime === 0) {
      throw invalid("Cannot use lifetime 0: it must be above 0");
    }
    this.#lifetime = lifetime * 1000;
    this.#clock = clock;
    this.#key = crypto.subtle.importKey(
      "raw",
      secret.slice(),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
  }

  /** Returns the nonce of the present. */
  async issue(): Promise<string> {
    return await this.#nonceOf(this.#period());
  }

  /** Returns true for the nonce of the present or of the period before it. */
  async isValid(nonce: string): Promise<boolean> {
    const period = this.#period();
    const nonces = await Promise.all(
      [period, period - 1].map((period) => this.#nonceOf(period)),
    );
    return nonces.some((valid) => isSameText(valid, nonce));
  }

  #period(): number {
    return Math.floor(this.#clock() / this.#lifetime);
  }

  async #nonceOf(period: number): Promise<string> {
    const data = new TextEncoder().encode(`dpop-nonce ${period}`);
    const hmac = await crypto.subtle.sign("HMAC", await this.#key, data);
    return toBase64Url(new Uint8Array(hmac));
  }
}
