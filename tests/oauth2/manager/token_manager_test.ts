/** Token manager: renewal, retries and failures. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  TokenManager,
  TokenManagerError,
} from "../../../oauth2/manager/mod.ts";
import { AccessToken, OAuth2Error } from "../../../oauth2/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { createClient, NOW, SITE } from "../_client.ts";
import { print } from "../_print.ts";
import { settle } from "../_settle.ts";
import { answer, manage, refusal, type Sent, TOKEN } from "./_managed.ts";

const authorizations = (sent: readonly Sent[]) =>
  sent.map(({ headers }) => headers.get("authorization"));
const tokenRequests = (sent: readonly Sent[]) =>
  sent.filter(({ url }) => url === `${SITE}/oauth/token`);

/** Asserts that a call fails for this reason, and returns the error. */
async function assertFails(
  call: Promise<unknown>,
  code: string,
): Promise<TokenManagerError> {
  const error = await assertRejects(() => call, TokenManagerError);
  assertEquals((error as TokenManagerError).code, code);
  return error as TokenManagerError;
}

const REJECTED = () =>
  new Response("no", {
    status: 401,
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });

Deno.test("TokenManager.fetch sends the stored token", async () => {
  const { api, sent } = await manage();
  const response = await api.fetch("/me?x=1", { headers: { accept: "a/b" } });
  assertEquals(await response.text(), "ok");
  assertEquals(sent[0]!.url, `${SITE}/me?x=1`);
  assertEquals(sent[0]!.headers.get("accept"), "a/b");
  assertEquals(authorizations(sent), ["Bearer first"]);
});

for (
  const [lifetime, age, renewed] of [
    [3600, 3539, false],
    [3600, 3540, true],
    [40, 29, false],
    [40, 30, true],
    [0, 1e9, false],
  ] as const
) {
  Deno.test(
    `TokenManager ${
      renewed ? "renews" : "uses"
    } a token of ${lifetime} s after ${age} s`,
    async () => {
      const { api, clock, sent } = await manage({
        answers: [answer()],
        token: { ...TOKEN, expires_in: lifetime },
      });
      clock.now += age;
      const { token } = await api.token();
      assertEquals(
        [token, sent.length],
        renewed ? ["second", 1] : ["first", 0],
      );
    },
  );
}

Deno.test("TokenManager stores a rotated token before it hands it out", async () => {
  const { api, clock, store } = await manage({ answers: [answer()] });
  clock.now += 3600;
  const pending = api.token();
  const { token } = await pending;
  assertEquals(token, "second");
  const { token: stored, claimed_until } = JSON.parse(
    (await store.get("ana"))!,
  );
  assertEquals(stored.refresh_token, "refresh-2");
  assertEquals(claimed_until, undefined);
});

Deno.test("TokenManager shares a refresh among callers, which may leave it", async () => {
  let finish = (_: Response) => {};
  const { api, clock, sent } = await manage({
    answers: [() => new Promise((done) => finish = done)],
  });
  clock.now += 3600;
  const controller = new AbortController();
  const { signal } = controller;
  const left = api.fetch("/me", { signal });
  const others = [api.fetch("/me"), api.fetch("/me")];
  await settle();
  controller.abort(new Error("left"));
  await assertRejects(() => left, Error, "left");
  finish(answer());
  for (const response of await Promise.all(others)) {
    assertEquals(response.status, 200);
  }
  assertEquals(tokenRequests(sent).length, 1);
});

Deno.test("TokenManager completes a refresh that every caller has left", async () => {
  let finish = (_: Response) => {};
  const { api, clock } = await manage({
    answers: [() => new Promise((done) => finish = done)],
    setting: { connectionOpts: { signal: AbortSignal.abort() } },
  });
  clock.now += 3600;
  const controller = new AbortController();
  const left = api.token({ signal: controller.signal });
  await settle();
  controller.abort();
  await assertRejects(() => left, DOMException);
  finish(answer());
  await settle();
  assertEquals((await api.token()).token, "second");
});

