/**
 * Client of the carrier's API, which requires an OAuth token.
 *
 * @module
 */
import { Client, OAuth2Error } from "@carteiro/oauth2";

/** Seconds before its expiry when a token is renewed: longer than a request. */
const LATENCY_SECONDS = 30;

const REQUIRED = [
  "CARRIER_URL",
  "CARRIER_TOKEN_URL",
  "CARRIER_CLIENT_ID",
  "CARRIER_CLIENT_SECRET",
];

/** Client of the carrier's API, with a cached token. */
export class Carrier {
  #client;
  #token;
  #renewal;

  /** Creates the client; the site of the OAuth client is the carrier's API. */
  constructor(client) {
    this.#client = client;
  }

  /**
   * Creates the client from environment variables.
   *
   * @throws {Error} If a variable is missing or invalid.
   */
  static fromEnvironment(env) {
    const missing = REQUIRED.filter((name) => !env[name]);
    if (missing.length > 0) {
      throw new Error(
        `Cannot read the settings: ${missing.join(", ")} must be set`,
      );
    }
    const { CARRIER_CLIENT_ID: id, CARRIER_CLIENT_SECRET: secret } = env;
    const seconds = Number(env.CARRIER_TIMEOUT_SECONDS || 5);
    if (!(seconds > 0)) {
      throw new Error(
        "Cannot read the settings: CARRIER_TIMEOUT_SECONDS must be a number above 0",
      );
    }
    return new Carrier(
      new Client(id, secret, {
        site: env.CARRIER_URL,
        tokenUrl: env.CARRIER_TOKEN_URL,
        connectionOpts: { timeout: seconds * 1000 },
      }),
    );
  }

  /** Requests a quote for a parcel: `{ price_cents, days }`. */
  async quote(parcel) {
    const { parsed } = await this.#post("quotes", parcel);
    const { price_cents, days } = parsed ?? {};
    if (!Number.isInteger(price_cents) || !Number.isInteger(days)) {
      throw new Error("Cannot read the quote: price_cents or days is missing");
    }
    return { price_cents, days };
  }

  async #post(path, body) {
    const options = {
      headers: { "content-type": "application/json" },
      body,
    };
    const token = await this.#currentToken();
    try {
      return await token.post(path, options);
    } catch (error) {
      if (!(error instanceof OAuth2Error) || error.status !== 401) throw error;
      // The token was revoked: retry once with a new one.
      if (this.#token === token) this.#token = undefined;
      return await (await this.#currentToken()).post(path, options);
    }
  }

  /** Returns the cached token, or a new one. */
  async #currentToken() {
    if (this.#token && !this.#token.expired()) return this.#token;
    // Concurrent requests share one token request.
    this.#renewal ??= this.#client.clientCredentials
      .getToken({}, { expiresLatency: LATENCY_SECONDS })
      .finally(() => this.#renewal = undefined);
    return this.#token = await this.#renewal;
  }
}
