import type { Settings } from "./client_options.ts";
import { MalformedBody } from "./parsers.ts";
import type { OAuth2Response } from "./response.ts";
import { AccessToken } from "./token.ts";
import {
  asText,
  findToken,
  HashReader,
  REFRESH_TOKEN_NAMES,
  type TokenHash,
} from "./token_hash.ts";

export interface TokenResult {
  readonly fields?: TokenHash | undefined;
  /** Reason why there is no token, unless it is an error response. */
  readonly problem?: string | undefined;
}

const NO_TOKEN = "Cannot find a token in the response";

/**
 * Reads the fields of a token from a token response (RFC 6749 sections 5.1 and
 * 5.2). An error response has no fields.
 *
 * @throws {unknown} If a parser, class or function of the caller throws.
 */
export function readTokenResponse<T extends AccessToken>(
  response: OAuth2Response,
  settings: Settings<T>,
  tokenName: string | undefined,
): TokenResult {
  const { tokenTypes = [], accessTokenClass, extractAccessToken } = settings;
  const { problem, parseError } = response;
  if (!response.ok || problem) return { problem };
  if (parseError !== undefined) {
    if (!(parseError instanceof MalformedBody)) throw parseError;
    return { problem: "Cannot parse the response" };
  }
  const body = response.fields;
  if (body?.error) return {};
  const fields = body && extractAccessToken ? extractAccessToken(body) : body;
  const hasOwnReader = accessTokenClass !== undefined &&
    accessTokenClass.fromHash as unknown !== AccessToken.fromHash;
  if (!fields || Object.keys(fields).length === 0) return { problem: NO_TOKEN };
  const reader = new HashReader(fields);
  if (!hasOwnReader && !findToken(reader, tokenName)) {
    return { problem: NO_TOKEN };
  }
  const refreshToken = reader.take(REFRESH_TOKEN_NAMES) ?? "";
  if (typeof refreshToken !== "string") {
    return { problem: "Cannot use the refresh_token: it must be a string" };
  }
  const types = ["bearer", ...tokenTypes];
  const type = fields.token_type ?? fields.tokenType ??
    (needsType(settings) ? undefined : "bearer");
  if (!types.includes(asText(type)?.toLowerCase() ?? "")) {
    return {
      problem: `Cannot use the token_type${
        type === undefined ? ", which is missing" : ""
      }: it must be one of ${types.join(", ")}; tokenTypes adds others`,
    };
  }
  // The problem applies if `fromHash` of the caller's class finds no token.
  return { fields, problem: NO_TOKEN };
}

/**
 * Returns true if `token_type` must not be missing, because the token may be
 * bound to a key (RFC 9449 section 5, RFC 8705 section 3).
 */
function needsType<T extends AccessToken>(
  { tokenTypes, authScheme, tokenUrl, metadata }: Settings<T>,
): boolean {
  return tokenTypes?.includes("dpop") ||
    authScheme === "tls_client_auth" &&
      metadata?.tls_client_certificate_bound_access_tokens === true ||
    tokenUrl === metadata?.mtls_endpoint_aliases?.token_endpoint;
}