Deno.test("TokenManager does not wait for a renewal while the token is valid", async () => {
  let finish = (_: Response) => {};
  const { api, clock } = await manage({
    answers: [() => new Promise((done) => finish = done)],
  });
  clock.now += 3590;
  const first = api.token();
  await settle();
  assertEquals((await api.token()).token, "first");
  finish(answer());
  assertEquals((await first).token, "second");
});

Deno.test("TokenManager sends refreshParams with a refresh", async () => {
  const { api, clock, sent } = await manage({
    answers: [answer()],
    refreshParams: { scope: ["a", "b"], resource: "https://r.example" },
  });
  clock.now += 3600;
  await api.token();
  assertEquals(Object.fromEntries(new URLSearchParams(String(sent[0]!.body))), {
    grant_type: "refresh_token",
    refresh_token: "refresh-1",
    scope: "a b",
    resource: "https://r.example",
  });
});

Deno.test("TokenManager repeats its grant, without a login and a refresh token", async () => {
  const setup = await manage({
    token: null,
    answers: [answer(), answer({ access_token: "third", expires_in: 60 })],
    grant: () => setup.client.clientCredentials.getToken(),
  });
  const { api, clock, sent } = setup;
  assertEquals((await api.token()).token, "second");
  clock.now += 3600;
  assertEquals((await api.token()).token, "third");
  const types = sent.map(({ body }) =>
    new URLSearchParams(String(body)).get("grant_type")
  );
  assertEquals(types, ["client_credentials", "client_credentials"]);
});

for (
  const [name, body, headers] of [
    ["text", "text", {}],
    ["bytes", new Uint8Array([1, 2]), {}],
    ["a form", new URLSearchParams({ a: "b" }), {}],
    ["FormData", new FormData(), {}],
    ["a Blob", new Blob(["x"]), {}],
    ["nothing", undefined, {}],
  ] as const
) {
  Deno.test(`TokenManager.fetch sends ${name} again after 401 invalid_token`, async () => {
    const { api, clock, sent } = await manage({
      answers: [answer()],
      replies: [REJECTED()],
    });
    clock.now += 60;
    const response = await api.fetch("/notes", {
      method: "POST",
      headers,
      ...(body !== undefined && { body }),
    });
    assertEquals(response.status, 200);
    assertEquals(authorizations(sent), [
      "Bearer first",
      `Basic ${btoa("abc:hush-hush")}`,
      "Bearer second",
    ]);
    assertEquals(sent[2]!.body, sent[0]!.body);
  });
}

Deno.test("TokenManager.fetch sends the body as it was at the call", async () => {
  const bytes = new Uint8Array([1]);
  const form = new URLSearchParams({ a: "1" });
  for (const body of [bytes, form]) {
    const { api, clock, sent } = await manage({ answers: [answer()] });
    clock.now += 3600;
    const call = api.fetch("/notes", { method: "POST", body });
    bytes[0] = 2;
    form.set("a", "2");
    await call;
    assert(/^(1|a=1)$/.test(String(sent[1]!.body)), String(sent[1]!.body));
    bytes[0] = 1;
    form.set("a", "1");
  }
});

Deno.test("TokenManager.fetch returns the 401 of a stream, and renews the token for the next call", async () => {
  const { api, clock, sent } = await manage({
    answers: [answer()],
    replies: [REJECTED()],
  });
  clock.now += 60;
  const body = new Blob(["x"]).stream();
  const response = await api.fetch("/notes", { method: "POST", body });
  assertEquals([response.status, await response.text()], [401, "no"]);
  await api.fetch("/notes");
  assertEquals(authorizations(sent).at(-1), "Bearer second");
});

Deno.test("TokenManager.fetch sends a Request again after 401 invalid_token", async () => {
  const { api, clock, sent } = await manage({
    answers: [answer()],
    replies: [REJECTED()],
  });
  clock.now += 60;
  const request = new Request(`${SITE}/me`, { headers: { "x-a": "1" } });
  assertEquals((await api.fetch(request)).status, 200);
  assertEquals(sent.at(-1)!.headers.get("x-a"), "1");
  assertEquals(authorizations(sent).at(-1), "Bearer second");
});

