/**
 * Step-up authentication (RFC 9470): a resource server that requires a stronger
 * or more recent login.
 *
 * @module
 */
import { parseChallenges } from "../core/challenges.ts";
import { OAuth2Error } from "../core/response.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { parseSeconds } from "../core/seconds.ts";

/** Parameters of the authorization request that a challenge demands. */
export interface StepUpParams {
  /** Authentication context classes, separated by spaces. */
  readonly acr_values?: string;
  /** Maximum authentication age in seconds. */
  readonly max_age?: number;
  /** Scopes, separated by spaces. */
  readonly scope?: string;
}

/** Source of a challenge. */
export type StepUpSource =
  | { readonly headers: Headers }
  | Headers
  | string
  | null
  | undefined;

/** Options of {@linkcode withStepUp}. */
export interface StepUpOptions {
  /**
   * Maximum number of authorizations.
   *
   * @default {1}
   */
  limit?: number | undefined;
}

const OPTIONS = knownNames<StepUpOptions>({ limit: true });
/** Errors of a challenge that another authorization may resolve. */
const CODES = ["insufficient_user_authentication", "insufficient_scope"];
/** Scopes and authentication context classes (RFC 6749 section 3.3). */
const TOKENS = /^[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*$/;
const MAX_LENGTH = 2000;

/**
 * Returns the parameters of a new authorization request that a challenge with
 * `insufficient_user_authentication` (RFC 9470 section 3) or
 * `insufficient_scope` (RFC 6750 section 3.1) demands, or undefined if there is
 * none. Values that are not valid are left out.
 *
 * @example
 * ```ts
 * import { stepUpParams } from "@carteiro/oauth2/step-up";
 *
 * const params = stepUpParams(
 *   'Bearer error="insufficient_user_authentication", max_age="60"',
 * );
 * console.assert(params?.max_age === 60);
 * ```
 */
export function stepUpParams(source: StepUpSource): StepUpParams | undefined {
  const header = typeof source === "object" && source !== null &&
      "headers" in source
    ? source.headers
    : source;
  const challenge = parseChallenges(header)
    .find(({ params }) => CODES.includes(params.error ?? ""));
  if (!challenge) return undefined;
  const { acr_values, max_age, scope } = challenge.params;
  const age = parseSeconds(max_age);
  return {
    ...isList(acr_values) && { acr_values },
    ...age !== undefined && Number.isSafeInteger(age) && age >= 0 &&
      { max_age: age },
    ...isList(scope) && { scope },
  };
}

/**
 * Calls a resource server, and once more after each authorization that it
 * demands. `call` gets the result of the last `authorize`, or undefined at
 * first. A refusal beyond the limit is the result.
 *
 * @throws {unknown} If `call` or `authorize` throws; an {@linkcode OAuth2Error}
 * of `call` with a challenge is one that demands an authorization.
 *
 * @example
 * ```ts
 * import { withStepUp } from "@carteiro/oauth2/step-up";
 *
 * const headers = {
 *   "www-authenticate":
 *     'Bearer error="insufficient_user_authentication", acr_values="strong"',
 * };
 * const response = await withStepUp<Response, string>(
 *   (token) =>
 *     Promise.resolve(new Response(token, token ? {} : { status: 401, headers })),
 *   (params) => Promise.resolve(`a token with ${params.acr_values}`),
 * );
 * console.assert(await response.text() === "a token with strong");
 * ```
 */
export async function withStepUp<Result, Token>(
  call: (token: Token | undefined) => Promise<Result>,
  authorize: (params: StepUpParams) => Promise<Token>,
  options: StepUpOptions = {},
): Promise<Result> {
  checkNames(options, OPTIONS);
  const { limit = 1 } = options;
  let token: Token | undefined;
  for (let left = limit;; left--) {
    const outcome = await call(token).then(
      (result) => ({ result, source: refusalOf(result) }),
      (error: unknown) => {
        if (!(error instanceof OAuth2Error)) throw error;
        return { error, source: error.response.headers };
      },
    );
    const params = left > 0 ? stepUpParams(outcome.source) : undefined;
    if (!params) {
      if ("error" in outcome) throw outcome.error;
      return outcome.result;
    }
    if ("result" in outcome) discard(outcome.result);
    token = await authorize(params);
  }
}

/** Returns the headers of a response with the status 401 or 403. */
function refusalOf(result: unknown): Headers | undefined {
  const { status, headers } = Object(result);
  const isRefusal = status === 401 || status === 403;
  return isRefusal && headers instanceof Headers ? headers : undefined;
}

function discard(result: unknown): void {
  const { body } = Object(result);
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
}

function isList(value: string | undefined): value is string {
  return value !== undefined && value.length <= MAX_LENGTH &&
    TOKENS.test(value);
}
