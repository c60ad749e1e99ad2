/** Origins of `client.post` with allowedOrigins. */
import { assert, assertRejects, assertThrows } from "@std/assert";
import type { ClientOptions } from "../../../oauth2/mod.ts";
import { clientTest, createClient, type Setting, SITE } from "../_client.ts";
import { json, onToken } from "../_exchanges.ts";

const OTHER = "https://other.example";
const allowedOrigins = ["https://resource.example"];

/** Targets of `post` with the URLs of the requests. */
const TARGETS: readonly (readonly [
  source: string,
  target: string,
  url: string,
  options: Setting,
])[] = [
  ["allowedOrigins", "https://resource.example/a", "", {}],
  ["site", "introspect", `${SITE}/introspect`, {}],
  ["site", `${SITE}/introspect`, "", {}],
  ["site, with empty allowedOrigins", "introspect", `${SITE}/introspect`, {
    allowedOrigins: [],
  }],
  ["tokenUrl", `${OTHER}/introspect`, "", { tokenUrl: `${OTHER}/token` }],
  ["a tokenUrl object", `${OTHER}/introspect`, "", {
    tokenUrl: new URL(`${OTHER}/token`),
  }],
  ["revokeUrl", `${OTHER}/introspect`, "", { revokeUrl: `${OTHER}/revoke` }],
  ["authorizeUrl", `${OTHER}/par`, "", { authorizeUrl: `${OTHER}/auth` }],
  ["the metadata", `${OTHER}/introspect`, "", {
    metadata: { issuer: SITE, introspection_endpoint: `${OTHER}/introspect` },
  }],
  ["the metadata, to another endpoint", `${OTHER}/par`, "", {
    metadata: { issuer: SITE, introspection_endpoint: `${OTHER}/introspect` },
  }],
  ["an alias of the metadata", `${SITE}/introspect`, `${OTHER}/introspect`, {
    authScheme: "tls_client_auth",
    metadata: {
      issuer: SITE,
      introspection_endpoint: `${SITE}/introspect`,
      mtls_endpoint_aliases: { introspection_endpoint: `${OTHER}/introspect` },
    },
  }],
  [
    "site, with all endpoints elsewhere",
    "introspect",
    `${SITE}/introspect`,
    {
      tokenUrl: `${OTHER}/token`,
      authorizeUrl: `${OTHER}/auth`,
      revokeUrl: `${OTHER}/revoke`,
    },
  ],
  ["tokenUrl, with other endpoints null", `${OTHER}/introspect`, "", {
    tokenUrl: `${OTHER}/token`,
    authorizeUrl: null,
    revokeUrl: null,
  }],
];
for (const [source, target, url, options] of TARGETS) {
  clientTest(
    `post with allowedOrigins sends to ${target}, an origin of ${source}`,
    [onToken(json({}), { url: url || target })],
    ({ client }) => client.post(target, { token: "monkey" }),
    { allowedOrigins, ...options },
  );
}

for (const target of [`${OTHER}/introspect`, new URL(`${OTHER}/introspect`)]) {
  clientTest(
    `post without allowedOrigins sends to any origin, given as ${typeof target}`,
    [onToken(json({}), { url: `${OTHER}/introspect` })],
    ({ client }) => client.post(target, { token: "monkey" }),
  );
}

clientTest(
  "post with allowedOrigins sends to a site that is set later",
  [onToken(json({}), { url: `${OTHER}/introspect` })],
  async ({ client }) => {
    client.site = OTHER;
    await client.post("introspect");
  },
  { allowedOrigins },
);

const REFUSED: Readonly<Record<string, Setting>> = {
  [`${OTHER}/introspect`]: {},
  [`${SITE}.attacker.example/introspect`]: {},
  [`${SITE}:8443/introspect`]: {},
  "https://www.resource.example/": {},
  [`${OTHER}/userinfo`]: {
    metadata: { issuer: SITE, introspection_endpoint: `${SITE}/introspect` },
    tokenUrl: `${SITE}/token`,
    revokeUrl: null,
  },
  "https://docs.example/introspect": {
    metadata: {
      issuer: SITE,
      token_endpoint: `${SITE}/token`,
      service_documentation: "https://docs.example/",
      op_policy_uri: "https://docs.example/policy",
    },
  },
};
for (const [target, options] of Object.entries(REFUSED)) {
  clientTest(
    `post with allowedOrigins refuses ${target} and sends nothing`,
    [],
    async ({ client }) => {
      for (
        const endpoint of [`${target}?a=monkey123`, new URL(target)]
      ) {
        const { message } = await assertRejects(
          () => client.post(endpoint, { token: "monkey123" }),
          TypeError,
        ) as Error;
        assert(message.includes(new URL(target).origin), message);
        assert(!message.includes("monkey123"), message);
      }
    },
    { allowedOrigins, ...options },
  );
}

for (const origin of ["api.example", "localhost:8080", "/api", "*", ""]) {
  Deno.test(`Client refuses the allowed origin "${origin}"`, () => {
    for (const origins of [[origin], [SITE, origin]]) {
      const options: ClientOptions = { site: SITE, allowedOrigins: origins };
      const { message } = assertThrows(
        () => createClient(options),
        TypeError,
      ) as Error;
      assert(message.startsWith("Cannot use "), message);
      assert(message.includes(`"${origin}"`), message);
    }
  });
}