Deno.test("TokenManager.fetch shares the renewal of a rejected token", async () => {
  const { api, clock, sent } = await manage({
    answers: [answer()],
    replies: Array.from({ length: 10 }, REJECTED),
  });
  clock.now += 60;
  const calls = Array.from({ length: 10 }, () => api.fetch("/me"));
  for (const { status } of await Promise.all(calls)) assertEquals(status, 200);
  assertEquals(tokenRequests(sent).length, 1);
});

Deno.test("TokenManager keeps the options of a token in the store", async () => {
  const { api, other, clock, sent } = await manage({
    token: {
      ...TOKEN,
      header_format: "DPoP %s",
      token_name: "id_token",
      id_token: "first",
      expires_latency: 100,
    },
    answers: [answer({ id_token: "second", expires_in: 3600 })],
  });
  clock.now += 3500 - 60;
  await api.fetch("/me");
  await other().fetch("/me");
  await other().revoke();
  assertEquals(authorizations(sent).slice(1, 3), [
    "DPoP second",
    "DPoP second",
  ]);
  assertEquals(
    String(sent.at(-1)!.body),
    "token=refresh-1&token_type_hint=refresh_token",
  );
});

Deno.test("TokenManager uses a login of another process after the end of a session", async () => {
  const { api, client, other, clock } = await manage({
    answers: [refusal("invalid_grant")],
  });
  clock.now += 3600;
  await assertFails(api.token(), "login_required");
  await other().set(AccessToken.fromHash(client, TOKEN));
  assertEquals((await api.token()).token, "first");
});

Deno.test("TokenManager.revoke revokes a token without a refresh token", async () => {
  const { api, sent } = await manage({ token: { access_token: "first" } });
  await api.revoke();
  assertEquals(
    String(sent[0]!.body),
    "token=first&token_type_hint=access_token",
  );
});

const OTHER_ANSWERS: Readonly<Record<string, Response>> = {
  "401 without a challenge": new Response(null, { status: 401 }),
  "401 insufficient_scope": new Response(null, {
    status: 401,
    headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
  }),
  "403 invalid_token": new Response(null, {
    status: 403,
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  }),
  "401 of another scheme": new Response(null, {
    status: 401,
    headers: { "www-authenticate": 'Basic error="invalid_token"' },
  }),
};

for (const [name, reply] of Object.entries(OTHER_ANSWERS)) {
  Deno.test(`TokenManager.fetch returns ${name} without a retry`, async () => {
    const { api, clock, sent } = await manage({ replies: [reply] });
    clock.now += 60;
    assertEquals(await api.fetch("/me"), reply);
    assertEquals(sent.length, 1);
  });
}

Deno.test("TokenManager.fetch retries only once, and not with a token that was just issued", async () => {
  const { api, clock, sent } = await manage({
    answers: [answer()],
    replies: [REJECTED(), REJECTED(), REJECTED()],
  });
  clock.now += 60;
  assertEquals((await api.fetch("/me")).status, 401);
  assertEquals((await api.fetch("/me")).status, 401);
  assertEquals(tokenRequests(sent).length, 1);
});

Deno.test("TokenManager.fetch uses the token of another process after 401", async () => {
  const { api, other, clock, sent } = await manage({
    answers: [answer()],
    replies: [REJECTED(), new Response(), REJECTED()],
    maxStale: 3600,
  });
  await api.token();
  clock.now += 60;
  assertEquals((await other().fetch("/me")).status, 200);
  assertEquals((await api.fetch("/me")).status, 200);
  assertEquals(tokenRequests(sent).length, 1);
  assertEquals(authorizations(sent).at(-1), "Bearer second");
});

Deno.test("TokenManager ends the session at invalid_grant, for every process", async () => {
  const { api, other, clock, sent, store } = await manage({
    answers: [refusal("invalid_grant")],
  });
  clock.now += 3600;
  const error = await assertFails(api.token(), "login_required");
  assert(error.cause instanceof OAuth2Error);
  assertEquals([error.kind, error.retryable], ["oauth", false]);
  await assertFails(api.token(), "login_required");
  await assertFails(other().token(), "login_required");
  assertEquals(sent.length, 1);
  assert(!(await store.get("ana"))!.includes("refresh-1"));
});

