import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  introspect,
  type IntrospectionOptions,
} from "../../../oauth2/server/introspection.ts";
import { OAuth2Error } from "../../../oauth2/mod.ts";
import { clientKeys, ValidationError } from "../../../oauth2/oidc/mod.ts";
import { NOW } from "../_client.ts";
import {
  CLIENT_ID,
  issueJwt,
  ISSUER,
  type JwtPlan,
  Provider,
  publicJwk,
} from "../_openid_provider.ts";
import { print } from "../_print.ts";

const METADATA = { introspection_endpoint: `${ISSUER}/introspect` };

/** Provider that answers an introspection. */
function answering(answer: (request: Request) => Response | Promise<Response>) {
  return new Provider(
    {
      "/introspect": answer,
      "/keys": async () => ({ keys: [await publicJwk("rs256")] }),
    },
    {},
    METADATA,
  );
}

const telling = (body: unknown, status = 200) =>
  answering(() => Response.json(body, { status })).client;

/** Claims of a signed response. */
const SIGNED = {
  iss: ISSUER,
  aud: CLIENT_ID,
  iat: NOW,
  token_introspection: { active: true, sub: "ana", scope: "notes" },
};

function signing(plan: JwtPlan = {}) {
  return answering(async () =>
    new Response(
      await issueJwt(SIGNED, {
        ...plan,
        header: { typ: "token-introspection+jwt", ...plan.header },
      }),
      { headers: { "content-type": "application/token-introspection+jwt" } },
    )
  );
}

Deno.test("introspect sends the token and returns the claims", async () => {
  const { client } = answering(async (request) => {
    const form = Object.fromEntries(await request.formData());
    return Response.json({ active: true, userName: "ana", seen: form });
  });
  const token = await introspect(client, "monkey", {
    token_type_hint: "access_token",
  });
  assertEquals(token, {
    active: true,
    // Claims keep their names.
    userName: "ana",
    seen: { token: "monkey", token_type_hint: "access_token" },
  });
});

Deno.test("introspect drops the claims of an inactive token", async () => {
  const client = telling({ active: false, sub: "ana", scope: 7 });
  assertEquals(await introspect(client, "monkey"), { active: false });
});

for (
  const body of [
    {},
    [],
    null,
    "active",
    { active: "true" },
    { active: 1 },
    { active: null },
    { active: true, exp: "soon" },
    { active: true, scope: ["a"] },
    { active: true, sub: 7 },
    { active: true, client_id: {} },
    { active: true, aud: 7 },
    { active: true, aud: ["a", 7] },
    { active: true, acr: 1 },
    { active: true, auth_time: "1700000000" },
    { active: true, cnf: "jkt" },
    { active: true, cnf: ["jkt"] },
  ]
) {
  Deno.test(`introspect refuses ${JSON.stringify(body)}`, async () => {
    const error = await assertRejects(
      () => introspect(telling(body), "monkey123"),
      ValidationError,
      "Cannot validate the introspection response",
    );
    assertEquals(error.code, "invalid_introspection");
  });
}

Deno.test("introspect throws the error of the server", async () => {
  const client = telling({ error: "invalid_client" }, 401);
  const error = await assertRejects(
    () => introspect(client, "monkey123", { raiseErrors: false }),
    OAuth2Error,
  );
  assertEquals(error.code, "invalid_client");
  assert(!print(error).includes("monkey123"));
});

for (const token of ["", undefined, null, 7]) {
  Deno.test(`introspect refuses the token ${JSON.stringify(token)}`, async () => {
    const { client, paths } = answering(() => Response.json({ active: true }));
    await assertRejects(
      () => introspect(client, token as string),
      TypeError,
      "Cannot use the token",
    );
    assertEquals(paths, []);
  });
}

Deno.test("introspect throws a TypeError without an endpoint", async () => {
  const { client } = new Provider();
  await assertRejects(
    () => introspect(client, "monkey"),
    TypeError,
    "introspection_endpoint",
  );
});

Deno.test("introspect uses the endpoint of its options", async () => {
  const provider = new Provider({ "/other": () => ({ active: true }) });
  const { active } = await introspect(provider.client, "monkey", {}, {
    endpoint: "/other",
  });
  assert(active);
});

