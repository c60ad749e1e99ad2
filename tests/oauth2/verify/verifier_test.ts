import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { Client, ConnectionError, OAuth2Error } from "../../../oauth2/mod.ts";
import {
  AccessDenied,
  TokenVerifier,
  type TokenVerifierOptions,
} from "../../../oauth2/verify/mod.ts";
import { NOW } from "../_client.ts";
import { countedSignal } from "../_counted_signal.ts";
import { settle } from "../_settle.ts";
import { parseChallenges } from "../../../oauth2/core/challenges.ts";
import { OTHER_PEM, PEM, THUMBPRINT } from "../_certificate_files.ts";
import {
  ACTIVE,
  API,
  bearer,
  CLAIMS,
  createServer,
  createVerifier,
  ISSUER,
  otherKeys,
  refusal,
  type Setting,
  sign,
  unsigned,
  URL_OF_NOTES,
  withProof,
} from "./_resource_server.ts";

Deno.test("TokenVerifier returns the claims and scopes of a JWT", async () => {
  const { verifier, sent } = createVerifier();
  const access = await verifier.verify(bearer(await sign()), {
    scope: ["notes", "notes:write"],
  });
  assertEquals(access.claims, CLAIMS);
  assertEquals(access.scopes, ["notes", "notes:write"]);
  assertEquals(access.scheme, "Bearer");
  await verifier.verify(bearer(await sign({ aud: ["x", API] })));
  assertEquals(sent, [`${ISSUER}/keys`]);
});

const INVALID: [string, () => Promise<string> | string][] = [
  ["an unsigned JWT", () => unsigned()],
  ["a JWT of another key", () => sign({}, {}, otherKeys)],
  ["an unknown kid", () => sign({}, { kid: "k2" })],
  ["an ID token", () => sign({}, { typ: "JWT" })],
  ["no typ", () => sign({}, { typ: undefined })],
  ["a logout token", () => sign({}, { typ: "logout+jwt" })],
  ["an algorithm that is not text", () => unsigned({}, { alg: 1 })],
  ["a crit header", () => unsigned({}, { crit: ["x"] })],
  ["text", () => "monkey"],
  ["an encrypted JWT", () => "a.b.c.d.e"],
  ["claims that are a list", () => "W10.W10.W10"],
  ["another issuer", () => sign({ iss: "https://evil.example" })],
  ["no issuer", () => sign({ iss: undefined })],
  ["an issuer that is a list", () => sign({ iss: [ISSUER] })],
  ["another audience", () => sign({ aud: "https://other.example" })],
  ["a prefix as audience", () => sign({ aud: `${API}.evil.example` })],
  ["no audience", () => sign({ aud: undefined })],
  ["an audience that is no text, too", () => sign({ aud: [API, 7] })],
  ["an audience that is an object", () => sign({ aud: { [API]: 1 } })],
  ["no subject", () => sign({ sub: undefined })],
  ["no client", () => sign({ client_id: undefined })],
  ["no iat", () => sign({ iat: undefined })],
  ["no jti", () => sign({ jti: undefined })],
  [
    "a media type and no jti",
    () => sign({ jti: undefined }, { typ: "application/AT+JWT" }),
  ],
  ["no expiry", () => sign({ exp: undefined })],
  ["a past expiry", () => sign({ exp: NOW - 10 })],
  ["an expiry that is text", () => sign({ exp: String(NOW + 100) })],
  ["an expiry that is null", () => sign({ exp: null })],
  ["a future iat", () => sign({ iat: NOW + 11 })],
  ["a future nbf", () => sign({ nbf: NOW + 11 })],
  ["an nbf that is text", () => sign({ nbf: "x" })],
  ["a scope that is a list", () => sign({ scope: ["notes"] })],
  ["a cnf that is text", () => sign({ cnf: "x" })],
  ["a cnf that is null", () => sign({ cnf: null })],
  ["an unknown cnf", () => sign({ cnf: { jku: "x" } })],
  ["an empty cnf", () => sign({ cnf: {} })],
  ["an empty jkt", () => sign({ cnf: { jkt: "", "x5t#S256": "x" } })],
  [
    "a thumbprint that is null",
    () => sign({ cnf: { jkt: "x", "x5t#S256": null } }),
  ],
  ["a jkt that is a number", () => sign({ cnf: { jkt: 1 } })],
];

