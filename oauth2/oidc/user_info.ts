import { isJsonType } from "../core/headers.ts";
import { checkNames, knownNames } from "../core/names.ts";
import type { AccessToken } from "../core/token.ts";
import { type Fail, failing } from "../core/validation_error.ts";
import type { UserInfo } from "./claims.ts";
import type { Jwks } from "./jwks.ts";
import { ServerJwts } from "./server_jwts.ts";
import { invalid } from "../core/type_error.ts";

/** Options of {@linkcode fetchUserInfo}. */
export interface UserInfoOptions {
  /** `sub` of the ID token, which the response must have, too. */
  sub: string;
  /**
   * Refuses a response that is not signed.
   *
   * @default {false}
   */
  signed?: boolean | undefined;
  /**
   * Signature algorithms to accept, such as those registered for the client.
   *
   * @default {asymmetric algorithms of `userinfo_signing_alg_values_supported`, or RS256}
   */
  algorithms?: readonly string[] | undefined;
  /**
   * Cache of the keys of the server, e.g. of `clientKeys(client)`.
   *
   * @default {a cache for this call}
   */
  keys?: Jwks | undefined;
  /** Signal that aborts the call, which rejects with its reason. */
  signal?: AbortSignal | undefined;
}

const OPTIONS = knownNames<UserInfoOptions>({
  sub: true,
  signed: true,
  algorithms: true,
  keys: true,
  signal: true,
});
const fail: Fail = failing("validate the userinfo");

/**
 * Requests the claims of the user. A signed response (JWT) is verified. The
 * `sub` must be that of the ID token: otherwise the access token may belong to
 * another user (OpenID Connect Core section 5.3.2).
 *
 * @throws {ValidationError} If the response breaks a rule.
 * @throws {OAuth2Error} If the server refuses.
 * @throws {ConnectionError} If no complete response arrives.
 * @throws {TypeError} If the metadata of the client has no
 * `userinfo_endpoint`, or `sub` is missing.
 *
 * @example
 * ```ts
 * import { AccessToken, Client } from "@carteiro/oauth2";
 * import { fetchUserInfo } from "@carteiro/oauth2/oidc";
 *
 * const issuer = "https://provider.example";
 * const client = new Client("abc", "secret", {
 *   issuer,
 *   metadata: { issuer, userinfo_endpoint: `${issuer}/me` },
 *   fetch: () => Promise.resolve(Response.json({ sub: "ana", name: "Ana" })),
 * });
 * const token = new AccessToken(client, "monkey");
 * const { name } = await fetchUserInfo(token, { sub: "ana" });
 * console.assert(name === "Ana");
 * ```
 */
export async function fetchUserInfo(
  token: AccessToken,
  options: UserInfoOptions,
): Promise<UserInfo> {
  checkNames(options ?? {}, OPTIONS);
  const { client } = token;
  const { userinfo_endpoint } = client.metadata ?? {};
  if (userinfo_endpoint === undefined) {
    throw invalid(
      "Cannot request userinfo: the metadata of the client has no userinfo_endpoint",
    );
  }
  // Untyped callers may omit them.
  if (typeof options?.sub !== "string" || options.sub === "") {
    throw invalid(
      "Cannot request userinfo: sub must be the sub of the ID token",
    );
  }
  const { signal } = options;
  const response = await token.get(userinfo_endpoint, {
    headers: { accept: "application/json, application/jwt" },
    snaky: false,
    raiseErrors: true,
    ...signal && { signal },
  });
  const isSigned = response.contentType === "application/jwt";
  if (options.signed && !isSigned) {
    fail("invalid_userinfo", "it is not signed");
  }
  const claims = isSigned
    ? await new ServerJwts(client, options, {
      name: "userinfo",
      supported: "userinfo_signing_alg_values_supported",
      required: [],
      areNamesOptional: true,
    }).read(response.body.trim(), signal)
    : isJsonType(response.contentType)
    ? response.fields
    : undefined;
  if (!claims) fail("invalid_userinfo", "it is not a JSON object");
  if (claims.sub !== options.sub) {
    const state = claims.sub === undefined
      ? "is missing"
      : "does not match: it names another user";
    fail("invalid_sub", `sub ${state}`);
  }
  return claims as UserInfo;
}
