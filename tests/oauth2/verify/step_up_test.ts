import { assertEquals, assertRejects } from "@std/assert";
import { AccessToken, OAuth2Error } from "../../../oauth2/mod.ts";
import { AccessDenied } from "../../../oauth2/verify/mod.ts";
import { stepUpParams, withStepUp } from "../../../oauth2/verify/step_up.ts";
import { createClient, NOW, SITE } from "../_client.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { bearer, createVerifier, sign } from "./_resource_server.ts";

const CODE = 'error="insufficient_user_authentication"';

for (
  const [header, params] of [
    [`Bearer ${CODE}`, {}],
    [`Bearer ${CODE}, acr_values="a b", max_age=5`, {
      acr_values: "a b",
      max_age: 5,
    }],
    [`DPoP ${CODE}, max_age="0"`, { max_age: 0 }],
    [`Basic realm="x", Bearer ${CODE}, acr_values="a"`, { acr_values: "a" }],
    ['Bearer error="insufficient_scope", scope="a b"', { scope: "a b" }],
    [`Bearer ${CODE}, max_age="-1"`, {}],
    [`Bearer ${CODE}, max_age="1.5"`, {}],
    [`Bearer ${CODE}, max_age="1e9"`, {}],
    [`Bearer ${CODE}, max_age="soon"`, {}],
    [`Bearer ${CODE}, max_age="${"9".repeat(400)}"`, {}],
    [`Bearer ${CODE}, acr_values=""`, {}],
    [`Bearer ${CODE}, acr_values="a  b"`, {}],
    [`Bearer ${CODE}, acr_values="\u00e1"`, {}],
    [`Bearer ${CODE}, acr_values="${"a".repeat(2001)}"`, {}],
    ['Bearer error="invalid_token", acr_values="a"', undefined],
    ['Bearer acr_values="a"', undefined],
    ["", undefined],
    [null, undefined],
    [undefined, undefined],
  ] as const
) {
  Deno.test(`stepUpParams of ${String(header).slice(0, 90)}`, () => {
    assertEquals(stepUpParams(header), params);
    if (typeof header !== "string") return;
    const headers = new Headers({ "www-authenticate": header });
    assertEquals(stepUpParams(headers), params);
    assertEquals(stepUpParams(new Response(null, { headers })), params);
  });
}

const REFUSED = {
  status: 401,
  headers: { "www-authenticate": `Bearer ${CODE}, acr_values="gold"` },
};

for (
  const [refusals, limit, calls, status] of [
    [0, undefined, [undefined], 200],
    [1, undefined, [undefined, "token 1"], 200],
    [2, undefined, [undefined, "token 1"], 401],
    [9, 3, [undefined, "token 1", "token 2", "token 3"], 401],
    [9, 0, [undefined], 401],
  ] as const
) {
  Deno.test(`withStepUp after ${refusals} refusals with the limit ${limit}`, async () => {
    const tokens: (string | undefined)[] = [];
    let authorizations = 0;
    const response = await withStepUp<Response, string>(
      (token) => {
        tokens.push(token);
        const isRefused = tokens.length <= refusals;
        return Promise.resolve(
          new Response("body", isRefused ? REFUSED : {}),
        );
      },
      (params) => {
        assertEquals(params, { acr_values: "gold" });
        return Promise.resolve(`token ${++authorizations}`);
      },
      limit === undefined ? {} : { limit },
    );
    assertEquals(tokens, [...calls]);
    assertEquals(response.status, status);
    assertEquals(await response.text(), "body");
  });
}

Deno.test("withStepUp resolves the error of an AccessToken", async () => {
  const fetch = fakeFetch([
    { expect: { headers: { authorization: "Bearer weak" } }, respond: REFUSED },
    {
      expect: { headers: { authorization: "Bearer strong" } },
      respond: { status: 200, body: "done" },
    },
  ]);
  const client = createClient({ fetch });
  const { body } = await withStepUp(
    (token = new AccessToken(client, "weak")) => token.get(`${SITE}/pay`),
    () => Promise.resolve(new AccessToken(client, "strong")),
  );
  assertEquals(body, "done");
  fetch.assertDone();
});

Deno.test("withStepUp throws the error beyond the limit, and others at once", async () => {
  const client = createClient({ fetch: fakeFetch([{ respond: REFUSED }]) });
  const token = new AccessToken(client, "weak");
  const error = await assertRejects(
    () =>
      withStepUp(() => token.get("/pay"), () => Promise.reject(), {
        limit: 0,
      }),
    OAuth2Error,
  );
  assertEquals(error.code, "insufficient_user_authentication");
  const fault = new Error("fault");
  const call = withStepUp(() => Promise.reject(fault), () => Promise.reject());
  assertEquals(await call.catch((error) => error), fault);
});

Deno.test("withStepUp ignores a challenge of a response that succeeds", async () => {
  const { headers } = REFUSED;
  const response = await withStepUp(
    () => Promise.resolve(new Response(null, { headers })),
    () => Promise.reject(new Error("unexpected")),
  );
  assertEquals(response.status, 200);
});

Deno.test("withStepUp meets the demands of a TokenVerifier", async () => {
  const { verifier } = createVerifier();
  /** Answers as a resource server for strong and recent logins. */
  const call = async (token: string) => {
    try {
      const demands = { scope: "notes", acr_values: "gold", max_age: 60 };
      await verifier.verify(bearer(token), demands);
      return new Response("paid");
    } catch (error) {
      if (error instanceof AccessDenied) return error.toResponse();
      throw error;
    }
  };
  const weak = await sign({ acr: "silver", auth_time: NOW - 600 });
  const response = await withStepUp(
    (token: string = weak) => call(token),
    ({ acr_values: acr, max_age, scope }) => {
      assertEquals([acr, max_age, scope], ["gold", 60, "notes"]);
      return sign({ acr, auth_time: NOW });
    },
  );
  assertEquals(await response.text(), "paid");
});
