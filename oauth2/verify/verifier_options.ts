import { checkNames, knownNames } from "../core/names.ts";
import { acceptedAlgorithms } from "../oidc/algorithms.ts";
import { clientKeys } from "../oidc/client.ts";
import type { Jwks } from "../oidc/jwks.ts";
import { checkSeconds, checkTolerance } from "../core/seconds.ts";
import { type ChallengeSettings, checkChallengeText } from "./access_denied.ts";
import type { IntrospectionClient } from "../server/introspection.ts";
import { Introspector } from "./introspector.ts";
import type { NonceSource } from "./nonces.ts";
import { MemoryReplays, type ReplayStore } from "../core/replays.ts";
import type { VerifiedRequest } from "./request.ts";
import { invalid } from "../core/type_error.ts";

/** Binding of tokens to a key, as a resource server demands it. */
export type Binding = "optional" | "required" | "dpop" | "mtls";

/** Options of {@linkcode TokenVerifier}. */
export interface TokenVerifierOptions {
  /** Names of this resource server, one of which must be in `aud`. */
  audience: string | readonly string[];
  /**
   * Refuses an introspection response without `aud`, which is optional (RFC 7662
   * section 2.2). False for a server that tells only tokens for this resource
   * server, or leaves `aud` out. JWTs always need one.
   *
   * @default {false}
   */
  requireAudience?: boolean | undefined;
  /**
   * Form of the tokens: `jwt` as in RFC 9068, or `introspection`, for which the
   * client needs credentials, or `any`: JWTs are verified, and other tokens are
   * introspected.
   *
   * @default {"jwt" if the metadata has a `jwks_uri`, otherwise "introspection"}
   */
  tokens?: "jwt" | "introspection" | "any" | undefined;
  /**
   * Claims with the scopes of a token, as text or lists, e.g. `scp` of Entra ID
   * and Okta, or `permissions` of Auth0.
   *
   * @default {"scope"}
   */
  scopeClaim?: string | readonly string[] | undefined;
  /**
   * Accepts introspection responses without `token_type`. Only for a server
   * that always leaves it out: others leave it out for refresh tokens, which
   * would pass for access tokens.
   *
   * @default {false}
   */
  allowUntyped?: boolean | undefined;
  /**
   * Cache of the keys of the authorization server.
   *
   * @default {`clientKeys(client)`}
   */
  keys?: Jwks | undefined;
  /**
   * Signature algorithms of JWTs to accept.
   *
   * @default {all asymmetric ones}
   */
  algorithms?: readonly string[] | undefined;
  /**
   * Types in the header of JWTs to accept. With `jwt`, for servers before RFC
   * 9068, other JWTs of the issuer for the same audience are accepted, too.
   *
   * @default {["at+jwt"]}
   */
  types?: readonly string[] | undefined;
  /**
   * Seconds for which an active token is cached: a revocation is noticed so much
   * later. Concurrent calls share a request, whatever this is.
   *
   * @default {0}
   */
  introspectionMaxAge?: number | undefined;
  /**
   * Seconds for which an inactive token is remembered, 0 to 60, so that a client
   * that repeats it causes no requests.
   *
   * @default {5}
   */
  inactiveMaxAge?: number | undefined;
  /**
   * Binding of tokens to a key: `optional`, `required`, or one of `dpop` and
   * `mtls`. A bound token always needs its key.
   *
   * @default {"optional"}
   */
  binding?: Binding | undefined;
  /**
   * Signature algorithms of DPoP proofs to accept.
   *
   * @default {["ES256", "EdDSA", "Ed25519", "PS256"]}
   */
  proofAlgorithms?: readonly string[] | undefined;
  /**
   * Maximum age of a DPoP proof in seconds.
   *
   * @default {60}
   */
  proofMaxAge?: number | undefined;
  /**
   * Store of used DPoP proofs, which all processes should share.
   *
   * @default {a `MemoryReplays`}
   */
  replays?: ReplayStore | undefined;
  /**
   * Source of the nonces that DPoP proofs must have, e.g. a `DpopNonces`.
   *
   * @default {none: proofs need no nonce}
   */
  nonces?: NonceSource | undefined;
  /**
   * Maximum difference between the clocks, in seconds.
   *
   * @default {10}
   */
  clockTolerance?: number | undefined;
  /** `realm` of the challenges. */
  realm?: string | undefined;
  /** URL of the metadata of this resource server (RFC 9728). */
  resourceMetadata?: string | URL | undefined;
  /**
   * Origin of this resource server as clients see it, e.g.
   * `https://api.example`, for DPoP proofs. Without it and `publicUrl`, the
   * origin is that of `request.url`, which servers take from the header `Host`:
   * then whoever sets it can use a proof that was made for another server.
   *
   * @default {that of `request.url`}
   */
  origin?: string | URL | undefined;
  /**
   * Returns the URL of a request as clients see it, for DPoP proofs behind a
   * proxy that changes paths. Instead of `origin`.
   *
   * @default {`request.url`, on the origin of the option `origin`}
   */
  publicUrl?: ((request: VerifiedRequest) => string | URL) | undefined;
}

/** Options of a verifier, with defaults applied. */
export interface VerifierSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Signature algorithms of JWTs. */
  readonly algorithms: readonly string[];
  readonly types: readonly string[];
  readonly keys: Jwks | undefined;
  /** Introspection; undefined if all tokens are JWTs. */
  readonly introspector: Introspector | undefined;
  readonly requireAudience: boolean;
  readonly scopeClaims: readonly string[];
  readonly allowUntyped: boolean;
  readonly binding: Binding;
  readonly proofMaxAge: number;
  readonly replays: ReplayStore;
  readonly nonces: NonceSource | undefined;
  readonly clockTolerance: number;
  readonly challenges: ChallengeSettings;
  readonly publicUrl: (request: VerifiedRequest) => string | URL;
}

