import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type ExchangeParams,
  exchangeToken,
  TOKEN_TYPE,
} from "../../../oauth2/grants/exchange.ts";
import { OAuth2Error } from "../../../oauth2/mod.ts";
import { clientTest, createClient, NOW } from "../_client.ts";
import { json, onToken } from "../_exchanges.ts";
import { print } from "../_print.ts";
import { assertHidden } from "../_secrets.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
const SUBJECT = { subject_token: "rhesus456" };
const ANSWER = {
  access_token: "monkey123",
  issued_token_type: TOKEN_TYPE.accessToken,
  token_type: "Bearer",
  expires_in: 60,
};

for (
  const [name, params, form] of [
    ["a subject token", SUBJECT, {
      subject_token: "rhesus456",
      subject_token_type: TOKEN_TYPE.accessToken,
    }],
    ["an actor, a type and places", {
      ...SUBJECT,
      subject_token_type: TOKEN_TYPE.idToken,
      actor_token: "private789",
      actor_token_type: TOKEN_TYPE.jwt,
      requested_token_type: TOKEN_TYPE.accessToken,
      resource: ["https://a.example", "https://b.example"],
      audience: "c",
      scope: ["a", "b"],
    }, {
      subject_token: "rhesus456",
      subject_token_type: TOKEN_TYPE.idToken,
      actor_token: "private789",
      actor_token_type: TOKEN_TYPE.jwt,
      requested_token_type: TOKEN_TYPE.accessToken,
      resource: ["https://a.example", "https://b.example"],
      audience: "c",
      scope: "a b",
    }],
    ["another grant_type, which it replaces", {
      ...SUBJECT,
      grant_type: "password",
    }, {
      subject_token: "rhesus456",
      subject_token_type: TOKEN_TYPE.accessToken,
    }],
  ] as [string, ExchangeParams, Record<string, string>][]
) {
  clientTest(
    `exchangeToken sends ${name}`,
    [onToken(json(ANSWER), { body: { form: { grant_type: GRANT, ...form } } })],
    async ({ client }) => {
      const issued = await exchangeToken(client, params);
      assertEquals(issued.value, "monkey123");
      assertEquals(issued.accessToken?.token, "monkey123");
      assertEquals(issued.issuedTokenType, TOKEN_TYPE.accessToken);
      assertEquals(issued.expiresAt, NOW + 60);
      assertHidden(print(issued));
    },
  );
}

for (
  const [name, fields] of [
    ["N_A", { token_type: "N_A", issued_token_type: TOKEN_TYPE.idToken }],
    ["n_a", { token_type: "n_a", issued_token_type: TOKEN_TYPE.jwt }],
    ["N_A of an access token", { token_type: "N_A" }],
    ["an ID token as bearer", { issued_token_type: TOKEN_TYPE.idToken }],
    ["a refresh token as bearer", {
      issued_token_type: TOKEN_TYPE.refreshToken,
    }],
    ["SAML as bearer", { issued_token_type: TOKEN_TYPE.saml2 }],
  ] as const
) {
  clientTest(
    `exchangeToken returns no AccessToken for ${name}`,
    [onToken(json({ ...ANSWER, ...fields }))],
    async ({ client }) => {
      const issued = await exchangeToken(client, SUBJECT);
      assertEquals(issued.accessToken, undefined);
      assertEquals(issued.value, "monkey123");
      assertEquals(issued.expiresAt, NOW + 60);
      assertHidden(print(issued));
    },
  );
}

for (
  const [name, fields, status = 200] of [
    ["no token", { access_token: undefined }],
    ["no token and N_A", { access_token: undefined, token_type: "N_A" }],
    ["a number as token and N_A", { access_token: 7, token_type: "N_A" }],
    ["an error and N_A", { error: "invalid_request", token_type: "N_A" }],
    ["another token type", { token_type: "mac" }],
    ["no issued_token_type", { issued_token_type: undefined }],
    ["another issued_token_type", { issued_token_type: TOKEN_TYPE.jwt }],
    ["an error", { error: "invalid_target" }, 400],
    ["status 500 and N_A", { token_type: "N_A" }, 500],
  ] as [string, object, number?][]
) {
  clientTest(
    `exchangeToken refuses ${name}`,
    [onToken(json({ ...ANSWER, ...fields }, status))],
    async ({ client }) => {
      const error = await assertRejects(
        () =>
          exchangeToken(client, {
            ...SUBJECT,
            requested_token_type: TOKEN_TYPE.accessToken,
          }),
        OAuth2Error,
      );
      assertHidden(print(error));
    },
    { raiseErrors: false },
  );
}

for (
  const params of [
    {},
    { subject_token: "" },
    { subject_token: 7 },
    { ...SUBJECT, subject_token_type: "" },
    { ...SUBJECT, actor_token: "a" },
    { ...SUBJECT, actor_token_type: TOKEN_TYPE.jwt },
    { ...SUBJECT, actor_token: "", actor_token_type: TOKEN_TYPE.jwt },
  ]
) {
  Deno.test(`exchangeToken sends nothing with ${JSON.stringify(params)}`, async () => {
    let requests = 0;
    const client = createClient({
      fetch: () => {
        requests++;
        return Promise.reject(new TypeError("unexpected"));
      },
    });
    await assertRejects(
      () => exchangeToken(client, params as unknown as ExchangeParams),
      TypeError,
      "Cannot use the",
    );
    assert(requests === 0);
  });
}
