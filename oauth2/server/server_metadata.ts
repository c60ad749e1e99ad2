/**
 * Metadata of an authorization server (RFC 8414 section 2, OpenID Connect
 * Discovery 1.0 section 3). Only `issuer`, the endpoints and `jwks_uri` are
 * validated.
 */
export interface ServerMetadata {
  /** Issuer, identical to the argument of `discover`. */
  readonly issuer: string;
  /** URL of the authorization endpoint. */
  readonly authorization_endpoint?: string;
  /** URL of the token endpoint. */
  readonly token_endpoint?: string;
  /** URL of the JWK set of the server. */
  readonly jwks_uri?: string;
  /** URL of the client registration endpoint (RFC 7591). */
  readonly registration_endpoint?: string;
  /** Scopes. */
  readonly scopes_supported?: readonly string[];
  /** Response types, such as `code`. */
  readonly response_types_supported?: readonly string[];
  /** Response modes, such as `query` and `form_post`. */
  readonly response_modes_supported?: readonly string[];
  /** Grant types. */
  readonly grant_types_supported?: readonly string[];
  /** Client authentication methods of the token endpoint. */
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  /** Signature algorithms of client assertions at the token endpoint. */
  readonly token_endpoint_auth_signing_alg_values_supported?: readonly string[];
  /** URL of the documentation. */
  readonly service_documentation?: string;
  /** Languages of the pages. */
  readonly ui_locales_supported?: readonly string[];
  /** URL of the data usage policy for clients. */
  readonly op_policy_uri?: string;
  /** URL of the terms of service. */
  readonly op_tos_uri?: string;
  /** URL of the revocation endpoint (RFC 7009). */
  readonly revocation_endpoint?: string;
  /** Client authentication methods of the revocation endpoint. */
  readonly revocation_endpoint_auth_methods_supported?: readonly string[];
  /** Signature algorithms of client assertions at the revocation endpoint. */
  readonly revocation_endpoint_auth_signing_alg_values_supported?:
    readonly string[];
  /** URL of the introspection endpoint (RFC 7662). */
  readonly introspection_endpoint?: string;
  /** Client authentication methods of the introspection endpoint. */
  readonly introspection_endpoint_auth_methods_supported?: readonly string[];
  /**
   * Signature algorithms of client assertions at the introspection endpoint.
   */
  readonly introspection_endpoint_auth_signing_alg_values_supported?:
    readonly string[];
  /** PKCE challenge methods, such as `S256`. */
  readonly code_challenge_methods_supported?: readonly string[];
  /** Metadata as a signed JWT. */
  readonly signed_metadata?: string;
  /** URL of the device authorization endpoint (RFC 8628). */
  readonly device_authorization_endpoint?: string;
  /** URL of the pushed authorization request endpoint (RFC 9126). */
  readonly pushed_authorization_request_endpoint?: string;
  /** True if authorization requests must be pushed. */
  readonly require_pushed_authorization_requests?: boolean;
  /** Endpoints for mutual TLS (RFC 8705 section 5). */
  readonly mtls_endpoint_aliases?: { readonly [endpoint: string]: string };
  /**
   * True if tokens are bound to the client certificate (RFC 8705 section 3).
   */
  readonly tls_client_certificate_bound_access_tokens?: boolean;
  /** True if authorization responses contain `iss` (RFC 9207). */
  readonly authorization_response_iss_parameter_supported?: boolean;
  /** Signature algorithms of DPoP proofs (RFC 9449). */
  readonly dpop_signing_alg_values_supported?: readonly string[];
  /** Types of authorization details (RFC 9396). */
  readonly authorization_details_types_supported?: readonly string[];
  /** URL of the userinfo endpoint (OpenID Connect). */
  readonly userinfo_endpoint?: string;
  /** URL of the logout endpoint (OpenID Connect RP-Initiated Logout). */
  readonly end_session_endpoint?: string;
  /** URL of the session iframe (OpenID Connect Session Management). */
  readonly check_session_iframe?: string;
  /** Authentication context classes. */
  readonly acr_values_supported?: readonly string[];
  /** Types of subject identifiers: `public` and `pairwise`. */
  readonly subject_types_supported?: readonly string[];
  /** Signature algorithms of ID tokens. */
  readonly id_token_signing_alg_values_supported?: readonly string[];
  /** Key encryption algorithms of ID tokens. */
  readonly id_token_encryption_alg_values_supported?: readonly string[];
  /** Content encryption algorithms of ID tokens. */
  readonly id_token_encryption_enc_values_supported?: readonly string[];
  /** Signature algorithms of userinfo responses. */
  readonly userinfo_signing_alg_values_supported?: readonly string[];
  /** Key encryption algorithms of userinfo responses. */
  readonly userinfo_encryption_alg_values_supported?: readonly string[];
  /** Content encryption algorithms of userinfo responses. */
  readonly userinfo_encryption_enc_values_supported?: readonly string[];
  /** Signature algorithms of request objects. */
  readonly request_object_signing_alg_values_supported?: readonly string[];
  /** Key encryption algorithms of request objects. */
  readonly request_object_encryption_alg_values_supported?: readonly string[];
  /** Content encryption algorithms of request objects. */
  readonly request_object_encryption_enc_values_supported?: readonly string[];
  /** Values of `display`. */
  readonly display_values_supported?: readonly string[];
  /** Types of claims: `normal`, `aggregated`, `distributed`. */
  readonly claim_types_supported?: readonly string[];
  /** Names of claims. */
  readonly claims_supported?: readonly string[];
  /** Languages of claims. */
  readonly claims_locales_supported?: readonly string[];
  /** True if the parameter `claims` is supported. */
  readonly claims_parameter_supported?: boolean;
  /** True if the parameter `request` is supported. */
  readonly request_parameter_supported?: boolean;
  /** True if the parameter `request_uri` is supported. */
  readonly request_uri_parameter_supported?: boolean;
  /** True if values of `request_uri` must be registered. */
  readonly require_request_uri_registration?: boolean;
  /** Other fields. */
  readonly [field: string]: unknown;
}
