import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { EmbeddedJWK, jwtVerify } from "jose";
import { AccessToken, Client, type Fetch } from "../../../oauth2/mod.ts";
import {
  dpopFetch,
  DpopKey,
  type DpopOptions,
  withDpop,
} from "../../../oauth2/dpop/mod.ts";
import { NOW, SITE } from "../_client.ts";
import { claimsOf, generateAssertionKey } from "../_jwt.ts";

const clock = () => NOW * 1000;
const key = await DpopKey.generate();

/** Request with its proof. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly proof: Record<string, unknown> | undefined;
}

type Answer = (request: Seen, index: number) => Response;

/** A `fetch` that records its requests and verifies their proofs. */
function recorder(answer: Answer): { fetch: Fetch; seen: Seen[] } {
  const seen: Seen[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const { method, headers } = request;
    const dpop = headers.get("dpop");
    const proof = dpop === null ? undefined : (await jwtVerify(
      dpop,
      EmbeddedJWK,
      {
        typ: "dpop+jwt",
        algorithms: ["ES256"],
        currentDate: new Date(clock()),
      },
    )).payload;
    const one = { method, url, headers, body: await request.text(), proof };
    seen.push(one);
    return answer(one, seen.length - 1);
  };
  return { fetch, seen };
}

const token = (fields: object = {}) =>
  Response.json({ access_token: "monkey", token_type: "DPoP", ...fields });

