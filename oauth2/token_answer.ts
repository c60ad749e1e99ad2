import type { OAuth2Response } from "./response.ts";
import { AccessToken, takeToken, type TokenHash } from "./token.ts";

/** What is taken for a token. */
export interface TokenAnswerOptions {
  /** The field that holds the token. */
  readonly tokenName: string | undefined;
  /** Types of tokens that are taken besides bearer. */
  readonly tokenTypes?: readonly string[] | undefined;
  /** Finds the object with the token among the fields of the answer. */
  readonly extractAccessToken?:
    | ((fields: Record<string, unknown>) => TokenHash | undefined)
    | undefined;
  /** A class of the caller's, which may look for the token itself. */
  readonly accessTokenClass?: { readonly fromHash: unknown } | undefined;
}

/** What an answer gives. */
export interface TokenAnswer {
  /** The fields of a token, if there is one. */
  readonly fields?: TokenHash;
  /** Why there is none, where the answer does not say so itself. */
  readonly problem?: string | undefined;
}

const NO_TOKEN = "Cannot find a token in the answer";

/**
 * Finds the fields of a token in the answer of a token endpoint (RFC 6749
 * sections 5.1 and 5.2), of which no mistake is taken for a token.
 */
export function readTokenAnswer(
  response: OAuth2Response,
  options: TokenAnswerOptions,
): TokenAnswer {
  if (!response.ok || response.problem) return { problem: response.problem };
  if (response.fields?.error) return {};
  const { tokenName, tokenTypes = [], accessTokenClass = AccessToken } =
    options;
  const isOwnReader = accessTokenClass.fromHash !== AccessToken.fromHash;
  const fields = readFields(response, options);
  if (
    !fields || Object.keys(fields).length === 0 ||
    !isOwnReader && !takeToken({ ...fields }, tokenName)
  ) {
    return {
      problem: response.parseError === undefined
        ? NO_TOKEN
        : "Cannot parse the answer",
    };
  }
  const refreshToken = fields.refresh_token ?? fields.refreshToken ?? "";
  if (typeof refreshToken !== "string") {
    return { problem: "Cannot use the refresh_token: it is not a string" };
  }
  const type = fields.token_type ?? fields.tokenType ?? "bearer";
  const types = ["bearer", ...tokenTypes].map((type) => type.toLowerCase());
  if (typeof type !== "string" || !types.includes(type.toLowerCase())) {
    return { problem: "Cannot use the token_type: it is not known" };
  }
  // A reader of the caller's may yet find none.
  return { fields, problem: NO_TOKEN };
}

/** What finds the fields may fail on an answer that it does not expect. */
function readFields(
  { fields }: OAuth2Response,
  { extractAccessToken: extract }: TokenAnswerOptions,
): TokenHash | undefined {
  try {
    return fields && extract ? extract(fields) : fields;
  } catch {
    return undefined;
  }
}
