import { OAuth2Error } from "../core/response.ts";
import {
  introspect,
  type IntrospectionClient,
} from "../server/introspection.ts";
import { sha256 } from "../core/jwk.ts";
import { SharedCall } from "../core/shared_call.ts";
import { invalid } from "../core/type_error.ts";

type Claims = Readonly<Record<string, unknown>>;

/** Result of an introspection. */
export interface Introspected {
  /** Claims of the token; undefined if it is not active. */
  readonly claims?: Claims;
  /** Error of the server, if it refused the token as such. */
  readonly cause?: unknown;
}

/** Seconds for which results are cached. */
export interface CacheAges {
  readonly active: number;
  readonly inactive: number;
}

/** Results of each kind that are cached. */
const MAX_CACHED = 1000;
/**
 * Statuses of servers that refuse a JWT, or text that is no token of theirs, as
 * such, e.g. with `unsupported_token_type`. Some even answer 200.
 */
const REFUSED = [400, 422];
/** Errors that are not about the token. */
const CLIENT_ERRORS = ["invalid_client", "unauthorized_client"];

/**
 * Introspection with a cache. Concurrent calls for a token share one request.
 * Active and inactive tokens are cached apart, so that made-up tokens do not
 * evict others.
 */
export class Introspector {
  #client: IntrospectionClient;
  #endpoint: string;
  #ages: CacheAges;
  #cache = {
    active: new Map<string, { result: Introspected; until: number }>(),
    inactive: new Map<string, { result: Introspected; until: number }>(),
  };
  #calls = new Map<string, SharedCall<Introspected>>();

  /**
   * Creates an introspector. A revocation is noticed after the age of active
   * tokens.
   *
   * @throws {TypeError} If the server has no introspection endpoint.
   */
  constructor(client: IntrospectionClient, ages: CacheAges) {
    const endpoint = client.metadata?.introspection_endpoint;
    if (typeof endpoint !== "string") {
      throw invalid(
        "Cannot verify tokens: the metadata of the client has no introspection_endpoint; JWTs need its jwks_uri",
      );
    }
    this.#client = client;
    this.#endpoint = endpoint;
    this.#ages = ages;
  }

  /**
   * Introspects a token.
   *
   * @throws {ValidationError} If the response is not one of introspection.
   * @throws {OAuth2Error} If the server refuses the client, or fails.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async introspect(
    token: string,
    signal: AbortSignal | undefined,
  ): Promise<Introspected> {
    const key = await sha256(token);
    const { active, inactive } = this.#cache;
    for (const cache of [active, inactive]) {
      const cached = cache.get(key);
      if (cached && this.#now() < cached.until) return copy(cached.result);
      cache.delete(key);
    }
    const call = this.#calls.get(key) ?? new SharedCall();
    this.#calls.set(key, call);
    try {
      return copy(
        await call.join(
          (signal) => this.#request(token, key, signal),
          signal ?? this.#client.connectionOpts.signal,
        ),
      );
    } finally {
      if (!call.isActive && this.#calls.get(key) === call) {
        this.#calls.delete(key);
      }
    }
  }

  async #request(
    token: string,
    key: string,
    signal: AbortSignal,
  ): Promise<Introspected> {
    const now = this.#now();
    const result = await this.#ask(token, signal);
    const kind = result.claims ? "active" : "inactive";
    const cache = this.#cache[kind];
    const { exp = Infinity } = result.claims ?? {};
    const until = Math.min(now + this.#ages[kind], Number(exp));
    if (until > now) cache.set(key, { result, until });
    if (cache.size > MAX_CACHED) {
      const [oldest] = cache.keys();
      cache.delete(oldest!);
    }
    return result;
  }

  async #ask(token: string, signal: AbortSignal): Promise<Introspected> {
    try {
      const claims = await introspect(this.#client, token, {
        token_type_hint: "access_token",
        signal,
      }, { endpoint: this.#endpoint });
      return claims.active ? { claims } : {};
    } catch (cause) {
      const isOfToken = cause instanceof OAuth2Error &&
        (cause.status === 200 ? cause.code : REFUSED.includes(cause.status)) &&
        !CLIENT_ERRORS.includes(cause.code ?? "");
      if (!isOfToken) throw cause;
      return { cause };
    }
  }

  #now(): number {
    return this.#client.now() / 1000;
  }
}

/** Copies claims, because callers may change them. */
function copy(result: Introspected): Introspected {
  const { claims } = result;
  return claims ? { claims: structuredClone(claims) } : result;
}
