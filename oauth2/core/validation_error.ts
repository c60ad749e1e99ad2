/**
 * Rule that a response breaks:
 *
 * - of a JWT: `malformed_jwt`, `encrypted_jwt`, `invalid_typ`,
 *   `unsupported_alg`, `invalid_jwks`, `unknown_key`, `ambiguous_key` (several
 *   keys, and the JWT names none), `invalid_signature`;
 * - of a claim: `invalid_iss`, `invalid_sub`, `invalid_aud`, `invalid_azp`,
 *   `invalid_exp`, `expired`, `invalid_iat`, `invalid_nbf`, `invalid_nonce`,
 *   `invalid_at_hash`, `invalid_c_hash`, `invalid_s_hash`,
 *   `invalid_auth_time`, `invalid_acr`, `invalid_amr`, `invalid_sid`;
 * - of a logout token: `invalid_events`, `invalid_jti` (missing or used before);
 * - of an authorization response: `missing_flow`, `invalid_flow`,
 *   `flow_expired`, `flow_used`, `invalid_request`, `repeated_parameter`,
 *   `invalid_state`, `invalid_iss`, `invalid_response_type`, `missing_code`,
 *   `missing_response` (a signed one), `invalid_redirect_uri` (another path);
 * - of a pushed authorization request: `invalid_request_uri`;
 * - of a token response: `missing_id_token`, `invalid_token_type`,
 *   `invalid_authorization_details`;
 * - of a stored token: `invalid_key` (another DPoP key);
 * - of an introspection response: `invalid_introspection`;
 * - of a userinfo response: `invalid_userinfo`, `invalid_sub`.
 */
export type ValidationCode =
  | "malformed_jwt"
  | "encrypted_jwt"
  | "invalid_typ"
  | "unsupported_alg"
  | "invalid_jwks"
  | "unknown_key"
  | "ambiguous_key"
  | "invalid_signature"
  | "invalid_iss"
  | "invalid_sub"
  | "invalid_aud"
  | "invalid_azp"
  | "invalid_exp"
  | "expired"
  | "invalid_iat"
  | "invalid_nbf"
  | "invalid_nonce"
  | "invalid_at_hash"
  | "invalid_c_hash"
  | "invalid_s_hash"
  | "invalid_auth_time"
  | "invalid_acr"
  | "invalid_amr"
  | "invalid_sid"
  | "invalid_events"
  | "invalid_jti"
  | "missing_flow"
  | "invalid_flow"
  | "flow_expired"
  | "flow_used"
  | "invalid_request"
  | "repeated_parameter"
  | "invalid_state"
  | "invalid_response_type"
  | "missing_code"
  | "missing_id_token"
  | "missing_response"
  | "invalid_redirect_uri"
  | "invalid_request_uri"
  | "invalid_token_type"
  | "invalid_authorization_details"
  | "invalid_key"
  | "invalid_introspection"
  | "invalid_userinfo";

/**
 * Response that must not be trusted. The message contains no token, code or
 * other secret.
 */
export class ValidationError extends Error {
  /** Always `ValidationError`. */
  override readonly name = "ValidationError";
  /** Always `validation`. */
  readonly kind = "validation";
  /** Always false: the same response fails again. */
  readonly retryable = false;
  /** Rule that the response breaks. */
  readonly code: ValidationCode;

  /** Creates an error; the message must not contain secrets. */
  constructor(code: ValidationCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Throws the error of a task; `state` is what is wrong, without secrets. */
export type Fail = (code: ValidationCode, state: string) => never;

/** Returns the function for a task, e.g. `read the flow`. */
export function failing(task: string): Fail {
  return (code, state) => {
    throw new ValidationError(code, `Cannot ${task}: ${state}`);
  };
}