/** Encodes the claims of a JWT without signature. */
const claims = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`;

const nonceNeeded = (nonce: string, status = 400) =>
  status === 400
    ? Response.json({ error: "use_dpop_nonce" }, {
      status,
      headers: { "DPoP-Nonce": nonce },
    })
    : new Response(null, {
      status,
      headers: {
        "DPoP-Nonce": nonce,
        "WWW-Authenticate": 'Bearer, DPoP error="use_dpop_nonce"',
      },
    });

function setUp(answer: Answer, dpop: DpopOptions = {}, options = {}) {
  const { fetch, seen } = recorder(answer);
  const client = new Client(
    "abc",
    "hush-hush",
    withDpop(key, { site: SITE, clock, fetch, debug: false, ...options }, dpop),
  );
  return { client, seen };
}

Deno.test("withDpop proves a token request and a resource request", async () => {
  const { client, seen } = setUp(() => token());
  const got = await client.clientCredentials.getToken();
  await got.get("/me?x=1", { params: { y: 2 } });
  const [first, second] = seen;
  assertEquals(first!.proof, {
    jti: first!.proof!.jti,
    htm: "POST",
    htu: `${SITE}/oauth/token`,
    iat: NOW,
  });
  assertEquals(second!.headers.get("authorization"), "DPoP monkey");
  assertEquals(second!.proof, {
    jti: second!.proof!.jti,
    htm: "GET",
    htu: `${SITE}/me`,
    iat: NOW,
    // echo -n monkey | openssl dgst -sha256 -binary | basenc --base64url
    ath: "AAwoVFf8lx-GKnm3hkdseIEsiJcGPG-pwEX1eaOy1j8",
  });
  assert(first!.proof!.jti !== second!.proof!.jti);
});

Deno.test("withDpop repeats a token request once with the nonce of the server", async () => {
  const { client, seen } = setUp((_, i) =>
    i === 0 ? nonceNeeded("n-1") : token()
  );
  const got = await client.clientCredentials.getToken({ scope: "read" });
  assertEquals(got.token, "monkey");
  assertEquals(seen.map(({ proof }) => proof?.nonce), [undefined, "n-1"]);
  assertEquals(seen[0]!.body, seen[1]!.body);
  await client.clientCredentials.getToken();
  assertEquals(seen[2]!.proof?.nonce, "n-1");
});

Deno.test("withDpop repeats a resource request once with the nonce of the server", async () => {
  const { client, seen } = setUp(({ url, proof }) =>
    url.endsWith("/token")
      ? token()
      : proof?.nonce === "r-1"
      ? Response.json({}, { headers: { "DPoP-Nonce": "r-2" } })
      : nonceNeeded("r-1", 401)
  );
  const got = await client.clientCredentials.getToken();
  await got.post("/notes", { body: { text: "x" } });
  assertEquals(
    seen.map(({ proof }) => proof?.nonce),
    [undefined, undefined, "r-1"],
  );
  // The nonce of a resource server is not for the authorization server.
  await client.clientCredentials.getToken();
  await client.request("get", "/notes", { headers: got.headers })
    .catch(() => {});
  assertEquals(
    seen.slice(3).map(({ proof }) => proof?.nonce),
    [undefined, "r-2", "r-1"],
  );
});

Deno.test("withDpop gives up on a server that never accepts a nonce", async () => {
  const { client, seen } = setUp((_, i) => nonceNeeded(`n-${i}`));
  const error = await assertRejects(() => client.clientCredentials.getToken());
  assertEquals((error as { code?: string }).code, "use_dpop_nonce");
  assertEquals(seen.length, 2);
});

Deno.test("withDpop does not repeat a request with the nonce it had", async () => {
  const { client, seen } = setUp(() => nonceNeeded("same"));
  await assertRejects(() => client.clientCredentials.getToken());
  await assertRejects(() => client.clientCredentials.getToken());
  assertEquals(seen.map(({ proof }) => proof?.nonce), [
    undefined,
    "same",
    "same",
  ]);
});

Deno.test("withDpop does not repeat a stream, whose next request has the nonce", async () => {
  const { client, seen } = setUp(({ url }) =>
    url.endsWith("/token") ? token() : nonceNeeded("r-1", 401)
  );
  const got = await client.clientCredentials.getToken();
  const body = () => new Blob(["x"]).stream();
  const response = await got.fetch(`${SITE}/up`, {
    method: "PUT",
    body: body(),
  });
  assertEquals(response.status, 401);
  await response.body?.cancel();
  assertEquals(seen.length, 2);
  await (await got.fetch(`${SITE}/up`, { method: "PUT", body: body() })).body
    ?.cancel();
  assertEquals(seen[2]!.proof?.nonce, "r-1");
});

const NOT_A_CHALLENGE: [string, ResponseInit, object?][] = [
  ["an error of the scheme Bearer", {
    status: 401,
    headers: {
      "DPoP-Nonce": "n",
      "WWW-Authenticate": 'Bearer error="use_dpop_nonce", DPoP algs="ES256"',
    },
  }],
  ["another error", {
    status: 401,
    headers: {
      "DPoP-Nonce": "n",
      "WWW-Authenticate": 'DPoP error="invalid_token"',
    },
  }],
  ["an error in the body", {
    status: 401,
    headers: { "DPoP-Nonce": "n" },
  }, { error: "use_dpop_nonce" }],
  ["the status 403", {
    status: 403,
    headers: {
      "DPoP-Nonce": "n",
      "WWW-Authenticate": 'DPoP error="use_dpop_nonce"',
    },
  }],
];

for (const [name, init, body = {}] of NOT_A_CHALLENGE) {
  Deno.test(`withDpop does not repeat a resource request after ${name}`, async () => {
    const { client, seen } = setUp(({ url }) =>
      url.endsWith("/token") ? token() : Response.json(body, init)
    );
    const got = await client.clientCredentials.getToken();
    await got.get("/me", { raiseErrors: false });
    assertEquals(seen.length, 2);
  });
}

Deno.test("withDpop rejects at the timeout if the body of an error does not end", async () => {
  const { client } = setUp(() =>
    new Response(new ReadableStream(), {
      status: 400,
      headers: { "DPoP-Nonce": "n" },
    })
  );
  const error = await assertRejects(() =>
    client.clientCredentials.getToken({ timeout: 100 })
  );
  assertEquals((error as Error).name, "TimeoutError");
});

Deno.test("withDpop remembers the nonces of a hundred servers", async () => {
  const { fetch, seen } = recorder(({ url }) =>
    new Response(null, { headers: { "DPoP-Nonce": new URL(url).host } })
  );
  const proven = dpopFetch(key, { fetch, clock });
  const get = (i: number) =>
    proven(`https://s${i}.example/`, { headers: { authorization: "DPoP x" } });
  for (let i = 0; i <= 100; i++) await get(i);
  await get(100);
  await get(1);
  await get(0);
  assertEquals(
    seen.slice(-3).map(({ proof }) => proof?.nonce),
    ["s100.example", "s1.example", undefined],
  );
});

