/** Clients registered with every server, and the user who logs in. */

/** Client identifier and client secret. */
export interface Credentials {
  readonly id: string;
  readonly secret?: string;
}

/** Registration of a client. */
export interface Registration extends Credentials {
  /** The only grant that it may use; with a code, it may also refresh. */
  readonly grant: Grant;
}

type Grant =
  | "authorization_code"
  | "client_credentials"
  | "implicit"
  | "password";

function withSecret(
  id: string,
  grant: Grant,
  secret = `secret-of-${id}-of-32-bytes-or-more`,
): Registration {
  return { id, grant, secret };
}

function withoutSecret(id: string, grant: Grant): Registration {
  return { id, grant };
}

/** Redirect URI of every client; nothing listens there. */
export const REDIRECT_URI = "http://127.0.0.1/callback";

/** Resource owner. */
export const USER = {
  username: "maria",
  password: "senha da Maria: 100% + 8e1f",
} as const;

/** Confidential client. */
export const CONFIDENTIAL = withSecret("confidential", "authorization_code");
/** Confidential client; the server asks for consent. */
export const OTHER = withSecret("other", "authorization_code");
/** Public client. */
export const PUBLIC = withoutSecret("public", "authorization_code");
/** Public client; the server asks for consent. */
export const IMPLICIT = withoutSecret("implicit", "implicit");
/** Client for client credentials. */
export const MACHINE = withSecret("machine", "client_credentials");
/** Client whose secret contains characters that form encoding changes. */
export const ODD = withSecret("odd", "client_credentials", "a:b%+ é&=/?~%20*ü");
/** Client of `oauth2/examples/e2e.ts`. */
export const EXAMPLE = withSecret(
  "demo-client",
  "client_credentials",
  "demo-secret",
);
/** Client for the password grant. */
export const DIRECT = withSecret("direct", "password");
/** Client whose tokens expire after a second. */
export const BRIEF = withSecret("brief", "password");

/** Clients with a secret in the request, or without client authentication. */
export const BASIC_CLIENTS: readonly Registration[] = [
  CONFIDENTIAL,
  OTHER,
  PUBLIC,
  IMPLICIT,
  MACHINE,
  ODD,
  EXAMPLE,
  DIRECT,
  BRIEF,
];

/** Client with `private_key_jwt` (ES256). */
export const PRIVATE_KEY = withoutSecret("private-key", "client_credentials");
/** Key ID of {@linkcode PRIVATE_KEY}. */
export const KEY_ID = "private-key-1";
/** Client with `client_secret_jwt` (HS256). */
export const SECRET_JWT = withSecret("secret-jwt", "client_credentials");
/** Client with `tls_client_auth`; its ID is the subject of its certificate. */
export const CERTIFIED = withoutSecret("certified", "client_credentials");
