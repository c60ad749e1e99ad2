import type { CaseName } from "./_cases.ts";

/** Declaration of a server, for the table of the documentation. */
export interface Declaration {
  /** Name in the table. */
  readonly title: string;
  /** Version to download. */
  readonly version: string;
  /** Cases that the server does not support, by reason. */
  readonly unsupported: Readonly<Record<string, readonly CaseName[]>>;
}

/** Servers by the names in `--filter`. */
export const SERVERS = {
  "mock-oauth2-server": {
    title: "mock-oauth2-server",
    version: "3.0.3",
    unsupported: {
      "accepts any client authentication": [
        "`client_secret_basic`, wrong secret: refused",
        "`client_secret_post`, wrong secret: refused",
        "`private_key_jwt`, another key: refused",
        "`client_secret_jwt`, wrong secret: refused",
        "unknown client: refused",
        "revocation, wrong secret: refused",
        "introspection, wrong secret: refused",
      ],
      "does not ask for a client certificate": [
        "`tls_client_auth`",
        "`tls_client_auth`, another certificate: refused",
      ],
      "does not ask for consent": [
        "authorization code, consent denied: `access_denied`",
        "implicit, consent denied: `access_denied`",
      ],
      "has no endpoint for pushed authorization requests": [
        "sign-in with a pushed authorization request",
      ],
      "does not sign authorization responses": [
        "sign-in with a signed authorization response",
      ],
      "does not support DPoP": [
        "DPoP: userinfo with a bound token, also after its refresh",
        "DPoP: userinfo with a bound token as bearer token: refused",
      ],
      "accepts any scope": [
        "authorization code, unknown scope: refused",
        "client credentials, unknown scope: refused",
        "refresh, unknown scope: refused",
      ],
      "accepts any code, and checks only the code verifier": [
        "authorization code, wrong code: refused",
        "authorization code, code used before: refused",
        "authorization code, no verifier: refused",
        "authorization code, wrong `redirect_uri`: refused",
        "authorization code of another client: refused",
      ],
      "does not support `response_type=token`": ["implicit"],
      "does not support device authorization": ["device authorization"],
      "accepts any password": ["password, wrong password: refused"],
      "supports only GET at the userinfo endpoint": [
        "userinfo, token in the body",
      ],
      "accepts any refresh token": [
        "refresh, token used before: refused",
        "refresh, unknown token: refused",
        "refresh, token of another client: refused",
        "revocation: the refresh token is refused",
        "revocation, public client",
      ],
      "sends no `WWW-Authenticate` header": [
        "token manager: a rejected token is renewed",
      ],
      "does not revoke access tokens": [
        "userinfo, revoked token: refused",
        "introspection, revoked token: not active",
      ],
    },
  },
  keycloak: {
    title: "Keycloak",
    version: "26.5.0",
    unsupported: {
      "has JWT bearer assertions as a preview, disabled by default": [
        "JWT bearer assertion",
      ],
    },
  },
  "django-oauth-toolkit": {
    title: "Django OAuth Toolkit",
    version: "3.4.1",
    unsupported: {
      "authenticates clients only by a secret in the request": [
        "`private_key_jwt`",
        "`private_key_jwt`, another key: refused",
        "`client_secret_jwt`",
        "`client_secret_jwt`, wrong secret: refused",
        "`tls_client_auth`",
        "`tls_client_auth`, another certificate: refused",
      ],
      "does not support JWT bearer assertions": ["JWT bearer assertion"],
      "has no pages for device authorization": [
        "device authorization",
      ],
      "does not support token exchange": ["token exchange"],
      "has no endpoint for pushed authorization requests": [
        "sign-in with a pushed authorization request",
      ],
      "does not sign authorization responses": [
        "sign-in with a signed authorization response",
      ],
      "does not support DPoP": [
        "DPoP: userinfo with a bound token, also after its refresh",
        "DPoP: userinfo with a bound token as bearer token: refused",
      ],
    },
  },
} as const satisfies Readonly<Record<string, Declaration>>;

/** Name of a server. */
export type ServerName = keyof typeof SERVERS;

/**
 * Returns the reason why a server does not support a case, undefined if it
 * does.
 */
export function reasonAgainst(
  name: CaseName,
  { unsupported }: Declaration,
): string | undefined {
  return Object.keys(unsupported)
    .find((reason) => unsupported[reason]!.includes(name));
}
