import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client } from "../../../oauth2/mod.ts";
import {
  type TokenManagerCode,
  TokenManagerError,
} from "../../../oauth2/manager/mod.ts";
import {
  Session,
  type SessionError,
  type SessionOptions,
} from "../../../oauth2/session/mod.ts";
import { EncryptedStore, MemoryStore } from "../../../oauth2/stores/mod.ts";
import { idTokenClaims, issueJwt, ISSUER } from "../_openid_provider.ts";
import { show } from "../_print.ts";
import { Browser, locationOf, ORIGIN, SECRET, visit } from "./_app.ts";

const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Lax; Secure";

Deno.test("Session signs a user in, renews the token and signs the user out", async () => {
  const { browser, login, session } = visit();
  assertEquals(await browser.user(), undefined);
  assertEquals(await browser.signIn(), `${ORIGIN}/`);
  assertEquals([...browser.cookies.keys()], ["__Host-session"]);
  assert(browser.lines.every((line) => line.endsWith(ATTRIBUTES)));

  const current = await session.get(browser.request("/"));
  assertEquals(current?.user.sub, "ana");
  assertEquals(current?.expiresAt, login.provider.now + 8 * 3600);
  assertEquals((await current!.api.token()).token, "access-2");
  login.provider.now += 299;
  assertEquals((await current!.api.token()).token, "access-3");
  assertEquals(login.forms.at(-1)?.get("refresh_token"), "refresh-2");

  const out = await browser.logout();
  assertEquals(out.status, 303);
  const url = new URL(locationOf(out));
  assertEquals(url.origin + url.pathname, `${ISSUER}/logout`);
  assertEquals(url.searchParams.get("post_logout_redirect_uri"), `${ORIGIN}/`);
  assertEquals(url.searchParams.get("id_token_hint")?.split(".").length, 3);
  assertEquals(browser.cookies.size, 0);
  assertEquals(login.revoked, ["refresh-3"]);
  assertEquals(login.store.kinds(), []);
  assertEquals(login.reports, []);
});

Deno.test("Session.handle answers its own paths only, below `path`", async () => {
  const { session } = visit({ path: "/auth" });
  const ask = async (method: string, path: string) => {
    const request = new Request(ORIGIN + path, { method });
    return (await session.handle(request))?.status;
  };
  const rows: [string, string, number | undefined][] = [
    ["GET", "/auth/login", 303],
    ["POST", "/auth/login", 405],
    ["HEAD", "/auth/login", 405],
    ["GET", "/auth/callback", 400],
    ["PUT", "/auth/callback", 405],
    ["GET", "/auth/logout", 405],
    ["POST", "/auth/logout", 403],
    ["GET", "/auth/backchannel-logout", 405],
    ["POST", "/auth/backchannel-logout", 400],
    ["GET", "/auth", undefined],
    ["GET", "/auth/", undefined],
    ["GET", "/login", undefined],
    ["GET", "/auth/login/x", undefined],
    ["GET", "/authx/login", undefined],
    ["GET", "/other/auth/login", undefined],
  ];
  for (const [method, path, status] of rows) {
    assertEquals(await ask(method, path), status, `${method} ${path}`);
  }
});

const TARGETS: readonly (readonly [path: string, target: string])[] = [
  ["/orders?id=7#last", `${ORIGIN}/orders?id=7#last`],
  ["orders", `${ORIGIN}/orders`],
  [`${ORIGIN}/orders`, `${ORIGIN}/orders`],
  ["/.//evil.example/x", `${ORIGIN}//evil.example/x`],
  [`/${"x".repeat(1999)}`, `${ORIGIN}/${"x".repeat(1999)}`],
  [
    `/busca?q=${"ç".repeat(180)}`,
    `${ORIGIN}/busca?q=${"%C3%A7".repeat(180)}`,
  ],
  ...[
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\\\evil.example/",
    "\t//evil.example/",
    "javascript:alert(1)",
    "http://app.example/",
    "https://app.example.evil.example/",
    "https://app.example@evil.example/",
    "/login",
    "/login?return_to=/login",
    "/callback?code=x",
    "/x/../logout",
    `/${"x".repeat(2000)}`,
    "blob:https://app.example/abc",
    "https://u:p@app.example/x",
    "https://evil.example@app.example/",
    "",
  ].map((path) => [path, `${ORIGIN}/`] as const),
];

