/** Client authentication, each method and its refusal. */
import { assert, assertEquals } from "@std/assert";
import type { Client, ClientOptions } from "../../../oauth2/mod.ts";
import type { Cases } from "../case.ts";
import {
  type Credentials,
  MACHINE,
  ODD,
  PRIVATE_KEY,
  SECRET_JWT,
} from "../registered.ts";
import type { Session } from "../session.ts";

/** Cases of client authentication. */
export const AUTHENTICATION: Cases = {
  "`client_secret_basic`": (session) =>
    assertAccepted(session, session.client(MACHINE)),

  "`client_secret_basic`, a secret like `a:b%+ é`": (session) =>
    assertAccepted(session, session.client(ODD)),

  "`client_secret_basic`, wrong secret: refused": async (session) => {
    await assertAccepted(session, session.client(MACHINE));
    await assertUnknown(session, session.client(withSecret("wrong: 1% + 2")));
  },

  "`client_secret_post`": (session) =>
    assertAccepted(session, session.client(MACHINE, IN_BODY)),

  "`client_secret_post`, a secret like `a:b%+ é`": (session) =>
    assertAccepted(session, session.client(ODD, IN_BODY)),

  "`client_secret_post`, wrong secret: refused": async (session) => {
    await assertAccepted(session, session.client(MACHINE, IN_BODY));
    const wrong = withSecret("wrong: 3% + 4");
    await assertUnknown(session, session.client(wrong, IN_BODY));
  },

  "`private_key_jwt`": (session) =>
    assertAccepted(session, signing(session, session.keys.privateKey)),

  "`private_key_jwt`, another key: refused": async (session) => {
    await assertAccepted(session, signing(session, session.keys.privateKey));
    const { privateKey } = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" },
      false,
      ["sign", "verify"],
    );
    await assertUnknown(session, signing(session, privateKey));
  },

  "`client_secret_jwt`": (session) =>
    assertAccepted(session, session.client(SECRET_JWT, SIGNED)),

  "`client_secret_jwt`, wrong secret: refused": async (session) => {
    await assertAccepted(session, session.client(SECRET_JWT, SIGNED));
    const secret = "wrong: 5% + 6, and 32 bytes at least as well";
    const client = session.client({ ...SECRET_JWT, secret }, SIGNED);
    await assertUnknown(session, client);
  },

  "`tls_client_auth`": (session) =>
    session.withCertified(
      session.keys.certificate,
      (client) => assertAccepted(session, client),
    ),

  "`tls_client_auth`, another certificate: refused": (session) =>
    session.withCertified(
      session.keys.otherCertificate,
      (client) => assertUnknown(session, client),
    ),

  "unknown client: refused": (session) =>
    assertUnknown(session, session.client({ id: "nobody", secret: "nothing" })),
};

const IN_BODY: ClientOptions = { authScheme: "request_body" };
const SIGNED: ClientOptions = { authScheme: "client_secret_jwt" };

function withSecret(secret: string): Credentials {
  return { ...MACHINE, secret };
}

function signing(session: Session, key: CryptoKey): Client {
  return session.client(PRIVATE_KEY, {
    authScheme: "private_key_jwt",
    assertionKey: { algorithm: "ES256", key, kid: PRIVATE_KEY.kid },
  });
}

/** Twice: an assertion of a client is good for one request. */
async function assertAccepted(
  { witness }: Session,
  client: Client,
): Promise<void> {
  for (const _ of [1, 2]) {
    const token = witness.see(await client.clientCredentials.getToken());
    assert(token.token);
    assertEquals(token.expired(), false);
  }
}

async function assertUnknown(session: Session, client: Client): Promise<void> {
  await session.assertRefused(
    () => client.clientCredentials.getToken(),
    "invalid_client",
    // Keycloak, for a wrong secret or key.
    "unauthorized_client",
  );
}
