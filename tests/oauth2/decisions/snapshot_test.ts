/** Calls in flight, which nothing changes that is set after they were called. */
import { assertEquals, assertRejects } from "@std/assert";
import { jwtVerify } from "jose";
import {
  AccessToken,
  Client,
  type ClientOptions,
  type JwtKey,
  type RequestOptions,
} from "../../../oauth2/mod.ts";
import { CALLS, tokenOf } from "../calls.ts";
import type { SeenRequest } from "../fake_fetch.ts";
import {
  claimsOf,
  clientTest,
  json,
  NOW,
  oauth2Error,
  redirect,
  signingKey,
  SITE,
  visited,
} from "../testing.ts";

const OTHER = "https://attacker.example";
const assertionKey = await signingKey();

const SETTINGS: Readonly<Record<string, ClientOptions>> = {
  "as it is": {},
  "with a debug log": {
    debug: true,
    logger: { debug: () => {}, warn: () => {} },
  },
  "with request_body": { authScheme: "request_body" },
  "with private_key_jwt": { authScheme: "private_key_jwt", assertionKey },
};
for (const [setting, options] of Object.entries(SETTINGS)) {
  for (const [name, call] of Object.entries(CALLS)) {
    Deno.test(`${name} of a client ${setting} goes to the site of the moment of calling`, async () => {
      const seen: { origin: string; body: string }[] = [];
      const client = new Client("abc", "hush-hush", {
        site: SITE,
        clock: () => NOW * 1000,
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

Deno.test("a redirect is resolved against the request, and not against a site that is set later", async () => {
  const seen: string[] = [];
  const client = new Client("abc", "hush-hush", {
    site: SITE,
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

/** Things of the caller's in a request, and how they are changed after the call. */
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
  "a part of a buffer": () => {
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
/** Bodies into which no token can be put. */
const OPAQUE = /JSON|Array|buffer/;
/** What can be compared of a request. */
const plain = ({ url, headers, body }: SeenRequest) => ({
  url: url.href,
  headers: Object.fromEntries(headers),
  body,
});
for (const [what, make] of Object.entries(CHANGES)) {
  for (const mode of ["header", "query", "body"] as const) {
    if (mode === "body" && OPAQUE.test(what)) continue;
    for (const debug of [false, true]) {
      clientTest(
        `token.post in the mode ${mode} sends ${what} as of the moment of calling, also after a redirect${
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
    `getToken with ${scheme} sends its parameters as of the moment of calling`,
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

Deno.test("refresh sends the refresh token of the moment of calling", async () => {
  const sent: (string | null)[] = [];
  const client = new Client("abc", "hush-hush", {
    site: SITE,
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

Deno.test("connectionOpts that change after the client was made have no effect", async () => {
  const seen: (string | null)[] = [];
  const own = { "x-a": "1" };
  for (const headers of [own, new Headers(own), Object.entries(own)]) {
    const connectionOpts = { headers, timeout: 0, maxBodyBytes: 100 };
    const client = new Client("abc", "hush-hush", {
      site: SITE,
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
  "site may be set before a call, as often as one likes",
  [
    visited({ status: 204 }),
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
    `client.open and token.fetch send bytes as of the moment of calling${
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

/** Calls with a target that is a URL object. */
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
      `${name} goes to its URL as of the moment of calling${
        debug ? ", with a debug log" : ""
      }`,
      [visited({ status: 204 }, { method: "POST" })],
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
    "allowedOrigins that change after the client was made have no effect",
    [visited({ status: 204 })],
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
    "tokenTypes that change after the client was made have no effect",
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
    `URLs of endpoints that change ${
      isUsed ? "between calls" : "after the client was made"
    } have no effect`,
    async () => {
      const seen: string[] = [];
      const urls = {
        site: new URL(SITE),
        authorizeUrl: new URL(`${SITE}/auth`),
        tokenUrl: new URL(`${SITE}/token`),
        revokeUrl: new URL(`${SITE}/revoke`),
      };
      const client = new Client("abc", "hush-hush", {
        ...urls,
        fetch: (url) => {
          seen.push(url);
          return Promise.resolve(Response.json({ access_token: "ape" }));
        },
      });
      const ask = async () => {
        seen.push(client.authorizeUrl(), client.tokenUrl(), client.revokeUrl());
        await client.getToken();
        await client.revokeToken("ape");
        await client.request("get", "/from");
        seen.push(client.site!);
      };
      if (isUsed) await ask();
      seen.length = 0;
      for (const url of Object.values(urls)) url.href = OTHER;
      await ask();
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

Deno.test("a site that is set as a URL may change without effect", async () => {
  const seen: string[] = [];
  const client = new Client("abc", "hush-hush", {
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

/** A fresh pair of keys, the private one as a JWK. */
async function jwkPair() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  );
  return { key: await crypto.subtle.exportKey("jwk", privateKey), publicKey };
}

/** Changes of an `assertionKey` by the caller. */
const KEY_CHANGES: Readonly<
  Record<string, (given: JwtKey, key: JsonWebKey, other: JsonWebKey) => void>
> = {
  algorithm: (given) => given.algorithm = "none",
  key: (given, _, other) => given.key = other,
  kid: (given) => given.kid = "2",
  "the JWK": (_, key, other) => void Object.assign(key, other),
};
for (const [what, change] of Object.entries(KEY_CHANGES)) {
  for (const when of ["after the client was made", "after the call"]) {
    Deno.test(`assertionKey of which ${what} changes ${when} signs as before`, async () => {
      const { key, publicKey } = await jwkPair();
      const { key: other } = await jwkPair();
      const given: JwtKey = { algorithm: "ES256", key, kid: "1" };
      const sent: string[] = [];
      const client = new Client("abc", null, {
        site: SITE,
        assertionKey: given,
        clock: () => NOW * 1000,
        fetch: (_, { body }) => {
          sent.push(new URLSearchParams(String(body)).get("client_assertion")!);
          return Promise.resolve(Response.json({ access_token: "ape" }));
        },
      });
      if (when === "after the call") {
        const asked = client.getToken();
        change(given, key, other);
        await asked;
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
    `assertion.getToken signs claims with a key as of the moment of calling${
      debug ? ", with a debug log" : ""
    }`,
    [{ respond: json({ access_token: "ape" }) }],
    async ({ client, fetch }) => {
      const secret = "a secret of sufficient length for HS256";
      const key = new TextEncoder().encode(secret);
      const claims = { iss: "otter", roles: ["read"], act: { sub: "ana" } };
      const encoding: JwtKey = { algorithm: "HS256", key, kid: "1" };
      const asked = client.assertion.getToken(claims, encoding);
      claims.iss = "badger";
      claims.roles.push("write");
      claims.act.sub = "eve";
      key.fill(0);
      Object.assign(encoding, { algorithm: "HS512", key: "b", kid: "2" });
      await asked;
      const fields = new URLSearchParams(fetch.requests[0]!.body);
      const { payload, protectedHeader } = await jwtVerify(
        fields.get("assertion")!,
        new TextEncoder().encode(secret),
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
    `request goes by its options as of the moment of calling ${name}`,
    [visited(json({ error: "invalid_token" }, 401))],
    async ({ client }) => {
      const options: RequestOptions = { raiseErrors: false };
      const asked = client.request("get", "/from", options);
      options.raiseErrors = true;
      assertEquals((await asked).status, 401);
    },
    settings,
  );

  Deno.test(`request sends FormData as of the moment of calling ${name}`, async () => {
    let sent: BodyInit | null | undefined;
    const client = new Client("abc", "hush-hush", {
      site: SITE,
      logger: { debug() {}, warn() {} },
      fetch: (_, { body }) => {
        sent = body;
        return Promise.resolve(new Response());
      },
      ...settings,
    });
    const body = new FormData();
    body.set("a", "1");
    const asked = client.request("post", "/from", { body });
    body.set("a", "2");
    await asked;
    assertEquals((sent as FormData).get("a"), "1");
  });
}
