import { checkClient } from "../core/names.ts";
import { checkTolerance } from "../core/seconds.ts";
import { invalid } from "../core/type_error.ts";
import { type Fail, failing } from "../core/validation_error.ts";
import { acceptedAlgorithms } from "./algorithms.ts";
import { isFor, show } from "./check_claims.ts";
import { checkTimes } from "./check_times.ts";
import { clientKeys, type OpenIdClient } from "./client.ts";
import type { Jwks } from "./jwks.ts";
import { verifyJwt } from "./verify_jwt.ts";

/** Options of the functions and classes that read them. */
export interface ServerJwtsOptions {
  readonly keys?: Jwks | undefined;
  readonly algorithms?: readonly string[] | undefined;
  readonly clockTolerance?: number | undefined;
}

/** Kind of JWTs. */
export interface JwtKind {
  /** Name in messages, e.g. `logout token`. */
  readonly name: string;
  /** Field of the metadata with the algorithms of the server. */
  readonly supported: string;
  /** Times that must not be missing. */
  readonly required: readonly string[];
  /** Types of the header, as for {@linkcode verifyJwt}. */
  readonly types?: readonly string[] | undefined;
  /**
   * Audience.
   *
   * @default {the client id}
   */
  readonly audience?: string | undefined;
  /** Accepts JWTs without issuer and audience. */
  readonly areNamesOptional?: boolean;
}

/** JWTs of one kind, from the server of a client. */
export class ServerJwts {
  readonly #client: OpenIdClient;
  readonly #kind: JwtKind;
  readonly #audience: string;
  readonly #keys: Jwks | undefined;
  readonly #algorithms: readonly string[];
  readonly #tolerance: number;
  /** Throws the error of a JWT. */
  readonly fail: Fail;

  /**
   * Caches the keys of the server.
   *
   * @throws {TypeError} If the client has no id or no issuer, or an option is
   * invalid.
   */
  constructor(
    client: OpenIdClient,
    { keys, algorithms, clockTolerance = 10 }: ServerJwtsOptions,
    kind: JwtKind,
  ) {
    checkClient(client);
    checkTolerance(clockTolerance);
    const { audience = client.id } = kind;
    if (audience === undefined || client.issuer === undefined) {
      throw invalid(
        `Cannot validate the ${kind.name}: the client has no id or no issuer, which discover returns`,
      );
    }
    this.#client = client;
    this.#kind = kind;
    this.#audience = audience;
    this.#keys = keys ?? clientKeys(client);
    this.#algorithms = acceptedAlgorithms(
      algorithms,
      client.metadata?.[kind.supported],
    );
    this.#tolerance = clockTolerance;
    this.fail = failing(`validate the ${kind.name}`);
  }

  /**
   * Validates signature, issuer, audience and times of a JWT, and returns its
   * claims.
   *
   * @throws {ValidationError} If it breaks a rule.
   */
  async read(
    jwt: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { issuer, secret, connectionOpts } = this.#client;
    const { name, required, types, areNamesOptional = false } = this.#kind;
    const audience = this.#audience;
    const { claims } = await verifyJwt(jwt, {
      name,
      algorithms: this.#algorithms,
      keys: this.#keys,
      secret,
      types,
      signal: signal ?? connectionOpts.signal,
    });
    const { iss, aud } = claims;
    const isOptional = (claim: unknown) =>
      areNamesOptional && claim === undefined;
    if (iss !== issuer && !isOptional(iss)) {
      this.fail("invalid_iss", `iss is ${show(iss)}, not "${issuer}"`);
    }
    if (!isFor(aud, audience) && !isOptional(aud)) {
      const state = `aud is ${show(aud)}, not text or texts with "${audience}"`;
      this.fail("invalid_aud", state);
    }
    const now = Math.floor(this.#client.now() / 1000);
    checkTimes(claims, { name, now, tolerance: this.#tolerance, required });
    return claims;
  }
}
