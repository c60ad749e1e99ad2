/** Sign-in, UserInfo and logout with a certified OpenID provider. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { OAuth2Error } from "../../../oauth2/mod.ts";
import {
  clientKeys,
  endSessionUrl,
  fetchUserInfo,
  IdTokenValidator,
} from "../../../oauth2/oidc/mod.ts";
import {
  type OpenIdFlowData,
  seal,
  SignIn,
  unseal,
  ValidationError,
} from "../../../oauth2/sign_in/mod.ts";
import {
  BASIC,
  LOGOUT_URI,
  PUBLIC,
  REDIRECT_URI,
  type Registered,
  SIGNED,
} from "./_authorization_server.ts";
import { Browser } from "./_browser.ts";
import { Fixture } from "./_fixture.ts";
import { PERSON } from "./_pages.ts";

const ALLOW = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
  logout: "yes",
};
const SCOPE = "openid profile offline_access";

/** Signs the user in. */
async function signIn(
  fixture: Fixture,
  registered: Registered | typeof PUBLIC = BASIC,
  browser = new Browser(ALLOW),
) {
  const client = fixture.client(registered);
  const login = new SignIn(client);
  const flow = await login.start({
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    prompt: "consent",
    max_age: 3600,
  });
  const { state, nonce, code_verifier } = flow.toJSON();
  for (const secret of [state, nonce!, code_verifier!]) {
    fixture.witness.hide(secret);
  }
  const callback = await browser.authorize(flow.url, REDIRECT_URI);
  const { token, claims } = await login.callback(callback, flow);
  fixture.witness.see(token);
  return { client, login, flow, callback, token, claims: claims! };
}

for (
  const [kind, registered] of [["public", PUBLIC], [
    "confidential",
    BASIC,
  ]] as const
) {
  Deno.test(`SignIn signs a user in, for a ${kind} client`, async () => {
    await using fixture = await Fixture.open();
    const { token, claims } = await signIn(fixture, registered);
    assertEquals(claims.iss, fixture.server.issuer);
    assertEquals(claims.sub, PERSON.login);
    assertEquals(claims.aud, registered.id);
    assertEquals(typeof claims.auth_time, "number");
    assertEquals(await fixture.isActive(token.token), true);
  });
}

Deno.test("SignIn completes a flow from a sealed cookie", async () => {
  await using fixture = await Fixture.open();
  const login = new SignIn(fixture.client(BASIC));
  const key = crypto.getRandomValues(new Uint8Array(32));
  const flow = await login.start({ redirect_uri: REDIRECT_URI, scope: SCOPE });
  const cookie = await seal(flow, key, { name: "login" });
  const url = await new Browser(ALLOW).authorize(flow.url, REDIRECT_URI);
  const stored = await unseal<OpenIdFlowData>(cookie, key, { name: "login" });
  const { claims } = await login.callback(new Request(url), stored);
  assertEquals(claims.sub, PERSON.login);
});

Deno.test("SignIn refuses a second callback, and sends nothing", async () => {
  await using fixture = await Fixture.open();
  const { login, flow, callback, token } = await signIn(fixture);
  const error = await assertRejects(
    () => login.callback(callback, flow),
    ValidationError,
  );
  assertEquals(error.code, "flow_used");
  assertEquals(await fixture.isActive(token.token), true);
});

Deno.test("SignIn throws access_denied of the server", async () => {
  await using fixture = await Fixture.open();
  const login = new SignIn(fixture.client(BASIC));
  const flow = await login.start({ redirect_uri: REDIRECT_URI, scope: SCOPE });
  const url = await new Browser({ ...ALLOW, decision: "deny" })
    .authorize(flow.url, REDIRECT_URI);
  const error = await assertRejects(
    () => login.callback(url, flow),
    OAuth2Error,
  );
  assertEquals(error.code, "access_denied");
});

Deno.test("SignIn refuses the response of another client of the server", async () => {
  await using fixture = await Fixture.open();
  const flow = await new SignIn(fixture.client(BASIC))
    .start({ redirect_uri: REDIRECT_URI, scope: SCOPE });
  const url = await new Browser(ALLOW).authorize(flow.url, REDIRECT_URI);
  const error = await assertRejects(
    () => new SignIn(fixture.client(PUBLIC)).callback(url, flow),
    ValidationError,
  );
  assertEquals(error.code, "invalid_flow");
});

Deno.test("SignIn fetches the keys again after the server has replaced them", async () => {
  await using fixture = await Fixture.open();
  let now = Date.now();
  const client = fixture.client(BASIC, { clock: () => now });
  const login = new SignIn(client, {
    keys: clientKeys(client, { cooldown: 1 })!,
  });
  const browser = new Browser(ALLOW);
  for (const kid of ["server-2", "server-3"]) {
    const flow = await login.start({
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
    });
    const url = await browser.authorize(flow.url, REDIRECT_URI);
    await fixture.server.rotateKey(kid);
    now += 1000;
    const { token } = await login.callback(url, flow);
    const [header = ""] = String(token.params.id_token).split(".");
    assertEquals(JSON.parse(atob(header)).kid, kid);
  }
});

Deno.test("IdTokenValidator accepts the ID token of a refresh", async () => {
  await using fixture = await Fixture.open();
  const { client, token, claims } = await signIn(fixture);
  const fresh = fixture.witness.see(await token.refresh());
  const refreshed = await new IdTokenValidator(client).validate(
    fresh.params.id_token,
    { nonce: claims.nonce, sub: claims.sub, access_token: fresh.token },
  );
  assertEquals(refreshed.sub, PERSON.login);
});

for (
  const [kind, registered] of [["plain", BASIC], ["signed", SIGNED]] as const
) {
  Deno.test(`fetchUserInfo returns the claims of a ${kind} response`, async () => {
    await using fixture = await Fixture.open();
    const { token, claims } = await signIn(fixture, registered);
    const user = await fetchUserInfo(token, {
      sub: claims.sub,
      signed: registered === SIGNED,
      algorithms: ["ES256"],
    });
    assertEquals(user.name, PERSON.claims.name);
    const error = await assertRejects(
      () => fetchUserInfo(token, { sub: "joana", algorithms: ["ES256"] }),
      ValidationError,
    );
    assertEquals(error.code, "invalid_sub");
  });
}

Deno.test("fetchUserInfo refuses a plain response if a signed one is required", async () => {
  await using fixture = await Fixture.open();
  const { token, claims } = await signIn(fixture);
  const error = await assertRejects(
    () => fetchUserInfo(token, { sub: claims.sub, signed: true }),
    ValidationError,
  );
  assertEquals(error.code, "invalid_userinfo");
});

Deno.test("endSessionUrl signs the user out at the server", async () => {
  await using fixture = await Fixture.open();
  const browser = new Browser(ALLOW);
  const { client, token } = await signIn(fixture, BASIC, browser);
  const url = endSessionUrl(client, {
    id_token_hint: String(token.params.id_token),
    post_logout_redirect_uri: LOGOUT_URI,
    state: "até logo",
  });
  const bye = await browser.authorize(url, LOGOUT_URI);
  assertEquals(bye.searchParams.get("state"), "até logo");
  // Signed out, the user cannot sign in without a prompt.
  const login = new SignIn(client);
  const flow = await login.start({
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    prompt: "none",
  });
  const callback = await browser.authorize(flow.url, REDIRECT_URI);
  const error = await assertRejects(
    () => login.callback(callback, flow),
    OAuth2Error,
  );
  assertEquals(error.code, "login_required");
  assert(!url.includes(BASIC.secret));
});
