/** Session of a web application, with a certified OpenID provider. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TokenManagerError } from "../../../oauth2/manager/mod.ts";
import { Session } from "../../../oauth2/session/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { BASIC, REDIRECT_URI } from "./_authorization_server.ts";
import { Browser } from "./_browser.ts";
import { Fixture } from "./_fixture.ts";
import { PERSON } from "./_pages.ts";

const ALLOW = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
};
const { origin: ORIGIN } = new URL(REDIRECT_URI);

/** Returns the cookies that a response sets. */
function cookiesOf({ headers }: Response): HeadersInit {
  const pairs = headers.getSetCookie().map((line) => line.split(";")[0]);
  return { cookie: pairs.join("; ") };
}

/** Signs a user in, and returns a request of the user. */
async function signIn(session: Session, browser: Browser): Promise<Request> {
  const params = { prompt: "consent" };
  const start = await session.login(new Request(ORIGIN), { params });
  const url = await browser
    .authorize(start.headers.get("location")!, REDIRECT_URI);
  const headers = cookiesOf(start);
  const done = await session.handle(new Request(url, { headers }));
  assertEquals(done?.status, 303, await done?.clone().text());
  return new Request(ORIGIN, { headers: cookiesOf(done!) });
}

function open(fixture: Fixture, store = new MemoryStore()): Session {
  return new Session({
    client: fixture.client(BASIC),
    store,
    secret: "0f".repeat(32),
    origin: ORIGIN,
    scope: "openid profile offline_access",
    profile: "userinfo",
  });
}

Deno.test("Session renews an expired token, and revokes it at the logout", async () => {
  await using fixture = await Fixture.open();
  const store = new MemoryStore();
  const sessions = [open(fixture, store), open(fixture, store)];
  const request = await signIn(sessions[0]!, new Browser(ALLOW));
  const { user, api } = (await sessions[0]!.get(request))!;
  assertEquals([user.sub, user.name], [PERSON.login, PERSON.claims.name]);

  const first = await api.token();
  assertEquals(await fixture.isActive(first.token), true);
  const second = await first.refresh();
  await api.set(second);
  // Another process reads the token of the store.
  const other = (await sessions[1]!.get(request))!;
  assertEquals((await other.api.token()).token, second.token);
  const response = await other.api.fetch(fixture.userinfoUrl);
  assertEquals((await response.json()).name, PERSON.claims.name);

  const { headers } = request;
  headers.set("origin", ORIGIN);
  const logout = new Request(`${ORIGIN}/logout`, { method: "POST", headers });
  assertEquals((await sessions[1]!.handle(logout))?.status, 303);
  assertEquals(await fixture.isActive(second.token), false);
  assertEquals(await sessions[0]!.get(request), undefined);
  await assertRejects(() => other.api.token(), TokenManagerError);
});

Deno.test("Session keeps the tokens of a second login of the same user", async () => {
  await using fixture = await Fixture.open();
  const session = open(fixture);
  const browser = new Browser(ALLOW);
  const first = await signIn(session, browser);
  // The provider ties both logins to one grant.
  const start = await session.login(first);
  const url = await browser
    .authorize(start.headers.get("location")!, REDIRECT_URI);
  const cookie = [first, new Request(ORIGIN, { headers: cookiesOf(start) })]
    .map(({ headers }) => headers.get("cookie")).join("; ");
  const done = await session
    .callback(new Request(url, { headers: { cookie } }));
  const second = new Request(ORIGIN, { headers: cookiesOf(done) });
  assertEquals(await session.get(first), undefined);
  const { api } = (await session.get(second))!;
  assert(await fixture.isActive((await api.token()).token));
});
