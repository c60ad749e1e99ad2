/** Unknown options of every public constructor and function, in JavaScript. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { BackchannelLogin } from "../../oauth2/grants/ciba.ts";
import { DeviceLogin } from "../../oauth2/grants/device.ts";
import { discover } from "../../oauth2/server/discover.ts";
import { dpopFetch, DpopKey, withDpop } from "../../oauth2/dpop/mod.ts";
import { introspect } from "../../oauth2/server/introspection.ts";
import { JarmValidator } from "../../oauth2/server/jarm.ts";
import { jwtBearerToken } from "../../oauth2/grants/jwt_bearer.ts";
import { TokenManager } from "../../oauth2/manager/mod.ts";
import { connectMcp } from "../../oauth2/mcp/mcp.ts";
import { AccessToken, Client, configure } from "../../oauth2/mod.ts";
import {
  BackChannelLogout,
  endSessionUrl,
  fetchUserInfo,
  IdTokenValidator,
  Jwks,
} from "../../oauth2/oidc/mod.ts";
import { pushAuthorization } from "../../oauth2/server/par.ts";
import { discoverResource } from "../../oauth2/verify/protected_resource.ts";
import {
  appleClientSecret,
  profileUrl,
  providerOptions,
  PROVIDERS,
} from "../../oauth2/providers/mod.ts";
import { withQuirks } from "../../oauth2/providers/quirks.ts";
import { register, Registration } from "../../oauth2/server/registration.ts";
import { signRequest } from "../../oauth2/server/request_object.ts";
import { Session } from "../../oauth2/session/mod.ts";
import { seal, SignIn, unseal } from "../../oauth2/sign_in/mod.ts";
import { FileStore } from "../../oauth2/stores/file_store.ts";
import {
  DenoKvStore,
  EncryptedStore,
  LibsqlStore,
  MemoryStore,
  RedisStore,
} from "../../oauth2/stores/mod.ts";
import {
  DpopNonces,
  MemoryReplays,
  TokenVerifier,
} from "../../oauth2/verify/mod.ts";
import { withStepUp } from "../../oauth2/verify/step_up.ts";
import { createClient, SITE } from "./_client.ts";
import { print } from "./_print.ts";

// deno-lint-ignore no-explicit-any -- arguments of JavaScript
type Any = any;
const issuer = "https://issuer.example";
const client: Any = createClient({ issuer, fetch: () => never() });
const token: Any = new AccessToken(client, "monkey");
const key: Any = { algorithm: "HS256", key: "x".repeat(32) };
const OAuth2Client: Any = Client;
const store: Any = {};
const { generate, import: importKey }: Any = DpopKey;

const APP = "https://app.example";
const SEAL_KEY = "0f".repeat(32);
const session = (given: Any = {}): Any =>
  new Session({
    client,
    store: new MemoryStore(),
    secret: SEAL_KEY,
    origin: APP,
    scope: "notes",
    profile: never,
    ...given,
  });

function never(): never {
  throw new Error("sent");
}

/** Calls with options, which are `given`. */
const CALLS: Record<string, (given: Any) => unknown> = {
  Client: (given) => new OAuth2Client("abc", "s", given),
  "Client, connectionOpts": (connectionOpts) =>
    new OAuth2Client("abc", "s", { connectionOpts }),
  "Client, config": (config) => new OAuth2Client("abc", "s", { config }),
  "client.get": (given) => client.get("/keys", given),
  "client.request": (given) => client.request("get", "/me", given),
  "client.open": (given) => client.open("get", "/me", given),
  "token.get": (given) => token.get("/me", given),
  AccessToken: (given) => new AccessToken(client, "m", {}, given),
  "AccessToken.fromHash": (given) =>
    AccessToken.fromHash(client, { access_token: "m" }, given),
  "AccessToken.fromKvform": (given) =>
    AccessToken.fromKvform(client, "access_token=m", given),
  discover: (given) => discover(issuer, given),
  SignIn: (given) => new SignIn(client, given),
  seal: (given) => seal(1, SEAL_KEY, { name: "ana", ...given }),
  unseal: (given) => unseal("x", SEAL_KEY, { name: "ana", ...given }),
  Session: (given) => session(given),
  "Session, manager": (manager) => session({ manager }),
  "session.login": (given) => session().login(new Request(APP), given),
  "session.end": (given) => session().end(given),
  withQuirks: (given) => withQuirks(given, {}),
  "withQuirks, error": (error) => withQuirks({ error }, {}),
  providerOptions: (given) => providerOptions(PROVIDERS.gitlab, given),
  profileUrl: (given) => profileUrl(PROVIDERS.gitlab, given),
  appleClientSecret: (given) => appleClientSecret(given),
  IdTokenValidator: (given) => new IdTokenValidator(client, given),
  "IdTokenValidator.validate": (given) =>
    new IdTokenValidator(client).validate("a", given),
  Jwks: (given) => new Jwks(never, given),
  fetchUserInfo: (given) => fetchUserInfo(token, given),
  TokenManager: (given) =>
    new TokenManager({ client, key: "k", store, ...given }),
  "api.token": (given) => new TokenManager({ client }).token(given),
  TokenVerifier: (given) =>
    new TokenVerifier(client, { audience: "a", ...given }),
  "TokenVerifier.verify": (given) =>
    new TokenVerifier(
      createClient({ issuer, metadata: { issuer, jwks_uri: `${issuer}/k` } }),
      { audience: "a" },
    ).verify(new Request(SITE), given),
  MemoryStore: (given) => new MemoryStore(given),
  FileStore: (given) => new FileStore("folder", given),
  LibsqlStore: (given) => new LibsqlStore({ execute: never }, given),
  RedisStore: (given) => new RedisStore(never, given),
  DenoKvStore: (given) => new DenoKvStore({ atomic: never } as Any, given),
  DpopNonces: (given) => new DpopNonces(new Uint8Array(32), given),
  MemoryReplays: (given) => new MemoryReplays(given),
  withStepUp: (given) => withStepUp(never, never, given),
  BackChannelLogout: (given) =>
    new BackChannelLogout(client, { endSessions: never, ...given }),
  dpopFetch: async (given) => dpopFetch(await DpopKey.generate(), given),
  withDpop: async (given) => withDpop(await DpopKey.generate(), {}, given),
  "DpopKey.generate": (given) => generate.call(DpopKey, given),
  "DpopKey.import": (given) => importKey.call(DpopKey, {}, given),
  introspect: (given) => introspect(client, "m", {}, given),
  JarmValidator: (given) => new JarmValidator(client, given),
  "JarmValidator.validate": (given) =>
    new JarmValidator(client).validate("/?response=a", given),
  jwtBearerToken: (given) => jwtBearerToken(client, { key, ...given }),
  "DeviceLogin.start": (given) => DeviceLogin.start(client, {}, given),
  "BackchannelLogin.start": (given) =>
    BackchannelLogin.start(client, { login_hint: "a" }, given),
  pushAuthorization: (given) => pushAuthorization(client, {}, given),
  signRequest: (given) => signRequest(client, {}, key, given),
  discoverResource: (given) => discoverResource(SITE, given),
  connectMcp: (given) => connectMcp(SITE, { redirectUri: SITE, ...given }),
  register: (given) =>
    register({ metadata: { registration_endpoint: SITE } } as Any, {}, given),
  "Registration.create": (given) => Registration.create(SITE, {}, given),
  "Registration.fromHash": (given) =>
    Registration.fromHash({ client_id: "a" }, given),
};

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`${name} refuses an unknown option and sends nothing`, async () => {
    // Some calls throw, others reject.
    await assertRejects(
      async () => await call({ qqq: 1 }),
      TypeError,
      'Cannot use "qqq": there is no such option',
    );
  });
}

