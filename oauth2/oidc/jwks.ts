import { checkNames, knownNames } from "../core/names.ts";
import { isPlainObject } from "../core/params.ts";
import { checkSeconds } from "../core/seconds.ts";
import { SharedCall } from "../core/shared_call.ts";
import { type Fail, failing } from "../core/validation_error.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";

/** Algorithm and key id in the header of a JWT. */
export interface KeyQuery {
  /** Signature algorithm. */
  readonly alg: string;
  /** Key id. */
  readonly kid?: string | undefined;
}

/** Options of {@linkcode Jwks}. */
export interface JwksOptions {
  /**
   * Seconds for which keys are cached.
   *
   * @default {600}
   */
  maxAge?: number | undefined;
  /**
   * Seconds for which keys are used after `maxAge`, while the server cannot be
   * reached or returns no JWK set.
   *
   * @default {86400}
   */
  maxStale?: number | undefined;
  /**
   * Seconds from a response to a request for an unknown key. Also the most
   * seconds between failed requests: 1, then 2, 4 and so on.
   *
   * @default {30}
   */
  cooldown?: number | undefined;
  /**
   * Clock, in milliseconds since 1970.
   *
   * @default {Date.now}
   */
  clock?: (() => number) | undefined;
}

const OPTIONS = knownNames<JwksOptions>({
  maxAge: true,
  maxStale: true,
  cooldown: true,
  clock: true,
});

/** Public key (RFC 7517): the members that a signature needs. */
export interface PublicJwk {
  /** Key type: `RSA`, `EC` or `OKP`. */
  readonly kty: string;
  /** Curve of an EC or OKP key. */
  readonly crv?: string;
  /** Coordinate of an EC key, or an OKP key. */
  readonly x?: string;
  /** Coordinate of an EC key. */
  readonly y?: string;
  /** Modulus of an RSA key. */
  readonly n?: string;
  /** Exponent of an RSA key. */
  readonly e?: string;
}

/** Function that requests the document of a JWK set. */
export type LoadJwks = (signal: AbortSignal) => Promise<unknown>;

const fail: Fail = failing("verify the signature");
/** Members of a public key; others are dropped. */
const PUBLIC_MEMBERS = ["kty", "crv", "x", "y", "n", "e"];

/** Public key, and the members that select it. */
interface CachedKey {
  readonly jwk: PublicJwk;
  readonly kid: unknown;
  readonly alg: unknown;
  /** Issuer of the key, a member of servers with many tenants. */
  readonly issuer: unknown;
}

/**
 * Cache of a JWK set. Concurrent callers share a request. An unknown key id
 * causes one more request, at most once in `cooldown` seconds, and failed
 * requests are repeated with increasing delays, so that invalid tokens cannot
 * cause a flood of requests. Meanwhile, known keys are used for another day, and
 * calls that need others fail with the last error.
 */
export class Jwks {
  #load: LoadJwks;
  #maxAge: number;
  #maxStale: number;
  #cooldown: number;
  #clock: () => number;
  #keys: readonly CachedKey[] = [];
  #loadedAt = -Infinity;
  #failure: { error: unknown; at: number; delay: number } | undefined;
  #loading = new SharedCall<void>();

  /**
   * Creates an empty cache.
   *
   * @throws {TypeError} If an option is not a number of seconds.
   */
  constructor(load: LoadJwks, options: JwksOptions = {}) {
    checkNames(options, OPTIONS);
    const { maxAge = 600, maxStale = 86400, cooldown = 30, clock = Date.now } =
      options;
    checkSeconds("maxAge", maxAge);
    checkSeconds("maxStale", maxStale);
    checkSeconds("cooldown", cooldown);
    this.#load = load;
    this.#maxAge = maxAge * 1000;
    this.#maxStale = maxStale * 1000;
    this.#cooldown = cooldown * 1000;
    this.#clock = clock;
  }

