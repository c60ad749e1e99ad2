/** Endpoints of a discovered server: missing ones, and aliases for mutual TLS. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type Client,
  type ClientOptions,
  discover,
  type OAuth2Response,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { createClient } from "../_client.ts";
import { json } from "../_exchanges.ts";
import { type FakeFetch, fakeFetch } from "../_fake_fetch.ts";
import { ISSUER } from "../_metadata.ts";

const NO_AUTHORIZATION =
  "Cannot use the authorization endpoint: the server has none";
const NO_REVOCATION = "Cannot use the revocation endpoint: the server has none";

/** Creates a client from discovered metadata. */
async function discovered(
  document: Record<string, unknown>,
  options: ClientOptions = {},
  answers = 0,
): Promise<{ client: Client; fetch: FakeFetch }> {
  const metadata = {
    issuer: ISSUER,
    token_endpoint: `${ISSUER}/token`,
    ...document,
  };
  const found = await discover(ISSUER, {
    fetch: fakeFetch([{ respond: json(metadata) }]),
  });
  const fetch = fakeFetch(
    Array.from({ length: answers }, () => ({
      respond: json({ access_token: "ape", active: true }),
    })),
  );
  const client = createClient({ ...found, fetch, ...options });
  return { client, fetch };
}

Deno.test("authorizeUrl throws if the server has no authorization endpoint", async () => {
  const { client } = await discovered({});
  for (
    const call of [
      () => client.authorizeUrl(),
      () => client.authorizeUrl({ a: "b" }),
      () => client.authCode.authorizeUrl(),
      () => client.implicit.authorizeUrl(),
    ]
  ) assertThrows(call, TypeError, NO_AUTHORIZATION);
});

Deno.test("revokeToken throws if the server has no revocation endpoint, and sends nothing", async () => {
  const { client, fetch } = await discovered({});
  assertThrows(() => client.revokeUrl(), TypeError, NO_REVOCATION);
  for (
    const call of [
      () => client.revokeToken("m"),
      () => client.revokeToken("m", "refresh_token", { raiseErrors: false }),
      () => tokenOf(client).revoke(),
      () => tokenOf(client).revoke({ token_type_hint: "refresh_token" }),
    ]
  ) await assertRejects<unknown, TypeError>(call, TypeError, NO_REVOCATION);
  assertEquals(fetch.requests, []);
});

Deno.test("Client uses the endpoints of the metadata", async () => {
  const { client, fetch } = await discovered(
    {
      authorization_endpoint: "https://login.example/auth?a=1",
      revocation_endpoint: "https://revoke.example/",
    },
    {},
    1,
  );
  const url = new URL(client.authorizeUrl({ scope: "read" }));
  assertEquals([url.origin, url.searchParams.get("a")], [
    "https://login.example",
    "1",
  ]);
  await client.revokeToken("m");
  assertEquals(fetch.requests[0]!.url.href, "https://revoke.example/");
});

Deno.test("revokeUrl overrides the metadata", async () => {
  const { client, fetch } = await discovered({}, { revokeUrl: "mine" }, 1);
  await client.revokeToken("m");
  assertEquals(fetch.requests[0]!.url.href, `${ISSUER}/mine`);
});

Deno.test("Client has default endpoints without metadata", () => {
  const client = createClient({ site: "https://x.example" });
  assertEquals(
    [client.authorizeUrl(), client.tokenUrl(), client.revokeUrl()],
    ["authorize", "token", "revoke"]
      .map((name) => `https://x.example/oauth/${name}`),
  );
});

const DOCUMENT = {
  authorization_endpoint: `${ISSUER}/auth`,
  revocation_endpoint: `${ISSUER}/revoke`,
  mtls_endpoint_aliases: {
    token_endpoint: "https://mtls.x.example/main/token",
    revocation_endpoint: "https://mtls.x.example/main/revoke",
    device_authorization_endpoint: "https://mtls.x.example/main/device",
  },
};
const ALIASES = DOCUMENT.mtls_endpoint_aliases;

/** Sends requests to the token and the revocation endpoint. */
const sendBoth = (client: Client): Promise<(OAuth2Response | unknown)[]> =>
  Promise.all([client.getToken(), client.revokeToken("m")]);
const urlsOf = ({ requests }: FakeFetch) => requests.map(({ url }) => url.href);

for (
  const [method, supported, options, expected] of [
    [
      "discovered tls_client_auth",
      ["tls_client_auth"],
      {},
      [ALIASES.token_endpoint, ALIASES.revocation_endpoint],
    ],
    [
      "discovered self_signed_tls_client_auth",
      ["self_signed_tls_client_auth"],
      {},
      [ALIASES.token_endpoint, ALIASES.revocation_endpoint],
    ],
    [
      "tls_client_auth as an option",
      ["client_secret_basic", "tls_client_auth"],
      { authScheme: "tls_client_auth" },
      [ALIASES.token_endpoint, ALIASES.revocation_endpoint],
    ],
    [
      "basic_auth",
      ["client_secret_basic", "tls_client_auth"],
      {},
      [`${ISSUER}/token`, `${ISSUER}/revoke`],
    ],
    [
      "request_body as an option",
      ["tls_client_auth"],
      { authScheme: "request_body" },
      [`${ISSUER}/token`, `${ISSUER}/revoke`],
    ],
    [
      "tls_client_auth and a tokenUrl",
      ["tls_client_auth"],
      { tokenUrl: "https://mine.example/token" },
      ["https://mine.example/token", ALIASES.revocation_endpoint],
    ],
  ] as [string, string[], ClientOptions, string[]][]
) {
  Deno.test(`calls with ${method} use ${expected.join(" and ")}`, async () => {
    const { client, fetch } = await discovered(
      { ...DOCUMENT, token_endpoint_auth_methods_supported: supported },
      options,
      2,
    );
    await sendBoth(client);
    assertEquals(urlsOf(fetch).sort(), [...expected].sort());
    assertEquals(client.tokenUrl(), expected[0]);
  });
}

for (
  const [metadata, aliases] of [
    ["no aliases", undefined],
    ["null as aliases", null],
    ["aliases of no endpoint", {}],
  ] as const
) {
  Deno.test(`calls with tls_client_auth and ${metadata} use the endpoints of the metadata`, async () => {
    const { client, fetch } = await discovered(
      { ...DOCUMENT, mtls_endpoint_aliases: aliases },
      { authScheme: "tls_client_auth" },
      2,
    );
    await sendBoth(client);
    assertEquals(urlsOf(fetch).sort(), [
      `${ISSUER}/revoke`,
      `${ISSUER}/token`,
    ]);
  });
}
