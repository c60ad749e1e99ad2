/** Discovery and the grants: success and refusal. */
import { assert, assertEquals } from "@std/assert";
import { type CallParams, pkce, randomState } from "../../../oauth2/mod.ts";
import {
  CONFIDENTIAL,
  type Credentials,
  DIRECT,
  MACHINE,
  OTHER,
  PUBLIC,
  REDIRECT_URI,
  USER,
} from "../_clients.ts";
import { type Cases, refuses, type Session } from "../_session.ts";

/** Cases of discovery and of the grants. */
export const GRANTS = {
  "discovery": ({ found, server: { issuer } }) => {
    assertEquals(found.issuer, issuer);
    assertEquals(new URL(found.tokenUrl).origin, new URL(issuer).origin);
    return Promise.resolve();
  },

  "authorization code with PKCE": async (session) => {
    const token = await session.getToken();
    assert(token.refreshToken);
  },

  "authorization code with PKCE, public client": async (session) => {
    await session.getToken(PUBLIC);
  },

  "authorization code, consent denied: `access_denied`": async (session) => {
    const answers = session.server.denial;
    const { code, error } = await session.authorize(OTHER, { answers });
    assertEquals({ code, error }, { code: "", error: "access_denied" });
  },

  "authorization code, unknown scope: refused": async (session) => {
    const scope = "openid nonsense";
    const { code, error } = await session.authorize(CONFIDENTIAL, { scope });
    assertEquals({ code, error }, { code: "", error: "invalid_scope" });
  },

  "authorization code, wrong code: refused": refuses((session) => {
    const code = session.witness.hide(randomState());
    return session.client(CONFIDENTIAL).authCode.getToken(code);
  }, "invalid_grant"),

  "authorization code, code used before: refused": async (session) => {
    const { client, code, verifier } = await session.authorize(CONFIDENTIAL);
    const getToken = () =>
      client.authCode.getToken(code, { code_verifier: verifier });
    session.assertToken(await getToken());
    await session.assertRefused(getToken, "invalid_grant");
  },

  "authorization code, wrong verifier: refused": async (session) => {
    const { code_verifier } = await pkce();
    await assertCodeRefused(session, { params: { code_verifier } });
  },

  "authorization code, no verifier: refused": (session) =>
    assertCodeRefused(session, {
      params: { code_verifier: undefined },
      codes: ["invalid_grant", "invalid_request"],
    }),

  "authorization code, wrong `redirect_uri`: refused": (session) =>
    assertCodeRefused(session, {
      params: { redirect_uri: `${REDIRECT_URI}/other` },
      // Django OAuth Toolkit returns the second.
      codes: ["invalid_grant", "invalid_request"],
    }),

  "authorization code of another client: refused": (session) =>
    assertCodeRefused(session, { client: OTHER }),

  "client credentials": async (session) => {
    const client = session.client(MACHINE);
    const token = session.assertToken(
      await client.clientCredentials.getToken({ scope: "profile" }),
    );
    assertEquals(token.refreshToken, undefined);
  },

  "client credentials, unknown scope: refused": refuses((session) => {
    const { clientCredentials } = session.client(MACHINE);
    return clientCredentials.getToken({ scope: "nonsense" });
  }, "invalid_scope"),

  "client credentials, public client: refused": refuses(
    (session) => session.client(PUBLIC).clientCredentials.getToken(),
    "invalid_client",
    "unauthorized_client",
  ),

  "implicit": async (session) => {
    await session.getImplicitToken();
  },

  "implicit, consent denied: `access_denied`": refuses(
    (session) => session.getImplicitToken(session.server.denial),
    "access_denied",
  ),

  "password": async (session) => {
    const client = session.client(DIRECT);
    const { username, password } = USER;
    session.assertToken(
      await client.password.getToken(username, password, { scope: "openid" }),
    );
  },

  "password, wrong password: refused": refuses((session) => {
    const password = session.witness.hide("wrong: 7% + 8");
    return session.client(DIRECT).password.getToken(USER.username, password);
  }, "invalid_grant"),

  "JWT bearer assertion": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const issued = Math.floor(Date.now() / 1000);
    const claims = {
      iss: CONFIDENTIAL.id,
      sub: USER.username,
      aud: session.server.issuer,
      iat: issued,
      exp: issued + 60,
      jti: randomState(),
    };
    const key = { algorithm: "ES256", key: session.privateKey };
    session.assertToken(
      await client.assertion.getToken(claims, key, { scope: "openid" }),
    );
  },

  "unknown grant: refused": refuses(
    (session) =>
      session.client(CONFIDENTIAL).getToken({ grant_type: "urn:example:none" }),
    "unsupported_grant_type",
    // mock-oauth2-server.
    "invalid_grant",
  ),
} satisfies Cases;

/** Fails unless a code is refused for a client or with parameters. */
async function assertCodeRefused(
  session: Session,
  { client = CONFIDENTIAL, params = {}, codes = ["invalid_grant"] }: {
    readonly client?: Credentials;
    readonly params?: CallParams;
    readonly codes?: readonly string[];
  },
): Promise<void> {
  const { code, verifier } = await session.authorize(CONFIDENTIAL);
  const { authCode } = session.client(client);
  await session.assertRefused(
    () => authCode.getToken(code, { code_verifier: verifier, ...params }),
    ...codes,
  );
}
