/** Clients that are registered with every server, and the person who logs in. */

/** Client identifier and client secret. */
export interface Credentials {
  /** The client identifier. */
  readonly id: string;
  /** The client secret, if it has one. */
  readonly secret?: string;
}

/** A client as the server knows it. */
export interface Registered extends Credentials {
  /** The one grant it may use; with a code it may refresh, too. */
  readonly grant:
    | "authorization_code"
    | "client_credentials"
    | "implicit"
    | "password";
}

/** The redirection URI of every client; nothing listens there. */
export const REDIRECT_URI = "http://127.0.0.1/callback";

/** A client for people, with a secret. */
export const CONFIDENTIAL: Registered = {
  id: "confidential",
  secret: "secret-of-confidential-2b7e",
  grant: "authorization_code",
};

/** A second one, which asks for consent; tokens of the first are not for it. */
export const OTHER: Registered = {
  id: "other",
  secret: "secret-of-other-9c41",
  grant: "authorization_code",
};

/** A public client: PKCE proves who asks for the token. */
export const PUBLIC: Registered = {
  id: "public",
  grant: "authorization_code",
};

/** A client in a browser, which asks for consent. */
export const IMPLICIT: Registered = { id: "implicit", grant: "implicit" };

/** A client for client credentials. */
export const MACHINE: Registered = {
  id: "machine",
  secret: "secret-of-machine-e19d",
  grant: "client_credentials",
};

/** A secret with everything that an encoding gets wrong (RFC 6749 2.3.1). */
export const ODD: Registered = {
  id: "odd",
  secret: "a:b%+ é&=/?~%20*ü",
  grant: "client_credentials",
};

/** The client of the example. */
export const EXAMPLE: Registered = {
  id: "demo-client",
  secret: "demo-secret",
  grant: "client_credentials",
};

/** A client for passwords. */
export const DIRECT: Registered = {
  id: "direct",
  secret: "secret-of-direct-40aa",
  grant: "password",
};

/** A client whose tokens expire after a second. */
export const BRIEF: Registered = {
  id: "brief",
  secret: "secret-of-brief-71fa",
  grant: "password",
};

/** `private_key_jwt`, with ES256. */
export const PRIVATE_KEY: Registered & { readonly kid: string } = {
  id: "private-key",
  kid: "private-key-1",
  grant: "client_credentials",
};

/** `client_secret_jwt`, with HS256. */
export const SECRET_JWT: Registered = {
  id: "secret-jwt",
  secret: "secret-of-secret-jwt-5d08-and-32-bytes-at-least",
  grant: "client_credentials",
};

/** `tls_client_auth`: its certificate names it as the subject. */
export const CERTIFIED: Registered = {
  id: "certified",
  grant: "client_credentials",
};

/** The clients that authenticate by a secret in the request, or not at all. */
export const USUAL_CLIENTS: readonly Registered[] = [
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

/** The person who logs in. */
export const PERSON = {
  username: "maria",
  password: "senha da Maria: 100% + 8e1f",
} as const;
