/** Misspelled names of options and parameters. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  AccessToken,
  type CallParams,
  Client,
  type ClientOptions,
  type RequestOptions,
  type TokenHash,
  type TokenOptions,
} from "../../../oauth2/mod.ts";
import { ENDPOINT_CALLS, tokenOf } from "../_calls.ts";
import { clientTest, createClient } from "../_client.ts";

for (
  const [options, nearest] of [
    [{ authorizationEndpoint: "x" }, "authorizeUrl"],
    [{ authorization_endpoint: "x" }, "authorizeUrl"],
    [{ tokenEndpoint: "x" }, "tokenUrl"],
    [{ tokenUri: "x" }, "tokenUrl"],
    [{ revocationEndpoint: "x" }, "revokeUrl"],
    [{ redirectURL: "x" }, "redirectUri"],
    [{ toknUrl: "x" }, "tokenUrl"],
    [{ allowHttp: "x" }, "allowInsecure"],
    [{ connectionOpts: { timeoutMs: 1 } }, "timeout"],
    [{ config: { filteredLabels: "x" } }, "filteredLabel"],
  ] as const
) {
  const name = JSON.stringify(options);
  Deno.test(`Client refuses the unknown option ${name} and names ${nearest}`, () => {
    assertThrows(
      () => createClient(options as unknown as ClientOptions),
      TypeError,
      `there is no such option; the nearest is "${nearest}"`,
    );
  });
}

for (const name of ["xyz", "", "_", "__proto__", "0"]) {
  Deno.test(`Client refuses the option "${name}" without a proposal`, () => {
    const options = Object.fromEntries([[name, 1]]) as ClientOptions;
    const error = assertThrows(() => createClient(options), TypeError);
    assertEquals(
      error.message,
      `Cannot use "${name}": there is no such option`,
    );
  });
}

const message = (wrong: string, right: string) =>
  `Cannot use "${wrong}": it is spelled "${right}"`;

for (
  const right of [
    "raiseErrors",
    "tokenMethod",
    "tokenUrl",
    "authorizeUrl",
    "revokeUrl",
    "redirectUri",
    "authScheme",
    "basicAuthEncoding",
    "assertionKey",
    "tokenTypes",
    "extractAccessToken",
    "accessTokenClass",
    "maxRedirects",
    "allowCrossOriginRedirects",
    "allowedOrigins",
    "allowInsecure",
    "connectionOpts",
  ]
) {
  const wrong = right.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  Deno.test(`Client refuses the option ${wrong} and names ${right}`, () => {
    const options = { [wrong]: "x" } as ClientOptions;
    assertThrows(() => createClient(options), TypeError, message(wrong, right));
  });
}

for (
  const [title, args, message] of [
    ["an object as id", [{ clientId: "abc" }], "id and secret must be text"],
    ["a number as id", [1], "id and secret must be text"],
    ["options as secret", ["abc", { site: "x" }], "id and secret must be text"],
    ["null as options", ["abc", "hush", null], "they must be an object"],
    ["text as options", ["abc", "hush", "site"], "they must be an object"],
    [
      "a list as options",
      ["abc", "hush", ["site"]],
      'Cannot use "0": there is no such option',
    ],
    [
      "a Promise as options",
      ["abc", "hush", Promise.resolve({})],
      "they must be an object; await a Promise first",
    ],
    [
      "the quirks of a server",
      ["abc", "hush", { quirks: {} }],
      "there is no such option",
    ],
  ] as const
) {
  Deno.test(`Client refuses ${title}`, () => {
    const Constructor = Client as unknown as new (...args: unknown[]) => Client;
    assertThrows(() => new Constructor(...args), TypeError, message);
  });
}

/** Calls that build a URL of the authorization endpoint. */
const URL_CALLS: Readonly<
  Record<string, (client: Client, params: CallParams) => string>
> = {
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

for (
  const [name, call] of Object.entries({ ...ENDPOINT_CALLS, ...URL_CALLS })
) {
  const isUrl = name in URL_CALLS;
  const misspelled = isUrl
    ? MISSPELLED_PARAMS
    : [...MISSPELLED_PARAMS, ...MISSPELLED_OPTIONS];
  clientTest(
    `${name} refuses misspelled names and sends nothing`,
    [],
    async ({ client }) => {
      for (const [wrong, right] of misspelled) {
        const params = { [wrong]: "x" } as CallParams;
        // Some calls throw, others reject.
        await assertRejects(
          async () => await call(client, params),
          TypeError,
          message(wrong, right),
        );
      }
    },
  );
}

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
    `request refuses the option ${wrong} and sends nothing`,
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
    `calls refuse the token option ${wrong} and send nothing`,
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
  "fromHash reads options of its hash in both spellings",
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
