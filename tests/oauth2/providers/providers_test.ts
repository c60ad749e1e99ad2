import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { jwtVerify } from "jose";
import { Client, discover, OAuth2Error } from "../../../oauth2/mod.ts";
import {
  appleClientSecret,
  profileUrl,
  type Provider,
  providerOptions,
  PROVIDERS,
} from "../../../oauth2/providers/mod.ts";
import { SignIn, ValidationError } from "../../../oauth2/sign_in/mod.ts";
import { NOW } from "../_client.ts";
import { fakeFetch, type Fields } from "../_fake_fetch.ts";
import { generateEs256 } from "../_jwt.ts";
import { issueJwt, publicJwk } from "../_openid_provider.ts";
import exchanges from "./exchanges.json" with { type: "json" };

/**
 * Token request and its response, in the form that the documentation of the
 * provider shows, with invented values.
 */
interface Vector {
  readonly title: string;
  readonly variables?: Record<string, string>;
  readonly request: {
    readonly url?: string;
    readonly headers?: Record<string, string>;
    readonly form: Fields;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body?: unknown;
    readonly text?: string;
  };
  readonly token?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly description?: string };
}

const VECTORS = exchanges as unknown as Record<string, Vector[]>;
const providers: Record<string, Provider> = PROVIDERS;
/** Values of variables that have no default. */
const VALUES: Record<string, Record<string, string>> = {
  auth0: { domain: "tenant.auth0.example" },
  cognito: { domain: "pool.example" },
  keycloak: { site: "https://id.example/realms/main" },
  okta: { domain: "dev-1.okta.example" },
};

Deno.test("PROVIDERS: each has a vector", () => {
  assertEquals(Object.keys(VECTORS).sort(), Object.keys(PROVIDERS).sort());
});

for (const [name, vectors] of Object.entries(VECTORS)) {
  for (const { title, variables, request, response, ...expected } of vectors) {
    Deno.test(`PROVIDERS.${name}: ${title}`, async () => {
      const { url, headers = {}, form } = request;
      const { body, text = JSON.stringify(body), ...answer } = response;
      const fetch = fakeFetch([{
        expect: {
          method: "POST",
          ...url !== undefined && { url },
          headers: { authorization: null, ...headers },
          body: { form },
        },
        respond: { ...answer, body: text },
      }]);
      const client = new Client("abc", "hush-hush", {
        ...providerOptions(providers[name]!, {
          ...VALUES[name],
          ...variables,
        }, { fetch, clock: () => NOW * 1000 }),
        redirectUri: "https://app.example/callback",
      });
      const call = client.authCode.getToken("4f2a");
      if (expected.error) {
        const { code, description } = await assertRejects(
          () => call,
          OAuth2Error,
        );
        assertEquals({ code, description }, {
          description: undefined,
          ...expected.error,
        });
      } else {
        const { token, expiresIn, refreshToken, params: { scope } } =
          await call;
        assertEquals({ token, expiresIn, refreshToken, scope }, {
          expiresIn: undefined,
          refreshToken: undefined,
          scope: undefined,
          ...expected.token,
        });
      }
      fetch.assertDone();
    });
  }
}

Deno.test("PROVIDERS.twitch: a token is revoked with the client in the body", async () => {
  const fetch = fakeFetch([{
    expect: {
      method: "POST",
      url: "https://id.twitch.tv/oauth2/revoke",
      headers: { authorization: null },
      body: {
        form: {
          token: "2YotnFZFEjr1zCsicMWpAA",
          client_id: "abc",
          client_secret: "hush-hush",
        },
      },
    },
    respond: { status: 200, body: "" },
  }]);
  const client = new Client(
    "abc",
    "hush-hush",
    providerOptions(providers.twitch!, {}, { fetch }),
  );
  const { status } = await client.revokeToken("2YotnFZFEjr1zCsicMWpAA");
  assertEquals(status, 200);
  fetch.assertDone();
});

for (const [name, provider] of Object.entries(providers)) {
  Deno.test(`PROVIDERS.${name} has sources and https endpoints`, () => {
    assert(provider.sources.length > 0);
    const options = providerOptions(provider, VALUES[name] ?? {});
    const client = new Client("abc", "secret", options);
    const urls = [client.tokenUrl(), client.authorizeUrl({ scope: "a" })];
    if (provider.profileUrl !== null) {
      urls.push(profileUrl(provider, VALUES[name] ?? {}));
    }
    if (provider.revokeUrl !== null) urls.push(client.revokeUrl());
    for (const url of [...urls, ...provider.sources]) {
      assertEquals(new URL(url).protocol, "https:", url);
    }
  });
}

