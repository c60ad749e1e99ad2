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

/** Result of reading a token response. */
export interface TokenAnswer {
  /** Fields of the token, if there is one. */
  readonly fields?: TokenHash | undefined;
  /** Problem, where the response itself does not tell it. */
  readonly problem?: string | undefined;
}

const NO_TOKEN = "Cannot find a token in the answer";

/**
 * Reads the fields of a token from the response of a token endpoint (RFC 6749
 * sections 5.1 and 5.2), and takes no error for a token.
 *
 * @throws {unknown} As the caller's own parser, class or function does.
 */
export function readTokenAnswer<T extends AccessToken>(
  response: OAuth2Response,
  { tokenTypes = [], accessTokenClass, extractAccessToken }: Settings<T>,
  tokenName: string | undefined,
): TokenAnswer {
  const { problem, parseError } = response;
  if (!response.ok || problem) return { problem };
  if (parseError !== undefined) {
    if (!(parseError instanceof MalformedBody)) throw parseError;
    return { problem: "Cannot parse the answer" };
  }
  const answer = response.fields;
  if (answer?.error) return {};
  const fields = answer && extractAccessToken
    ? extractAccessToken(answer)
    : answer;
  const hasOwnReader = accessTokenClass !== undefined &&
    accessTokenClass.fromHash as unknown !== AccessToken.fromHash;
  if (
    !fields || Object.keys(fields).length === 0 ||
    !hasOwnReader && !findToken(new HashReader(fields), tokenName)
  ) {
    return { problem: NO_TOKEN };
  }
  const refreshToken = new HashReader(fields).take(REFRESH_TOKEN_NAMES) ?? "";
  if (typeof refreshToken !== "string") {
    return { problem: "Cannot use the refresh_token: it is not a string" };
  }
  const type = fields.token_type ?? fields.tokenType ?? "bearer";
  const types = ["bearer", ...tokenTypes];
  if (!types.includes(asText(type)?.toLowerCase() ?? "")) {
    return {
      problem: `Cannot use the token_type: it must be one of ${
        types.join(", ")
      }; tokenTypes allows others`,
    };
  }
  // A reader of the caller's may yet find none.
  return { fields, problem: NO_TOKEN };
}
