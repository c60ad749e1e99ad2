/** Arguments and settings, which calls do not change, and whose later changes have no effect. */
import { assertEquals, assertRejects } from "@std/assert";
import { jwtVerify } from "jose";
import {
  AccessToken,
  Client,
  type ClientOptions,
  type JwtKey,
  type RequestOptions,
} from "../../../oauth2/mod.ts";
import { CALLS, ENDPOINT_CALLS, tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  NOW,
  oauth2Error,
  SITE,
} from "../_client.ts";
import { json, onResource, redirect } from "../_exchanges.ts";
import { fakeFetch, type SeenRequest } from "../_fake_fetch.ts";
import {
  claimsOf,
  generateAssertionKey,
  generateEs256,
  HS256_SECRET,
} from "../_jwt.ts";

/** Freezes a value and all that it contains. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

Deno.test("calls do not change their arguments", async () => {
  const count = Object.keys(ENDPOINT_CALLS).length + 1;
  const fetch = fakeFetch(Array.from({ length: count }, () => ({
    respond: json({ access_token: "ape", refresh_token: "new" }),
  })));
  const client = new Client("abc", "def", {
    ...deepFreeze({
      site: SITE,
      allowedOrigins: [SITE],
      tokenTypes: ["bot"],
      connectionOpts: { timeout: 1000, headers: { "X-A": "1" } },
    }),
    fetch,
  });
  const params = deepFreeze({
    resource: ["https://a.example", "https://b.example"],
    headers: { "X-B": "2" },
  });
  const options = deepFreeze(
    { mode: { get: "query", post: "body" }, paramName: "p" } as const,
  );
  const request = deepFreeze({
    params: { a: "1" },
    headers: { "X-B": "2" },
    body: { b: "2" },
  });
  client.authorizeUrl(deepFreeze({ a: "1" }));
  client.authCode.authorizeUrl(deepFreeze({ scope: "a" }));
  for (const call of Object.values(ENDPOINT_CALLS)) await call(client, params);
  const hash = deepFreeze({ access_token: "m", nested: { a: 1 } });
  const token = AccessToken.fromHash(client, hash, options);
  await token.post("/from", request);
  fetch.assertDone();
});

const OTHER = "https://attacker.example";

const assertionKey = await generateAssertionKey();

const SETTINGS: Readonly<Record<string, ClientOptions>> = {
  "a debug log": { debug: true },
  private_key_jwt: { authScheme: "private_key_jwt", assertionKey },
};
for (const [setting, options] of Object.entries(SETTINGS)) {
  for (const [name, call] of Object.entries(CALLS)) {
    clientTest(
      `${name} with ${setting} uses the site at the time of the call`,
      Array.from({ length: 2 }, () => ({
        respond: json({ access_token: "ape" }),
      })),
      async ({ client, fetch }) => {
        const first = call(client);
        client.site = OTHER;
        await first;
        await call(client);
        const [one, other] = fetch.requests.map(({ url, body }) => {
          const jwt = new URLSearchParams(body).get("client_assertion");
          return [url.origin, jwt && claimsOf(jwt).aud];
        });
        const aud = (site: string) => one![1] && `${site}/oauth/token`;
        assertEquals([one, other], [[SITE, aud(SITE)], [OTHER, aud(OTHER)]]);
      },
      options,
    );
  }
}

Deno.test("request resolves a redirect against its own URL, not a later site", async () => {
  const seen: string[] = [];
  const client = createClient({
    fetch: (url) => {
      seen.push(url);
      client.site = OTHER;
      return Promise.resolve(
        seen.length === 1
          ? new Response(null, { status: 302, headers: { location: "/to" } })
          : new Response(),
      );
    },
  });
  await tokenOf(client).get("/from");
  assertEquals(seen, [`${SITE}/from`, `${SITE}/to`]);
});

const bytesOf = (text: string) => new TextEncoder().encode(text);
/** Options of a request, with functions that change them. */
const CHANGES: Readonly<
  Record<string, () => { options: RequestOptions; change: () => void }>
