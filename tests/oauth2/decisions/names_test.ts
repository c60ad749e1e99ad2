/** Names that differ from known ones in letter case or underscores alone: refused, with the right name. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  AccessToken,
  type CallParams,
  Client,
  type ClientOptions,
  type RequestOptions,
  type TokenHash,
  type TokenOptions,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import { CLAIMS, clientTest, JWT_KEY, sentForm, visited } from "../testing.ts";

const message = (wrong: string, right: string) =>
  `Cannot use "${wrong}": it is spelled "${right}"`;

for (
  const [wrong, right] of [
    ["raise_errors", "raiseErrors"],
    ["raiseerrors", "raiseErrors"],
    ["RaiseErrors", "raiseErrors"],
    ["token_method", "tokenMethod"],
    ["token_url", "tokenUrl"],
    ["tokenURL", "tokenUrl"],
    ["authorize_url", "authorizeUrl"],
    ["revoke_url", "revokeUrl"],
    ["Site", "site"],
    ["redirect_uri", "redirectUri"],
    ["redirectURI", "redirectUri"],
    ["auth_scheme", "authScheme"],
    ["basic_auth_encoding", "basicAuthEncoding"],
    ["assertion_key", "assertionKey"],
    ["token_types", "tokenTypes"],
    ["extract_access_token", "extractAccessToken"],
    ["access_token_class", "accessTokenClass"],
    ["max_redirects", "maxRedirects"],
    ["allow_cross_origin_redirects", "allowCrossOriginRedirects"],
    ["allowed_origins", "allowedOrigins"],
    ["allowedorigins", "allowedOrigins"],
    ["allow_insecure", "allowInsecure"],
    ["connection_opts", "connectionOpts"],
    ["Snaky", "snaky"],
  ] as const
) {
  Deno.test(`a client is not made with the option ${wrong}`, () => {
    const options = { [wrong]: "x" } as ClientOptions;
    assertThrows(
      () => new Client("abc", "hush-hush", options),
      TypeError,
      message(wrong, right),
    );
  });
}

Deno.test("a client is made with options that are no known ones at all", () => {
  const options = { hostname: "x", urls: 1, tokenUri: "x" } as ClientOptions;
  new Client("abc", "hush-hush", options);
});

/** Calls with parameters that go over the wire, and options among them. */
const PARAM_CALLS: Readonly<
  Record<string, (client: Client, params: CallParams) => unknown>
> = {
  getToken: (client, params) => client.getToken(params),
  "authCode.getToken": (client, params) =>
    client.authCode.getToken("sushi", params),
  "password.getToken": (client, params) =>
    client.password.getToken("ana", "hunter2", params),
  "clientCredentials.getToken": (client, params) =>
    client.clientCredentials.getToken(params),
  "assertion.getToken": (client, params) =>
    client.assertion.getToken(CLAIMS, JWT_KEY, params),
  revokeToken: (client, params) => client.revokeToken("m", undefined, params),
  "token.refresh": (client, params) => tokenOf(client).refresh(params),
  "token.revoke": (client, params) => tokenOf(client).revoke(params),
};
const URL_CALLS: typeof PARAM_CALLS = {
  authorizeUrl: (client, params) => client.authorizeUrl(params),
  "authCode.authorizeUrl": (client, params) =>
    client.authCode.authorizeUrl(params),
  "implicit.authorizeUrl": (client, params) =>
    client.implicit.authorizeUrl(params),
};
const MISSPELLED_PARAMS = [
  ["codeChallenge", "code_challenge"],
  ["codeChallengeMethod", "code_challenge_method"],
  ["redirectUri", "redirect_uri"],
  ["redirectURI", "redirect_uri"],
  ["Scope", "scope"],
  ["STATE", "state"],
  ["responseType", "response_type"],
  ["clientId", "client_id"],
  ["loginHint", "login_hint"],
] as const;
const MISSPELLED_OPTIONS = [
  ["raise_errors", "raiseErrors"],
  ["token_method", "tokenMethod"],
  ["snaky_hash_class", "snakyHashClass"],
  ["Headers", "headers"],
  ["TimeOut", "timeout"],
] as const;
for (const [name, call] of Object.entries({ ...PARAM_CALLS, ...URL_CALLS })) {
  const isUrl = name in URL_CALLS;
  const misspelled = isUrl
    ? MISSPELLED_PARAMS
    : [...MISSPELLED_PARAMS, ...MISSPELLED_OPTIONS];
  clientTest(
    `${name} refuses misspelled names, and sends nothing`,
    [],
    async ({ client }) => {
      for (const [wrong, right] of misspelled) {
        const params = { [wrong]: "x" } as CallParams;
        // It may throw at once or reject.
        await assertRejects(
          async () => await call(client, params),
          TypeError,
          message(wrong, right),
        );
      }
    },
  );
}

