/** The carrier: an API that wants a token of its authorization server. */
import { Client, OAuth2Error } from "@carteiro/oauth2";

/** Seconds by which a token is taken to expire early: longer than a request. */
const LATENCY_SECONDS = 30;

const NEEDED = [
  "CARRIER_URL",
  "CARRIER_TOKEN_URL",
  "CARRIER_CLIENT_ID",
  "CARRIER_CLIENT_SECRET",
];

/** What the carrier answers, and the token with which it is asked. */
export class Carrier {
  #client;
  #token;
  #renewal;

  /** Takes a client whose site is the carrier's API. */
  constructor(client) {
    this.#client = client;
  }

  /**
   * The carrier that the environment names.
   *
   * @throws {Error} If the environment does not name it whole.
   */
  static fromEnvironment(env) {
    const missing = NEEDED.filter((name) => !env[name]);
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

  /** What the carrier asks for a parcel: `{ price_cents, days }`. */
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
      // The token was revoked before its time: once more, with another.
      if (this.#token === token) this.#token = undefined;
      return await (await this.#currentToken()).post(path, options);
    }
  }

  /** The token, kept as long as it is good. */
  async #currentToken() {
    if (this.#token && !this.#token.expired()) return this.#token;
    // However many requests wait for a new one, it is asked for once.
    this.#renewal ??= this.#client.clientCredentials
      .getToken({}, { expiresLatency: LATENCY_SECONDS })
      .finally(() => this.#renewal = undefined);
    return this.#token = await this.#renewal;
  }
}