for (const [name, token] of INVALID) {
  Deno.test(`TokenVerifier refuses a token with ${name}`, async () => {
    const { verifier } = createVerifier();
    const refused = await refusal(verifier, bearer(await token()));
    assertEquals([refused.status, refused.code], [401, "invalid_token"]);
    const [challenge, other] = parseChallenges(refused.challenges);
    assertEquals(challenge!.scheme, "bearer");
    assertEquals(challenge!.params.error, "invalid_token");
    assertEquals(other!.scheme, "dpop");
    assertEquals(other!.params.error, undefined);
  });
}

Deno.test("TokenVerifier tolerates clocks that differ by ten seconds", async () => {
  const { verifier } = createVerifier();
  for (
    const claims of [{ exp: NOW - 9 }, { iat: NOW + 10 }, { nbf: NOW + 9 }]
  ) {
    await verifier.verify(bearer(await sign(claims)));
  }
});

Deno.test("TokenVerifier accepts JWTs from before RFC 9068, if it may", async () => {
  const { verifier } = createVerifier({ types: ["JWT", ""] });
  await verifier.verify(bearer(await sign({}, { typ: "JWT" })));
  await verifier.verify(bearer(await sign({}, { typ: undefined })));
  const few = { sub: undefined, client_id: undefined, jti: undefined };
  await verifier.verify(bearer(await sign(few, { typ: "JWT" })));
  const { code } = await refusal(verifier, bearer(await sign()));
  assertEquals(code, "invalid_token");
});

const CREDENTIALS: [string, string | null, number, string | undefined][] = [
  ["no header", null, 401, undefined],
  ["Basic credentials", "Basic YTpi", 401, undefined],
  ["an empty header", "", 401, undefined],
  ["a scheme that begins like another", "Bearers x", 401, undefined],
  ["no token", "Bearer", 400, "invalid_request"],
  ["two tokens", "Bearer a, Bearer b", 400, "invalid_request"],
  ["two words", "Bearer a b", 400, "invalid_request"],
  ["two schemes", "DPoP a, Bearer b", 400, "invalid_request"],
  ["characters that no token has", "Bearer a;b", 400, "invalid_request"],
  ["a huge token", `Bearer ${"a".repeat(20_000)}`, 400, "invalid_request"],
];

for (const [name, authorization, status, code] of CREDENTIALS) {
  Deno.test(`TokenVerifier refuses a request with ${name}`, async () => {
    const { verifier, sent } = createVerifier();
    const refused = await refusal(
      verifier,
      new Request(URL_OF_NOTES, {
        headers: authorization === null ? {} : { authorization },
      }),
      { scope: "notes" },
    );
    assertEquals([refused.status, refused.code], [status, code]);
    const [challenge] = parseChallenges(refused.challenges);
    assertEquals(challenge!.params.scope, "notes");
    assertEquals(sent, []);
  });
}

Deno.test("TokenVerifier refuses any text as credentials", async () => {
  const { verifier } = createVerifier();
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'Bearer DPoP,;="\\\t\xe9 ') }),
    fc.string({ unit: fc.constantFrom(..."abc.-_~+/=") })
      .map((token) => `Bearer ${token}`),
  );
  await fc.assert(fc.asyncProperty(texts, async (authorization) => {
    const request = new Request(API, { headers: { authorization } });
    const { status } = await refusal(verifier, request);
    assert([400, 401].includes(status));
  }));
});