Deno.test("TokenManager uses the token that another process stored before invalid_grant", async () => {
  const setup = await manage({
    answers: [async () => {
      const { client } = setup;
      await setup.other().set(
        AccessToken.fromHash(client, { ...TOKEN, access_token: "theirs" }),
      );
      return refusal("invalid_grant");
    }],
  });
  setup.clock.now += 3600;
  assertEquals((await setup.api.token()).token, "theirs");
});

Deno.test("TokenManager uses a valid token after a failure, and tries again after Retry-After", async () => {
  const { api, other, clock, sent } = await manage({
    answers: [
      refusal("temporarily_unavailable", 503, { "retry-after": "30" }),
      answer(),
    ],
  });
  clock.now += 3550;
  assertEquals((await api.token()).token, "first");
  clock.now += 20;
  assertEquals((await api.token()).token, "first");
  assertEquals((await other().token()).token, "first");
  assertEquals(sent.length, 1);
  clock.now += 10;
  assertEquals((await api.token()).token, "second");
});

Deno.test("TokenManager fails fast before Retry-After, in every process", async () => {
  const { api, other, clock, sent, waits } = await manage({
    answers: [
      refusal("slow_down", 429, { "retry-after": "30" }),
      answer(),
    ],
  });
  clock.now += 3600;
  const first = await assertFails(api.token(), "refresh_failed");
  assertEquals([first.retryable, first.retryAfter], [true, 30]);
  assert(first.cause instanceof OAuth2Error);
  clock.now += 10;
  const second = await assertFails(api.token(), "refresh_failed");
  assertEquals([second.retryAfter, second.cause], [20, first.cause]);
  const third = await assertFails(other().token(), "refresh_failed");
  assertEquals([third.retryAfter, third.kind], [20, "http"]);
  assertEquals([sent.length, waits], [1, []]);
  clock.now += 20;
  assertEquals((await api.token()).token, "second");
});

Deno.test("TokenManager doubles the interval between attempts up to a minute", async () => {
  const failures = Array.from(
    { length: 9 },
    () => refusal("server_error", 500),
  );
  const { api, clock } = await manage({ answers: failures });
  clock.now += 3600;
  const intervals: (number | undefined)[] = [];
  for (const _ of failures) {
    const { retryAfter } = await assertFails(api.token(), "refresh_failed");
    intervals.push(retryAfter);
    clock.now += retryAfter!;
  }
  assertEquals(intervals, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

Deno.test("TokenManager waits at most an hour for Retry-After", async () => {
  const { api, clock } = await manage({
    answers: [refusal("slow_down", 503, { "retry-after": "999999999" })],
  });
  clock.now += 3600;
  const { retryAfter } = await assertFails(api.token(), "refresh_failed");
  assertEquals(retryAfter, 3600);
});

for (
  const [name, answer_, kind, retryable] of [
    ["invalid_client", refusal("invalid_client", 401), "oauth", false],
    ["502", new Response("<html>", { status: 502 }), "http", false],
    ["503", new Response("<html>", { status: 503 }), "http", true],
    ["no token", Response.json({}), "parse", false],
    [
      "no JSON",
      new Response("{", { headers: { "content-type": "application/json" } }),
      "parse",
      false,
    ],
  ] as const
) {
  Deno.test(`TokenManager keeps the session after ${name}`, async () => {
    const { api, clock } = await manage({ answers: [answer_, answer()] });
    clock.now += 3600;
    const error = await assertFails(api.token(), "refresh_failed");
    assertEquals([error.kind, error.retryable], [kind, retryable]);
    clock.now += error.retryAfter!;
    assertEquals((await api.token()).token, "second");
  });
}

for (
  const [name, error, seconds, isRetryable] of [
    ["is lost", new TypeError("fetch failed"), 30, false],
    [
      "is refused",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }),
      }),
      1,
      true,
    ],
  ] as const
) {
  Deno.test(`TokenManager keeps the session if the connection ${name}, and tries again after ${seconds} s`, async () => {
    const { api, clock } = await manage({
      answers: [() => Promise.reject(error), answer()],
    });
    clock.now += 3600;
    const found = await assertFails(api.token(), "refresh_failed");
    const { kind, retryable, retryAfter } = found;
    assertEquals(
      [kind, retryable, retryAfter],
      ["network", isRetryable, seconds],
    );
    clock.now += seconds;
    assertEquals((await api.token()).token, "second");
  });
}

