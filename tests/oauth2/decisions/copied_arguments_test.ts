/** Arguments and settings, which later changes do not affect. */
import { assertEquals, assertRejects } from "@std/assert";
import { jwtVerify } from "jose";
import {
  AccessToken,
  type Client,
  type ClientOptions,
  type JwtKey,
  type RequestOptions,
} from "../../../oauth2/mod.ts";
import { CALLS, tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  NOW,
  oauth2Error,
  SITE,
} from "../_client.ts";
import { json, onResource, redirect } from "../_exchanges.ts";
import type { SeenRequest } from "../_fake_fetch.ts";
import {
  claimsOf,
  generateAssertionKey,
  generateEs256,
  HS256_SECRET,
} from "../_jwt.ts";

const OTHER = "https://attacker.example";
const assertionKey = await generateAssertionKey();

const SETTINGS: Readonly<Record<string, ClientOptions>> = {
  "default options": {},
  "a debug log": { debug: true },
  request_body: { authScheme: "request_body" },
  private_key_jwt: { authScheme: "private_key_jwt", assertionKey },
};
for (const [setting, options] of Object.entries(SETTINGS)) {
  for (const [name, call] of Object.entries(CALLS)) {
    Deno.test(`${name} with ${setting} uses the site at the time of the call`, async () => {
      const seen: { origin: string; body: string }[] = [];
      const client = createClient({
        fetch: (url, { body }) => {
          seen.push({ origin: new URL(url).origin, body: String(body ?? "") });
          return Promise.resolve(Response.json({ access_token: "ape" }));
        },
        ...options,
      });
      const first = call(client);
      client.site = OTHER;
      await first;
      await call(client);
      assertEquals(seen.map(({ origin }) => origin), [SITE, OTHER]);
      const audiences = seen
        .map(({ body }) => new URLSearchParams(body).get("client_assertion"))
        .map((jwt) => jwt && claimsOf(jwt).aud);
      assertEquals(
        audiences,
        options.assertionKey && audiences[0]
          ? [`${SITE}/oauth/token`, `${OTHER}/oauth/token`]
          : [null, null],
      );
    });
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

/** Options of a request, with functions that change them. */
const CHANGES: Readonly<
  Record<string, () => { options: RequestOptions; change: () => void }>
> = {
  params: () => {
    const params = { a: "1", list: ["x"] };
    const change = () => {
      params.a = "2";
      params.list.push("y");
    };
    return { options: { params }, change };
  },
  headers: () => {
    const headers = { "x-a": "1" };
    return { options: { headers }, change: () => void (headers["x-a"] = "2") };
  },
  Headers: () => {
    const headers = new Headers({ "x-a": "1" });
    return { options: { headers }, change: () => headers.set("x-a", "2") };
  },
  "an object as a form": () => {
    const body = { a: "1", list: ["x"] };
    const change = () => {
      body.a = "2";
      body.list.push("y");
    };
    return { options: { body }, change };
  },
  "an object as JSON": () => {
    const body = { a: { b: "1" } };
    const headers = { "content-type": "application/json" };
    const change = () => void (body.a.b = "2");
    return { options: { body, headers }, change };
  },
  "URLSearchParams": () => {
    const body = new URLSearchParams("a=1");
    return { options: { body }, change: () => body.set("a", "2") };
  },
  "a Uint8Array": () => {
    const body = new TextEncoder().encode("a=1");
    return { options: { body }, change: () => void body.fill(0) };
  },
  "a subarray": () => {
    const buffer = new TextEncoder().encode("before a=1 after").buffer;
    const body = new Uint8Array(buffer, 7, 3);
    const change = () => void new Uint8Array(buffer).fill(0);
    return { options: { body }, change };
  },
  "an ArrayBuffer": () => {
    const body = new TextEncoder().encode("a=1").buffer;
    const change = () => void new Uint8Array(body).fill(0);
    return { options: { body }, change };
  },
};
/** Bodies that cannot carry a token. */
const OPAQUE = /JSON|Array|array/;
/** Returns the parts of a request to compare. */
const plain = ({ url, headers, body }: SeenRequest) => ({
  url: url.href,
  headers: Object.fromEntries(headers),
  body,
});
for (const [option, make] of Object.entries(CHANGES)) {
  for (const mode of ["header", "query", "body"] as const) {
    if (mode === "body" && OPAQUE.test(option)) continue;
    for (const debug of [false, true]) {
      clientTest(
        `token.post in ${mode} mode copies ${option} for the request and its redirect${
          debug ? ", with a debug log" : ""
        }`,
        ["/from", "/to", "/from", "/to"].map((path) => ({
          respond: path === "/from" ? redirect("/to", 307) : { status: 204 },
        })),
        async ({ client, fetch }) => {
          const token = AccessToken.fromHash(client, {
            access_token: "monkey",
            mode,
          });
          for (const isChanged of [false, true]) {
            const { options, change } = make();
            const sent = token.post("/from", options);
            if (isChanged) change();
            await sent;
          }
          const [first, then, ...changed] = fetch.requests.map(plain);
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
  "site may be set before each call",
  [
    onResource({ status: 204 }),
    { expect: { url: `${OTHER}/from` }, respond: { status: 204 } },
  ],
  async ({ client }) => {
    await client.request("get", "/from");
    client.site = OTHER;
    await client.request("get", "/from");
  },
);

for (const debug of [false, true]) {
  clientTest(
    `client.open and token.fetch copy bytes${
      debug ? ", with a debug log" : ""
    }`,
    Array.from({ length: 2 }, () => ({
      expect: { method: "PUT", body: { text: "a=1" } },
      respond: { status: 204 },
    })),
    async ({ client }) => {
      const method = "PUT";
      for (
        const send of [
          (body: Uint8Array<ArrayBuffer>) =>
            client.open(method, "/from", { body }),
          (body: Uint8Array<ArrayBuffer>) =>
            tokenOf(client).fetch("/from", { method, body }),
        ]
      ) {
        const body = new TextEncoder().encode("a=1");
        const sent = send(body);
        body.fill(0);
        await sent;
      }
    },
    { debug },
  );
}

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
  for (const debug of [false, true]) {
    clientTest(
      `${name} copies its URL${debug ? ", with a debug log" : ""}`,
      [onResource({ status: 204 }, { method: "POST" })],
      async ({ client }) => {
        const target = new URL(`${SITE}/from`);
        const sent = call(client, target);
        target.href = `${OTHER}/from`;
        await sent;
      },
      { debug },
    );
  }
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
    async () => {
      const seen: string[] = [];
      const urls = {
        site: new URL(SITE),
        authorizeUrl: new URL(`${SITE}/auth`),
        tokenUrl: new URL(`${SITE}/token`),
        revokeUrl: new URL(`${SITE}/revoke`),
      };
      const client = createClient({
        ...urls,
        fetch: (url) => {
          seen.push(url);
          return Promise.resolve(Response.json({ access_token: "ape" }));
        },
      });
      const sendAll = async () => {
        seen.push(client.authorizeUrl(), client.tokenUrl(), client.revokeUrl());
        await client.getToken();
        await client.revokeToken("ape");
        await client.request("get", "/from");
        seen.push(client.site!);
      };
      if (isUsed) await sendAll();
      seen.length = 0;
      for (const url of Object.values(urls)) url.href = OTHER;
      await sendAll();
      assertEquals(seen.map((url) => new URL(url).href), [
        `${SITE}/auth`,
        `${SITE}/token`,
        `${SITE}/revoke`,
        `${SITE}/token`,
        `${SITE}/revoke`,
        `${SITE}/from`,
        `${SITE}/`,
      ]);
    },
  );
}

Deno.test("site copies a URL", async () => {
  const seen: string[] = [];
  const client = createClient({
    fetch: (url) => {
      seen.push(url);
      return Promise.resolve(new Response());
    },
  });
  const site = new URL(SITE);
  client.site = site;
  site.href = OTHER;
  await client.request("get", "/from");
  assertEquals(seen, [`${SITE}/from`]);
});

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

for (const debug of [false, true]) {
  clientTest(
    `assertion.getToken copies claims and key${
      debug ? ", with a debug log" : ""
    }`,
    [{ respond: json({ access_token: "ape" }) }],
    async ({ client, fetch }) => {
      const key = new TextEncoder().encode(HS256_SECRET);
      const claims = { iss: "otter", roles: ["read"], act: { sub: "ana" } };
      const encoding: JwtKey = { algorithm: "HS256", key, kid: "1" };
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
        new TextEncoder().encode(HS256_SECRET),
      );
      assertEquals<unknown>(payload, {
        iss: "otter",
        roles: ["read"],
        act: { sub: "ana" },
      });
      assertEquals(protectedHeader, { alg: "HS256", kid: "1" });
    },
    { debug },
  );
}

for (const [name, settings] of Object.entries(SETTINGS)) {
  clientTest(
    `request with ${name} copies its options`,
    [onResource(json({ error: "invalid_token" }, 401))],
    async ({ client }) => {
      const options: RequestOptions = { raiseErrors: false };
      const response = client.request("get", "/from", options);
      options.raiseErrors = true;
      assertEquals((await response).status, 401);
    },
    settings,
  );

  Deno.test(`request with ${name} copies FormData`, async () => {
    let sent: BodyInit | null | undefined;
    const client = createClient({
      fetch: (_, { body }) => {
        sent = body;
        return Promise.resolve(new Response());
      },
      ...settings,
    });
    const body = new FormData();
    body.set("a", "1");
    const response = client.request("post", "/from", { body });
    body.set("a", "2");
    await response;
    assertEquals((sent as FormData).get("a"), "1");
  });
}