for (const [path, target] of TARGETS) {
  Deno.test(`login returns the user from ${JSON.stringify(path.slice(0, 40))} to ${target.slice(0, 60)}`, async () => {
    const { browser } = visit();
    const url = `/login?return_to=${encodeURIComponent(path)}`;
    assertEquals(await browser.signIn(url), target);
  });
}

Deno.test("login returns the user to the page that asked for it, and refuses another site", async () => {
  const { browser, session, login } = visit();
  const start = (request: Request, returnTo?: string) =>
    session.login(request, { returnTo });
  for (
    const [request, returnTo, expected] of [
      [browser.request("/orders?id=7"), undefined, "/orders?id=7"],
      [browser.request("/orders", { method: "POST" }), undefined, "/"],
      [browser.request("/orders"), "/cart", "/cart"],
      // A proxy has changed the host.
      [new Request("http://10.0.0.7:8080/x"), undefined, "/x"],
    ] as const
  ) {
    const started = browser.keep(await start(request, returnTo));
    const done = await browser.send(login.approve(locationOf(started)));
    assertEquals(locationOf(done), ORIGIN + expected);
  }
  const { message } = await assertRejects(
    () => start(browser.request("/"), "https://evil.example/"),
    TypeError,
  );
  assertEquals(
    message,
    'Cannot return to "https://evil.example/": it must be a path of https://app.example, of at most 2000 characters',
  );
});

Deno.test("login answers 401 to a request that is no navigation", async () => {
  const { browser, session } = visit();
  const headers = { "sec-fetch-mode": "cors" };
  const response = await session.login(browser.request("/api", { headers }));
  assertEquals(response.status, 401);
  assertEquals(await response.text(), "login_required");
  assertEquals(response.headers.getSetCookie(), []);
});

Deno.test("login sends the scope and the parameters of the session and of the call", async () => {
  const { browser, session } = visit({
    scope: ["openid", "email"],
    params: { prompt: "consent", access_type: "offline" },
  });
  const params = { prompt: "login", acr_values: "gold" };
  const started = await session.login(browser.request("/"), { params });
  const sent = new URL(locationOf(started)).searchParams;
  assertEquals(sent.get("scope"), "openid email");
  assertEquals(sent.get("prompt"), "login");
  assertEquals(sent.get("access_type"), "offline");
  assertEquals(sent.get("acr_values"), "gold");
  assertEquals(sent.get("redirect_uri"), `${ORIGIN}/callback`);
});

Deno.test("a login gives the session a new id, and ends the one before", async () => {
  const { browser, login } = visit();
  await browser.signIn();
  const first = browser.cookies.get("__Host-session")!;
  await browser.signIn();
  const second = browser.cookies.get("__Host-session")!;
  assert(first !== second);
  assertEquals(login.store.kinds(), ["session", "sid", "sub", "token"]);
  // The server may have tied both logins together.
  assertEquals(login.revoked, []);
  browser.cookies.set("__Host-session", first);
  assertEquals(await browser.user(), undefined);
});

Deno.test("the login of another user revokes the tokens of the one before", async () => {
  const { browser, login } = visit();
  await browser.signIn();
  login.user = { sub: "eva" };
  await browser.signIn();
  assertEquals(login.revoked, ["refresh-2"]);
  assertEquals(await browser.user(), "eva");
});