const DATABASES: Record<string, (database: Any) => unknown> = {
  EncryptedStore: (store) => new EncryptedStore(store, SEAL_KEY),
  LibsqlStore: (database) => new LibsqlStore(database),
  RedisStore: (database) => new RedisStore(database),
  DenoKvStore: (database) => new DenoKvStore(database),
  FileStore: (folder) => new FileStore(folder),
};
for (const [name, create] of Object.entries(DATABASES)) {
  Deno.test(`${name} refuses what it cannot store in`, () => {
    for (
      const given of [undefined, null, {}, Promise.resolve({ get: never })]
    ) {
      assertThrows(() => create(given), TypeError, "Cannot use the ");
    }
  });
}

Deno.test("endSessionUrl refuses a parameter in another spelling", () => {
  const end_session_endpoint = `${issuer}/logout`;
  const client = {
    id: "abc",
    issuer,
    metadata: { issuer, end_session_endpoint },
  };
  for (const name of ["idTokenHint", "post_logout_redirectUri", "clientId"]) {
    assertThrows(
      () => endSessionUrl(client, { [name]: "a" }),
      TypeError,
      `Cannot use "${name}": it is spelled`,
    );
  }
});

const TOLERANCES: Record<string, (options: Any) => unknown> = {
  IdTokenValidator: (options) => new IdTokenValidator(client, options),
  JarmValidator: (options) => new JarmValidator(client, options),
  SignIn: (options) => new SignIn(client, options),
  TokenVerifier: (options) =>
    new TokenVerifier(client, { audience: "a", ...options }),
  BackChannelLogout: (options) =>
    new BackChannelLogout(client, { endSessions: never, ...options }),
};
for (const [name, create] of Object.entries(TOLERANCES)) {
  Deno.test(`${name} refuses a clockTolerance above an hour, and what is no time`, () => {
    for (const clockTolerance of [3601, Infinity, NaN, -1, "10"]) {
      assertThrows(
        () => create({ clockTolerance }),
        TypeError,
        `Cannot use clockTolerance ${clockTolerance}: it must be`,
      );
    }
  });
}