const NOT_A_NONCE_ERROR: [string, () => Response][] = [
  ["another error", () =>
    Response.json({ error: "invalid_grant" }, {
      status: 400,
      headers: { "DPoP-Nonce": "n" },
    })],
  [
    "no nonce",
    () => Response.json({ error: "use_dpop_nonce" }, { status: 400 }),
  ],
  ["a status 200", () =>
    Response.json({ error: "use_dpop_nonce" }, {
      headers: { "DPoP-Nonce": "n" },
    })],
  [
    "a huge body",
    () =>
      new Response(`{"error":"use_dpop_nonce","x":"${"x".repeat(1 << 20)}"}`, {
        status: 400,
        headers: { "DPoP-Nonce": "n" },
      }),
  ],
  ["an invalid nonce", () => nonceNeeded('a"b')],
  ["a huge nonce", () => nonceNeeded("n".repeat(5000))],
  ["two nonces", () => nonceNeeded("a, b")],
  ["no JSON", () =>
    new Response("use_dpop_nonce", {
      status: 400,
      headers: { "DPoP-Nonce": "n" },
    })],
  [
    "JSON null",
    () => new Response("null", { status: 400, headers: { "DPoP-Nonce": "n" } }),
  ],
];

for (const [name, respond] of NOT_A_NONCE_ERROR) {
  Deno.test(`withDpop does not repeat a token request after ${name}`, async () => {
    const { client, seen } = setUp(respond);
    await assertRejects(() => client.clientCredentials.getToken());
    assertEquals(seen.length, 1);
  });
}

Deno.test("withDpop signs a new client assertion when it repeats a request", async () => {
  const assertionKey = await generateAssertionKey();
  const { client, seen } = setUp(
    (_, i) => i === 0 ? nonceNeeded("n-1") : token(),
    {},
    { assertionKey, issuer: "https://issuer.example" },
  );
  await client.clientCredentials.getToken();
  const [a, b] = seen.map(({ body }) =>
    claimsOf(new URLSearchParams(body).get("client_assertion")!)
  );
  assert(a!.jti !== b!.jti);
  assertEquals({ ...a, jti: "" }, { ...b, jti: "" });
});

Deno.test("withDpop does not repeat an assertion that it cannot sign", async () => {
  const { fetch, seen } = recorder((_, i) => nonceNeeded(`n-${i}`));
  const client = new Client(
    "abc",
    null,
    withDpop(key, { site: SITE, clock, fetch }),
  );
  for (const client_assertion of ["e30.e30.x", "x", claims({ iss: "abc" })]) {
    const send = () =>
      client.getToken({ grant_type: "client_credentials", client_assertion });
    const before = seen.length;
    const error = await assertRejects(send);
    assertEquals((error as { code?: string }).code, "use_dpop_nonce");
    assertEquals(seen.length, before + 1);
  }
});

Deno.test("withDpop corrects the clock by the server's, if it may", async () => {
  const ahead = new Date(clock() + 3_600_000).toUTCString();
  for (const serverClock of [true, false]) {
    const seen: number[] = [];
    const client = new Client(
      "abc",
      null,
      withDpop(key, {
        site: SITE,
        clock,
        fetch: (_, { headers }) => {
          const proof = new Headers(headers).get("dpop")!;
          seen.push(claimsOf(proof).iat as number - NOW);
          return Promise.resolve(
            Response.json({ access_token: "a", token_type: "DPoP" }, {
              headers: { date: ahead },
            }),
          );
        },
      }, { serverClock }),
    );
    await client.clientCredentials.getToken();
    await client.clientCredentials.getToken();
    assertEquals(seen, [0, serverClock ? 3600 : 0]);
  }
});

Deno.test("withDpop refuses a bearer token, unless it may accept one", async () => {
  const answer = () =>
    Response.json({ access_token: "monkey", token_type: "bearer" });
  const error = await assertRejects(() =>
    setUp(answer).client.clientCredentials.getToken()
  );
  assertEquals((error as { code?: string }).code, "invalid_token_type");
  const { client, seen } = setUp(answer, { allowBearer: true });
  const got = await client.clientCredentials.getToken();
  await got.get("/me");
  assertEquals(seen[1]!.headers.get("authorization"), "Bearer monkey");
  assertEquals(seen[1]!.proof, undefined);
});