Deno.test("a cookie that an attacker planted is not continued (session fixation)", async () => {
  const { browser, login, session } = visit();
  const attacker = new Browser(session, login);
  login.user = { sub: "eve" };
  await attacker.signIn();
  const planted = attacker.cookies.get("__Host-session")!;
  browser.cookies.set("__Host-session", planted);
  login.user = { sub: "ana" };
  await browser.signIn();
  assert(browser.cookies.get("__Host-session") !== planted);
  assertEquals(await browser.user(), "ana");
  assertEquals(await attacker.user(), undefined);
});

Deno.test("two tabs can sign in at the same time", async () => {
  const { browser, login } = visit();
  const one = await browser.send("/login?return_to=/one");
  const two = await browser.send("/login?return_to=/two");
  assertEquals(browser.cookies.size, 2);
  const first = await browser.send(login.approve(locationOf(one)));
  assertEquals(locationOf(first), `${ORIGIN}/one`);
  const second = await browser.send(login.approve(locationOf(two)));
  assertEquals(locationOf(second), `${ORIGIN}/two`);
  assertEquals([...browser.cookies.keys()], ["__Host-session"]);
  assertEquals(await browser.user(), "ana");
});

Deno.test("a browser keeps the cookies of at most five logins", async () => {
  const { browser, login } = visit();
  const urls: string[] = [];
  for (let i = 0; i < 7; i++) {
    urls.push(locationOf(await browser.send("/login")));
  }
  assertEquals(browser.cookies.size, 5);
  const first = await browser.send(login.approve(urls[0]!));
  assertEquals(first.status, 400);
  const last = await browser.send(login.approve(urls[6]!));
  assertEquals(last.status, 303);
});

Deno.test("a callback is refused a second time, in every process", async () => {
  const { browser, login } = visit();
  const started = await browser.send("/login");
  const cookies = [...browser.cookies];
  const url = login.approve(locationOf(started));
  assertEquals((await browser.send(url)).status, 303);
  // Without its cookie, as when the user goes back.
  const again = await browser.send(url);
  assertEquals(again.status, 400);
  assertEquals(
    await again.text(),
    "Cannot complete the sign-in: its cookie is missing, because it took too long, was completed before, or the browser refuses cookies",
  );
  const other = new Browser(login.open(), login);
  for (const [name, value] of cookies) other.cookies.set(name, value);
  const replayed = await other.send(url);
  assertEquals(replayed.status, 400);
  assertEquals(await replayed.text(), "Sign-in failed: flow_used");
  assertEquals(login.forms.length, 1);
});

const REFUSED: readonly (readonly [
  title: string,
  changes: Record<string, string>,
  status: number,
  code: string,
])[] = [
  ["access_denied", { error: "access_denied" }, 403, "access_denied"],
  ["another error", { error: "invalid_scope" }, 400, "invalid_scope"],
  [
    "a temporary error",
    { error: "temporarily_unavailable" },
    400,
    "temporarily_unavailable",
  ],
  ["another issuer", { iss: "https://evil.example" }, 400, "invalid_iss"],
  ["no code", { code: "" }, 400, "missing_code"],
];

for (const [title, changes, status, code] of REFUSED) {
  Deno.test(`a callback with ${title} is shown, and not repeated`, async () => {
    const { browser, login } = visit();
    const started = await browser.send("/login");
    const url = login.approve(locationOf(started), changes);
    const response = await browser.send(url);
    assertEquals(response.status, status);
    assertEquals(await response.text(), `Sign-in failed: ${code}`);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(browser.cookies.size, 0);
    assertEquals(login.store.kinds(), []);
  });
}

Deno.test("a callback with another state finds no cookie", async () => {
  const { browser, login } = visit();
  const started = await browser.send("/login");
  const url = login.approve(locationOf(started), { state: "other" });
  assertEquals((await browser.send(url)).status, 400);
});