const BOUNDS: Record<string, (seconds: Any) => unknown> = {
  "SignIn without an issuer, clockTolerance": (clockTolerance) =>
    new SignIn(createClient(), { clockTolerance }),
  "TokenVerifier, proofMaxAge": (proofMaxAge) =>
    new TokenVerifier(client, { audience: "a", proofMaxAge }),
  "TokenVerifier, introspectionMaxAge": (introspectionMaxAge) =>
    new TokenVerifier(client, { audience: "a", introspectionMaxAge }),
  "DpopNonces, lifetime": (lifetime) =>
    new DpopNonces(new Uint8Array(32), { lifetime }),
};
for (const [name, create] of Object.entries(BOUNDS)) {
  Deno.test(`${name} must be a number of seconds, and finite`, () => {
    for (const given of [Infinity, NaN, -1, "10"]) {
      assertThrows(() => create(given), TypeError, `${given}: it must be`);
    }
  });
}

for (const name of ["client", "store", "key", "grant"]) {
  Deno.test(`Session refuses ${name} among the options of its managers`, () => {
    assertThrows(
      () => session({ manager: { [name]: () => never() } }),
      TypeError,
      `Cannot use "${name}": there is no such option`,
    );
  });
}

const NO_CLIENT: Record<string, (client: Any) => unknown> = {
  SignIn: (client) => new SignIn(client),
  TokenManager: (client) => new TokenManager({ client }),
  Session: (client) => session({ client }),
  IdTokenValidator: (client) => new IdTokenValidator(client),
  BackChannelLogout: (client) =>
    new BackChannelLogout(client, { endSessions: never }),
  TokenVerifier: (client) => new TokenVerifier(client, { audience: "a" }),
  JarmValidator: (client) => new JarmValidator(client),
};
for (const [name, create] of Object.entries(NO_CLIENT)) {
  for (
    const [given, type] of [
      [undefined, "undefined"],
      ["abc", "string"],
      [Promise.resolve(client), "a Promise"],
    ]
  ) {
    Deno.test(`${name} refuses ${type} as its client`, () => {
      assertThrows(
        () => create(given),
        TypeError,
        "Cannot use the client: it is not a Client",
      );
    });
  }
}