Deno.test("TokenVerifier reads or refuses any claims", async () => {
  const { verifier } = createVerifier();
  const claim = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(API, ISSUER, NOW, -1),
  );
  const claims = fc.record({
    iss: claim,
    aud: claim,
    exp: claim,
    nbf: claim,
    scope: claim,
    cnf: claim,
    auth_time: claim,
    acr: claim,
  }, { requiredKeys: [] });
  await fc.assert(fc.asyncProperty(claims, async (claims) => {
    const demands = { scope: "notes", max_age: 60, acr_values: "gold" };
    const request = bearer(await sign(claims));
    const error = await verifier.verify(request, demands).then(
      () => assertEquals(claims.acr, "gold"),
      (error) => error,
    );
    if (error) assertInstanceOf(error, AccessDenied);
  }));
});

Deno.test("TokenVerifier ignores a token in the query", async () => {
  const { verifier } = createVerifier();
  const url = `${API}/?access_token=${await sign()}`;
  assertEquals((await refusal(verifier, new Request(url))).code, undefined);
});

Deno.test("TokenVerifier names realm, algorithms and metadata in its challenges", async () => {
  const { verifier } = createVerifier({
    realm: 'the "API"',
    resourceMetadata: `${API}/.well-known/oauth-protected-resource`,
    proofAlgorithms: ["ES256"],
  });
  const { challenges } = await refusal(verifier, new Request(API));
  assertEquals(
    challenges,
    'Bearer realm="the \\"API\\"", resource_metadata="https://api.example/.well-known/oauth-protected-resource", ' +
      'DPoP realm="the \\"API\\"", algs="ES256", resource_metadata="https://api.example/.well-known/oauth-protected-resource"',
  );
  const plain = await refusal(createVerifier().verifier, new Request(API));
  assertEquals(
    plain.challenges,
    'Bearer, DPoP algs="ES256 EdDSA Ed25519 PS256"',
  );
});

Deno.test("TokenVerifier demands scopes", async () => {
  const { verifier } = createVerifier();
  const token = await sign({ scope: "notes" });
  const refused = await refusal(verifier, bearer(token), {
    scope: "notes admin",
  });
  assertEquals([refused.status, refused.code], [403, "insufficient_scope"]);
  const [challenge] = parseChallenges(refused.challenges);
  assertEquals(challenge!.params.scope, "notes admin");
  await refusal(verifier, bearer(await sign({ scope: undefined })), {
    scope: "notes",
  });
});

const STEP_UPS: [string, object, boolean][] = [
  ["the class", { acr: "gold", auth_time: NOW }, true],
  ["another class", { acr: "silver", auth_time: NOW }, false],
  ["no class", { auth_time: NOW }, false],
  ["an old login", { acr: "gold", auth_time: NOW - 61 }, false],
  ["no login", { acr: "gold" }, false],
  ["a future login", { acr: "gold", auth_time: NOW + 11 }, false],
  ["a login by another clock", { acr: "gold", auth_time: NOW + 10 }, true],
  ["a login at the limit", { acr: "platinum", auth_time: NOW - 60 }, true],
];

for (const [name, claims, isGranted] of STEP_UPS) {
  Deno.test(`TokenVerifier demands authentication, of a token with ${name}`, async () => {
    const { verifier } = createVerifier();
    const demands = { acr_values: ["gold", "platinum"], max_age: 60 };
    const request = bearer(await sign(claims));
    if (isGranted) return void await verifier.verify(request, demands);
    const refused = await refusal(verifier, request, demands);
    const [challenge] = parseChallenges(refused.challenges);
    assertEquals(refused.status, 401);
    assertEquals(challenge!.params.error, "insufficient_user_authentication");
    assertEquals(challenge!.params.acr_values, "gold platinum");
    assertEquals(challenge!.params.max_age, "60");
  });
}