Deno.test("a login that took longer than its lifetime is refused", async () => {
  const { browser, login } = visit({ signIn: { lifetime: 60 } });
  const started = await browser.send("/login");
  assert(browser.lines[0]!.includes("; Max-Age=60; "));
  login.provider.now += 61;
  const response = await browser.send(login.approve(locationOf(started)));
  assertEquals(response.status, 400);
  assert((await response.text()).includes("its cookie is missing"));
});

Deno.test("a form_post callback is read, and its cookie is for other sites", async () => {
  const { browser, login } = visit({ params: { response_mode: "form_post" } });
  const started = await browser.send("/login");
  assert(browser.lines[0]!.includes("; SameSite=None; Secure"));
  const url = new URL(login.approve(locationOf(started)));
  const response = await browser.send("/callback", {
    method: "POST",
    body: url.searchParams,
  });
  assertEquals(locationOf(response), `${ORIGIN}/`);
  assertEquals(await browser.user(), "ana");
});

Deno.test("onError returns the page of a failure", async () => {
  const { browser, login } = visit({
    onError: ({ code, status }) => new Response(`<h1>${code}`, { status }),
  });
  const started = await browser.send("/login");
  const url = login.approve(locationOf(started), { error: "access_denied" });
  const response = await browser.send(url);
  assertEquals(response.status, 403);
  assertEquals(await response.text(), "<h1>access_denied");
  assertEquals(browser.cookies.size, 0);
});

Deno.test("login refuses a loop: sessions that no process finds", async () => {
  const { browser, login } = visit();
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) {
    // Each process has a store of its own.
    browser.session = login.open({}, new MemoryStore());
    const started = browser.keep(
      await browser.session.login(browser.request("/")),
    );
    statuses.push(started.status);
    if (started.status !== 303) break;
    await browser.send(login.approve(locationOf(started)));
    login.provider.now += 1;
  }
  assertEquals(statuses, [303, 303, 303, 303, 500]);
  const [error] = login.reports;
  assertEquals((error as SessionError).code, "login_loop");
  // Later, it is no loop.
  login.provider.now += 60;
  const later = await browser.session.login(browser.request("/"));
  assertEquals(later.status, 303);
});

const SITES: readonly (readonly [Record<string, string>, number])[] = [
  [{ origin: ORIGIN }, 303],
  [{ "sec-fetch-site": "same-origin", origin: "null" }, 303],
  [{}, 403],
  [{ origin: "null" }, 403],
  [{ origin: "https://evil.example" }, 403],
  [{ origin: ORIGIN, "sec-fetch-site": "cross-site" }, 403],
  [{ origin: ORIGIN, "sec-fetch-site": "same-site" }, 403],
  [{ origin: `${ORIGIN}:8443` }, 403],
];

for (const [headers, status] of SITES) {
  Deno.test(`logout answers ${status} to a request with ${JSON.stringify(headers)}`, async () => {
    const { browser } = visit();
    await browser.signIn();
    assertEquals((await browser.logout(headers)).status, status);
    assertEquals(await browser.user(), status === 303 ? undefined : "ana");
  });
}

Deno.test("logout without an end_session_endpoint, a revocation endpoint or a session goes home", async () => {
  const { browser, login } = visit({ home: "/bye" }, {
    metadata: { end_session_endpoint: null, revocation_endpoint: null },
  });
  login.provider.client.site = ISSUER;
  assertEquals(locationOf(await browser.logout()), `${ORIGIN}/bye`);
  await browser.signIn();
  assertEquals(locationOf(await browser.logout()), `${ORIGIN}/bye`);
  assertEquals(login.store.kinds(), []);
});

Deno.test("logout ends the session even if the server does not revoke", async () => {
  const { browser, login } = visit({}, {
    answers: { "/revoke": () => new Response(null, { status: 503 }) },
  });
  await browser.signIn();
  assertEquals((await browser.logout()).status, 303);
  assertEquals(login.reports.length, 1);
  assertEquals(login.store.kinds(), []);
});