> = {
  "params, headers and a form": () => {
    const params = { a: "1", list: ["x"] };
    const headers = { "x-a": "1" };
    const body = { a: "1", list: ["x"] };
    const change = () => {
      params.a = headers["x-a"] = body.a = "2";
      params.list.push("y");
      body.list.push("y");
    };
    return { options: { params, headers, body }, change };
  },
  "Headers and URLSearchParams": () => {
    const headers = new Headers({ "x-a": "1" });
    const body = new URLSearchParams("a=1");
    const change = () => [headers, body].forEach((of) => of.set("x-a", "2"));
    return { options: { headers, body }, change };
  },
  "an object as JSON": () => {
    const body = { a: { b: "1" } };
    const headers = { "content-type": "application/json" };
    const change = () => void (body.a.b = "2");
    return { options: { body, headers }, change };
  },
  "a subarray": () => {
    const { buffer } = bytesOf("before a=1 after");
    const body = new Uint8Array(buffer, 7, 3);
    const change = () => void new Uint8Array(buffer).fill(0);
    return { options: { body }, change };
  },
  "an ArrayBuffer": () => {
    const body = bytesOf("a=1").buffer;
    const change = () => void new Uint8Array(body).fill(0);
    return { options: { body }, change };
  },
};
for (const [option, make] of Object.entries(CHANGES)) {
  for (const mode of ["header", "query", "body"] as const) {
    // Such bodies cannot carry a token.
    if (mode === "body" && /JSON|array|Array/.test(option)) continue;
    for (const debug of [false, true]) {
      clientTest(
        `token.post in ${mode} mode copies ${option} for the request and its redirect${
          debug ? ", with a debug log" : ""
        }`,
        ["/from", "/to", "/from", "/to"].map((path) => ({
          respond: path === "/from" ? redirect("/to", 307) : { status: 204 },
        })),
        async ({ client, fetch }) => {
          const token = tokenOf(client, { mode });
          for (const isChanged of [false, true]) {
            const { options, change } = make();
            const sent = token.post("/from", options);
            if (isChanged) change();
            await sent;
          }
          const [first, then, ...changed] = fetch.requests.map((
            { url, headers, body },
          ) => [url.href, Object.fromEntries(headers), body]);
          assertEquals(changed, [first, then]);
        },
        { debug },
      );
    }
  }
}

for (const scheme of ["basic_auth", "private_key_jwt"] as const) {
  clientTest(
    `getToken with ${scheme} copies its parameters`,
    [{ respond: json({ access_token: "ape" }) }],
    async ({ client, fetch }) => {
      const headers = new Headers({ "x-a": "1" });
      const params = { a: "1", resource: ["x"], headers };
      const sent = client.getToken(params);
      params.a = "2";
      params.resource.push("y");
      headers.set("x-a", "2");
      await sent;
      const [{ body, headers: got }] = fetch.requests as [SeenRequest];
      const fields = new URLSearchParams(body);
      assertEquals(
        [fields.get("a"), fields.getAll("resource"), got.get("x-a")],
        ["1", ["x"], "1"],
      );
    },
    { authScheme: scheme, assertionKey },
  );
}

Deno.test("refresh sends the refresh token at the time of the call", async () => {
  const sent: (string | null)[] = [];
  const client = createClient({
    authScheme: "private_key_jwt",
    assertionKey,
    fetch: (_, { body }) => {
      sent.push(new URLSearchParams(String(body)).get("refresh_token"));
      return Promise.resolve(Response.json({ access_token: "ape" }));
    },
  });
  const token = tokenOf(client);
  const refreshed = token.refresh();
  token.refreshToken = "another";
  assertEquals([(await refreshed).refreshToken, sent], ["abaca", ["abaca"]]);
});

Deno.test("Client copies its connectionOpts", async () => {
  const seen: (string | null)[] = [];
  const own = { "x-a": "1" };
  for (const headers of [own, new Headers(own), Object.entries(own)]) {
    const connectionOpts = { headers, timeout: 0, maxBodyBytes: 100 };
    const client = createClient({
      connectionOpts,
      fetch: (_, init) => {
        seen.push(new Headers(init.headers).get("x-a"));
        return Promise.resolve(Response.json({ access_token: "ape" }));
      },
    });
    if (headers instanceof Headers) headers.set("x-a", "2");
    else if (Array.isArray(headers)) headers[0]![1] = "2";
    else headers["x-a"] = "2";
    connectionOpts.maxBodyBytes = 0;
    await client.request("get", "/from");
    await client.getToken();
    connectionOpts.headers = { "x-a": "3" };
    await client.request("get", "/from");
  }
  assertEquals(seen, Array(9).fill("1"));
});

clientTest(
  "client.open and token.fetch copy bytes",
  Array.from({ length: 2 }, () => ({
    expect: { method: "PUT", body: { text: "a=1" } },
    respond: { status: 204 },
  })),
  async ({ client }) => {
    for (
      const send of [
        (body: Uint8Array<ArrayBuffer>) =>
          client.open("PUT", "/from", { body }),
        (body: Uint8Array<ArrayBuffer>) =>
          tokenOf(client).fetch("/from", { method: "PUT", body }),
      ]
    ) {
      const body = bytesOf("a=1");
      const sent = send(body);
      body.fill(0);
      await sent;
    }
  },
);

/** Calls with a URL object as target. */
const TARGETED: Readonly<
  Record<string, (client: Client, target: URL) => Promise<unknown>>
> = {
  request: (client, target) => client.request("post", target),
  open: (client, target) => client.open("post", target),
  post: (client, target) => client.post(target),
  "token.post": (client, target) => tokenOf(client).post(target),
  "token.fetch": (client, target) =>
    tokenOf(client).fetch(target, { method: "POST" }),
};

for (const [name, call] of Object.entries(TARGETED)) {
  clientTest(
    `${name} copies its URL`,
    [onResource({ status: 204 }, { method: "POST" })],
    async ({ client }) => {
      const target = new URL(`${SITE}/from`);
      const sent = call(client, target);
      target.href = `${OTHER}/from`;
      await sent;
    },
  );
}