for (
  const [timeout, expected] of [[60_000, 75], [undefined, 45], [0, 75]] as const
) {
  Deno.test(`TokenManager claims a token longer than the timeout ${timeout} of the client`, async () => {
    let claimed = 0;
    const setup = await manage({
      setting: { connectionOpts: { timeout } },
      answers: [async () => {
        const record = JSON.parse((await setup.store.get("ana"))!);
        claimed = record.claimed_until / 1000 - setup.clock.now;
        return answer();
      }],
    });
    setup.clock.now += 3600;
    await setup.api.token();
    assertEquals(claimed, expected);
  });
}

Deno.test("TokenManager sends a refresh token that was not answered in time again only after another timeout", async () => {
  const { api, clock, sent } = await manage({
    timeout: 5000,
    answers: [refusal("slow", 504), answer()],
  });
  clock.now += 3600;
  const { retryAfter } = await assertFails(api.token(), "refresh_failed");
  assertEquals(retryAfter, 5);
  clock.now += 4;
  await assertFails(api.token(), "refresh_failed");
  clock.now += 1;
  assertEquals((await api.token()).token, "second");
  assertEquals(sent.length, 2);
});

Deno.test("TokenManager without a token asks for a login", async () => {
  const { api, sent } = await manage({ token: null });
  const error = await assertFails(api.fetch("/me"), "login_required");
  assertEquals(error.message, "Cannot get a token: none is stored");
  assertEquals(sent, []);
});

Deno.test("TokenManager without a refresh token uses the token until its expiry", async () => {
  const { api, clock } = await manage({
    token: { access_token: "first", expires_in: 3600 },
  });
  clock.now += 3599;
  assertEquals((await api.token()).token, "first");
  clock.now += 1;
  await assertFails(api.token(), "login_required");
});

Deno.test("TokenManager waits for the claim of another process, and takes it over when it expires", async () => {
  let finish = (_: Response) => {};
  const { api, other, clock, waits, sent } = await manage({
    answers: [() => new Promise((done) => finish = done), answer()],
    timeout: 100,
  });
  clock.now += 3600;
  const late = other({ timeout: 1_000_000 }).token();
  await settle();
  assertEquals(sent.length, 1);
  const start = clock.now;
  // The longest claim is that of the own timeout: clocks may differ.
  assertEquals((await api.token()).token, "second");
  assertEquals(Math.round((clock.now - start) * 1000), 15_100);
  assert(waits.length > 1 && Math.max(...waits) <= 1000);
  finish(refusal("invalid_grant"));
  assertEquals((await late).token, "second");
});

Deno.test("TokenManager.set replaces a session, also during a refresh", async () => {
  let finish = (_: Response) => {};
  const { api, client, clock, store } = await manage({
    answers: [() => new Promise((done) => finish = done)],
  });
  clock.now += 3600;
  const pending = api.token();
  await settle();
  const login = { ...TOKEN, access_token: "new login" };
  await api.set(AccessToken.fromHash(client, login));
  finish(answer());
  assertEquals((await pending).token, "new login");
  assertEquals((await api.token()).token, "new login");
  assert((await store.get("ana"))!.includes("new login"));
});

Deno.test("TokenManager.clear ends a session, also during a refresh", async () => {
  let finish = (_: Response) => {};
  const { api, clock, store } = await manage({
    answers: [() => new Promise((done) => finish = done)],
  });
  clock.now += 3600;
  const pending = api.token();
  await settle();
  await api.clear();
  finish(answer());
  await assertFails(pending, "login_required");
  await assertFails(api.token(), "login_required");
  assertEquals(await store.get("ana"), undefined);
});

Deno.test("TokenManager.revoke deletes the token, and revokes the newest refresh token", async () => {
  const { api, clock, sent, store } = await manage({ answers: [answer()] });
  clock.now += 3600;
  const pending = api.token();
  await api.revoke();
  await pending;
  const { url, body } = sent.at(-1)!;
  assertEquals(url, `${SITE}/oauth/revoke`);
  assertEquals(
    String(body),
    "token=refresh-2&token_type_hint=refresh_token",
  );
  assertEquals(await store.get("ana"), undefined);
  assertEquals(await api.revoke(), undefined);
});