Deno.test("a session ends for every process, also while one renews its token", async () => {
  const { browser, login } = visit();
  await browser.signIn();
  const other = new Browser(login.open(), login);
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  const { api } = (await other.session.get(other.request("/")))!;
  login.provider.now += 299;
  // Whichever comes first, no error but this one may show.
  const renewing = api.token().catch(({ code }) =>
    assertEquals(code, "login_required")
  );
  await Promise.all([renewing, browser.logout()]);
  assertEquals(await other.user(), undefined);
  // A process that was not asked stops within `maxStale` seconds.
  login.provider.now += 31;
  const { code } = await assertRejects(
    () => api.token(),
    TokenManagerError,
  ) as TokenManagerError;
  assertEquals(code, "login_required");
  assertEquals(login.alive(), []);
});

Deno.test("logout does not wait for a process that ended while it renewed the token", async () => {
  const { browser, login, session } = visit({
    manager: { timeout: 10, wait: () => new Promise(() => {}) },
  });
  await browser.signIn();
  const [key = ""] = [...login.store.keys]
    .filter((key) => key.startsWith("token:"));
  const record = JSON.parse((await login.store.get(key))!);
  const claimed_until = (login.provider.now + 10) * 1000;
  const claimed = { ...record, revision: "other", claimed_until };
  await login.store.set(key, JSON.stringify(claimed));
  assertEquals((await browser.logout()).status, 303);
  assertEquals(await session.get(browser.request("/")), undefined);
  assertEquals(login.reports.length, 1);
});

Deno.test("a session ends after maxAge", async () => {
  const { browser, login } = visit({ maxAge: 3600 });
  await browser.signIn();
  assert(browser.lines.at(-2)!.includes("; Max-Age=3600; "));
  login.provider.now += 3599;
  assertEquals(await browser.user(), "ana");
  login.provider.now += 1;
  assertEquals(await browser.user(), undefined);
});

Deno.test("get throws while the store fails, and does not sign the user out", async () => {
  const { browser, login } = visit();
  await browser.signIn();
  login.store.before = () => {
    throw Object.assign(new Error("GET access-2"), { code: "ECONNREFUSED" });
  };
  const error = await assertRejects(
    () => browser.user(),
    TokenManagerError,
  ) as TokenManagerError;
  assertEquals(error.code, "store_failed");
  assertEquals(error.message, "Cannot read the session: the store failed");
  assert(!show(error).includes("access-2"));
  const out = await browser.logout();
  assertEquals(out.status, 503);
  login.store.before = () => {};
  assertEquals(await browser.user(), "ana");
});

for (const failing of ["used", "token", "session", "sub"]) {
  Deno.test(`a callback whose ${failing} cannot be stored answers 503 and keeps no token`, async () => {
    const { browser, login } = visit();
    const started = await browser.send("/login");
    login.store.before = (operation, key) => {
      if (operation !== "get" && key.startsWith(failing)) {
        throw new Error("down");
      }
    };
    const response = await browser.send(login.approve(locationOf(started)));
    assertEquals(response.status, 503);
    assertEquals(await browser.user(), undefined);
    // Before the code was used, there is nothing to revoke.
    assertEquals(login.revoked, failing === "used" ? [] : ["refresh-2"]);
    assert(login.reports.length > 0);
    login.store.before = () => {};
    await browser.signIn();
    assertEquals(await browser.user(), "ana");
  });
}

Deno.test("a callback whose profile fails keeps no token, and throws its error", async () => {
  const { browser, login } = visit({
    profile: () => {
      throw new Error("no such user");
    },
  });
  const started = await browser.send("/login");
  await assertRejects(
    () => browser.send(login.approve(locationOf(started))),
    Error,
    "no such user",
  );
  assertEquals(login.revoked, ["refresh-2"]);
  assertEquals(login.store.kinds(), []);
});

