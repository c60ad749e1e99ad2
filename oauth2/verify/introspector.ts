/**
 * Introspection of access tokens by a resource server (RFC 7662).
 *
 * @module
 */
import { introspect, type IntrospectionClient } from "../introspection.ts";
import { sha256 } from "../jwk.ts";
import { invalid } from "../type_error.ts";

type Claims = Readonly<Record<string, unknown>>;

const MAX_CACHED = 1000;

/** Introspection with a cache of valid tokens. */
export class Introspector {
  #client: IntrospectionClient;
  #endpoint: string;
  #maxAge: number;
  #cache = new Map<string, { claims: Claims; until: number }>();

  /**
   * Creates an introspector. A valid token is cached for `maxAge` seconds; its
   * revocation is noticed so much later.
   *
   * @throws {TypeError} If the server has no introspection endpoint.
   */
  constructor(client: IntrospectionClient, maxAge: number) {
    const endpoint = client.metadata?.introspection_endpoint;
    if (typeof endpoint !== "string") {
      throw invalid(
        "Cannot verify tokens: the metadata of the client has neither jwks_uri nor introspection_endpoint",
      );
    }
    this.#client = client;
    this.#endpoint = endpoint;
    this.#maxAge = maxAge;
  }

  /**
   * Returns the claims of a token, or undefined if it is not active.
   *
   * @throws {ValidationError} If the response is not one of introspection.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async introspect(
    token: string,
    signal: AbortSignal | undefined,
  ): Promise<Claims | undefined> {
    const now = this.#client.now() / 1000;
    const key = this.#maxAge > 0 ? await sha256(token) : "";
    const cached = this.#cache.get(key);
    // Cloned, because the caller may change them.
    if (cached && now < cached.until) return structuredClone(cached.claims);
    this.#cache.delete(key);
    const claims = await introspect(this.#client, token, {
      token_type_hint: "access_token",
      signal,
    }, { endpoint: this.#endpoint });
    if (!claims.active) return undefined;
    if (this.#maxAge > 0) {
      const { exp = Infinity } = claims;
      const until = Math.min(now + this.#maxAge, Number(exp));
      this.#cache.set(key, { claims: structuredClone(claims), until });
      if (this.#cache.size > MAX_CACHED) {
        const [oldest] = this.#cache.keys();
        this.#cache.delete(oldest!);
      }
    }
    return claims;
  }
}