Deno.test("TokenManager.revoke deletes nothing if the server has no revocation endpoint", async () => {
  const { api, store } = await manage({ setting: { revokeUrl: null } });
  await assertRejects(() => api.revoke(), TypeError, "the server has none");
  assert(await store.get("ana"));
});

for (
  const failure of [
    refusal("server_error", 503),
    () => Promise.reject(new TypeError("fetch failed")),
  ]
) {
  Deno.test(`TokenManager.revoke ends the session and can be repeated after ${typeof failure === "function" ? "a lost connection" : "status 503"}`, async () => {
    const store = new MemoryStore();
    const bodies: unknown[] = [];
    let isFailing = true;
    const { api, other } = await manage({
      store,
      setting: {
        fetch: async (_, { body }) => {
          bodies.push(new URLSearchParams(String(body)).get("token"));
          if (!isFailing) return new Response();
          return typeof failure === "function" ? await failure() : failure;
        },
      },
    });
    await assertRejects(() => api.revoke());
    for (const manager of [api, other()]) {
      const error = await assertFails(manager.token(), "login_required");
      assertEquals(
        error.message,
        "Cannot get a token: the session was revoked",
      );
    }
    isFailing = false;
    await other().revoke();
    assertEquals(bodies, ["refresh-1", "refresh-1"]);
    assertEquals(await store.get("ana"), undefined);
  });
}

Deno.test("TokenManager.revoke leaves a login that follows it", async () => {
  const store = new MemoryStore();
  const setup = await manage({
    store,
    setting: {
      fetch: async () => {
        await setup.other().set(
          AccessToken.fromHash(setup.client, { access_token: "login" }),
        );
        return new Response();
      },
    },
  });
  await setup.api.revoke();
  assertEquals((await setup.api.token()).token, "login");
});

Deno.test("TokenManager does not save a token of a session that was revoked meanwhile", async () => {
  const setup = await manage({
    answers: [async () => {
      await setup.other().revoke();
      return answer();
    }],
  });
  setup.clock.now += 3600;
  await assertFails(setup.api.token(), "login_required");
});

for (const fields of [{ expires_in: -1 }, { expires_at: NOW - 5 }]) {
  Deno.test(`TokenManager uses a token with ${JSON.stringify(Object.keys(fields))} in the past for a minute`, async () => {
    const setup = await manage({
      token: null,
      answers: ["second", "third"]
        .map((access_token) => answer({ access_token, ...fields })),
      grant: () => setup.client.clientCredentials.getToken(),
    });
    const { api, other, clock, sent } = setup;
    for (
      const [manager, seconds] of [[api, 0], [api, 40], [other(), 4]] as const
    ) {
      clock.now += seconds;
      assertEquals((await manager.token()).token, "second");
    }
    assertEquals(sent.length, 1);
    clock.now += 16;
    assertEquals((await api.token()).token, "third");
  });
}

Deno.test("TokenManager shows no secret", async () => {
  const { api } = await manage();
  await api.token();
  const shown = print(api);
  assert(!/first|refresh-1|hush-hush/.test(shown), shown);
});

const CLIENT = createClient();
const INVALID: Readonly<Record<string, [object, string]>> = {
  "a store without a key": [{ store: new Map() }, "key is missing"],
  "an empty key": [{ key: "" }, "key is missing"],
  "a negative margin": [{ margin: -1 }, "margin -1"],
  "misspelled parameters": [{ refreshParams: { Scope: "a" } }, "it is spelled"],
  "no timeout": [{ timeout: 0 }, "timeout"],
  "an invalid origin": [{ allowedOrigins: ["x"] }, '"x" is not an origin'],
  "no origin": [{ allowedOrigins: [] }, "allowedOrigins is empty"],
};

for (const [name, [options, message]] of Object.entries(INVALID)) {
  Deno.test(`TokenManager refuses ${name}`, () => {
    assertThrows(
      () => new TokenManager({ client: CLIENT, ...options }),
      TypeError,
      message,
    );
  });
}