const ORIGINS = "https://api.example.com";
const WITH_ORIGINS: Record<string, (given: Any) => unknown> = {
  Client: (allowedOrigins) => new OAuth2Client("abc", "s", { allowedOrigins }),
  TokenManager: (allowedOrigins) =>
    new TokenManager({ client, allowedOrigins }),
  "client.request": (allowedOrigins) =>
    client.request("get", "/me", { allowedOrigins }),
  "token.get": (allowedOrigins) =>
    new AccessToken(client, "m", {}, { allowedOrigins }).get("/me"),
};
for (const [name, call] of Object.entries(WITH_ORIGINS)) {
  Deno.test(`${name} refuses allowedOrigins that are no list`, async () => {
    for (const given of [ORIGINS, ORIGINS + ".evil.example", {}]) {
      await assertRejects(
        async () => await call(given),
        TypeError,
        "Cannot use allowedOrigins: it must be a list",
      );
    }
  });
}

Deno.test("configure refuses an unknown setting", () => {
  const change = (config: Any) => config.filteredLabels = "x";
  try {
    assertThrows(
      () => configure(change),
      TypeError,
      'the nearest is "filteredLabel"',
    );
  } finally {
    configure((config: Any) => delete config.filteredLabels);
  }
});

const found = () =>
  discover(issuer, {
    fetch: () =>
      Promise.resolve(Response.json({ issuer, token_endpoint: SITE })),
  });

Deno.test("discover without await is an error where its result is spread", async () => {
  assertThrows(
    () => new OAuth2Client("abc", "s", { ...found(), redirectUri: SITE }),
    TypeError,
    'Cannot use "discover without await": there is no such option',
  );
  assertThrows(
    () => new OAuth2Client("abc", "s", found()),
    TypeError,
    "they must be an object; await a Promise first",
  );
  const client = new Client("abc", "s", { ...await found() });
  assertEquals(client.issuer, issuer);
});

Deno.test("discover returns a Promise that can be printed", async () => {
  const promise = found();
  assert(print(promise).includes("Promise"));
  await promise;
});

for (
  const [registered, scheme] of [
    ["client_secret_basic", "basic_auth"],
    ["client_secret_post", "request_body"],
    ["self_signed_tls_client_auth", "tls_client_auth"],
  ] as const
) {
  Deno.test(`Client takes the authScheme ${registered} for ${scheme}`, async () => {
    const sent = async (authScheme: typeof registered | typeof scheme) => {
      let request: unknown;
      const client = createClient({
        authScheme,
        fetch: (url, { body, headers }) => {
          request = { url, body, headers };
          return Promise.resolve(Response.json({ access_token: "m" }));
        },
      });
      await client.clientCredentials.getToken();
      return request;
    };
    assertEquals(await sent(registered), await sent(scheme));
  });
}

for (
  const hash of [
    { access_token: "[FILTERED]" },
    { token: "[FILTERED]", refreshToken: "[FILTERED]" },
    { access_token: "monkey", refresh_token: "[FILTERED]" },
    { access_token: "[GONE]" },
    { token_name: "id", id: "[GONE]" },
    JSON.parse(JSON.stringify(new AccessToken(client, "monkey"))),
  ]
) {
  Deno.test(`AccessToken.fromHash refuses the filtered token ${JSON.stringify(hash)}`, () => {
    const client = createClient({ config: { filteredLabel: "[GONE]" } });
    const error = assertThrows(
      () => AccessToken.fromHash(client, hash),
      TypeError,
      "its value was redacted; store the result of toHash",
    );
    assert(!error.message.includes("monkey"));
  });
}

for (
  const [token, hash] of [
    ["[FILTERED]", {}],
    ["[GONE]", {}],
    ["monkey", { refresh_token: "[FILTERED]" }],
  ] as const
) {
  Deno.test(`AccessToken refuses the filtered token ${token} ${JSON.stringify(hash)}`, () => {
    const client = createClient({ config: { filteredLabel: "[GONE]" } });
    assertThrows(
      () => new AccessToken(client, token, hash),
      TypeError,
      "its value was redacted; store the result of toHash",
    );
  });
}