Deno.test("TokenVerifier demands authentication of this second", async () => {
  const { verifier } = createVerifier();
  const demands = { max_age: 0 };
  await verifier.verify(bearer(await sign({ auth_time: NOW })), demands);
  await refusal(verifier, bearer(await sign({ auth_time: NOW - 1 })), demands);
});

Deno.test("TokenVerifier accepts a bound token only with its certificate", async () => {
  const request = bearer(await sign({ cnf: { "x5t#S256": THUMBPRINT } }));
  const { verifier } = createVerifier({ binding: "mtls" });
  await verifier.verify(request, { certificate: PEM });
  await createVerifier({ binding: "required" }).verifier
    .verify(request, { certificate: PEM });
  for (const certificate of [undefined, OTHER_PEM, "monkey"]) {
    const refused = await refusal(verifier, request, { certificate });
    assertEquals(refused.code, "invalid_token");
    assert(!refused.challenges.includes("DPoP"));
  }
  const unbound = bearer(await sign());
  const refused = await refusal(verifier, unbound, { certificate: PEM });
  assertEquals(refused.message, "the token is not bound to a key");
});

Deno.test("TokenVerifier introspects tokens", async () => {
  const tokens: unknown[] = [];
  const { verifier, sent } = createVerifier({
    introspect: (token) => {
      tokens.push(token);
      return Response.json({ ...ACTIVE, scope: "notes", myClaim: 1 });
    },
  });
  const { claims } = await verifier.verify(bearer("opaque"), {
    scope: "notes",
  });
  assertEquals(
    claims,
    {
      ...ACTIVE,
      scope: "notes",
      myClaim: 1,
    } as typeof claims,
  );
  await verifier.verify(bearer("opaque"));
  assertEquals(tokens, ["opaque", "opaque"]);
  assertEquals(sent.length, 2);
});

Deno.test("TokenVerifier caches a thousand introspections", async () => {
  const { verifier, sent } = createVerifier({
    introspectionMaxAge: 30,
    introspect: () => Response.json({ ...ACTIVE }),
  });
  for (let i = 0; i <= 1000; i++) await verifier.verify(bearer(`t${i}`));
  assertEquals(sent.length, 1001);
  await verifier.verify(bearer("t1"));
  assertEquals(sent.length, 1001);
  await verifier.verify(bearer("t0"));
  assertEquals(sent.length, 1002);
});

Deno.test("TokenVerifier keeps cached claims from changes of the caller", async () => {
  const { verifier } = createVerifier({
    introspectionMaxAge: 30,
    introspect: () => Response.json({ ...ACTIVE, roles: ["user"] }),
  });
  for (let i = 0; i < 3; i++) {
    const { claims } = await verifier.verify(bearer("t"));
    assertEquals(claims.roles, ["user"]);
    (claims.roles as string[]).push("admin");
  }
});

Deno.test("TokenVerifier has several names", async () => {
  const { verifier } = createVerifier({ audience: ["notes", API] });
  for (const aud of ["notes", API]) {
    await verifier.verify(bearer(await sign({ aud })));
  }
});

Deno.test("TokenVerifier puts the error into the challenge of a scheme that it accepts", async () => {
  const { verifier } = createVerifier({ binding: "dpop" });
  const { challenges } = await refusal(verifier, bearer(await sign()));
  assertEquals(
    challenges,
    'DPoP error="invalid_token", error_description="Bearer is not accepted", ' +
      'algs="ES256 EdDSA Ed25519 PS256"',
  );
});

Deno.test("TokenVerifier caches introspection for a time", async () => {
  let now = NOW;
  const { verifier, sent } = createVerifier({
    introspectionMaxAge: 30,
    now: () => now,
    introspect: (token) =>
      Response.json(
        token === "a"
          ? { ...ACTIVE, exp: NOW + 10 }
          : { ...ACTIVE, active: token === "b" },
      ),
  });
  const get = (token: string) => verifier.verify(bearer(token));
  await get("a");
  await get("a");
  assertEquals(sent.length, 1);
  now += 11;
  await get("a");
  assertEquals(sent.length, 2);
  await get("b");
  await get("b");
  assertEquals(sent.length, 3);
  now += 30;
  await get("b");
  assertEquals(sent.length, 4);
});