Deno.test("withDpop sends a token that became a bearer token at its refresh as such", async () => {
  const { client } = setUp(
    (_, i) =>
      token(i === 0 ? { refresh_token: "r" } : { token_type: "Bearer" }),
    { allowBearer: true },
  );
  const first = await client.clientCredentials.getToken();
  const second = await first.refresh();
  assertEquals(second.headers.Authorization, "Bearer monkey");
  assertEquals(second.params.dpop_jkt, undefined);
});

Deno.test("withDpop keeps the token bound through refresh and storage", async () => {
  const { client } = setUp(() => token({ refresh_token: "r" }));
  const first = await client.clientCredentials.getToken();
  const stored = JSON.parse(JSON.stringify((await first.refresh()).toHash()));
  assertEquals(stored.dpop_jkt, key.thumbprint);
  const { accessTokenClass } = withDpop(key);
  const TokenClass = {
    fromHash: (client: Client, hash: object) =>
      accessTokenClass.fromHash(client, { ...hash }, {}),
  };
  assertEquals(
    TokenClass.fromHash(client, stored).headers.Authorization,
    "DPoP monkey",
  );
});

for (
  const [name, fields, code] of [
    ["a bearer token", { access_token: "b" }, "invalid_token_type"],
    [
      "a bearer token of another name",
      { id_token: "b", token_name: "id_token" },
      "invalid_token_type",
    ],
    [
      "a DPoP token without a thumbprint",
      { access_token: "b", token_type: "dpop" },
      "invalid_key",
    ],
    [
      "a token of another key",
      { access_token: "b", dpop_jkt: "other" },
      "invalid_key",
    ],
  ] as const
) {
  Deno.test(`withDpop does not restore ${name}`, () => {
    const { client } = setUp(() => token());
    const error = assertThrows(() =>
      client.accessTokenClass.fromHash(client, fields, {})
    );
    assertEquals((error as { code?: string }).code, code);
  });
}

Deno.test("withDpop restores a bearer token with allowBearer, and a refresh token alone", () => {
  const restore = (dpop: DpopOptions, fields: object) => {
    const { client } = setUp(() => token(), dpop);
    return client.accessTokenClass.fromHash(client, { ...fields }, {});
  };
  const bearer = restore({ allowBearer: true }, { access_token: "b" });
  assertEquals(bearer.headers.Authorization, "Bearer b");
  assertEquals(restore({}, { refresh_token: "r" }).refreshToken, "r");
});

for (
  const mode of [
    "query",
    "body",
    { post: "body", get: "query" },
    () => "query" as const,
  ] as const
) {
  const name = typeof mode === "function" ? "function" : JSON.stringify(mode);
  Deno.test(`withDpop sends nothing with the mode ${name}, which has no proof`, async () => {
    const { client, seen } = setUp(() => token());
    const got = await client.clientCredentials.getToken({}, { mode });
    const calls = [
      () => got.get("/me"),
      () => got.post("/me", { body: { a: 1 } }),
      () => got.fetch("/me", { method: "POST", body: "a=1" }),
    ];
    for (const call of calls) {
      await assertRejects(call, TypeError, "mode must be header");
    }
    assertEquals(seen.length, 1);
  });
}

Deno.test("AccessToken with the type DPoP is not sent by a client without DPoP", async () => {
  const { fetch, seen } = recorder(() => Response.json({}));
  const client = new Client("abc", null, { site: SITE, fetch });
  const stored = AccessToken.fromHash(client, {
    access_token: "monkey",
    token_type: "DPoP",
    header_format: "DPoP %s",
  });
  await assertRejects(() => stored.get("/me"), TypeError, "no DPoP key");
  assertEquals(seen, []);
});

Deno.test("withDpop ignores a thumbprint that the server sends", async () => {
  const { client } = setUp(() => token({ dpop_jkt: "evil" }));
  const got = await client.clientCredentials.getToken();
  assertEquals(got.params.dpop_jkt, key.thumbprint);
});

Deno.test("withDpop proves the next URL of a redirect, and nothing on another origin", async () => {
  const { client, seen } = setUp(
    ({ url }) => {
      const location = {
        "/a": "/b",
        "/b": "https://other.example/c",
      }[new URL(url).pathname];
      return url.endsWith("/token")
        ? token()
        : location
        ? new Response(null, { status: 307, headers: { location } })
        : Response.json({});
    },
    {},
    { allowCrossOriginRedirects: true },
  );
  const got = await client.clientCredentials.getToken();
  await got.get("/a");
  assertEquals(seen.map(({ url, proof }) => [url, proof?.htu]).slice(1), [
    [`${SITE}/a`, `${SITE}/a`],
    [`${SITE}/b`, `${SITE}/b`],
    ["https://other.example/c", undefined],
  ]);
  assertEquals(seen[3]!.headers.get("authorization"), null);
});

