/** Sign-in with OpenID Connect. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { endSessionUrl, fetchUserInfo } from "../../../oauth2/oidc/mod.ts";
import { SignIn, ValidationError } from "../../../oauth2/sign_in/mod.ts";
import { Browser } from "../../oauth2/e2e/_browser.ts";
import {
  CONFIDENTIAL,
  type Credentials,
  PUBLIC,
  REDIRECT_URI,
} from "../_clients.ts";
import type { Cases, Session } from "../_session.ts";

/** Signs the user in; `changes` are made to the flow before the callback. */
async function signIn(
  session: Session,
  { credentials = CONFIDENTIAL, changes = {} }: {
    credentials?: Credentials;
    changes?: object;
  } = {},
) {
  const client = session.client(credentials);
  const login = new SignIn(client);
  const flow = await login.start({ scope: "openid", prompt: "consent" });
  // The nonce is not secret at the callback: some servers return it in userinfo.
  const { state, code_verifier } = flow.toJSON();
  for (const secret of [state, code_verifier!]) session.witness.hide(secret);
  const back = await new Browser(session.server.answers)
    .authorize(flow.url, REDIRECT_URI);
  session.witness.hide(back.searchParams.get("code") ?? "");
  const { token, claims } = await login.callback(back, {
    ...flow.toJSON(),
    ...changes,
  });
  session.assertToken(token);
  return { client, token, claims: claims! };
}

/** Cases of OpenID Connect. */
export const SIGN_IN = {
  "sign-in with a validated ID token": async (session) => {
    const { claims } = await signIn(session);
    assertEquals(claims.iss, session.server.issuer);
    assert(claims.sub);
  },

  "sign-in with a validated ID token, public client": async (session) => {
    const { claims } = await signIn(session, { credentials: PUBLIC });
    assertEquals([claims.aud].flat(), [PUBLIC.id]);
  },

  "sign-in, ID token with another nonce: refused": async (session) => {
    const error = await assertRejects(
      () => signIn(session, { changes: { nonce: "another" } }),
      ValidationError,
    );
    session.witness.see(error);
    assertEquals(error.code, "invalid_nonce");
  },

  "userinfo with the `sub` of the ID token": async (session) => {
    const { token, claims } = await signIn(session);
    const { sub } = await fetchUserInfo(token, { sub: claims.sub });
    assertEquals(sub, claims.sub);
  },

  "URL of a logout": async (session) => {
    const { client, token } = await signIn(session);
    const url = endSessionUrl(client, {
      id_token_hint: String(token.params.id_token),
    });
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    assert(response.status < 400, `got status ${response.status}`);
  },
} satisfies Cases;