Deno.test("TokenVerifier remembers inactive tokens for a few seconds", async () => {
  let now = NOW;
  for (const [inactiveMaxAge, requests] of [[undefined, 2], [0, 3]]) {
    now = NOW;
    const { verifier, sent } = createVerifier({
      inactiveMaxAge,
      now: () => now,
      introspect: () => Response.json({ active: false }),
    });
    for (const seconds of [0, 4, 5]) {
      now = NOW + seconds;
      const refused = await refusal(verifier, bearer("a"));
      assertEquals([refused.status, refused.code], [401, "invalid_token"]);
    }
    assertEquals(sent.length, requests);
  }
});

Deno.test("TokenVerifier keeps active tokens in its cache under a flood of others", async () => {
  const { verifier, sent } = createVerifier({
    introspectionMaxAge: 30,
    introspect: (token) => Response.json({ ...ACTIVE, active: token === "a" }),
  });
  await verifier.verify(bearer("a"));
  for (let i = 0; i < 1100; i++) await refusal(verifier, bearer(`b${i}`));
  assertEquals(sent.length, 1101);
  await verifier.verify(bearer("a"));
  assertEquals(sent.length, 1101);
});

Deno.test("TokenVerifier shares an introspection among concurrent calls", async () => {
  const answer = Promise.withResolvers<Response>();
  const { verifier, sent } = createVerifier({
    introspect: () => answer.promise,
  });
  const signals = Array.from({ length: 20 }, countedSignal);
  const [aborted, ...calls] = signals.map(({ signal }) =>
    verifier.verify(bearer("a"), { signal })
  );
  while (!signals.every(({ listeners }) => listeners.size > 0)) await settle();
  signals[0]!.controller.abort(new Error("gone"));
  await assertRejects(() => aborted!, Error, "gone");
  answer.resolve(Response.json({ ...ACTIVE, roles: ["user"] }));
  for (const { claims } of await Promise.all(calls)) {
    assertEquals(claims.roles, ["user"]);
    (claims.roles as string[]).push("admin");
  }
  assertEquals(sent.length, 1);
});

for (
  const [requireAudience, aud, isGranted] of [
    [undefined, undefined, true],
    [true, undefined, false],
    [true, API, true],
    [true, ["https://other.example", API], true],
    [true, "https://other.example", false],
    [undefined, "https://other.example", false],
  ] as const
) {
  Deno.test(`TokenVerifier with requireAudience ${requireAudience} ${isGranted ? "accepts" : "refuses"} an introspection for ${aud}`, async () => {
    const { verifier } = createVerifier({
      requireAudience,
      introspect: () => Response.json({ ...ACTIVE, aud }),
    });
    if (isGranted) return void await verifier.verify(bearer("a"));
    assertEquals((await refusal(verifier, bearer("a"))).status, 401);
  });
}

/** Setting of a verifier of JWTs and other tokens. */
const ANY = {
  tokens: "any",
  metadata: { jwks_uri: `${ISSUER}/keys` },
  introspect: (token: string | null) =>
    Response.json({ ...ACTIVE, active: token === "opaque" }),
} as const;

