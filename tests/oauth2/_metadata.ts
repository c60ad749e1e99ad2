/** Metadata of an authorization server (RFC 8414). */

/** Issuer with a path. */
export const ISSUER = "https://x.example/main";

/** Metadata of the issuer. */
export const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
};