Deno.test("dpopFetch never lets fetch follow a redirect with a proof", async () => {
  const modes: unknown[] = [];
  const fetch = dpopFetch(key, {
    fetch: (_, { redirect }) => {
      modes.push(redirect);
      return Promise.resolve(new Response());
    },
  });
  const headers = { Authorization: "DPoP monkey" };
  await fetch(SITE, { headers });
  await fetch(SITE, { headers, redirect: "follow" });
  await fetch(SITE, { headers, redirect: "error" });
  await fetch(SITE, { redirect: "follow" });
  assertEquals(modes, ["manual", "manual", "error", "follow"]);
});

const UNPROVEN: [string, string, RequestInit][] = [
  ["a GET without token", `${SITE}/me`, {}],
  ["a bearer token", `${SITE}/me`, { headers: { authorization: "Bearer x" } }],
  ["a bearer token and a form", `${SITE}/x`, {
    method: "POST",
    headers: { authorization: "Bearer x" },
    body: new URLSearchParams({ grant_type: "x" }),
  }],
  ["two tokens", `${SITE}/me`, {
    headers: { authorization: "DPoP a, DPoP b" },
  }],
  ["a form without grant", `${SITE}/x`, {
    method: "POST",
    body: new URLSearchParams({ token: "x" }),
  }],
  ["text that names a grant", `${SITE}/x`, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: "grant_type=x",
  }],
];

for (const [name, url, init] of UNPROVEN) {
  Deno.test(`dpopFetch passes on ${name}`, async () => {
    const { fetch, seen } = recorder(() => new Response());
    await dpopFetch(key, { fetch, clock })(url, init);
    assertEquals(seen[0]!.proof, undefined);
  });
}

const PROVEN: [string, string, RequestInit][] = [
  ["a form", `${SITE}/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "grant_type=x",
  }],
  ["a form object", `${SITE}/token`, {
    method: "post",
    body: new URLSearchParams({ grant_type: "x" }),
  }],
  ["JSON", `${SITE}/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"grant_type":"x"}',
  }],
  ["a GET", `${SITE}/token?grant_type=x`, {}],
  ["a listed endpoint", `${SITE}/par`, { method: "POST", body: "a=b" }],
  ["a method in lower case", `${SITE}/x`, {
    method: "patch",
    headers: { authorization: "DPoP x" },
  }],
  ["an unusual token", `${SITE}/x`, {
    headers: { authorization: "DPoP 1|a:b" },
  }],
  ["a lower-case scheme", `${SITE}/me`, {
    headers: { authorization: "dpop x" },
  }],
];

for (const [name, url, init] of PROVEN) {
  Deno.test(`dpopFetch proves ${name}`, async () => {
    const { fetch, seen } = recorder(() => new Response());
    await dpopFetch(key, { fetch, clock, endpoints: [`${SITE}/par`] })(
      url,
      init,
    );
    assertEquals(seen[0]!.proof?.htu, url.replace(/\?.*/, ""));
    assertEquals(seen[0]!.proof?.htm, seen[0]!.method);
  });
}

Deno.test("dpopFetch takes its random values from an option", async () => {
  const { fetch, seen } = recorder(() => new Response());
  const random = (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(7);
  await dpopFetch(key, { fetch, clock, random })(SITE, {
    headers: { authorization: "DPoP x" },
  });
  assertEquals(seen[0]!.proof?.jti, "BwcHBwcHBwcHBwcHBwcHBw");
});

Deno.test("withDpop refuses misspelled options and unsupported keys", () => {
  assertThrows(
    () => withDpop(key, {}, { allow_bearer: true } as DpopOptions),
    TypeError,
    'it is spelled "allowBearer"',
  );
  assertThrows(
    () =>
      withDpop(key, {
        metadata: {
          issuer: SITE,
          dpop_signing_alg_values_supported: ["PS256"],
        },
      }),
    TypeError,
    "the server supports PS256, not ES256",
  );
});