for (
  const [name, url] of [
    ["tikTok", "client_key=abc&response_type=code&scope=a%2Cb"],
    ["slackUser", "client_id=abc&response_type=code&user_scope=a%2Cb"],
    ["strava", "client_id=abc&response_type=code&scope=a%2Cb"],
    ["github", "client_id=abc&response_type=code&scope=a%20b"],
  ] as const
) {
  Deno.test(`authorizeUrl of PROVIDERS.${name}`, () => {
    const { authorizeUrl } = providers[name]!;
    const client = new Client("abc", "s", providerOptions(providers[name]!));
    assertEquals(
      client.authCode.authorizeUrl({ scope: ["a", "b"] }),
      `${authorizeUrl}?${url}`,
    );
  });
}

for (
  const [name, variables] of [
    ["okta", {}],
    ["okta", { domain: "" }],
    ["okta", { domain: "a.example/../.." }],
    ["okta", { domain: "user@a.example" }],
    ["okta", { domain: "a.example?b" }],
    ["okta", { domain: "a.example", server: ".." }],
    ["okta", { domain: "a.example", server: "a/b" }],
    ["gitlab", { site: "git.example" }],
    ["gitlab", { site: "https://git.example?a" }],
    ["gitlab", { site: "https://user@git.example" }],
    ["gitlab", { site: "javascript://a" }],
    ["gitlab", { sites: "https://git.example" }],
    ["github", { domain: "a.example" }],
  ] as [string, Record<string, string>][]
) {
  Deno.test(`providerOptions of ${name} refuses ${JSON.stringify(variables)}`, () => {
    assertThrows(
      () => providerOptions(providers[name]!, variables),
      TypeError,
      "Cannot use ",
    );
  });
}

for (const name of ["apple", "bling"] as const) {
  Deno.test(`profileUrl refuses ${name}, whose profile is unknown`, () => {
    assertThrows(() => profileUrl(PROVIDERS[name]), TypeError, "unknown");
  });
}

for (
  const [title, options] of [
    [
      "options after it",
      { ...providerOptions(PROVIDERS.slack), redirectUri: "https://a.example" },
    ],
    [
      "a fetch after it",
      { ...providerOptions(PROVIDERS.tikTok), fetch: undefined },
    ],
  ] as const
) {
  Deno.test(`SignIn takes the quirks from its client, with ${title}`, async () => {
    const forms: Record<string, string>[] = [];
    const client = new Client("abc", "hush-hush", {
      ...options,
      fetch: (_, init) => {
        const form = new URLSearchParams(String(init.body));
        forms.push(Object.fromEntries(form));
        return Promise.resolve(Response.json({ access_token: "m" }));
      },
    });
    const signIn = new SignIn(client);
    const flow = await signIn.start({
      redirect_uri: "https://app.example/callback",
      scope: ["a", "b"],
    });
    const { searchParams } = new URL(flow.url);
    assertEquals(searchParams.get("scope"), "a,b");
    const state = searchParams.get("state");
    await signIn.callback(`/callback?code=4f2a&state=${state}`, flow);
    const isTikTok = searchParams.has("client_key");
    assertEquals(title === "a fetch after it", isTikTok);
    if (isTikTok) assertEquals(forms[0]?.client_key, "abc");
  });
}

Deno.test("providerOptions: other options override those of the provider", () => {
  const client = new Client(
    "abc",
    "s",
    providerOptions(PROVIDERS.github, {}, { tokenUrl: "https://a.example/t" }),
  );
  assertEquals(client.tokenUrl(), "https://a.example/t");
});

Deno.test("PROVIDERS: an issuer that is not a template is the argument of discover", async () => {
  const issuer = PROVIDERS.google.issuer;
  const found = await discover(issuer, {
    fetch: () =>
      Promise.resolve(Response.json({
        issuer,
        token_endpoint: PROVIDERS.google.tokenUrl,
      })),
  });
  assertEquals(found.issuer, issuer);
});

const TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";

for (
  const [name, iss, isAccepted] of [
    ["its tenant", `https://login.microsoftonline.com/${TENANT}/v2.0`, true],
    ["another tenant", "https://login.microsoftonline.com/other/v2.0", false],
    ["common", "https://login.microsoftonline.com/common/v2.0", false],
  ] as const
) {
  Deno.test(`PROVIDERS.microsoft: a sign-in with the issuer of ${name}`, async () => {
    let nonce: string | null = null;
    const provider = PROVIDERS.microsoft;
    const client = new Client("abc", "hush-hush", {
      ...providerOptions(provider, {}, {
        clock: () => NOW * 1000,
        fetch: async (url) =>
          Response.json(
            url.endsWith("/common/discovery/v2.0/keys")
              ? { keys: [await publicJwk("rs256")] }
              : {
                access_token: "m",
                token_type: "Bearer",
                id_token: await issueJwt({
                  iss,
                  tid: TENANT,
                  sub: "ana",
                  aud: "abc",
                  iat: NOW,
                  exp: NOW + 60,
                  nonce,
                }),
              },
          ),
      }),
      redirectUri: "https://app.example/callback",
    });
    const signIn = new SignIn(client);
    const flow = await signIn.start({ scope: "openid" });
    const { searchParams } = new URL(flow.url);
    nonce = searchParams.get("nonce");
    const state = searchParams.get("state");
    const call = signIn.callback(`?code=4f2a&state=${state}`, flow);
    if (isAccepted) assertEquals((await call).claims.tid, TENANT);
    else {
      const { code } = await assertRejects(() => call, ValidationError);
      assertEquals(code, "invalid_iss");
    }
  });
}

for (const host of ["sso.acesso.gov.br", "sso.staging.acesso.gov.br"]) {
  Deno.test(`PROVIDERS.govBr: a sign-in with the issuer and the keys of ${host}`, async () => {
    let nonce: string | null = null;
    const client = new Client("abc", "hush-hush", {
      ...providerOptions(PROVIDERS.govBr, { host }, {
        clock: () => NOW * 1000,
        fetch: async (url) =>
          Response.json(
            url === `https://${host}/jwk`
              ? { keys: [await publicJwk("rs256")] }
              : {
                access_token: "m",
                token_type: "Bearer",
                id_token: await issueJwt({
                  iss: `https://${host}/`,
                  sub: "12345678909",
                  aud: "abc",
                  iat: NOW,
                  exp: NOW + 60,
                  nonce,
                }),
              },
          ),
      }),
      redirectUri: "https://app.example/callback",
    });
    const signIn = new SignIn(client);
    const flow = await signIn.start({ scope: "openid" });
    const { searchParams } = new URL(flow.url);
    nonce = searchParams.get("nonce");
    const state = searchParams.get("state");
    const { claims } = await signIn.callback(`?code=4f2a&state=${state}`, flow);
    assertEquals(claims.iss, `https://${host}/`);
  });
}

const ACCOUNT = { clientId: "com.example.app", teamId: "T1", keyId: "K1" };

Deno.test("appleClientSecret signs the claims with ES256", async () => {
  const { privateKey: key, publicKey } = await generateEs256(true);
  const secret = await appleClientSecret({ ...ACCOUNT, key }, NOW * 1000);
  const { payload, protectedHeader } = await jwtVerify(secret, publicKey, {
    currentDate: new Date(NOW * 1000),
  });
  assertEquals(protectedHeader, { alg: "ES256", kid: "K1" });
  assertEquals(payload, {
    iss: "T1",
    iat: NOW,
    exp: NOW + 3600,
    aud: "https://appleid.apple.com",
    sub: "com.example.app",
  });
});

for (
  const change of [
    { clientId: "" },
    { teamId: "" },
    { keyId: "" },
    { key: "" },
    { key: "-----BEGIN PRIVATE KEY-----" },
    { lifetime: 0 },
    { lifetime: 15_777_001 },
  ]
) {
  Deno.test(`appleClientSecret refuses ${JSON.stringify(change)}`, async () => {
    const { privateKey: key } = await generateEs256();
    await assertRejects(
      () => appleClientSecret({ ...ACCOUNT, key, ...change }),
      TypeError,
      "Cannot sign",
    );
  });
}