Deno.test('profile "userinfo" adds the claims of UserInfo, of the same user only', async () => {
  const { browser, session, login } = visit({ profile: "userinfo" });
  await browser.signIn();
  const { user } = (await session.get(browser.request("/")))!;
  assertEquals([user.iss, user.sub, user.name], [ISSUER, "ana", "Ana"]);
  login.provider.answers["/me"] = () => ({ sub: "eva" });
  const started = await browser.send("/login");
  const refused = await browser.send(login.approve(locationOf(started)));
  assertEquals(await refused.text(), "Sign-in failed: invalid_sub");
});

Deno.test("profile returns the user of a server without OpenID Connect", async () => {
  const { browser } = visit({
    scope: "notes",
    profile: async (token, claims) => {
      const { parsed } = await token.get<{ name: string }>(`${ISSUER}/me`);
      return { sub: parsed.name, claims } as never;
    },
  });
  await browser.signIn();
  assertEquals(await browser.user(), "Ana");
  assertEquals((await browser.logout()).status, 303);
});

Deno.test("end ends the sessions of a user, or of one sid", async () => {
  const { login, session } = visit();
  const browsers: Browser[] = [];
  for (const sid of ["sid-1", "sid-2", "sid-2"]) {
    login.user = { sub: "ana", sid };
    const browser = new Browser(session, login);
    await browser.signIn();
    browsers.push(browser);
  }
  login.user = { sub: "eva", sid: "sid-3" };
  const eva = new Browser(session, login);
  await eva.signIn();
  const users = () => Promise.all(browsers.map((browser) => browser.user()));

  assertEquals(await session.end({ sid: "sid-9" }), 0);
  assertEquals(await session.end({ sub: "eva", sid: "sid-1" }), 0);
  assertEquals(await session.end({ sid: "sid-1" }), 1);
  assertEquals(await users(), [undefined, "ana", "ana"]);
  assertEquals(await session.end({ sub: "ana" }), 2);
  assertEquals(await users(), [undefined, undefined, undefined]);
  assertEquals(await session.end({}), 0);
  assertEquals(await eva.user(), "eva");
  assertEquals(login.store.kinds(), ["session", "sid", "sub", "token"]);
});

/** Sends a logout token with these claims. */
async function sendLogout(
  { browser, login }: ReturnType<typeof visit>,
  claims: object,
): Promise<Response> {
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const { iss, aud, iat, exp } = idTokenClaims();
  const logout_token = await issueJwt({
    ...{ iss, aud, iat, exp, events, jti: crypto.randomUUID() },
    ...claims,
  }, { header: { typ: "logout+jwt" } });
  const other = new Browser(login.open(), login);
  assert(other.session !== browser.session);
  return await other.send("/backchannel-logout", {
    method: "POST",
    body: new URLSearchParams({ logout_token }),
  });
}

for (const claims of [{ sub: "ana" }, { sid: "sid-1" }]) {
  Deno.test(`a back-channel logout with ${Object.keys(claims)} ends the session of another process`, async () => {
    const visited = visit();
    const { browser, login } = visited;
    await browser.signIn();
    const answers = [
      await sendLogout(visited, { sub: "eva" }),
      await sendLogout(visited, { ...claims, iss: "https://evil.example" }),
    ];
    assertEquals(answers.map(({ status }) => status), [200, 400]);
    assertEquals(await browser.user(), "ana");
    assertEquals((await sendLogout(visited, claims)).status, 200);
    assertEquals(await browser.user(), undefined);
    assertEquals(login.store.kinds(), []);
    assertEquals(login.reports, []);
  });
}

Deno.test("a back-channel logout that the store fails is reported, and can be repeated", async () => {
  const visited = visit();
  const { browser, login } = visited;
  await browser.signIn();
  login.store.before = (_, key) => {
    if (key.startsWith("sub:")) throw new Error("down");
  };
  const claims = { sub: "ana", jti: "1" };
  assertEquals((await sendLogout(visited, claims)).status, 400);
  assertEquals(login.reports.length, 1);
  login.store.before = () => {};
  assertEquals((await sendLogout(visited, claims)).status, 200);
  assertEquals(await browser.user(), undefined);
  assertEquals((await sendLogout(visited, claims)).status, 400);
});

