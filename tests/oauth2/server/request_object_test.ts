import { assert, assertEquals, assertRejects } from "@std/assert";
import { jwtVerify } from "jose";
import type { AuthorizationParams } from "../../../oauth2/mod.ts";
import { signRequest } from "../../../oauth2/server/request_object.ts";
import { createClient, NOW, SITE } from "../_client.ts";
import { generateEs256 } from "../_jwt.ts";

const { privateKey, publicKey } = await generateEs256();
const KEY = { algorithm: "ES256", key: privateKey, kid: "k1" };
const SETTING = { issuer: SITE, redirectUri: "https://app.example/cb" };

Deno.test("signRequest signs the parameters with those of the JWT", async () => {
  const { client_id, request } = await signRequest(createClient(SETTING), {
    scope: ["openid", "notes"],
    claims: '{"id_token":{"acr":null}}',
    authorization_details: '[{"type":"a"}]',
    resource: ["https://x.example", "https://y.example"],
    max_age: 60,
    state: null,
  }, KEY);
  const { payload: { jti, ...claims }, protectedHeader } = await jwtVerify(
    request,
    publicKey,
    { currentDate: new Date(NOW * 1000) },
  );
  assertEquals(client_id, "abc");
  assert(/^[\w-]{22}$/.test(jti!));
  assertEquals(claims, {
    response_type: "code",
    redirect_uri: "https://app.example/cb",
    scope: "openid notes",
    claims: { id_token: { acr: null } },
    authorization_details: [{ type: "a" }],
    resource: ["https://x.example", "https://y.example"],
    max_age: 60,
    client_id: "abc",
    iss: "abc",
    aud: SITE,
    iat: NOW,
    nbf: NOW,
    exp: NOW + 300,
  });
  assertEquals(protectedHeader, {
    alg: "ES256",
    kid: "k1",
    typ: "oauth-authz-req+jwt",
  });
});

const REFUSED: [string, object, object, object, string][] = [
  ["no id", { id: null }, {}, {}, "the client has no id"],
  ["no issuer", { issuer: undefined }, {}, {}, "the client has no issuer"],
  ["another request", {}, { request: "x" }, {}, "request is not allowed"],
  ["a request_uri", {}, { request_uri: "x" }, {}, "request_uri is not"],
  ["a verifier", {}, { code_verifier: "x" }, {}, "code_verifier is not"],
  ["a secret", {}, { client_secret: "x" }, {}, "client_secret is not"],
  ["a subject", {}, { sub: "abc" }, {}, "sub is not allowed"],
  ["claims that are not JSON", {}, { claims: "{" }, {}, "claims is not JSON"],
  ["a misspelled parameter", {}, { maxAge: 1 }, {}, "it is spelled"],
  ["a negative lifetime", {}, {}, { lifetime: -1 }, "lifetime -1"],
  ["a long lifetime", {}, {}, { lifetime: 3601 }, "at most 3600"],
];

for (const [name, setting, params, options, message] of REFUSED) {
  Deno.test(`signRequest refuses ${name}`, async () => {
    const client = createClient({ ...SETTING, ...setting });
    await assertRejects(
      () => signRequest(client, params as AuthorizationParams, KEY, options),
      TypeError,
      message,
    );
  });
}

Deno.test("signRequest cannot be made to use another issuer, audience or client", async () => {
  const { request } = await signRequest(createClient(SETTING), {
    iss: "evil",
    aud: "evil",
    exp: 1,
    nbf: 1,
    iat: 1,
  }, KEY);
  const { payload } = await jwtVerify(request, publicKey, {
    currentDate: new Date(NOW * 1000),
  });
  assertEquals([payload.iss, payload.aud, payload.exp], [
    "abc",
    SITE,
    NOW + 300,
  ]);
});

Deno.test("signRequest signs for an hour at most", async () => {
  const { request } = await signRequest(createClient(SETTING), {}, KEY, {
    lifetime: 3600,
  });
  const { payload } = await jwtVerify(request, publicKey, {
    currentDate: new Date(NOW * 1000),
  });
  assertEquals(payload.exp, NOW + 3600);
});

Deno.test("signRequest refuses the algorithm none", async () => {
  await assertRejects(
    () => signRequest(createClient(SETTING), {}, { ...KEY, algorithm: "none" }),
    TypeError,
    'algorithm "none" is not allowed',
  );
});
