import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type JwtBearerOptions,
  jwtBearerToken,
} from "../../../oauth2/grants/jwt_bearer.ts";
import { OAuth2Error } from "../../../oauth2/mod.ts";
import { createClient, NOW, type Setting } from "../_client.ts";
import { claimsOf, HS256_KEY } from "../_jwt.ts";

const ISSUER = "https://provider.example";

/** Requests a token, and returns the claims that were sent. */
async function claimsSent(
  options: Omit<JwtBearerOptions, "key">,
  setting: Setting = {},
) {
  const forms: URLSearchParams[] = [];
  const client = createClient({
    issuer: ISSUER,
    authScheme: "request_body",
    secret: null,
    fetch: (_url, { body }) => {
      forms.push(new URLSearchParams(String(body)));
      return Promise.resolve(Response.json({ access_token: "m" }));
    },
    ...setting,
  });
  await jwtBearerToken(client, { key: HS256_KEY, ...options }, { scope: "a" });
  const [form] = forms;
  assertEquals(
    form!.get("grant_type"),
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
  );
  assertEquals(form!.get("scope"), "a");
  const { jti, ...claims } = claimsOf(form!.get("assertion")!);
  return { jti, claims };
}

const DEFAULTS = {
  iss: "abc",
  sub: "abc",
  aud: ISSUER,
  iat: NOW,
  exp: NOW + 60,
};

Deno.test("jwtBearerToken sends safe claims, each jti once", async () => {
  const { jti: first, claims } = await claimsSent({});
  const { jti: second } = await claimsSent({});
  assertEquals(claims, DEFAULTS);
  assert(typeof first === "string" && first.length >= 32);
  assert(first !== second);
});

for (
  const [name, options, expected] of [
    ["other claims", { claims: { sub: "ana", scope: "notes" } }, {
      ...DEFAULTS,
      sub: "ana",
      scope: "notes",
    }],
    ["another iss, which is sub", { claims: { iss: "robot" } }, {
      ...DEFAULTS,
      iss: "robot",
      sub: "robot",
    }],
    ["another aud", { claims: { aud: `${ISSUER}/token` } }, {
      ...DEFAULTS,
      aud: `${ISSUER}/token`,
    }],
    ["a lifetime", { lifetime: 3600 }, { ...DEFAULTS, exp: NOW + 3600 }],
    ["another iat", { claims: { iat: NOW - 5 } }, {
      ...DEFAULTS,
      iat: NOW - 5,
      exp: NOW + 55,
    }],
    [
      "undefined, which keeps a default",
      { claims: { sub: undefined } },
      DEFAULTS,
    ],
  ] as [string, Omit<JwtBearerOptions, "key">, object][]
) {
  Deno.test(`jwtBearerToken sends ${name}`, async () => {
    assertEquals((await claimsSent(options)).claims, expected);
  });
}

Deno.test("jwtBearerToken omits jti for null", async () => {
  assertEquals((await claimsSent({ claims: { jti: null } })).jti, undefined);
});

for (
  const [name, options, setting] of [
    ["no issuer", {}, { issuer: undefined }],
    ["no sub", { claims: { sub: null } }, {}],
    ["an empty sub", { claims: { sub: "" } }, {}],
    ["no exp", { claims: { exp: null } }, {}],
    ["text as iat", { claims: { iat: "now" } }, {}],
    ["a list of claims", { claims: [] }, {}],
    ["a lifetime of 0", { lifetime: 0 }, {}],
    ["a lifetime over an hour", { lifetime: 3601 }, {}],
    ["NaN as lifetime", { lifetime: NaN }, {}],
  ] as [string, Omit<JwtBearerOptions, "key">, Setting][]
) {
  Deno.test(`jwtBearerToken refuses ${name}`, async () => {
    await assertRejects(
      () => claimsSent(options, setting),
      TypeError,
      "Cannot use the",
    );
  });
}

Deno.test("jwtBearerToken throws the error of the server with raiseErrors: false", async () => {
  const client = createClient({
    issuer: ISSUER,
    raiseErrors: false,
    fetch: () =>
      Promise.resolve(
        Response.json({ error: "invalid_grant" }, { status: 400 }),
      ),
  });
  const error = await assertRejects(
    () => jwtBearerToken(client, { key: HS256_KEY }),
    OAuth2Error,
  );
  assertEquals(error.code, "invalid_grant");
});