{
  const allowedOrigins = [SITE];
  clientTest(
    "Client copies its allowedOrigins",
    [onResource({ status: 204 })],
    async ({ client }) => {
      allowedOrigins[0] = OTHER;
      const token = tokenOf(client);
      for (
        const ask of [
          () => client.request("get", `${OTHER}/from`),
          () => client.post(`${OTHER}/from`),
          () => token.get(`${OTHER}/from`),
          () => token.fetch(`${OTHER}/from`),
        ]
      ) await assertRejects<unknown, TypeError>(ask, TypeError, OTHER);
      await token.get("/from");
    },
    { allowedOrigins },
  );
}

{
  const tokenTypes = ["DPoP"];
  clientTest(
    "Client copies its tokenTypes",
    ["dpop", "mac"].map((token_type) => ({
      respond: json({ access_token: "ape", token_type }),
    })),
    async ({ client }) => {
      tokenTypes[0] = "mac";
      assertEquals((await client.getToken()).token, "ape");
      await oauth2Error(client.getToken());
    },
    { tokenTypes },
  );
}

for (const isUsed of [false, true]) {
  Deno.test(
    `Client copies the URLs of its endpoints${
      isUsed ? ", and uses them again" : ""
    }`,
    () => {
      const urls = {
        site: new URL(SITE),
        authorizeUrl: new URL(`${SITE}/auth`),
        tokenUrl: new URL(`${SITE}/token`),
        revokeUrl: new URL(`${SITE}/revoke`),
      };
      const client = createClient(urls);
      const read = () =>
        [
          client.site!,
          client.authorizeUrl(),
          client.tokenUrl(),
          client.revokeUrl(),
        ].map((url) => new URL(url).href);
      if (isUsed) read();
      const expected = Object.values(urls).map(String);
      for (const url of Object.values(urls)) url.href = OTHER;
      assertEquals(read(), expected);
    },
  );
}

clientTest(
  "site copies a URL",
  [onResource({ status: 204 })],
  async ({ client }) => {
    const site = new URL(SITE);
    client.site = site;
    site.href = OTHER;
    await client.request("get", "/from");
  },
);

/** Generates a key pair with the private key as a JWK. */
async function generateJwk() {
  const { privateKey, publicKey } = await generateEs256(true);
  return { key: await crypto.subtle.exportKey("jwk", privateKey), publicKey };
}

/** Changes of an `assertionKey`. */
const KEY_CHANGES: Readonly<
  Record<string, (given: JwtKey, key: JsonWebKey, other: JsonWebKey) => void>
> = {
  algorithm: (given) => given.algorithm = "none",
  key: (given, _, other) => given.key = other,
  kid: (given) => given.kid = "2",
  JWK: (_, key, other) => void Object.assign(key, other),
};

for (const [member, change] of Object.entries(KEY_CHANGES)) {
  for (const event of ["new Client", "getToken"]) {
    Deno.test(`assertionKey is copied before its ${member} changes after ${event}`, async () => {
      const { key, publicKey } = await generateJwk();
      const { key: other } = await generateJwk();
      const given: JwtKey = { algorithm: "ES256", key, kid: "1" };
      const sent: string[] = [];
      const client = createClient({
        secret: null,
        assertionKey: given,
        fetch: (_, { body }) => {
          sent.push(new URLSearchParams(String(body)).get("client_assertion")!);
          return Promise.resolve(Response.json({ access_token: "ape" }));
        },
      });
      if (event === "getToken") {
        const token = client.getToken();
        change(given, key, other);
        await token;
      } else change(given, key, other);
      await client.getToken();
      for (const jwt of sent) {
        const { protectedHeader } = await jwtVerify(jwt, publicKey, {
          currentDate: new Date(NOW * 1000),
        });
        assertEquals(protectedHeader, { alg: "ES256", kid: "1" });
      }
    });
  }
}

clientTest(
  "assertion.getToken copies claims and key",
  [{ respond: json({ access_token: "ape" }) }],
  async ({ client, fetch }) => {
    const key = bytesOf(HS256_SECRET);
    const claims = { iss: "otter", roles: ["read"], act: { sub: "ana" } };
    const encoding: JwtKey = { algorithm: "HS256", key, kid: "1" };
    const before = structuredClone(claims);
    const token = client.assertion.getToken(claims, encoding);
    claims.iss = "badger";
    claims.roles.push("write");
    claims.act.sub = "eve";
    key.fill(0);
    Object.assign(encoding, { algorithm: "HS512", key: "b", kid: "2" });
    await token;
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    const { payload, protectedHeader } = await jwtVerify(
      fields.get("assertion")!,
      bytesOf(HS256_SECRET),
    );
    assertEquals<unknown>(payload, before);
    assertEquals(protectedHeader, { alg: "HS256", kid: "1" });
  },
);

clientTest(
  "request copies its options",
  [onResource(json({ error: "invalid_token" }, 401))],
  async ({ client }) => {
    const options: RequestOptions = { raiseErrors: false };
    const response = client.request("get", "/from", options);
    options.raiseErrors = true;
    assertEquals((await response).status, 401);
  },
);