const OPTIONS = knownNames<TokenVerifierOptions>({
  audience: true,
  requireAudience: true,
  tokens: true,
  scopeClaim: true,
  allowUntyped: true,
  keys: true,
  algorithms: true,
  types: true,
  introspectionMaxAge: true,
  inactiveMaxAge: true,
  binding: true,
  proofAlgorithms: true,
  proofMaxAge: true,
  replays: true,
  nonces: true,
  clockTolerance: true,
  realm: true,
  resourceMetadata: true,
  origin: true,
  publicUrl: true,
});
const SCHEMES = {
  optional: ["Bearer", "DPoP"],
  required: ["Bearer", "DPoP"],
  dpop: ["DPoP"],
  mtls: ["Bearer"],
} as const;
/** Seconds; a token may become active again, e.g. on another replica. */
const MAX_INACTIVE = 60;
const ASYMMETRIC =
  "ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512"
    .split(" ");
const PROOF_ALGORITHMS = ["ES256", "EdDSA", "Ed25519", "PS256"];

/**
 * Checks the options of a verifier and applies the defaults.
 *
 * @throws {TypeError} If an option is missing, misspelled or invalid, or the
 * client has no issuer, or neither `jwks_uri` nor `introspection_endpoint`.
 */
export function resolveSettings(
  client: IntrospectionClient,
  options: TokenVerifierOptions,
): VerifierSettings {
  checkNames(options, OPTIONS);
  const {
    tokens,
    requireAudience = false,
    scopeClaim = "scope",
    allowUntyped = false,
    algorithms = ASYMMETRIC,
    types = ["at+jwt"],
    introspectionMaxAge = 0,
    inactiveMaxAge = 5,
    binding = "optional",
    proofAlgorithms = PROOF_ALGORITHMS,
    proofMaxAge = 60,
    replays = new MemoryReplays({ clock: () => client.now() }),
    nonces,
    clockTolerance = 10,
    realm,
    resourceMetadata,
  } = options;
  checkTolerance(clockTolerance);
  checkSeconds("proofMaxAge", proofMaxAge);
  checkSeconds("introspectionMaxAge", introspectionMaxAge);
  checkSeconds("inactiveMaxAge", inactiveMaxAge, MAX_INACTIVE);
  const audience = [options.audience ?? []].flat();
  if (audience.length === 0 || audience.includes("")) {
    refuse("audience is required");
  }
  const { issuer } = client;
  if (issuer === undefined) refuse("the client has no issuer");
  if (!Object.hasOwn(SCHEMES, binding)) {
    throw invalid(
      `Cannot use binding "${binding}": it must be one of ${
        Object.keys(SCHEMES).join(", ")
      }`,
    );
  }
  if (![undefined, "jwt", "introspection", "any"].includes(tokens)) {
    refuse('tokens must be "jwt", "introspection" or "any"');
  }
  const scopeClaims = [scopeClaim].flat();
  if (scopeClaims.length === 0 || !scopeClaims.every((name) => name)) {
    refuse("scopeClaim must be the name of a claim, or a list of names");
  }
  if (
    types.length === 0 || types.some((type) => /^application\//i.test(type))
  ) {
    refuse("types must be a list, not empty, without application/");
  }
  const keys = tokens === "introspection"
    ? undefined
    : options.keys ?? clientKeys(client);
  if (!keys && (tokens === "jwt" || tokens === "any")) {
    refuse("the client has no jwks_uri");
  }
  const { dpop_signing_alg_values_supported: dpop } = client.metadata ?? {};
  const hasDpop = binding !== "optional" || Array.isArray(dpop) ||
    (options.proofAlgorithms ?? nonces) !== undefined;
  const schemes = SCHEMES[binding];
  return {
    issuer,
    audience,
    algorithms: asymmetric(algorithms),
    types: types.map((type) => type.toLowerCase()),
    keys,
    introspector: keys && tokens !== "any"
      ? undefined
      : new Introspector(client, {
        active: introspectionMaxAge,
        inactive: inactiveMaxAge,
      }),
    requireAudience,
    scopeClaims,
    allowUntyped,
    binding,
    proofMaxAge,
    replays,
    nonces,
    clockTolerance,
    challenges: {
      schemes,
      advertised: schemes.filter((scheme) => scheme !== "DPoP" || hasDpop),
      algorithms: asymmetric(proofAlgorithms),
      realm: checkChallengeText("realm", realm),
      resourceMetadata: resourceMetadata && new URL(resourceMetadata).href,
    },
    publicUrl: publicUrlOf(options),
  };
}

/** Returns the function for the URL of a request as clients see it. */
function publicUrlOf(
  { origin, publicUrl }: TokenVerifierOptions,
): VerifierSettings["publicUrl"] {
  if (origin === undefined) return publicUrl ?? (({ url }) => url);
  if (publicUrl) refuse("origin and publicUrl exclude each other");
  const { href, origin: own } = new URL(origin);
  if (href !== `${own}/`) refuse("origin must be an http or https origin");
  return ({ url }) => {
    const { pathname, search } = new URL(url);
    // A path that begins with two slashes stays a path.
    return `${own}${pathname}${search}`;
  };
}

function asymmetric(algorithms: readonly string[]): readonly string[] {
  if (algorithms.length === 0) refuse("the list of algorithms is empty");
  const shared = algorithms.find((alg) => /^HS/i.test(alg));
  if (shared === undefined) return acceptedAlgorithms(algorithms, undefined);
  throw invalid(
    `Cannot accept the algorithm "${shared}": it must be asymmetric`,
  );
}

function refuse(state: string): never {
  throw invalid(`Cannot verify tokens: ${state}`);
}
