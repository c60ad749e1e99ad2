import type { Config } from "../core/config.ts";
import { OAuth2Error, OAuth2Response } from "../core/response.ts";
import { encodeParams } from "../core/params.ts";
import { parseForm } from "../core/parsers.ts";
import { show } from "../oidc/check_claims.ts";
import { Redactor } from "../core/redactor.ts";
import { isSameText } from "../core/same_text.ts";
import {
  type AuthorizationResponse,
  failSignIn,
  type ResponseParams,
} from "./response_params.ts";

/** Parameters that only other response types return. */
const OF_OTHER_TYPES = ["response", "access_token", "id_token"] as const;
const MAX_ERROR = 200;

/**
 * Refuses a callback on another path than that of the redirect URI: a response
 * of another server, which has a redirect URI of its own (RFC 9700 section
 * 4.4.2.2). Its origin may differ behind a proxy. Parameters have no path.
 *
 * @throws {ValidationError} If the paths differ.
 */
export function checkPath(
  response: AuthorizationResponse,
  redirectUri: string | undefined,
): void {
  if (response instanceof URLSearchParams || !redirectUri) return;
  const url = String(Object(response).url ?? response);
  const [path, expected] = [url, redirectUri].map((text) =>
    URL.parse(text, "http://localhost")?.pathname
  );
  // A text may be the query alone.
  if (url.startsWith("?") || path === expected) return;
  // Parameters without a question mark are a path, and secret.
  const shown = show(path?.split("=")[0]);
  failSignIn(
    "invalid_redirect_uri",
    `the path is ${shown}, not ${show(expected)} of the redirect_uri`,
  );
}

/**
 * Validates that a response belongs to an authorization request (RFC 6749
 * section 10.12) and comes from its server (RFC 9207).
 *
 * @throws {ValidationError} If `state` or `iss` is missing or wrong.
 */
export function checkOrigin(
  { state, iss }: ResponseParams,
  expected: {
    readonly state: string;
    readonly issuer?: string | undefined;
    readonly requiresIssuer: boolean;
  },
): void {
  if (state === undefined || !isSameText(state, expected.state)) {
    const reason = state === undefined ? "is missing" : "does not match";
    failSignIn("invalid_state", `state ${reason}`);
  }
  if (iss === undefined && expected.requiresIssuer) {
    failSignIn("invalid_iss", "iss is missing, which the server supports");
  }
  const { issuer } = expected;
  if (iss !== undefined && issuer !== undefined && iss !== issuer) {
    failSignIn("invalid_iss", `iss is ${show(iss)}, not "${issuer}"`);
  }
}

/**
 * Returns the authorization code. `secrets` are redacted in the texts of an
 * error.
 *
 * @throws {OAuth2Error} If the response is an error.
 * @throws {ValidationError} If there is no code, or the response is one of
 * another response type.
 */
export function codeOf(
  params: ResponseParams,
  secrets: readonly unknown[],
  config: Config,
): string {
  const { error, error_description, error_uri, code } = params;
  if (error !== undefined) {
    if (error.length > MAX_ERROR) {
      failSignIn(
        "invalid_request",
        `error has more than ${MAX_ERROR} characters`,
      );
    }
    const fields = { error, error_description, error_uri };
    const body = encodeParams(Object.entries(fields));
    const { state, response, access_token, id_token } = params;
    const own = [code, state, response, access_token, id_token];
    const redactor = new Redactor(config);
    const request = {
      url: new URL("about:blank"),
      headers: {},
      secrets: [...secrets, ...own],
    };
    throw new OAuth2Error(
      new OAuth2Response({ status: 400, body }, { parse: parseForm }),
      {
        repetition: "never",
        redact: (text) => redactor.text(text, request),
        label: redactor.label,
      },
    );
  }
  const other = OF_OTHER_TYPES.find((name) => params[name] !== undefined);
  if (other !== undefined) {
    failSignIn("invalid_response_type", `the response has ${other}`);
  }
  return code ?? failSignIn("missing_code", "code is missing");
}
