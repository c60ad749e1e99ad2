/** Client authentication: success and refusal of each method. */
import type { Client, ClientOptions } from "../../../oauth2/mod.ts";
import {
  type Credentials,
  KEY_ID,
  MACHINE,
  ODD,
  PRIVATE_KEY,
  SECRET_JWT,
} from "../_clients.ts";
import type { Cases, Session } from "../_session.ts";

const IN_BODY: ClientOptions = { authScheme: "request_body" };
const SIGNED: ClientOptions = { authScheme: "client_secret_jwt" };

/** Cases of client authentication. */
export const AUTHENTICATION = {
  "`client_secret_basic`": accepts(MACHINE),
  "`client_secret_basic`, a secret like `a:b%+ é`": accepts(ODD),
  "`client_secret_basic`, wrong secret: refused": refusesSecret(MACHINE),
  "`client_secret_post`": accepts(MACHINE, IN_BODY),
  "`client_secret_post`, a secret like `a:b%+ é`": accepts(ODD, IN_BODY),
  "`client_secret_post`, wrong secret: refused": refusesSecret(
    MACHINE,
    IN_BODY,
  ),
  "`private_key_jwt`": (session) =>
    assertAccepted(session, signing(session, session.privateKey)),
  "`private_key_jwt`, another key: refused": async (session) => {
    await assertAccepted(session, signing(session, session.privateKey));
    const { privateKey } = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" },
      false,
      ["sign", "verify"],
    );
    await assertUnknown(session, signing(session, privateKey));
  },
  "`client_secret_jwt`": accepts(SECRET_JWT, SIGNED),
  "`client_secret_jwt`, wrong secret: refused": refusesSecret(
    SECRET_JWT,
    SIGNED,
  ),
  "`tls_client_auth`": async (session) =>
    assertAccepted(session, await session.certifiedClient("fetch")),
  "`tls_client_auth`, another certificate: refused": async (session) =>
    assertUnknown(session, await session.certifiedClient("otherFetch")),
  "unknown client: refused": (session) =>
    assertUnknown(session, session.client({ id: "nobody", secret: "nothing" })),
} satisfies Cases;

function accepts(credentials: Credentials, options?: ClientOptions) {
  return (session: Session) =>
    assertAccepted(session, session.client(credentials, options));
}

function refusesSecret(credentials: Credentials, options?: ClientOptions) {
  const wrong = {
    ...credentials,
    secret: "wrong: 1% + 2, of 32 bytes or more",
  };
  return async (session: Session) => {
    await assertAccepted(session, session.client(credentials, options));
    await assertUnknown(session, session.client(wrong, options));
  };
}

function signing(session: Session, key: CryptoKey): Client {
  return session.client(PRIVATE_KEY, {
    authScheme: "private_key_jwt",
    assertionKey: { algorithm: "ES256", key, kid: KEY_ID },
  });
}

/** Requests two tokens, because a client assertion is valid for one request. */
async function assertAccepted(session: Session, client: Client): Promise<void> {
  for (const _ of [1, 2]) {
    session.assertToken(await client.clientCredentials.getToken());
  }
}

function assertUnknown(session: Session, client: Client): Promise<void> {
  return session.assertRefused(
    () => client.clientCredentials.getToken(),
    "invalid_client",
    // Keycloak, for a wrong secret or key.
    "unauthorized_client",
  );
}
