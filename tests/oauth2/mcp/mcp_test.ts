import { assert, assertEquals, assertRejects } from "@std/assert";
import { connectMcp, type McpOptions } from "../../../oauth2/mcp/mcp.ts";
import { OAuth2Error } from "../../../oauth2/mod.ts";
import { ValidationError } from "../../../oauth2/oidc/mod.ts";
import { print } from "../_print.ts";

const SERVER = "https://mcp.example/team/mcp";
const ISSUER = "https://provider.example/main";
const REDIRECT_URI = "http://127.0.0.1:8976/callback";
const RESOURCE_URL =
  "https://mcp.example/.well-known/oauth-protected-resource/team/mcp";
const DOCUMENT = "https://app.example/client.json";

const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER] };
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
};
const REGISTERED = { client_id: "dynamic", token_endpoint_auth_method: "none" };

/** Bodies of responses by URL, and the requests that were sent. */
class World {
  readonly documents: Record<string, unknown> = {
    [RESOURCE_URL]: RESOURCE,
    "https://provider.example/.well-known/oauth-authorization-server/main":
      METADATA,
    [`${ISSUER}/register`]: REGISTERED,
    [`${ISSUER}/token`]: { access_token: "monkey123" },
  };
  readonly requests: Request[] = [];

  constructor(changes: Record<string, unknown> = {}) {
    Object.assign(this.documents, changes);
  }

  connect(options: Partial<McpOptions> = {}, server: string | URL = SERVER) {
    return connectMcp(server, {
      redirectUri: REDIRECT_URI,
      fetch: (url, init) => {
        this.requests.push(new Request(url, init));
        const body = this.documents[url];
        return Promise.resolve(
          body === undefined
            ? new Response(null, { status: 404 })
            : Response.json(body),
        );
      },
      ...options,
    });
  }

  /** Form or JSON of the last request to a path. */
  async body(path: string): Promise<string> {
    const request = this.requests.findLast(({ url }) => url.endsWith(path));
    return await request?.clone().text() ?? "";
  }
}

const AS_URL =
  "https://provider.example/.well-known/oauth-authorization-server/main";
const withServer = (changes: object) => ({
  [AS_URL]: { ...METADATA, ...changes },
});
const withResource = (changes: object) => ({
  [RESOURCE_URL]: { ...RESOURCE, ...changes },
});