for (
  const [name, token, status, endpoint] of [
    ["an opaque token", () => "opaque", 200, "/introspect"],
    ["an unknown token", () => "unknown", 401, "/introspect"],
    ["a token with two dots", () => "a.b.c", 401, "/introspect"],
    ["an encrypted JWT", () => "eyJhIjoxfQ.b.c.d.e", 401, "/introspect"],
    ["a JWT", () => sign(), 200, "/keys"],
    ["a JWT of another key", () => sign({}, {}, otherKeys), 401, "/keys"],
    ["an expired JWT", () => sign({ exp: NOW - 60 }), 401, "/keys"],
    ["an unsigned JWT", () => unsigned(), 401, undefined],
    ["an ID token", () => sign({}, { typ: "JWT" }), 401, undefined],
  ] as [string, () => string | Promise<string>, number, string | undefined][]
) {
  Deno.test(`TokenVerifier of any tokens answers ${status} to ${name}`, async () => {
    const { verifier, sent } = createVerifier(ANY);
    const request = bearer(await token());
    if (status === 200) await verifier.verify(request);
    else assertEquals((await refusal(verifier, request)).status, status);
    assertEquals(sent, endpoint ? [ISSUER + endpoint] : []);
  });
}

for (
  const [code, status, isOfToken] of [
    ["unsupported_token_type", 400, true],
    ["invalid_token", 400, true],
    ["invalid_request", 400, true],
    ["invalid_token", 200, true],
    ["unsupported_token_type", 422, true],
    ["invalid_client", 400, false],
    ["unauthorized_client", 400, false],
    ["invalid_client", 200, false],
    ["invalid_client", 401, false],
    ["invalid_token", 401, false],
    ["server_error", 500, false],
  ] as const
) {
  Deno.test(`TokenVerifier ${isOfToken ? "refuses a JWT" : "fails"} if introspection answers ${status} with ${code}`, async () => {
    const { verifier, sent } = createVerifier({
      introspect: () => Response.json({ error: code }, { status }),
    });
    const token = await sign();
    const verify = async () => await verifier.verify(bearer(token));
    if (!isOfToken) return void await assertRejects(verify, OAuth2Error);
    for (let i = 0; i < 2; i++) {
      const error = await assertRejects(verify, AccessDenied);
      assertEquals([error.status, error.code], [401, "invalid_token"]);
      assertInstanceOf(error.cause, OAuth2Error);
    }
    assertEquals(sent.length, 1);
  });
}

for (
  const [scopeClaim, claims, scopes] of [
    [undefined, { scope: "a b", scp: "c" }, ["a", "b"]],
    ["scp", { scope: "a", scp: "b c" }, ["b", "c"]],
    ["scp", { scope: "a", scp: ["b", "c"] }, ["b", "c"]],
    ["scp", { scope: "a" }, []],
    ["permissions", { permissions: ["read:a"] }, ["read:a"]],
    [["scope", "permissions"], { scope: "a b", permissions: ["b", "c"] }, [
      "a",
      "b",
      "c",
    ]],
  ] as [string | string[] | undefined, object, string[]][]
) {
  Deno.test(`TokenVerifier with the scopeClaim ${scopeClaim} finds [${scopes}] in ${JSON.stringify(claims)}`, async () => {
    const { verifier } = createVerifier({ scopeClaim });
    const request = bearer(await sign({ scope: undefined, ...claims }));
    const access = await verifier.verify(request, { scope: scopes });
    assertEquals(access.scopes, scopes);
    const other = { scope: "other" };
    assertEquals((await refusal(verifier, request, other)).status, 403);
  });
}

for (const scp of [7, {}, [7], [["a"]]]) {
  Deno.test(`TokenVerifier refuses the scp ${JSON.stringify(scp)}`, async () => {
    const { verifier } = createVerifier({ scopeClaim: "scp" });
    const refused = await refusal(verifier, bearer(await sign({ scp })));
    assertEquals(refused.code, "invalid_token");
  });
}

/** Metadata of a server without DPoP. */
const NO_DPOP = { dpop_signing_alg_values_supported: undefined };

