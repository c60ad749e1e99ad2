/** Discovery and the grants, each with its refusals. */
import { assert, assertEquals } from "@std/assert";
import { pkce, randomState } from "../../../oauth2/mod.ts";
import type { Cases } from "../case.ts";
import {
  CONFIDENTIAL,
  DIRECT,
  MACHINE,
  OTHER,
  PERSON,
  PUBLIC,
  REDIRECT_URI,
} from "../registered.ts";

/** Cases of discovery and of the grants. */
export const GRANTS: Cases = {
  "discovery": (session) => {
    const { found, server } = session;
    assertEquals(found.issuer, server.issuer);
    const { origin } = new URL(server.issuer);
    assertEquals(new URL(found.tokenUrl).origin, origin);
    return Promise.resolve();
  },

  "authorization code with PKCE": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const token = await session.getToken(client);
    assert(token.token);
    assert(token.refreshToken);
    assertEquals(token.expired(), false);
  },

  "authorization code with PKCE, public client": async (session) => {
    const token = await session.getToken(session.client(PUBLIC));
    assert(token.token);
  },

  "authorization code, consent denied: `access_denied`": async (session) => {
    const { denial } = session.server;
    if (!denial) throw new Error("Cannot deny: no consent is asked for");
    const client = session.client(OTHER);
    const { back, code } = await session.authorize(client, { answers: denial });
    assertEquals(back.searchParams.get("error"), "access_denied");
    assertEquals(code, "");
  },

  "authorization code, unknown scope: refused": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { back, code } = await session.authorize(client, {
      scope: "openid nonsense",
    });
    assertEquals(back.searchParams.get("error"), "invalid_scope");
    assertEquals(code, "");
  },

  "authorization code, wrong code: refused": (session) => {
    const client = session.client(CONFIDENTIAL);
    const code = session.witness.hide(randomState());
    return session.assertRefused(
      () => client.authCode.getToken(code),
      "invalid_grant",
    );
  },

  "authorization code, code used before: refused": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { code, verifier } = await session.authorize(client);
    const getToken = () =>
      client.authCode.getToken(code, { code_verifier: verifier });
    session.witness.see(await getToken());
    await session.assertRefused(getToken, "invalid_grant");
  },

  "authorization code, wrong verifier: refused": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { code } = await session.authorize(client);
    const { verifier } = await pkce();
    await session.assertRefused(
      () => client.authCode.getToken(code, { code_verifier: verifier }),
      "invalid_grant",
    );
  },

  "authorization code, no verifier: refused": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { code } = await session.authorize(client);
    await session.assertRefused(
      () => client.authCode.getToken(code),
      "invalid_grant",
      "invalid_request",
    );
  },

  "authorization code, wrong `redirect_uri`: refused": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { code, verifier } = await session.authorize(client);
    await session.assertRefused(
      () =>
        client.authCode.getToken(code, {
          code_verifier: verifier,
          redirect_uri: `${REDIRECT_URI}/other`,
        }),
      "invalid_grant",
      // Django OAuth Toolkit.
      "invalid_request",
    );
  },

  "authorization code of another client: refused": async (session) => {
    const { code, verifier } = await session.authorize(
      session.client(CONFIDENTIAL),
    );
    await session.assertRefused(
      () =>
        session.client(OTHER).authCode.getToken(code, {
          code_verifier: verifier,
        }),
      "invalid_grant",
    );
  },

  "client credentials": async (session) => {
    const client = session.client(MACHINE);
    const token = await client.clientCredentials.getToken({ scope: "profile" });
    session.witness.see(token);
    assert(token.token);
    assertEquals(token.refreshToken, undefined);
  },

  "client credentials, unknown scope: refused": (session) => {
    const client = session.client(MACHINE);
    return session.assertRefused(
      () => client.clientCredentials.getToken({ scope: "nonsense" }),
      "invalid_scope",
    );
  },

  "client credentials, public client: refused": (session) => {
    const client = session.client(PUBLIC);
    return session.assertRefused(
      () => client.clientCredentials.getToken(),
      "invalid_client",
      "unauthorized_client",
    );
  },

  "implicit": async (session) => {
    const token = await session.getImplicitToken();
    assert(token.token);
    assertEquals(token.expired(), false);
  },

  "implicit, consent denied: `access_denied`": async (session) => {
    const answers = session.server.denial;
    if (!answers) throw new Error("Cannot deny: no consent is asked for");
    await session.assertRefused(
      () => session.getImplicitToken({ answers }),
      "access_denied",
    );
  },

  "password": async (session) => {
    const client = session.client(DIRECT);
    const { username, password } = PERSON;
    const token = session.witness.see(
      await client.password.getToken(username, password, { scope: "openid" }),
    );
    assert(token.token);
    assertEquals(token.expired(), false);
  },

  "password, wrong password: refused": (session) => {
    const client = session.client(DIRECT);
    const password = session.witness.hide("wrong: 7% + 8");
    return session.assertRefused(
      () => client.password.getToken(PERSON.username, password),
      "invalid_grant",
    );
  },

  "JWT bearer assertion": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const issued = Math.floor(Date.now() / 1000);
    const token = session.witness.see(
      await client.assertion.getToken(
        {
          iss: CONFIDENTIAL.id,
          sub: PERSON.username,
          aud: session.server.issuer,
          iat: issued,
          exp: issued + 60,
          jti: randomState(),
        },
        { algorithm: "ES256", key: session.keys.privateKey },
        {
          scope: "openid",
        },
      ),
    );
    assert(token.token);
  },

  "unknown grant: refused": (session) => {
    const client = session.client(CONFIDENTIAL);
    return session.assertRefused(
      () => client.getToken({ grant_type: "urn:example:nonsense" }),
      "unsupported_grant_type",
      // mock-oauth2-server.
      "invalid_grant",
    );
  },
};
