import type { Settings } from "./client_options.ts";
import { notSupported } from "./error.ts";
import type { HeaderFields } from "./headers.ts";
import { assertionClaims, UnsignedJwt } from "./jwt.ts";
import type { AccessToken } from "./token.ts";

/** Client authentication method (RFC 6749 section 2.3). */
export type AuthScheme =
  | "basic_auth"
  | "request_body"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "tls_client_auth";

const CLIENT_ASSERTION_TYPE =
  "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** RFC 6749 section 2.3: one method a request. */
const TWO_METHODS =
  "the request has an Authorization header and credentials in the body";

/** Settings of a client that concern its authentication. */
export type Identity = Pick<
  Settings<AccessToken>,
  | "id"
  | "hasId"
  | "secret"
  | "authScheme"
  | "basicCredentials"
  | "assertionKey"
  | "clock"
>;

/**
 * Adds the credentials of the client to the parameters and headers. Those of the
 * caller are kept; a request that would have two methods is refused. A parameter
 * may be unsigned yet. `audience` returns the `aud` of a client assertion.
 *
 * @throws {TypeError} When the client lacks an id or a key, or the request
 * would be authenticated in two ways.
 * @throws {DOMException} `NotSupportedError` for an unknown method.
 */
export function authenticate(
  client: Identity,
  params: Map<string, unknown>,
  headers: HeaderFields,
  audience: () => string,
): void {
  const { id, hasId, secret, authScheme, assertionKey, clock } = client;
  const isAuthorized = headers.authorization !== undefined;
  const isAsserted = params.has("client_assertion");
  const add = (name: string, value: unknown) => {
    if (value !== undefined && !params.has(name)) params.set(name, value);
  };
  if (!hasId && !isAuthorized && !isAsserted && !params.has("client_id")) {
    refuse("the client has no id");
  }
  switch (authScheme) {
    case "basic_auth": {
      // A client without a secret only tells its id (RFC 6749 section 3.2.1).
      const { basicCredentials } = client;
      if (basicCredentials) headers.authorization ??= basicCredentials;
      else if (!isAuthorized) add("client_id", id);
      break;
    }
    case "request_body":
      add("client_id", id);
      if (!isAsserted) add("client_secret", secret);
      break;
    case "tls_client_auth":
      // RFC 8705 section 2: the certificate is shown by `fetch`.
      add("client_id", id);
      break;
    case "client_secret_jwt":
    case "private_key_jwt": {
      // RFC 7523 section 2.2. An assertion of the caller's goes as it is.
      if (isAsserted) {
        add("client_assertion_type", CLIENT_ASSERTION_TYPE);
        break;
      }
      if (isAuthorized) refuse(TWO_METHODS);
      const key = authScheme === "private_key_jwt"
        ? assertionKey
        : { algorithm: "HS256", key: secret ?? "" };
      if (!id || !key?.key) refuse(`${authScheme} needs an id and a key`);
      if (key === assertionKey && key.algorithm?.startsWith("HS")) {
        refuse(`${key.algorithm} is for client_secret_jwt`);
      }
      params.set(
        "client_assertion",
        new UnsignedJwt(assertionClaims(id, audience(), clock()), key),
      );
      params.set("client_assertion_type", CLIENT_ASSERTION_TYPE);
      break;
    }
    default:
      notSupported(`client authentication method "${authScheme}"`);
  }
  if (
    headers.authorization !== undefined &&
    (params.has("client_secret") || params.has("client_assertion"))
  ) {
    refuse(TWO_METHODS);
  }
}

function refuse(reason: string): never {
  throw new TypeError(`Cannot authenticate: ${reason}`);
}