for (
  const [name, setting, advertised] of [
    ["DPoP at the server", {}, "bearer dpop"],
    ["no DPoP at the server", { metadata: NO_DPOP }, "bearer"],
    ["nonces", {
      metadata: NO_DPOP,
      nonces: { issue: () => "n", isValid: () => true },
    }, "bearer dpop"],
    ["algorithms of proofs", {
      metadata: NO_DPOP,
      proofAlgorithms: ["ES256"],
    }, "bearer dpop"],
    ["the binding required", {
      metadata: NO_DPOP,
      binding: "required",
    }, "bearer dpop"],
    ["the binding dpop", { metadata: NO_DPOP, binding: "dpop" }, "dpop"],
    ["the binding mtls", { binding: "mtls" }, "bearer"],
  ] as [string, Setting, string][]
) {
  Deno.test(`TokenVerifier with ${name} advertises ${advertised}`, async () => {
    const { verifier } = createVerifier(setting);
    const { challenges } = await refusal(verifier, new Request(API));
    const schemes = parseChallenges(challenges).map(({ scheme }) => scheme);
    assertEquals(schemes.join(" "), advertised);
  });
}

Deno.test("TokenVerifier accepts DPoP that it does not advertise, and answers in it", async () => {
  const { verifier } = createVerifier({ metadata: NO_DPOP });
  const { challenges } = await refusal(verifier, withProof(await sign()));
  const [bearer, dpop] = parseChallenges(challenges);
  assertEquals([bearer!.params.error, dpop!.params.error], [
    undefined,
    "invalid_dpop_proof",
  ]);
});

Deno.test("TokenVerifier verifies JWTs while the keys of the server cannot be loaded", async () => {
  let now = NOW;
  let isDown = false;
  const { client } = createServer({
    now: () => now,
    keys: () => isDown ? new Response(null, { status: 503 }) : undefined,
  });
  const verifier = new TokenVerifier(client, { audience: API });
  await verifier.verify(bearer(await sign()));
  isDown = true;
  now += 3600;
  const exp = now + 60;
  await verifier.verify(bearer(await sign({ exp })));
  await assertRejects(
    async () =>
      await verifier.verify(bearer(await sign({ exp }, { kid: "x" }))),
    OAuth2Error,
  );
});

const INACTIVE: [string, object][] = [
  ["inactive", { active: false }],
  ["expired", { ...ACTIVE, exp: NOW - 10 }],
  ["of another issuer", { ...ACTIVE, iss: "https://evil.example" }],
  ["for another server", { ...ACTIVE, aud: "https://other.example" }],
  ["bound", { ...ACTIVE, cnf: { jkt: "x" } }],
];

for (const [name, fields] of INACTIVE) {
  Deno.test(`TokenVerifier refuses a token that introspection shows as ${name}`, async () => {
    const { verifier } = createVerifier({
      introspect: () => Response.json(fields),
    });
    const { code } = await refusal(verifier, bearer("opaque"));
    assertEquals(code, "invalid_token");
  });
}

// deno-lint-ignore no-explicit-any
const FAULTS: [string, () => Response, any][] = [
  ["fails", () => new Response(null, { status: 503 }), OAuth2Error],
  [
    "refuses the client",
    () => Response.json({ error: "invalid_client" }, { status: 401 }),
    OAuth2Error,
  ],
  ["sends a list", () => Response.json([]), Error],
  ["sends no active", () => Response.json({}), Error],
  ["sends active as text", () => Response.json({ active: "true" }), Error],
  [
    "is unreachable",
    () => {
      throw new TypeError("fetch failed");
    },
    ConnectionError,
  ],
];

for (const [name, introspect, type] of FAULTS) {
  Deno.test(`TokenVerifier throws if the introspection endpoint ${name}`, async () => {
    const { verifier } = createVerifier({ introspect });
    const error = await assertRejects(
      () => verifier.verify(bearer("opaque")),
      type,
    );
    assert(!(error instanceof AccessDenied));
  });
}

