/** Server, client and origins of a token. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { TokenManagerError } from "../../../oauth2/manager/mod.ts";
import { AccessToken } from "../../../oauth2/mod.ts";
import { EncryptedStore, MemoryStore } from "../../../oauth2/stores/mod.ts";
import { createClient, SITE } from "../_client.ts";
import { answer, manage, TOKEN } from "./_managed.ts";

const OUTSIDE: readonly (string | URL | Request)[] = [
  "https://attacker.example/me",
  new URL("https://attacker.example/me"),
  new Request("https://attacker.example/me"),
  "https://api.example.com:8443/me",
  "https://api.example.com.attacker.example/me",
  "https://sub.api.example.com/me",
];

for (const input of OUTSIDE) {
  const { url = String(input) } = Object(input);
  Deno.test(`TokenManager.fetch sends no token to ${input.constructor.name} ${url}`, async () => {
    const { api, sent } = await manage();
    await assertRejects(
      () => api.fetch(input),
      TypeError,
      "is not in allowedOrigins",
    );
    assertEquals(sent, []);
  });
}

for (const path of ["//attacker.example/me", "\\\\attacker.example/me"]) {
  Deno.test(`TokenManager.fetch refuses the path ${path}`, async () => {
    const { api, sent } = await manage();
    await assertRejects(() => api.fetch(path), TypeError);
    assertEquals(sent, []);
  });
}

Deno.test("TokenManager.fetch sends the token to allowedOrigins only", async () => {
  const { api, sent } = await manage({
    allowedOrigins: ["https://one.example/path", "https://two.example"],
  });
  await api.fetch("https://one.example/me");
  await api.fetch(new Request("https://two.example/me"));
  await assertRejects(() => api.fetch("/me"), TypeError, SITE);
  assertEquals(sent.map(({ headers }) => headers.get("authorization")), [
    "Bearer first",
    "Bearer first",
  ]);
});

Deno.test("TokenManager.fetch sends a token to the origins for which it was stored", async () => {
  const { other, client, sent } = await manage();
  const wider = other({ allowedOrigins: [SITE, "https://two.example"] });
  await wider.fetch(`${SITE}/me`);
  await assertRejects(
    () => wider.fetch("https://two.example/me"),
    TypeError,
    "not one of those for which the token was stored",
  );
  assertEquals(sent.length, 1);
  await wider.set(AccessToken.fromHash(client, TOKEN));
  await wider.fetch("https://two.example/me");
});

Deno.test("TokenManager with a grant replaces a token that was stored for fewer origins", async () => {
  const setup = await manage({
    answers: [answer()],
    grant: () => setup.client.clientCredentials.getToken(),
  });
  const allowedOrigins = [SITE, "https://two.example"];
  const api = setup.other({ allowedOrigins });
  await api.fetch("https://two.example/me");
  assertEquals(
    setup.sent.at(-1)!.headers.get("authorization"),
    "Bearer second",
  );
});

const OTHERS = {
  "another client": createClient({ id: "other" }),
  "another server": createClient({
    tokenUrl: "https://other.example/token?key=qsecretvalue",
  }),
};

for (const [name, client] of Object.entries(OTHERS)) {
  Deno.test(`TokenManager refuses the stored token of ${name}`, async () => {
    const { other, store, sent } = await manage();
    const api = other({ client });
    const stored = await store.get("ana");
    for (const call of [() => api.token(), () => api.revoke()]) {
      const error = await assertRejects(call, TokenManagerError);
      const { code, kind } = error as TokenManagerError;
      assertEquals([code, kind], ["foreign_token", "policy"]);
      assert(!(error as Error).message.includes("qsecretvalue"));
    }
    assertEquals([await store.get("ana"), sent], [stored, []]);
  });

  Deno.test(`TokenManager.set refuses the token of ${name}`, async () => {
    const { api } = await manage();
    await assertRejects(
      () => api.set(AccessToken.fromHash(client, TOKEN)),
      TokenManagerError,
      "Cannot use the token: it belongs to the client",
    );
  });

  Deno.test(`TokenManager refuses a grant of ${name}`, async () => {
    const { api } = await manage({
      token: null,
      grant: () => Promise.resolve(AccessToken.fromHash(client, TOKEN)),
    });
    await assertRejects(
      () => api.token(),
      TokenManagerError,
      "it belongs to the client",
    );
  });
}

for (const token of [undefined, "monkey", { access_token: "monkey" }]) {
  Deno.test(`TokenManager.set refuses ${JSON.stringify(token)}, which is no AccessToken`, async () => {
    const { api } = await manage();
    await assertRejects(
      () => api.set(token as unknown as AccessToken),
      TypeError,
      "it is not an AccessToken",
    );
  });
}

Deno.test("TokenManager does not send a refresh token to another site of its client", async () => {
  const { api, client, clock, sent } = await manage();
  await api.token();
  clock.now += 3600;
  client.site = "https://other.example";
  await assertRejects(() => api.token(), TokenManagerError, "other.example");
  assertEquals(sent, []);
});

const RECORD = {
  version: 1,
  token_endpoint: `${SITE}/oauth/token`,
  client_id: "abc",
  origins: [SITE],
  session: "s",
  revision: "r",
  token: { access_token: "stored" },
};
const UNREADABLE: Readonly<Record<string, unknown>> = {
  "text": "hello",
  "no text": "",
  "null": null,
  "a list": [RECORD],
  "a token without a version": { access_token: "x" },
  "a later version": { ...RECORD, version: 2 },
  "a version as text": { ...RECORD, version: "1" },
  "no client": { ...RECORD, client_id: undefined },
  "a client that is a number": { ...RECORD, client_id: 1 },
  "no origins": { ...RECORD, origins: undefined },
  "origins that are numbers": { ...RECORD, origins: [1] },
  "a token that is text": { ...RECORD, token: "x" },
  "a token without fields": { ...RECORD, token: {} },
  "a header that is a number": {
    ...RECORD,
    token: { access_token: "x", header_format: 1 },
  },
  "a claim as text": { ...RECORD, claimed_until: "1" },
  "too much": { ...RECORD, token: { access_token: "x".repeat(2 ** 20) } },
};

for (const [name, value] of Object.entries(UNREADABLE)) {
  Deno.test(`TokenManager refuses a store with ${name}`, async () => {
    const store = new MemoryStore();
    const text = typeof value === "string" ? value : JSON.stringify(value);
    await store.set("ana", text);
    const { api } = await manage({ store, token: null });
    const error = await assertRejects(() => api.token(), TokenManagerError);
    const { code, message } = error as TokenManagerError;
    assertEquals(code, "unreadable_token");
    assert(!message.includes("hello"));
    assertEquals(await store.get("ana"), text);
  });
}

Deno.test("TokenManager refuses a store with another key", async () => {
  const inner = new MemoryStore();
  const storeOf = (byte: number) =>
    new EncryptedStore(inner, new Uint8Array(32).fill(byte));
  const { api, other } = await manage({ store: storeOf(1) });
  assertEquals((await api.token()).token, "first");
  const stored = await inner.get("ana");
  const error = await assertRejects(
    () => other({ store: storeOf(2) }).token(),
    TokenManagerError,
    "it has another key",
  );
  const { code, retryable } = error as TokenManagerError;
  assertEquals([code, retryable], ["unreadable_token", false]);
  assertEquals(await inner.get("ana"), stored);
});

const REPLACED: Readonly<Record<string, string>> = {
  "no JSON": "garbage",
  "another version": '{"version":2}',
  "the token of another server": JSON.stringify({
    ...RECORD,
    token_endpoint: "https://old.example/token",
    token: TOKEN,
  }),
  "fields that are not a token": JSON.stringify({
    ...RECORD,
    token: { access_token: "x", header_format: 1, expires_in: {} },
  }),
};

for (const [name, value] of Object.entries(REPLACED)) {
  Deno.test(`TokenManager with a grant replaces ${name} in the store, and reports it`, async () => {
    const store = new MemoryStore();
    const setup = await manage({
      store,
      token: null,
      answers: [answer()],
      grant: () => setup.client.clientCredentials.getToken(),
    });
    await store.set("ana", value);
    assertEquals((await setup.api.token()).token, "second");
    assertEquals((await setup.other().token()).token, "second");
    assertEquals(setup.reports.length, 1);
  });
}

Deno.test("TokenManager with a grant replaces a value of another encryption key", async () => {
  const inner = new MemoryStore();
  const keys = ["a", "b"].map((digit) => digit.repeat(64));
  await new EncryptedStore(inner, keys[0]!).set("ana", "{}");
  const setup = await manage({
    store: new EncryptedStore(inner, keys[1]!),
    token: null,
    answers: [answer()],
    grant: () => setup.client.clientCredentials.getToken(),
  });
  assertEquals((await setup.api.token()).token, "second");
  assertEquals(setup.reports.length, 1);
});

Deno.test("TokenManager ignores the times of a wrong clock in the store", async () => {
  const store = new MemoryStore();
  const { api, waits, clock } = await manage({
    store,
    token: null,
    answers: [answer()],
  });
  await store.set(
    "ana",
    JSON.stringify({
      ...RECORD,
      token: { ...TOKEN, expires_at: 1 },
      claimed_until: 1e300,
      retry_at: 1e300,
    }),
  );
  const start = clock.now;
  assertEquals((await api.token()).token, "second");
  assertEquals(Math.round(clock.now - start), 45);
  assert(waits.length < 60);
});

Deno.test("TokenManager sends nothing elsewhere, whatever the store has", async () => {
  const values = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      "",
      "https://attacker.example/",
      ["https://attacker.example", SITE],
      [SITE],
      { access_token: "x", mode: "query" },
      { access_token: "x", mode: { get: "body" }, expires_at: 1 },
      { refresh_token: "x", header_format: "%s\r\nx: y" },
      { access_token: "x", token_name: "__proto__" },
      `${SITE}/oauth/token`,
      "abc",
      0,
      1e300,
    ),
    fc.jsonValue(),
  );
  const names = [...Object.keys(RECORD)]
    .concat("issued_at", "claimed_until", "retry_at", "ended");
  const record = fc.dictionary(fc.constantFrom(...names), values, {
    minKeys: 1,
    maxKeys: 2,
  });
  let successes = 0;
  await fc.assert(
    fc.asyncProperty(record, async (changes) => {
      const store = new MemoryStore();
      await store.set("ana", JSON.stringify({ ...RECORD, ...changes }));
      const { api, sent } = await manage({
        store,
        token: null,
        answers: [answer()],
        setting: { logger: { debug() {}, warn() {} } },
      });
      const error = await api.fetch("/me").then(() => undefined, (it) => it);
      assert(
        error === undefined || error instanceof TokenManagerError ||
          error instanceof TypeError,
        String(error),
      );
      for (const { url } of sent) assertEquals(new URL(url).origin, SITE);
      if (error === undefined) successes++;
    }),
    { numRuns: 500 },
  );
  assert(successes > 5, `${successes} successes`);
});