Deno.test("introspect validates a signed response", async () => {
  const { client } = signing();
  const token = await introspect(client, "monkey", {}, { signed: true });
  assertEquals(token, { active: true, sub: "ana", scope: "notes" });
});

Deno.test("introspect requests a signed response if it must be signed", async () => {
  const accepted: (string | null)[] = [];
  const { client } = answering(({ headers }) => {
    accepted.push(headers.get("accept"));
    return Response.json({ active: true });
  });
  await introspect(client, "monkey");
  const error = await assertRejects(
    () => introspect(client, "monkey", {}, { signed: true }),
    ValidationError,
  );
  assertEquals(error.code, "invalid_introspection");
  assertEquals(accepted, [
    "application/json",
    "application/token-introspection+jwt",
  ]);
});

Deno.test("introspect accepts a signed response of the last five minutes", async () => {
  const { client } = signing({ claims: { iat: NOW - 310 } });
  assert((await introspect(client, "monkey")).active);
});

Deno.test("introspect treats registered members that are null as missing", async () => {
  const registered = "scope client_id username token_type exp iat nbf sub " +
    "aud iss jti cnf acr auth_time";
  const nulls = registered.split(" ").map((name) => [name, null]);
  const client = telling({
    ...Object.fromEntries(nulls),
    active: true,
    other: null,
  });
  assertEquals(await introspect(client, "m"), { active: true, other: null });
});

Deno.test("introspect uses the cache of keys of the caller", async () => {
  const provider = signing();
  const keys = clientKeys(provider.client)!;
  for (let i = 0; i < 3; i++) {
    await introspect(provider.client, "monkey", {}, { keys });
  }
  assertEquals(provider.keyRequests, 1);
});

Deno.test("introspect accepts the audience of its options, in a list", async () => {
  const { client } = signing({
    claims: { aud: ["https://a.example", "https://b.example"] },
  });
  const { active } = await introspect(client, "monkey", {}, {
    audience: "https://b.example",
  });
  assert(active);
});

for (
  const [name, plan, code, options] of [
    ["no typ", { header: { typ: null } }, "invalid_typ"],
    [
      "the typ of an access token",
      { header: { typ: "at+jwt" } },
      "invalid_typ",
    ],
    ["alg none", { header: { alg: "none" } }, "unsupported_alg"],
    ["another algorithm", {}, "unsupported_alg", { algorithms: ["ES256"] }],
    ["the secret as its key", { key: "secret" }, "unsupported_alg"],
    ["an unknown key", { header: { kid: "other" } }, "unknown_key"],
    ["a changed signature", { tamper: "signature" }, "invalid_signature"],
    ["changed claims", { tamper: "claims" }, "invalid_signature"],
    ["no iss", { claims: { iss: null } }, "invalid_iss"],
    ["another iss", { claims: { iss: `${ISSUER}/` } }, "invalid_iss"],
    ["no aud", { claims: { aud: null } }, "invalid_aud"],
    ["another aud", { claims: { aud: ["other"] } }, "invalid_aud"],
    ["no iat", { claims: { iat: null } }, "invalid_iat"],
    ["text as iat", { claims: { iat: String(NOW) } }, "invalid_iat"],
    ["an old iat", { claims: { iat: NOW - 311 } }, "invalid_iat"],
    ["iat in the future", { claims: { iat: NOW + 60 } }, "invalid_iat"],
    [
      "sub beside the introspection",
      { claims: { sub: "ana" } },
      "invalid_introspection",
    ],
    [
      "exp beside the introspection",
      { claims: { exp: NOW + 60 } },
      "invalid_introspection",
    ],
    [
      "no introspection",
      { claims: { token_introspection: null } },
      "invalid_introspection",
    ],
    [
      "a list as introspection",
      { claims: { token_introspection: [] } },
      "invalid_introspection",
    ],
    [
      "no active",
      { claims: { token_introspection: {} } },
      "invalid_introspection",
    ],
  ] as [string, JwtPlan, string, IntrospectionOptions?][]
) {
  Deno.test(`introspect refuses a signed response with ${name}`, async () => {
    const { client } = signing(plan);
    const error = await assertRejects(
      () => introspect(client, "monkey", {}, options),
      ValidationError,
    );
    assertEquals(error.code, code);
  });
}