Deno.test("TokenVerifier throws if the keys of the server do not arrive", async () => {
  for (
    const respond of [
      () => new Response(null, { status: 503 }),
      () => Response.json({ keys: "x" }),
      () => new Response("<html>"),
    ]
  ) {
    const client = new Client(null, null, {
      issuer: ISSUER,
      metadata: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` },
      fetch: () => Promise.resolve(respond()),
      clock: () => NOW * 1000,
    });
    const verifier = new TokenVerifier(client, { audience: API });
    const token = await sign();
    const error = await assertRejects(() => verifier.verify(bearer(token)));
    assert(!(error instanceof AccessDenied));
  }
});

Deno.test("AccessDenied makes a response, whose headers cannot be changed", async () => {
  const { verifier } = createVerifier();
  const error = await assertRejects(
    () => verifier.verify(new Request(API)),
    AccessDenied,
  );
  error.headers.delete("www-authenticate");
  const response = error.toResponse();
  assertEquals(response.status, 401);
  assert(response.headers.has("www-authenticate"));
  assertEquals(await response.text(), "");
});

const BAD_OPTIONS: [string, object, string][] = [
  ["no audience", { audience: undefined }, "audience is required"],
  ["an empty audience", { audience: [] }, "audience is required"],
  ["a shared secret", { algorithms: ["HS256"] }, "it must be asymmetric"],
  ["none", { algorithms: ["none"] }, 'Cannot accept the algorithm "none"'],
  ["a shared secret for proofs", { proofAlgorithms: ["HS256"] }, "asymmetric"],
  ["an unknown form", { tokens: "introspect" }, 'must be "jwt", "intro'],
  ["any tokens, without keys", {
    tokens: "any",
    introspect: () => Response.json({}),
  }, "no jwks_uri"],
  ["any tokens, without introspection", { tokens: "any" }, "no introspection_"],
  ["no scopeClaim", { scopeClaim: [] }, "scopeClaim must be the name"],
  ["an empty scopeClaim", { scopeClaim: "" }, "scopeClaim must be the name"],
  ["a long inactiveMaxAge", { inactiveMaxAge: 61 }, "seconds, 0 to 60"],
  ["no algorithm", { algorithms: [] }, "the list of algorithms is empty"],
  ["no proof algorithm", { proofAlgorithms: [] }, "algorithms is empty"],
  ["no types", { types: [] }, "types must be a list, not empty"],
  ["a media type", { types: ["application/at+jwt"] }, "without application/"],
  ["a path as origin", { origin: `${API}/v1` }, "http or https origin"],
  ["an opaque origin", { origin: "data:," }, "http or https origin"],
  ["text as origin", { origin: "api.example" }, "Invalid URL"],
  [
    "two sources of the URL",
    { origin: API, publicUrl: () => API },
    "exclude each other",
  ],
  ["an unknown binding", { binding: "toString" }, "must be one of optional"],
  ["a realm with a line break", { realm: "a\nb" }, "printable ASCII"],
];

for (const [name, options, message] of BAD_OPTIONS) {
  Deno.test(`TokenVerifier cannot be created with ${name}`, () => {
    const settings = options as Partial<TokenVerifierOptions>;
    assertThrows(() => createVerifier(settings), TypeError, message);
  });
}

Deno.test("TokenVerifier cannot be created without keys and introspection", () => {
  const client = new Client(null, null, {
    issuer: ISSUER,
    metadata: { issuer: ISSUER },
  });
  for (const tokens of ["jwt", "introspection", undefined] as const) {
    assertThrows(
      () => new TokenVerifier(client, { audience: API, tokens }),
      TypeError,
      "jwks_uri",
    );
  }
});

Deno.test("TokenVerifier refuses invalid demands", async () => {
  const { verifier } = createVerifier();
  const cases: [object, string][] = [
    [{ max_age: -1 }, "Cannot demand max_age"],
    [{ max_age: 0.5 }, "Cannot demand max_age"],
    [{ max_age: Infinity }, "Cannot demand max_age"],
    [{ scope: 'a"b' }, "Cannot demand scope"],
  ];
  for (const [options, message] of cases) {
    await assertRejects(
      () => verifier.verify(new Request(API), options),
      TypeError,
      message,
    );
  }
});
