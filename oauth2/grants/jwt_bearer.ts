/**
 * JWT bearer grant (RFC 7523) with safe claims by default.
 *
 * @module
 */
import type { GrantParams } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import type { JwtClaims, JwtKey } from "../server/jwt.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { isPlainObject } from "../core/params.ts";
import type { AccessToken } from "../core/token.ts";
import type { TokenOverrides } from "../core/token_hash.ts";
import { invalid } from "../core/type_error.ts";

/** Options of {@linkcode jwtBearerToken}. */
export interface JwtBearerOptions {
  /** Key that signs the claims. */
  key: JwtKey;
  /**
   * Claims. By default, `iss` is the client id, `sub` is `iss`, `aud` the
   * issuer of the server, `iat` now, `exp` a minute later and `jti` a random
   * value. Null omits a claim.
   *
   * @default {{}}
   */
  claims?: JwtClaims | undefined;
  /**
   * Seconds from `iat` to `exp`, at most 3600.
   *
   * @default {60}
   */
  lifetime?: number | undefined;
  /** Options of the token. */
  token?: TokenOverrides | undefined;
}

const OPTIONS = knownNames<JwtBearerOptions>({
  key: true,
  claims: true,
  lifetime: true,
  token: true,
});
const LIFETIME = 60;
const MAX_LIFETIME = 3600;

/**
 * Requests a token with a signed JWT (RFC 7523 section 2.1). Its audience is
 * the issuer as a single text, as in the revision of RFC 7523 (RFC 7523bis), so
 * that another server cannot use the JWT. `params` are those of
 * `Client.getToken`.
 *
 * @throws {TypeError} If a claim has no default and is missing, or the claims
 * cannot be signed; nothing is sent.
 * @throws {OAuth2Error} If the server refuses, or its response has no token.
 * @throws {ConnectionError} If no complete response arrives.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { jwtBearerToken } from "@carteiro/oauth2/jwt-bearer";
 *
 * const client = new Client("abc", null, {
 *   site: "https://provider.example",
 *   issuer: "https://provider.example",
 *   fetch: () => Promise.resolve(Response.json({ access_token: "monkey" })),
 * });
 * const key = "a secret of at least 32 bytes for HS256";
 * const token = await jwtBearerToken(client, {
 *   key: { algorithm: "HS256", key },
 *   claims: { sub: "ana@example.com" },
 * }, { scope: "notes" });
 * console.assert(token.token === "monkey");
 * ```
 */
export async function jwtBearerToken<T extends AccessToken>(
  client: Client<T>,
  options: JwtBearerOptions,
  params: GrantParams = {},
): Promise<T> {
  checkNames(options, OPTIONS);
  const { key, claims = {}, lifetime = LIFETIME, token } = options;
  if (!(lifetime > 0 && lifetime <= MAX_LIFETIME)) {
    throw invalid(
      `Cannot use the lifetime ${lifetime}: it must be a number above 0, at most ${MAX_LIFETIME}`,
    );
  }
  if (!isPlainObject(claims)) {
    throw invalid("Cannot use the claims: they must be an object");
  }
  const { iss = client.id, iat = Math.floor(client.now() / 1000) } = claims;
  const defaults = {
    iss,
    sub: iss,
    aud: client.issuer,
    iat,
    exp: typeof iat === "number" ? iat + lifetime : undefined,
    jti: crypto.randomUUID(),
  };
  const signed = Object.fromEntries(
    Object.entries({ ...defaults, ...onlySet(claims) })
      .filter(([, value]) => value !== null),
  );
  // RFC 7523 section 3
  for (const name of ["iss", "sub", "aud", "exp"]) {
    if (signed[name] === undefined || signed[name] === "") {
      throw invalid(
        `Cannot use the claims: ${name} has no value; set it, or the id and the issuer of the client`,
      );
    }
  }
  return await client.assertion.getToken(signed, key, {
    ...params,
    raiseErrors: true,
  }, token);
}

/** Drops undefined values, which would replace a default. */
function onlySet(claims: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== undefined),
  );
}
