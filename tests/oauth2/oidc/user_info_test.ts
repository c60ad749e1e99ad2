import { assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  type ClientOptions,
  OAuth2Error,
} from "../../../oauth2/mod.ts";
import {
  clientKeys,
  fetchUserInfo,
  type UserInfoOptions,
  ValidationError,
} from "../../../oauth2/oidc/mod.ts";
import { NOW } from "../_client.ts";
import {
  type Answers,
  issueJwt,
  ISSUER,
  Provider,
  publicJwk,
} from "../_openid_provider.ts";

/** Requests userinfo at a provider with this answer. */
function fetchWith(
  answer: Answers[string],
  options: Partial<UserInfoOptions> = {},
  setting: ClientOptions = {},
) {
  const { client } = new Provider({
    "/keys": async () => ({ keys: [await publicJwk("es256")] }),
    "/me": answer,
  }, setting);
  const token = new AccessToken(client, "m");
  return fetchUserInfo(token, { sub: "ana", ...options });
}

/** Response with a body of a media type. */
const answerOf = (body: string, type: string) => () =>
  new Response(body, { headers: { "content-type": type } });

Deno.test("fetchUserInfo throws a TypeError without a userinfo_endpoint", async () => {
  const { client } = new Provider({}, {}, { userinfo_endpoint: null });
  await assertRejects(
    () => fetchUserInfo(new AccessToken(client, "m"), { sub: "ana" }),
    TypeError,
    "no userinfo_endpoint",
  );
});

for (const options of [undefined, {}, { sub: "" }, { sub: 7 }]) {
  Deno.test(`fetchUserInfo refuses the options ${JSON.stringify(options)}`, async () => {
    const { client, paths } = new Provider();
    await assertRejects(
      () =>
        fetchUserInfo(new AccessToken(client, "m"), options as UserInfoOptions),
      TypeError,
      "sub must be",
    );
    assertEquals(paths, []);
  });
}

Deno.test("fetchUserInfo sends the token", async () => {
  const user = await fetchWith(({ headers }) => ({
    sub: "ana",
    authorization: headers.get("authorization"),
    accept: headers.get("accept"),
  }));
  assertEquals(user.authorization, "Bearer m");
  assertEquals(user.accept, "application/json, application/jwt");
});

Deno.test("fetchUserInfo throws the error of the server with raiseErrors: false", async () => {
  const answer = () =>
    Response.json({ error: "invalid_token" }, { status: 401 });
  const error = await assertRejects(
    () => fetchWith(answer, {}, { raiseErrors: false }),
    OAuth2Error,
  );
  assertEquals(error.code, "invalid_token");
});

for (
  const [body, type, options] of [
    ...["", "[]", "null", '"ana"', "{", "sub=ana", "e30.e30.e30"]
      .map((body) => [body, "application/json"]),
    ["sub=ana", "application/x-www-form-urlencoded"],
    ['{"sub":"ana"}', "text/html"],
    ['{"sub":"ana"}', "text/plain"],
    ['{"sub":"ana"}', "application/json", { signed: true }],
  ] as [string, string, object?][]
) {
  Deno.test(`fetchUserInfo ${JSON.stringify(options ?? {})} refuses ${JSON.stringify(body)} as ${type}`, async () => {
    const error = await assertRejects(
      () => fetchWith(answerOf(body, type), options),
      ValidationError,
    );
    assertEquals(error.code, "invalid_userinfo");
  });
}

for (
  const [claims, code] of [
    [{ exp: [`${NOW + 60}`] }, "invalid_exp"],
    [{ exp: `${NOW + 60}` }, "invalid_exp"],
    [{ exp: "Infinity" }, "invalid_exp"],
    [{ exp: NOW - 10 }, "expired"],
    [{ iat: NOW + 11 }, "invalid_iat"],
    [{ iat: "1" }, "invalid_iat"],
    [{ nbf: NOW + 11 }, "invalid_nbf"],
    [{ nbf: {} }, "invalid_nbf"],
    [{ exp: NOW - 9, iat: NOW + 10, nbf: NOW + 10 }, undefined],
  ] as const
) {
  const verb = code === undefined ? "accepts" : "refuses";
  Deno.test(`fetchUserInfo ${verb} a signed response with ${JSON.stringify(claims)}`, async () => {
    const jwt = await issueJwt({ sub: "ana", ...claims }, { key: "es256" });
    const found = await fetchWith(answerOf(jwt, "application/jwt"))
      .then(() => undefined, (error) => error.code);
    assertEquals(found, code);
  });
}

Deno.test("fetchUserInfo uses the cache of keys of the caller", async () => {
  const provider = new Provider({
    "/keys": async () => ({ keys: [await publicJwk("es256")] }),
    "/me": async () =>
      new Response(
        await issueJwt({ iss: ISSUER, aud: ["abc"], sub: "ana" }, {
          key: "es256",
        }),
        { headers: { "content-type": "application/jwt; charset=utf-8" } },
      ),
  });
  const keys = clientKeys(provider.client)!;
  const token = new AccessToken(provider.client, "m");
  for (let i = 0; i < 3; i++) {
    await fetchUserInfo(token, { sub: "ana", keys, signed: true });
  }
  assertEquals(provider.keyRequests, 1);
});
