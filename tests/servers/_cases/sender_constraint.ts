/** Sender-constrained tokens, and protected authorization requests. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  type ClientOptions,
  OAuth2Error,
} from "../../../oauth2/mod.ts";
import { DpopKey, withDpop } from "../../../oauth2/dpop/mod.ts";
import { JarmValidator } from "../../../oauth2/server/jarm.ts";
import { pushAuthorization } from "../../../oauth2/server/par.ts";
import { SignIn, type SignInOptions } from "../../../oauth2/sign_in/mod.ts";
import { TokenVerifier } from "../../../oauth2/verify/mod.ts";
import { Browser } from "../../oauth2/e2e/_browser.ts";
import { CONFIDENTIAL, PUBLIC, REDIRECT_URI } from "../_clients.ts";
import type { Cases, Session } from "../_session.ts";

/** Signs the user in, up to the authorization response. */
async function start(
  { client, params = {}, ...options }: SignInOptions & {
    client: ReturnType<Session["client"]>;
    params?: object;
  },
  session: Session,
) {
  const signIn = new SignIn(client, options);
  const flow = await signIn.start({
    scope: "openid",
    prompt: "consent",
    ...params,
  });
  const { state, code_verifier } = flow.toJSON();
  for (const secret of [state, code_verifier!]) session.witness.hide(secret);
  const back = await new Browser(session.server.answers)
    .authorize(flow.url, REDIRECT_URI);
  session.witness.hide(back.searchParams.get("code") ?? "");
  return { signIn, flow, back };
}

/** Gets a token that is bound to a DPoP key. */
async function getBoundToken(session: Session) {
  const key = await DpopKey.generate();
  const options: ClientOptions = {
    ...session.found,
    fetch: session.witness.fetch,
  };
  const client = session.client(PUBLIC, withDpop(key, options));
  const { signIn, flow, back } = await start({
    client,
    params: { dpop_jkt: key.thumbprint },
  }, session);
  const { token } = await signIn.callback(back, flow);
  return { key, token: session.assertToken(token) };
}

/** Cases of DPoP, PAR, JARM and verification. */
export const SENDER_CONSTRAINT = {
  "sign-in with a pushed authorization request": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { signIn, flow, back } = await start({
      client,
      authorize: async (params) =>
        (await pushAuthorization(client, params)).url,
    }, session);
    const { claims } = await signIn.callback(back, flow);
    assert(claims?.sub);
  },

  "sign-in with a signed authorization response": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { signIn, flow, back } = await start({
      client,
      params: { response_mode: "jwt" },
    }, session);
    assertEquals([...back.searchParams.keys()], ["response"]);
    const jarm = new JarmValidator(client, { algorithms: ["RS256"] });
    const params = await jarm.validate(back);
    session.witness.hide(params.get("code") ?? "");
    const { claims } = await signIn.callback(params, flow);
    assert(claims?.sub);
  },

  "DPoP: userinfo with a bound token, also after its refresh": async (
    session,
  ) => {
    const { token } = await getBoundToken(session);
    assertEquals(token.headers.Authorization, `DPoP ${token.token}`);
    const url = session.endpoint("userinfo_endpoint");
    assertEquals((await token.get(url)).status, 200);
    const refreshed = session.assertToken(await token.refresh());
    assertEquals((await refreshed.get(url)).status, 200);
  },

  "DPoP: userinfo with a bound token as bearer token: refused": async (
    session,
  ) => {
    const { token } = await getBoundToken(session);
    const stolen = AccessToken.fromHash(session.client(PUBLIC), {
      access_token: token.token,
    });
    const url = session.endpoint("userinfo_endpoint");
    const error = await assertRejects(() => stolen.get(url), OAuth2Error);
    assertEquals(error.status, 401);
  },

  "verification of an access token by introspection": async (session) => {
    const { token } = await session.getToken();
    const verifier = new TokenVerifier(session.client(CONFIDENTIAL), {
      audience: [CONFIDENTIAL.id, "account", "default"],
      tokens: "introspection",
      allowUntyped: session.server.isUntyped,
    });
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request("https://api.example/", { headers });
    const { claims } = await verifier.verify(request);
    assertEquals(claims.active, true);
  },
} satisfies Cases;