Deno.test("connectMcp registers a public client and signs in with the resource", async () => {
  const world = new World(withResource({ scopes_supported: ["a", "b"] }));
  const connection = await world.connect();
  assertEquals(JSON.parse(await world.body("/register")), {
    redirect_uris: [REDIRECT_URI],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
  assertEquals(connection.issuer, ISSUER);
  assertEquals(connection.credentials, {
    issuer: ISSUER,
    id: "dynamic",
    authScheme: "basic_auth",
  });
  const flow = await connection.start();
  const params = Object.fromEntries(new URL(flow.url).searchParams);
  assertEquals(params.resource, SERVER);
  assertEquals(params.scope, "a b");
  assertEquals(params.client_id, "dynamic");
  assertEquals(params.code_challenge_method, "S256");
  const callback = `${REDIRECT_URI}?${new URLSearchParams({
    code: "4f2a",
    state: params.state!,
    iss: ISSUER,
  })}`;
  const token = await connection.callback(callback, flow);
  assertEquals(token.token, "monkey123");
  const form = new URLSearchParams(await world.body("/token"));
  assertEquals(form.get("resource"), SERVER);
  assertEquals(form.get("client_id"), "dynamic");
  assert(form.get("code_verifier"));
  assert(!print(connection).includes("monkey123"));
});

for (
  const [name, iss] of [["no iss", undefined], [
    "another iss",
    "https://evil.example",
  ]] as const
) {
  Deno.test(`McpConnection.callback refuses ${name}`, async () => {
    const world = new World();
    const connection = await world.connect();
    const flow = await connection.start();
    const state = new URL(flow.url).searchParams.get("state")!;
    const callback = new URLSearchParams({
      code: "4f2a",
      state,
      ...iss !== undefined && { iss },
    });
    const { code } = await assertRejects(
      () => connection.callback(`${REDIRECT_URI}?${callback}`, flow),
      ValidationError,
    );
    assertEquals(code, "invalid_iss");
    assertEquals(await world.body("/token"), "");
  });
}

Deno.test("connectMcp sends tokens to the origin of the server only", async () => {
  const { client } = await new World().connect();
  await assertRejects(
    () => client.request("get", "https://other.example/me"),
    TypeError,
    "allowedOrigins",
  );
});

Deno.test("connectMcp sends headers to the origin of the server only", async () => {
  const world = new World();
  await world.connect({ headers: { "x-api-key": "hush-hush" } });
  const receivers = world.requests
    .filter(({ headers }) => headers.has("x-api-key"))
    .map(({ url }) => url);
  assertEquals(receivers, [RESOURCE_URL]);
  assertEquals(world.requests.length, 3);
});

for (
  const scopes of ["notes", [{ notes: 1 }], ["notes", 7], [""], [], null, {}]
) {
  Deno.test(`connectMcp requests no scope of ${JSON.stringify(scopes)}`, async () => {
    const world = new World(withResource({ scopes_supported: scopes }));
    const { url } = await (await world.connect()).start();
    assertEquals(new URL(url).searchParams.get("scope"), null);
  });
}

Deno.test("connectMcp asks allowUrl about the issuer and each endpoint", async () => {
  const asked: string[] = [];
  await new World().connect({
    allowUrl: (url, name) => asked.push(`${name} ${url.host}`) > 0,
  });
  const host = "provider.example";
  assertEquals(asked, [
    `issuer ${host}`,
    `authorization_endpoint ${host}`,
    `token_endpoint ${host}`,
    `registration_endpoint ${host}`,
  ]);
});

Deno.test("connectMcp lets a loopback server name another one", async () => {
  const issuer = "http://localhost:9000";
  const server = "http://127.0.0.1:8000/mcp";
  const connection = await new World({
    "http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp": {
      resource: server,
      authorization_servers: [issuer],
    },
    [`${issuer}/.well-known/openid-configuration`]: {
      ...METADATA,
      issuer,
      registration_endpoint: `${issuer}/register`,
    },
    [`${issuer}/register`]: REGISTERED,
  }).connect({}, server);
  assertEquals(connection.issuer, issuer);
});

const ROOT = "https://mcp.example/.well-known/oauth-protected-resource";

for (
  const [metadata, resource, isAccepted] of [
    ["https://mcp.example/meta", SERVER, true],
    ["https://mcp.example/meta", "https://mcp.example/team", false],
    [ROOT, "https://mcp.example", true],
    [ROOT, "https://mcp.example/team", true],
    [`${ROOT}/team`, "https://mcp.example/team", true],
    [`${ROOT}/team`, "https://mcp.example", false],
    [RESOURCE_URL, SERVER, true],
    [RESOURCE_URL, "https://mcp.example/team", false],
    [RESOURCE_URL, "https://mcp.example", false],
  ] as const
) {
  Deno.test(`connectMcp ${isAccepted ? "uses" : "refuses"} the resource ${resource} of a challenge with ${metadata}`, async () => {
    const world = new World({ [metadata]: { ...RESOURCE, resource } });
    const call = world.connect({
      challenge: new Response(null, {
        status: 401,
        headers: {
          "www-authenticate":
            `Bearer resource_metadata="${metadata}", scope="notes"`,
        },
      }),
    });
    if (!isAccepted) return void await assertRejects(() => call, OAuth2Error);
    const { url } = await (await call).start();
    const { searchParams } = new URL(url);
    assertEquals(searchParams.get("scope"), "notes");
    assertEquals(searchParams.get("resource"), resource);
  });
}

for (
  const [path, paths] of [
    ["/main", [
      "/.well-known/oauth-authorization-server/main",
      "/.well-known/openid-configuration/main",
      "/main/.well-known/openid-configuration",
    ]],
    ["", [
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
    ]],
  ] as const
) {
  Deno.test(`connectMcp asks RFC 8414 first for an issuer with the path "${path}"`, async () => {
    const issuer = `https://provider.example${path}`;
    const world = new World({
      ...withResource({ authorization_servers: [issuer] }),
      [AS_URL]: undefined,
    });
    await assertRejects(() => world.connect(), OAuth2Error);
    assertEquals(
      world.requests.slice(1).map(({ url }) => new URL(url).pathname),
      [...paths],
    );
  });
}

Deno.test("connectMcp finds the metadata of the origin", async () => {
  const world = new World({
    [RESOURCE_URL]: undefined,
    "https://mcp.example/.well-known/oauth-protected-resource": {
      ...RESOURCE,
      resource: "https://mcp.example/",
    },
  });
  const connection = await world.connect({}, new URL(SERVER));
  assertEquals(connection.resource.resource, "https://mcp.example/");
});

Deno.test("connectMcp uses a client id metadata document where it is supported", async () => {
  const supported = { client_id_metadata_document_supported: true };
  const world = new World(withServer(supported));
  const { client } = await world.connect({ clientIdMetadataUrl: DOCUMENT });
  assertEquals(client.id, DOCUMENT);
  assertEquals(await world.body("/register"), "");
  const other = await new World().connect({ clientIdMetadataUrl: DOCUMENT });
  assertEquals(other.client.id, "dynamic");
});

Deno.test("connectMcp uses credentials of the same issuer, and their method", async () => {
  const world = new World(
    withResource({ authorization_servers: ["https://a.example", ISSUER] }),
  );
  const credentials = {
    issuer: ISSUER,
    id: "abc",
    secret: "hush-hush",
    authScheme: "request_body",
  } as const;
  const connection = await world.connect({ credentials });
  assertEquals(connection.credentials, credentials);
  assertEquals(await world.body("/register"), "");
  assert(!print(connection).includes("hush-hush"));
});

Deno.test("connectMcp keeps the secret of a confidential client", async () => {
  const world = new World({
    [`${ISSUER}/register`]: {
      client_id: "dynamic",
      client_secret: "hush-hush",
      token_endpoint_auth_method: "client_secret_post",
    },
  });
  const { credentials } = await world.connect();
  assertEquals(credentials.secret, "hush-hush");
  assertEquals(credentials.authScheme, "request_body");
});

for (
  const [method, options] of [
    ["private_key_jwt", {
      clientOptions: { assertionKey: { algorithm: "ES256", key: "pem" } },
    }],
    ["tls_client_auth", {
      clientMetadata: { token_endpoint_auth_method: "tls_client_auth" },
    }],
  ] as [string, Partial<McpOptions>][]
) {
  Deno.test(`connectMcp accepts a registration with ${method} that it has the means for`, async () => {
    const world = new World({
      [`${ISSUER}/register`]: {
        ...REGISTERED,
        redirect_uris: ["https://app.example/", REDIRECT_URI],
        token_endpoint_auth_method: method,
      },
    });
    const { credentials } = await world.connect(options);
    assertEquals(credentials.authScheme, method);
  });
}

Deno.test("connectMcp ignores the secret of a public client", async () => {
  const world = new World({
    [`${ISSUER}/register`]: { ...REGISTERED, client_secret: "hush-hush" },
  });
  assertEquals((await world.connect()).client.secret, undefined);
});

for (
  const [name, documents, options, requests] of [
    [
      "no authorization server",
      withResource({ authorization_servers: [] }),
      {},
      1,
    ],
    [
      "no list of authorization servers",
      withResource({ authorization_servers: undefined }),
      {},
      1,
    ],
    [
      "an insecure authorization server",
      withResource({ authorization_servers: ["http://provider.example"] }),
      {},
      1,
    ],
    [
      "a loopback authorization server of an https server",
      withResource({ authorization_servers: ["http://127.0.0.1:9200/x"] }),
      {},
      1,
    ],
    ["an issuer that allowUrl refuses", {}, { allowUrl: () => false }, 1],
    ["an issuer that allowUrl refuses later", {}, {
      allowUrl: () => Promise.resolve(false),
    }, 1],
    [
      "an endpoint that allowUrl refuses",
      withServer({ registration_endpoint: "https://169.254.169.254/latest" }),
      { allowUrl: ({ hostname }: URL) => hostname === "provider.example" },
      2,
    ],
    [
      "no S256",
      withServer({ code_challenge_methods_supported: ["plain"] }),
      {},
      2,
    ],
    [
      "a text that contains S256",
      withServer({ code_challenge_methods_supported: "plainS256" }),
      {},
      2,
    ],
    [
      "an object among the challenge methods",
      withServer({ code_challenge_methods_supported: ["S256", {}] }),
      {},
      2,
    ],
    [
      "no PKCE",
      withServer({ code_challenge_methods_supported: undefined }),
      {},
      2,
    ],
    [
      "no authorization endpoint",
      withServer({ authorization_endpoint: undefined }),
      {},
      2,
    ],
    [
      "no registration endpoint",
      withServer({ registration_endpoint: undefined }),
      {},
      2,
    ],
    ["no registration wanted", {}, { clientMetadata: false }, 2],
    ["credentials of another issuer", {}, {
      credentials: { issuer: "https://a.example", id: "abc", secret: "s" },
    }, 1],
    ["a choice that is not offered", {}, {
      chooseIssuer: () => "https://a.example",
    }, 1],
    [
      "an http document",
      withServer({ client_id_metadata_document_supported: true }),
      { clientIdMetadataUrl: "http://app.example/c" },
      2,
    ],
    [
      "a document without a path",
      withServer({ client_id_metadata_document_supported: true }),
      { clientIdMetadataUrl: "https://app.example" },
      2,
    ],
    [
      "a document with dots",
      withServer({ client_id_metadata_document_supported: true }),
      { clientIdMetadataUrl: "https://app.example/a/../c" },
      2,
    ],
    ...[
      { redirect_uris: ["https://evil.example/"] },
      { redirect_uris: [] },
      { redirect_uris: `${REDIRECT_URI}/more` },
      { token_endpoint_auth_method: "private_key_jwt" },
      { token_endpoint_auth_method: "tls_client_auth" },
      { token_endpoint_auth_method: "client_secret_jwt" },
      { token_endpoint_auth_method: "client_secret_basic" },
      { token_endpoint_auth_method: "made_up", client_secret: "hush-hush" },
      { token_endpoint_auth_method: 7 },
    ].map((changes) => [
      `a registration with ${JSON.stringify(changes)}`,
      { [`${ISSUER}/register`]: { ...REGISTERED, ...changes } },
      {},
      3,
    ]),
    ["metadata on another origin", {}, {
      challenge: 'Bearer resource_metadata="https://evil.example/m"',
    }, 0],
  ] as [string, Record<string, unknown>, Partial<McpOptions>, number][]
) {
  Deno.test(`connectMcp refuses ${name}`, async () => {
    const world = new World(documents);
    await assertRejects(() => world.connect(options), TypeError);
    assertEquals(world.requests.length, requests);
  });
}

for (
  const [name, documents] of [
    [
      "metadata of another resource",
      withResource({ resource: "https://evil.example" }),
    ],
    [
      "metadata of a sibling",
      withResource({ resource: "https://mcp.example/te" }),
    ],
    ["no metadata", { [RESOURCE_URL]: undefined }],
    [
      "metadata of another issuer",
      withServer({ issuer: "https://evil.example" }),
    ],
    [
      "a registration endpoint on loopback",
      withServer({ registration_endpoint: "http://127.0.0.1:9200/x" }),
    ],
    [
      "a token endpoint on loopback",
      withServer({ token_endpoint: "http://localhost/x" }),
    ],
    ["a registration without an id", { [`${ISSUER}/register`]: {} }],
    ["a registration with an error", {
      [`${ISSUER}/register`]: { error: "invalid_redirect_uri" },
    }],
  ] as [string, Record<string, unknown>][]
) {
  Deno.test(`connectMcp reports ${name}`, async () => {
    await assertRejects(() => new World(documents).connect(), OAuth2Error);
  });
}