clientTest(
  "getToken refuses codeVerifier and the like, and does not show their values",
  [],
  async ({ client }) => {
    for (
      const [wrong, right] of [
        ["codeVerifier", "code_verifier"],
        ["refreshToken", "refresh_token"],
        ["clientSecret", "client_secret"],
        ["grantType", "grant_type"],
        ["ClientAssertion", "client_assertion"],
      ] as const
    ) {
      const error = await assertRejects(
        () => client.getToken({ [wrong]: "monkey123" } as CallParams),
        TypeError,
        message(wrong, right),
      ) as Error;
      assert(!error.message.includes("monkey123"), error.message);
    }
  },
);

clientTest(
  "getToken sends any name that is no known one",
  [sentForm({ my_own: "1", MyOwn: "2", "x-y": "3", audience: "4" })],
  ({ client }) =>
    client.getToken({ my_own: "1", MyOwn: "2", "x-y": "3", audience: "4" }),
);

clientTest(
  "authorizeUrl takes any name that is no known one",
  [],
  ({ client }) => {
    const url = client.authorizeUrl({ MyOwn: "1", access_type: "offline" });
    const { searchParams } = new URL(url);
    assertEquals(Object.fromEntries(searchParams), {
      MyOwn: "1",
      access_type: "offline",
    });
  },
);

for (
  const [wrong, right] of [
    ["raise_errors", "raiseErrors"],
    ["Params", "params"],
    ["Body", "body"],
    ["max_body_bytes", "maxBodyBytes"],
    ["allow_cross_origin_redirects", "allowCrossOriginRedirects"],
    ["snaky_hash_class", "snakyHashClass"],
  ] as const
) {
  clientTest(
    `a request with the option ${wrong} is refused, and nothing is sent`,
    [],
    async ({ client }) => {
      const options = { [wrong]: "x" } as RequestOptions;
      for (
        const call of [
          () => client.request("get", "/from", options),
          () => tokenOf(client).get("/from", options),
          () => tokenOf(client).request("post", "/from", options),
        ]
      ) {
        await assertRejects<unknown, TypeError>(
          call,
          TypeError,
          message(wrong, right),
        );
      }
    },
  );
}

clientTest(
  "a request sends parameters and fields of a resource as they are spelled",
  [visited({ status: 204 }, {
    method: "POST",
    query: { redirectUri: "1", Scope: "2" },
    body: { form: { codeVerifier: "3" } },
  })],
  ({ client }) =>
    client.request("post", "/from", {
      params: { redirectUri: "1", Scope: "2" },
      body: { codeVerifier: "3" },
    }),
);

for (
  const [wrong, right] of [
    ["expires_latency", "expiresLatency"],
    ["token_name", "tokenName"],
    ["header_format", "headerFormat"],
    ["param_name", "paramName"],
    ["Mode", "mode"],
  ] as const
) {
  clientTest(
    `token options with ${wrong} are refused, and nothing is sent`,
    [],
    async ({ client }) => {
      const options = { [wrong]: "x" } as TokenOptions & TokenHash;
      const hash = { access_token: "monkey" };
      for (
        const call of [
          () => client.getToken({}, options),
          () => client.authCode.getToken("sushi", {}, options),
          () => tokenOf(client).refresh({}, options),
          () => AccessToken.fromHash(client, hash, options),
          () => AccessToken.fromKvform(client, "access_token=m", options),
          () => new AccessToken(client, "monkey", {}, options),
        ]
      ) {
        await assertRejects(
          async () => await call(),
          TypeError,
          message(wrong, right),
        );
      }
    },
  );
}

clientTest(
  "fromHash takes options in both spellings in its hash",
  [],
  ({ client }) => {
    for (
      const hash of [
        { access_token: "m", param_name: "p", expires_latency: 5 },
        { access_token: "m", paramName: "p", expiresLatency: 5 },
      ]
    ) {
      const { options, expiresLatency } = AccessToken.fromHash(client, hash);
      assertEquals([options.paramName, expiresLatency], ["p", 5]);
    }
  },
);