Deno.test("without an issuer, there is no back-channel logout", async () => {
  const { login } = visit();
  const client = new Client("abc", "secret", { site: ISSUER });
  const options = { client, scope: "x", profile: () => ({}) as never };
  const browser = new Browser(login.open(options), login);
  const response = await browser.send("/backchannel-logout", {
    method: "POST",
  });
  assertEquals(response.status, 404);
});

for (const at of ["sub", "session"]) {
  Deno.test(`a back-channel logout during a login ends it, before its ${at} is stored`, async () => {
    const { browser, login, session } = visit();
    const started = await browser.send("/login");
    let done = false;
    login.store.before = async (operation, key) => {
      if (done || operation === "get" || !key.startsWith(`${at}:`)) return;
      done = true;
      await session.end({ sub: "ana" });
    };
    const response = await browser.send(login.approve(locationOf(started)));
    // Before the index knows it, the login counts as a later one.
    assertEquals(response.status, at === "sub" ? 303 : 400);
    assertEquals(await browser.user(), at === "sub" ? "ana" : undefined);
  });
}

Deno.test("a back-channel logout while the profile of a login is read ends the login", async () => {
  const { browser, login, session } = visit({
    profile: async (_, claims) => {
      await session.end({ sub: "ana" });
      return claims!;
    },
  });
  const started = await browser.send("/login");
  const response = await browser.send(login.approve(locationOf(started)));
  assertEquals(response.status, 400);
  assertEquals(await browser.user(), undefined);
});

Deno.test("logins in many processes keep every session in the index", async () => {
  const { login } = visit();
  const browsers = Array.from(
    { length: 8 },
    () => new Browser(login.open(), login),
  );
  await Promise.all(browsers.map((browser) => browser.signIn()));
  assertEquals(await login.open().end({ sub: "ana" }), 8);
  assertEquals(login.store.kinds(), []);
});

Deno.test("the index forgets sessions that have expired", async () => {
  const { browser, login, session } = visit({ maxAge: 60 });
  await browser.signIn();
  browser.cookies.clear();
  login.provider.now += 61;
  await browser.signIn();
  assertEquals(await session.end({ sub: "ana" }), 1);
});

Deno.test("a session whose store has another key signs in again", async () => {
  const { browser, login } = visit();
  const [one, two] = ["1a", "2b"].map((byte) =>
    login.open({}, new EncryptedStore(login.store, byte.repeat(32)))
  );
  browser.session = one!;
  await browser.signIn();
  browser.session = two!;
  assertEquals(await browser.user(), undefined);
  await browser.signIn();
  assertEquals(await browser.user(), "ana");
});

Deno.test("cookies are refused if they were changed, or are those of another key or client", async () => {
  const { browser, login } = visit();
  await browser.signIn();
  const value = browser.cookies.get("__Host-session")!;
  const other = login.open({ secret: "1e".repeat(32) });
  assertEquals(await other.get(browser.request("/")), undefined);
  const rotated = login.open({ secret: ["1e".repeat(32), SECRET] });
  assertEquals((await rotated.get(browser.request("/")))?.user.sub, "ana");
  const { site = "" } = login.provider.client;
  const client = new Client("xyz", "secret", { site });
  const foreign = login.open({ client, profile: () => ({}) as never });
  assertEquals(await foreign.get(browser.request("/")), undefined);
  browser.cookies.set("__Host-session", `B${value.slice(1)}`);
  assertEquals(await browser.user(), undefined);
});

Deno.test("on loopback with http, cookies have no prefix and are not secure", async () => {
  const { session } = visit({ origin: "http://localhost:8000" });
  const url = "http://localhost:8000/login";
  const response = await session.handle(new Request(url));
  const [line = ""] = response!.headers.getSetCookie();
  assert(/^session-login-[\w-]{8}=/.test(line), line);
  assert(line.endsWith("; Path=/; HttpOnly; SameSite=Lax"), line);
});

