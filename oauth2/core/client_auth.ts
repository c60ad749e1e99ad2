import type { Signer } from "./client_assertion.ts";
import { notSupported } from "./error.ts";
import type { HeaderFields } from "./headers.ts";
import { invalid } from "./type_error.ts";

/** Client authentication method (RFC 6749 section 2.3). */
export type AuthScheme =
  | "basic_auth"
  | "request_body"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "tls_client_auth";

/** Registered names of methods that have another name here (RFC 8414). */
export type RegisteredAuthScheme =
  | "client_secret_basic"
  | "client_secret_post"
  | "self_signed_tls_client_auth";

const CLIENT_ASSERTION_TYPE =
  "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** RFC 6749 section 2.3 allows one method per request. */
const TWO_METHODS =
  "the request has both an Authorization header and credentials in the body";

export interface Identity extends Signer {
  /** False if the id is undefined; a null id is deliberate. */
  readonly hasId: boolean;
  readonly authScheme: AuthScheme;
  /** Value of the `Authorization` header, for `basic_auth` with a secret. */
  readonly basicCredentials: string | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Adds the credentials of the client to parameters and headers, unless the
 * caller has set others. A client assertion is a Promise; `audience` returns
 * its `aud`.
 */
export function authenticate(
  client: Identity,
  params: Map<string, unknown>,
  headers: HeaderFields,
  audience: () => string,
): void {
  const { id, hasId, secret, authScheme, clock } = client;
  const isAuthorized = headers.authorization !== undefined;
  const isAsserted = params.has("client_assertion");
  const add = (name: string, value: unknown) => {
    if (value !== undefined && !params.has(name)) params.set(name, value);
  };
  if (!hasId && !isAuthorized && !isAsserted && !params.has("client_id")) {
    refuse("it has no id");
  }
  switch (authScheme) {
    case "basic_auth": {
      // A client without a secret sends its id (RFC 6749 section 3.2.1).
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
      // RFC 8705 section 2: `fetch` presents the certificate.
      add("client_id", id);
      break;
    case "client_secret_jwt":
    case "private_key_jwt": {
      // RFC 7523 section 2.2
      if (isAsserted) {
        add("client_assertion_type", CLIENT_ASSERTION_TYPE);
        break;
      }
      if (isAuthorized) refuse(TWO_METHODS);
      const assertion = sign(client, audience(), clock());
      // If the call fails first, the rejection would be unhandled.
      assertion.catch(() => {});
      params.set("client_assertion", assertion);
      params.set("client_assertion_type", CLIENT_ASSERTION_TYPE);
      break;
    }
    default:
      notSupported(
        `Cannot use authScheme "${authScheme}": it must be one of basic_auth (client_secret_basic), request_body (client_secret_post), private_key_jwt, client_secret_jwt, tls_client_auth`,
      );
  }
  if (
    headers.authorization !== undefined &&
    (params.has("client_secret") || params.has("client_assertion"))
  ) {
    refuse(TWO_METHODS);
  }
}

function refuse(reason: string): never {
  throw invalid(`Cannot authenticate the client: ${reason}`);
}

async function sign(
  client: Identity,
  audience: string,
  now: number,
): Promise<string> {
  const { signAssertion } = await import("./client_assertion.ts");
  return await signAssertion(client, audience, now);
}