  /**
   * Returns the key that verifies a JWT, and the issuer of the key if the set
   * names it.
   *
   * @throws {ValidationError} If the set is invalid, or has no such key or, for
   * a JWT without `kid`, several.
   */
  async find(
    query: KeyQuery,
    signal?: AbortSignal,
  ): Promise<{ jwk: PublicJwk; issuer: unknown }> {
    await this.load(signal);
    let found = this.#select(query);
    if (found.length === 0 && this.#mayReload()) {
      await this.#reload(signal);
      found = this.#select(query);
    }
    const [key, ...others] = found;
    if (key && others.length === 0) return key;
    return fail(
      key ? "ambiguous_key" : "unknown_key",
      `the server has ${
        key ? "several keys" : "no key"
      } for "${query.alg}" with its kid`,
    );
  }

  /**
   * Requests the keys, unless they are cached. During an outage of the server,
   * returns at once and keeps the known keys.
   *
   * @throws {ValidationError} If the set is invalid, and no known keys are left.
   */
  async load(signal?: AbortSignal): Promise<void> {
    if (!this.#isPast(this.#loadedAt, this.#maxAge)) return;
    const isLeft = !this.#isPast(
      this.#loadedAt,
      this.#maxAge + this.#maxStale,
    );
    // Not awaited: a server that hangs would delay every call.
    if (isLeft && this.#failure) return void this.#reload().catch(() => {});
    await this.#reload(signal).catch((error) => {
      if (!isLeft || signal?.aborted) throw error;
    });
  }

  /**
   * Requests the keys again, unless that was done recently. Returns false if
   * not: the same keys would be returned. For a JWT without `kid`, whose
   * signature a rotated key may explain.
   */
  async refresh(signal?: AbortSignal): Promise<boolean> {
    if (!this.#mayReload()) return false;
    await this.#reload(signal);
    return true;
  }

  #mayReload(): boolean {
    return this.#loading.isActive ||
      this.#isPast(this.#loadedAt, this.#cooldown);
  }

  /** Returns true after an interval, and if the clock was set back. */
  #isPast(time: number, interval: number): boolean {
    const elapsed = this.#clock() - time;
    return elapsed >= interval || elapsed < 0;
  }

  async #reload(signal?: AbortSignal): Promise<void> {
    await this.#loading.join(async (signal) => {
      const last = this.#failure;
      if (last && !this.#isPast(last.at, last.delay)) throw last.error;
      try {
        this.#keys = readKeys(await this.#load(signal));
        this.#loadedAt = this.#clock();
        this.#failure = undefined;
      } catch (error) {
        // An abort by the callers says nothing about the server.
        if (!signal.aborted) {
          const delay = Math.min(last ? 2 * last.delay : 1000, this.#cooldown);
          this.#failure = { error, at: this.#clock(), delay };
        }
        throw error;
      }
    }, signal);
  }

  #select({ alg, kid }: KeyQuery): CachedKey[] {
    const algorithm = findAlgorithm(alg);
    return this.#keys.filter((key) =>
      key.jwk.kty === algorithm?.kty &&
      (algorithm?.crv === undefined || key.jwk.crv === algorithm.crv) &&
      (key.alg === undefined || isSameAlgorithm(key.alg, alg)) &&
      (kid === undefined || key.kid === kid)
    );
  }
}

/** Compares names; `EdDSA` is the former name of `Ed25519` (RFC 9864). */
function isSameAlgorithm(a: unknown, b: string): boolean {
  const former = (alg: unknown) => alg === "Ed25519" ? "EdDSA" : alg;
  return former(a) === former(b);
}

function readKeys(document: unknown): CachedKey[] {
  const { keys } = Object(document);
  if (!Array.isArray(keys)) {
    fail("invalid_jwks", "the document of the server has no keys");
  }
  return keys.filter(isPlainObject).filter(isForSignatures).map((key) => ({
    jwk: Object.fromEntries(
      PUBLIC_MEMBERS.filter((name) => typeof key[name] === "string")
        .map((name) => [name, key[name]]),
    ) as unknown as PublicJwk,
    kid: key.kid,
    alg: key.alg,
    issuer: key.issuer,
  }));
}

function isForSignatures(key: Record<string, unknown>): boolean {
  const { use = "sig", key_ops: uses = ["verify"] } = key;
  return use === "sig" && Array.isArray(uses) && uses.includes("verify") &&
    key.d === undefined && key.k === undefined;
}