Deno.test("two sessions of one application have cookies of their own", async () => {
  const { browser, login } = visit({ cookie: "google" });
  await browser.signIn();
  assertEquals([...browser.cookies.keys()], ["__Host-google"]);
  const other = login.open({ cookie: "github", path: "/github" });
  assertEquals(await other.get(browser.request("/")), undefined);
});

Deno.test("cookies and store hold no token, and the store no id of a cookie", async () => {
  const { browser, login } = visit();
  await browser.signIn();
  assert(browser.lines.every((line) => line.length < 2000));
  assert(!browser.lines.some((line) => line.includes("access-")));
  assertEquals(show(login.session).includes(SECRET), false);
});

Deno.test("recover signs in again, answers an outage, and leaves other errors", async () => {
  const { browser, session } = visit();
  const recover = (code: TokenManagerCode, retryable = false) => {
    const kind = code === "store_failed" ? "store" : "oauth";
    const options = { code, kind, retryable, retryAfter: 7 } as const;
    const error = new TokenManagerError("…", options);
    return session.recover(error, browser.request("/orders"));
  };
  const again = await recover("login_required");
  assertEquals(again?.status, 303);
  assert(locationOf(again!).startsWith(ISSUER));
  for (const code of ["store_failed", "refresh_failed"] as const) {
    const response = await recover(code, true);
    assertEquals(response?.status, 503);
    assertEquals(response?.headers.get("retry-after"), "7");
    assertEquals(await response?.text(), `Temporarily unavailable: ${code}`);
  }
  assertEquals(await recover("foreign_token"), undefined);
  const other = session.recover(new Error("x"), browser.request("/"));
  assertEquals(await other, undefined);
});

const INVALID: readonly (readonly [
  options: Record<string, unknown>,
  message: string,
])[] = [
  [{ origin: "http://app.example" }, 'Cannot use "http://app.example"'],
  [{ origin: "app.example" }, 'Cannot use the origin "app.example"'],
  [{ origin: `${ORIGIN}/x` }, `Cannot use the origin "${ORIGIN}/x"`],
  [{ path: "auth" }, 'Cannot use path "auth"'],
  [{ path: "//x" }, 'Cannot use path "//x"'],
  [{ path: "/" }, 'Cannot use path "/"'],
  [{ path: "/auth/" }, 'Cannot use path "/auth/"'],
  [{ home: "https://x" }, 'Cannot use home "https://x"'],
  [{ maxAge: 0 }, "Cannot use maxAge 0"],
  [{ profile: "userInfo" }, 'Cannot use profile "userInfo"'],
  [{ cookie: "a b" }, 'Cannot use cookie "a b"'],
  [{ secret: "short" }, "Cannot use the key"],
  [{ maxAge: -1 }, "Cannot use maxAge -1"],
  [{ store: undefined }, "the store must have compareAndSwap or lock"],
  [
    { scope: "notes" },
    'without the scope "openid", profile must be a function',
  ],
  [{ redirectUri: "x" }, 'Cannot use "redirectUri": there is no such option'],
  [{ max_age: 1 }, 'it is spelled "maxAge"'],
  [{ manager: { margins: 1, margin: -1 } }, "margin"],
  [{ signIn: { lifetime: -1 } }, "Cannot use lifetime -1"],
];

for (const [options, message] of INVALID) {
  Deno.test(`Session refuses ${JSON.stringify(options)}`, () => {
    const { login } = visit();
    const valid: SessionOptions = {
      client: login.provider.client,
      store: new MemoryStore(),
      secret: SECRET,
      origin: ORIGIN,
    };
    assertThrows(
      () => new Session({ ...valid, ...options } as SessionOptions),
      TypeError,
      message,
    );
  });
}
