/** Messages: what was rejected, and what would be accepted. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client, ConnectionError, OAuth2Error } from "../../oauth2/mod.ts";
import { IdTokenValidator } from "../../oauth2/oidc/mod.ts";
import { providerOptions, PROVIDERS } from "../../oauth2/providers/mod.ts";
import {
  Flow,
  type FlowData,
  SignIn,
  ValidationError,
} from "../../oauth2/sign_in/mod.ts";
import { createClient, NOW, SITE } from "./_client.ts";
import {
  CLIENT_ID,
  idTokenClaims,
  issueJwt,
  ISSUER,
  Provider,
  publicJwk,
  REDIRECT_URI,
} from "./_openid_provider.ts";

const answering = (response: () => Promise<Response>) =>
  createClient({ fetch: response });
const validate = async (
  claims: Record<string, unknown>,
  checks: Parameters<IdTokenValidator["validate"]>[1] = {},
) =>
  await new IdTokenValidator(
    new Provider({
      "/keys": async () => ({ keys: [await publicJwk("rs256")] }),
    })
      .client,
    { clockTolerance: 60 },
  )
    .validate(await issueJwt({ ...idTokenClaims(), ...claims }), checks);
const callback = async (change: Partial<FlowData>, query = "?code=a") => {
  const signIn = new SignIn(new Provider().client);
  const flow = await signIn.start({ redirect_uri: REDIRECT_URI });
  const data = { ...flow.toJSON(), ...change };
  return await signIn.callback(`${REDIRECT_URI}${query}`, data);
};

const MESSAGES: readonly [
  string,
  // deno-lint-ignore no-explicit-any -- the class of the error
  abstract new (...args: any[]) => Error,
  () => unknown,
][] = [
  [
    "Cannot validate the ID token: iat is 299 s ahead; clockTolerance allows 60",
    ValidationError,
    () => validate({ iat: NOW + 299 }),
  ],
  [
    "Cannot validate the ID token: it expired 90 s ago; clockTolerance allows 60",
    ValidationError,
    () => validate({ exp: NOW - 90 }),
  ],
  [
    "Cannot validate the ID token: auth_time is 500 s ago; max_age allows 300",
    ValidationError,
    () => validate({ auth_time: NOW - 500 }, { max_age: 300 }),
  ],
  [
    "Cannot validate the ID token: nonce does not match",
    ValidationError,
    () => validate({ nonce: "a" }, { nonce: "b" }),
  ],
  [
    "Cannot complete the sign-in: state does not match",
    ValidationError,
    () => callback({}, "?code=a&state=b"),
  ],
  [
    "Cannot complete the sign-in: state is missing",
    ValidationError,
    () => callback({}),
  ],
  [
    `Cannot complete the sign-in: the client_id of the flow is other, not ${CLIENT_ID}`,
    ValidationError,
    () => callback({ client_id: "other" }),
  ],
  [
    `Cannot complete the sign-in: the issuer of the flow is https://other.example, not ${ISSUER}`,
    ValidationError,
    () => callback({ issuer: "https://other.example" }),
  ],
  [
    "Cannot read the flow: its v is 2, not 1",
    ValidationError,
    () => callback({ v: 2 }),
  ],
  [
    "Cannot read the flow: it is not the result of start or its JSON",
    ValidationError,
    () => new Flow("flow"),
  ],
  [
    `Got status 500 (POST ${SITE}/oauth/token)`,
    OAuth2Error,
    () =>
      answering(() => Promise.resolve(new Response(null, { status: 500 })))
        .clientCredentials.getToken(),
  ],
  [
    `invalid_token: no (GET ${SITE}/me)`,
    OAuth2Error,
    () =>
      answering(() =>
        Promise.resolve(Response.json({
          error: "invalid_token",
          error_description: "no",
        }, { status: 401 }))
      ).request("get", "/me?a=b#c"),
  ],
  [
    `Cannot get a response to DELETE ${SITE}/me: refused`,
    ConnectionError,
    () =>
      answering(() => Promise.reject(new Error("refused"))).request(
        "delete",
        "/me",
      ),
  ],
  [
    'Cannot use the provider "Okta": the variable "domain" is "a/b", not a host or a segment of a path',
    TypeError,
    () => providerOptions(PROVIDERS.okta, { domain: "a/b" }),
  ],
  [
    "Cannot create the client: id and secret must be text",
    TypeError,
    () => new Client({ clientId: "abc" } as unknown as string),
  ],
];

for (const [message, type, call] of MESSAGES) {
  Deno.test(`a message is "${message}"`, async () => {
    const error = await assertRejects(async () => await call(), type);
    assertEquals(error.message, message);
  });
}

Deno.test("a message shows no secret in the path of a request", async () => {
  const client = answering(() =>
    Promise.resolve(new Response(null, { status: 500 }))
  );
  const error = await assertRejects(
    () =>
      client.request("get", "/bot/hush-hush?a#b", { secrets: ["hush-hush"] }),
    OAuth2Error,
  );
  assertEquals(error.message, `Got status 500 (GET ${SITE}/bot/[FILTERED])`);
  assertThrows(() => client.authorizeUrl({ client_secret: "a" }), TypeError);
});
