import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import {
  AccessToken,
  Client,
  ConnectionError,
  discover,
  OAuth2Error,
} from "../../../oauth2/mod.ts";
import {
  type AuthorizationResponse,
  Flow,
  type FlowData,
  seal,
  SignIn,
  type SignInOptions,
  unseal,
  ValidationError,
} from "../../../oauth2/sign_in/mod.ts";
import { NOW } from "../_client.ts";
import {
  ACCESS_TOKEN,
  type Answers,
  CLIENT_ID,
  CLIENT_SECRET,
  CODE,
  idTokenClaims,
  issueJwt,
  ISSUER,
  Provider,
  publicJwk,
  REDIRECT_URI,
} from "../_openid_provider.ts";
import { show } from "../_print.ts";

const START = { redirect_uri: REDIRECT_URI, scope: "notes" };

/** Answers with a token, and the forms of its requests. */
function tokenAnswers(forms: URLSearchParams[] = []): Answers {
  return {
    "/token": async (request) => {
      forms.push(new URLSearchParams(await request.text()));
      return { access_token: ACCESS_TOKEN, token_type: "Bearer" };
    },
  };
}

/** URL of the callback of a flow. */
function callbackUrl(flow: Flow, changes: Record<string, string> = {}): string {
  const { state } = flow.toJSON();
  const params = { code: CODE, state, iss: ISSUER, ...changes };
  return `${REDIRECT_URI}?${new URLSearchParams(params)}`;
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await assertRejects(() => call, ValidationError);
  return (error as ValidationError).code;
}

/** Begins a sign-in at a provider that answers with a token. */
async function begin(options: SignInOptions = {}) {
  const provider = new Provider(tokenAnswers());
  const signIn = new SignIn(provider.client, options);
  return { provider, signIn, flow: await signIn.start(START) };
}

Deno.test("start builds the URL of an authorization request with state, nonce and PKCE", async () => {
  const random = (bytes: Uint8Array) => bytes.fill(1);
  const signIn = new SignIn(new Provider().client, { random });
  const flow = await signIn.start({
    redirect_uri: REDIRECT_URI,
    scope: ["openid", "profile"],
    prompt: "login",
    max_age: "60",
    acr_values: "gold silver",
    resource: ["https://a.example", "https://b.example"],
    ui_locales: undefined,
  });
  const url = new URL(flow.url);
  assertEquals(url.origin + url.pathname, `${ISSUER}/auth`);
  const value = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";
  assertEquals([...url.searchParams], [
    ["acr_values", "gold silver"],
    ["client_id", "abc"],
    // echo -n $value | openssl dgst -sha256 -binary | base64
    ["code_challenge", "VtX6czP210fbQsI5QH5dpMMvTHnzXQkrE0_TWkAtnFw"],
    ["code_challenge_method", "S256"],
    ["max_age", "60"],
    ["nonce", value],
    ["prompt", "login"],
    ["redirect_uri", REDIRECT_URI],
    ["resource", "https://a.example"],
    ["resource", "https://b.example"],
    ["response_type", "code"],
    ["scope", "openid profile"],
    ["state", value],
  ]);
  assertEquals(flow.toJSON(), {
    v: 1,
    client_id: "abc",
    issuer: ISSUER,
    token_endpoint: `${ISSUER}/token`,
    state: value,
    code_verifier: value,
    nonce: value,
    redirect_uri: REDIRECT_URI,
    scope: "openid profile",
    max_age: 60,
    acr_values: "gold silver",
    expires_at: NOW + 600,
  });
});

Deno.test("start uses other random values each time", async () => {
  const signIn = new SignIn(new Provider().client);
  const flows = [
    await signIn.start({ ...START, scope: "openid" }),
    await signIn.start({ ...START, scope: "openid" }),
  ];
  const values = flows.flatMap((flow) => {
    const { state, nonce, code_verifier } = flow.toJSON();
    return [state, nonce, code_verifier];
  });
  assertEquals(new Set(values).size, 6);
});

for (
  const name of [
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "response_type",
    "client_id",
  ]
) {
  Deno.test(`start refuses the parameter ${name}, which it sets`, async () => {
    const signIn = new SignIn(new Provider().client);
    await assertRejects(
      () => signIn.start({ ...START, [name]: "x" }),
      TypeError,
      `Cannot use "${name}"`,
    );
  });
}

for (
  const [params, message] of [
    [{ redirectUri: "x" }, 'it is spelled "redirect_uri"'],
    [{ maxAge: 1 }, 'it is spelled "max_age"'],
    [{ max_age: "soon" }, "max_age NaN"],
    [{ max_age: -1 }, "max_age -1"],
    [{ client_secret: "x" }, "client_secret is not allowed"],
    [{ redirect_uri: [REDIRECT_URI] }, "redirect_uri: it must be text"],
    [{ redirect_uri: 7 }, "redirect_uri: it must be text"],
    [{ redirect_uri: "a".repeat(4097) }, "redirect_uri: it has more than 4096"],
    [{ scope: "a".repeat(4097) }, "scope: it has more than 4096"],
    [{ acr_values: "a".repeat(4097) }, "acr_values: it has more than 4096"],
  ] as const
) {
  const title = JSON.stringify(params).slice(0, 60);
  Deno.test(`start refuses the parameters ${title}`, async () => {
    const signIn = new SignIn(new Provider().client);
    await assertRejects(
      () => signIn.start({ ...START, ...params as object }),
      TypeError,
      message,
    );
  });
}

Deno.test("start with openid throws a TypeError if the client has no issuer or keys", async () => {
  for (
    const client of [
      new Client("abc", "secret", { site: ISSUER }),
      new Provider({}, {}, { jwks_uri: null }).client,
    ]
  ) {
    await assertRejects(
      () => new SignIn(client).start({ ...START, scope: "a openid" }),
      TypeError,
      "jwks_uri",
    );
  }
});

Deno.test("SignIn without pkce sends neither challenge nor verifier", async () => {
  const forms: URLSearchParams[] = [];
  const { client } = new Provider(tokenAnswers(forms));
  const signIn = new SignIn(client, { pkce: false });
  const flow = await signIn.start(START);
  assert(!flow.url.includes("code_challenge"), flow.url);
  await signIn.callback(callbackUrl(flow), flow.toJSON());
  assertEquals([...forms[0]!.keys()].includes("code_verifier"), false);
});

Deno.test("start uses the redirect URI of the client", async () => {
  const { client } = new Provider({}, { redirectUri: REDIRECT_URI });
  const flow = await new SignIn(client).start();
  assertEquals(flow.redirectUri, REDIRECT_URI);
  assert(flow.url.includes(encodeURIComponent(REDIRECT_URI)));
});

Deno.test("start passes all parameters to authorize", async () => {
  const signIn = new SignIn(new Provider().client, {
    authorize: async ({ state, code_challenge, ...others }) => {
      await Promise.resolve();
      assert(state && code_challenge);
      assertEquals(others, { ...START, code_challenge_method: "S256" });
      return `${ISSUER}/auth?request_uri=urn:example:1`;
    },
  });
  const { url } = await signIn.start(START);
  assertEquals(url, `${ISSUER}/auth?request_uri=urn:example:1`);
});

for (
  const [options, message] of [
    [{ lifetime: -1 }, "lifetime -1"],
    [{ lifetime: NaN }, "lifetime NaN"],
    [{ lifetime: Infinity }, "lifetime Infinity"],
    [{ lifetime: 1e21 }, "lifetime 1e+21"],
    [{ algorithms: ["none"] }, '"none"'],
  ] as const
) {
  Deno.test(`SignIn refuses the options ${JSON.stringify(options)}`, () => {
    const { client } = new Provider();
    assertThrows(
      () => new SignIn(client, options as SignInOptions),
      TypeError,
      message,
    );
  });
}

Deno.test("SignIn refuses a client without id", () => {
  assertThrows(() => new SignIn(new Client()), TypeError, "no id");
});

Deno.test("SignIn works with a server that has no metadata", async () => {
  const client = new Client("abc", null, {
    site: ISSUER,
    fetch: () => Promise.resolve(Response.json({ access_token: "m" })),
  });
  const signIn = new SignIn(client);
  const flow = await signIn.start(START);
  const { token, claims } = await signIn.callback(callbackUrl(flow), flow);
  assertEquals([token.token, claims], ["m", undefined]);
});

Deno.test("callback sends redirect_uri, verifier and the parameters of the caller", async () => {
  const forms: URLSearchParams[] = [];
  const signIn = new SignIn(new Provider(tokenAnswers(forms)).client);
  const flow = await signIn.start(START);
  const { token } = await signIn.callback(callbackUrl(flow), flow, {
    resource: "https://a.example",
    redirect_uri: "https://evil.example",
    code_verifier: "x",
    code: "x",
  });
  assertEquals(token.token, ACCESS_TOKEN);
  assertEquals(Object.fromEntries(forms[0]!), {
    grant_type: "authorization_code",
    code: CODE,
    redirect_uri: REDIRECT_URI,
    code_verifier: flow.toJSON().code_verifier!,
    resource: "https://a.example",
  });
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const RESPONSES: Record<string, (url: string) => AuthorizationResponse> = {
  "a text": (url) => url,
  "a text without origin": (url) => url.slice("https://app.example".length),
  "a URL": (url) => new URL(url),
  "its parameters": (url) => new URL(url).searchParams,
  "a GET": (url) => new Request(url),
  "a POST of a form": (url) =>
    new Request(REDIRECT_URI, {
      method: "POST",
      headers: FORM,
      body: new URL(url).search.slice(1),
    }),
  "a POST of a form with a charset": (url) =>
    new Request(`${REDIRECT_URI}?state=x`, {
      method: "POST",
      headers: { "content-type": `${FORM["content-type"]}; charset=UTF-8` },
      body: new URL(url).search.slice(1),
    }),
  "an object like a request": (url) => ({ method: "GET", url }) as Request,
};

for (const [title, respond] of Object.entries(RESPONSES)) {
  Deno.test(`callback accepts ${title}`, async () => {
    const { signIn, flow } = await begin();
    const { token } = await signIn.callback(respond(callbackUrl(flow)), flow);
    assertEquals(token.token, ACCESS_TOKEN);
  });
}

const REQUESTS: Record<string, RequestInit> = {
  "a HEAD": { method: "HEAD" },
  "a PUT": { method: "PUT" },
  "a POST without a form": { method: "POST" },
  "a POST of JSON": {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  },
  "a long form": {
    method: "POST",
    headers: FORM,
    body: "a".repeat(65_537),
  },
};

for (const [title, init] of Object.entries(REQUESTS)) {
  Deno.test(`callback refuses ${title}, and keeps the flow`, async () => {
    const { signIn, flow } = await begin();
    const request = new Request(callbackUrl(flow), init);
    assertEquals(
      await codeOf(signIn.callback(request, flow)),
      "invalid_request",
    );
    await signIn.callback(callbackUrl(flow), flow);
  });
}

for (
  const [title, response, message] of [
    ["undefined", undefined, "must be a URL"],
    ["null", null, "must be a URL"],
    ["a number", 7, "must be a URL"],
    ["an empty object", {}, "must be a URL"],
    ["a POST of Node", {
      method: "POST",
      url: "/callback",
      headers: { "content-type": FORM["content-type"] },
    }, "URLSearchParams"],
  ] as const
) {
  Deno.test(`callback throws a TypeError for ${title}, and keeps the flow`, async () => {
    const { signIn, flow } = await begin();
    await assertRejects(
      () => signIn.callback(response as unknown as AuthorizationResponse, flow),
      TypeError,
      message,
    );
    await signIn.callback(callbackUrl(flow), flow);
  });
}

for (const how of ["read", "locked"]) {
  Deno.test(`callback throws a TypeError for a POST whose body was ${how}`, async () => {
    const { signIn, flow } = await begin();
    const { search } = new URL(callbackUrl(flow));
    const init = { method: "POST", headers: FORM, body: search.slice(1) };
    const request = new Request(REDIRECT_URI, init);
    if (how === "read") await request.text();
    else request.body!.getReader();
    await assertRejects(
      () => signIn.callback(request, flow),
      TypeError,
      "its body was read",
    );
    await signIn.callback(new URLSearchParams(search), flow);
  });
}

Deno.test("callback refuses an invalid URL", async () => {
  const { signIn, flow } = await begin();
  assertEquals(
    await codeOf(signIn.callback("http://[", flow)),
    "invalid_request",
  );
});

Deno.test("callback accepts the parsed JSON of a flow", async () => {
  const { signIn, flow } = await begin();
  const json = JSON.parse(JSON.stringify(flow));
  assertEquals("url" in json, false);
  await signIn.callback(callbackUrl(flow), json);
});

for (
  const [flow, code] of [
    [undefined, "missing_flow"],
    [null, "missing_flow"],
    ["", "invalid_flow"],
    [{}, "invalid_flow"],
  ] as const
) {
  Deno.test(`callback refuses the flow ${JSON.stringify(flow)}`, async () => {
    const provider = new Provider(tokenAnswers());
    const signIn = new SignIn(provider.client);
    assertEquals(
      await codeOf(signIn.callback(REDIRECT_URI, flow as FlowData)),
      code,
    );
    assertEquals(provider.paths, []);
  });
}

for (
  const changes of [
    { client_id: "other" },
    { issuer: "https://other.example" },
    { issuer: undefined },
    { token_endpoint: "https://other.example/token" },
    { token_endpoint: undefined },
    { code_verifier: undefined },
    { scope: "openid" },
    { nonce: "a" },
  ]
) {
  Deno.test(`callback refuses a flow changed to ${JSON.stringify(changes)}`, async () => {
    const { provider, signIn, flow } = await begin();
    const call = signIn.callback(callbackUrl(flow), {
      ...flow.toJSON(),
      ...changes,
    } as FlowData);
    assertEquals(await codeOf(call), "invalid_flow");
    assertEquals(provider.paths, []);
  });
}

Deno.test("callback refuses a flow that was used, also its JSON", async () => {
  const { provider, signIn, flow } = await begin();
  await signIn.callback(callbackUrl(flow), flow);
  for (const again of [flow, flow.toJSON(), new Flow(flow.toJSON())]) {
    const call = signIn.callback(callbackUrl(flow, { code: "b" }), again);
    assertEquals(await codeOf(call), "flow_used");
  }
  assertEquals(provider.paths, ["/token"]);
});

Deno.test("callback completes one of concurrent calls with a flow", async () => {
  const { provider, signIn, flow } = await begin();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => signIn.callback(callbackUrl(flow), flow)),
  );
  const done = results.filter(({ status }) => status === "fulfilled");
  assertEquals(done.length, 1);
  assertEquals(provider.paths, ["/token"]);
});

Deno.test("callback keeps a flow after a response with another state", async () => {
  const { signIn, flow } = await begin();
  const forged = callbackUrl(flow, { state: "forged" });
  assertEquals(await codeOf(signIn.callback(forged, flow)), "invalid_state");
  await signIn.callback(callbackUrl(flow), flow);
});

Deno.test("callback uses up a flow with an error of the server", async () => {
  const { signIn, flow } = await begin();
  const url = callbackUrl(flow, { error: "access_denied" });
  const error = await assertRejects(
    () => signIn.callback(url, flow),
    OAuth2Error,
  );
  assertEquals(error.retryable, false);
  assertEquals(
    await codeOf(signIn.callback(callbackUrl(flow), flow)),
    "flow_used",
  );
});

Deno.test("callback asks consume once, and refuses a flow that another process used", async () => {
  const used = new Map<string, number>();
  const consume = async (state: string, expiresAt: number) => {
    await Promise.resolve();
    if (used.has(state)) return false;
    used.set(state, expiresAt);
    return true;
  };
  const provider = new Provider(tokenAnswers());
  const [one, two] = [1, 2].map(() =>
    new SignIn(provider.client, { consume })
  ) as [SignIn, SignIn];
  const flow = await one.start(START);
  await one.callback(callbackUrl(flow), flow);
  assertEquals([...used], [[flow.toJSON().state, NOW + 600]]);
  assertEquals(
    await codeOf(two.callback(callbackUrl(flow), flow.toJSON())),
    "flow_used",
  );
  assertEquals(provider.paths, ["/token"]);
});

Deno.test("callback refuses a flow if consume returns nothing", async () => {
  const consume = () => undefined as unknown as boolean;
  const { signIn, flow } = await begin({ consume });
  const call = signIn.callback(callbackUrl(flow), flow);
  assertEquals(await codeOf(call), "flow_used");
});

Deno.test("callback returns a token of the class of the client", async () => {
  class MyToken extends AccessToken {
    readonly mine = true;
  }
  const client = new Client("abc", null, {
    site: ISSUER,
    accessTokenClass: MyToken,
    fetch: () => Promise.resolve(Response.json({ access_token: "m" })),
  });
  const signIn = new SignIn(client);
  const flow = await signIn.start(START);
  const { token } = await signIn.callback(callbackUrl(flow), flow);
  assertEquals(token.mine, true);
});

Deno.test("callback refuses a flow of another server with the same client id", async () => {
  const urls: string[] = [];
  const [one, two] = ["https://one.example", "https://two.example"].map((
    site,
  ) =>
    new SignIn(
      new Client("abc", "secret", {
        site,
        fetch: (url) => {
          urls.push(url);
          return Promise.resolve(Response.json({ access_token: "m" }));
        },
      }),
    )
  ) as [SignIn, SignIn];
  const flow = await one.start(START);
  assertEquals(
    await codeOf(two.callback(callbackUrl(flow), flow.toJSON())),
    "invalid_flow",
  );
  assertEquals(urls, []);
  await one.callback(callbackUrl(flow), flow.toJSON());
});

Deno.test("callback sends nothing and keeps a flow if consume throws", async () => {
  let calls = 0;
  const { provider, signIn, flow } = await begin({
    consume() {
      if (calls++ === 0) throw new Error("the store is down");
      return true;
    },
  });
  const url = callbackUrl(flow);
  await assertRejects(() => signIn.callback(url, flow), Error, "store is down");
  assertEquals(provider.paths, []);
  await signIn.callback(url, flow);
  assertEquals(await codeOf(signIn.callback(url, flow)), "flow_used");
});

/** Sign-in at a provider whose answer for the keys may change. */
async function startOpenId(
  keys: () => Response | Promise<object>,
  fields: object = { token_type: "Bearer" },
) {
  let nonce = "";
  const provider = new Provider({
    "/token": async () => ({
      access_token: ACCESS_TOKEN,
      ...fields,
      id_token: await issueJwt(idTokenClaims(nonce)),
    }),
    "/keys": keys,
  });
  const signIn = new SignIn(provider.client);
  const flow = await signIn.start({ ...START, scope: "openid" });
  nonce = flow.toJSON().nonce!;
  return { provider, signIn, flow, url: callbackUrl(flow) };
}

const down = () => new Response(null, { status: 503 });
const publicKeys = async () => ({ keys: [await publicJwk("rs256")] });

Deno.test("callback keeps code and flow if the keys cannot be fetched", async () => {
  let isDown = true;
  const { provider, signIn, flow, url } = await startOpenId(() =>
    isDown ? down() : publicKeys()
  );
  const error = await assertRejects(
    () => signIn.callback(url, flow),
    OAuth2Error,
  );
  assertEquals([error.status, error.retryable], [503, true]);
  assertEquals(provider.paths, ["/keys"]);
  isDown = false;
  provider.now++;
  const { claims } = await signIn.callback(url, flow);
  assertEquals(claims?.sub, "ana");
});

Deno.test("callback keeps code and flow if its signal aborts the request for the keys", async () => {
  let isStuck = true;
  const { provider, signIn, flow, url } = await startOpenId(() =>
    isStuck ? new Promise(() => {}) : publicKeys()
  );
  const controller = new AbortController();
  const { signal } = controller;
  const rejected = assertRejects(
    () => signIn.callback(url, flow, { signal }),
    Error,
    "enough",
  );
  controller.abort(new Error("enough"));
  await rejected;
  isStuck = false;
  const { claims } = await signIn.callback(url, flow);
  assertEquals(claims?.sub, "ana");
  assertEquals(provider.paths.at(-1), "/token");
});

Deno.test("callback reports a failure of the keys after the code was used as not retryable", async () => {
  let requests = 0;
  const { provider, signIn, flow, url } = await startOpenId(async () => {
    if (requests++ > 0) return down();
    return { keys: [await publicJwk("es256")] };
  });
  const issue = provider.answers["/token"]!;
  provider.answers["/token"] = (request) => {
    // After the cooldown, so that the unknown key causes another request.
    provider.now += 30;
    return issue(request);
  };
  const error = await assertRejects(
    () => signIn.callback(url, flow),
    ConnectionError,
    "the code was used",
  );
  assertEquals(error.retryable, false);
  assertEquals(provider.paths, ["/keys", "/token", "/keys"]);
});

const OWN_TENANT = "11111111-2222-3333-4444-555555555555";

for (
  const [tenant, accepted] of [
    [OWN_TENANT, ["own"]],
    ["common", ["own", "other"]],
    ["organizations", ["own", "other"]],
    ["consumers", ["own", "other"]],
    ["contoso.onmicrosoft.com", []],
    [`${OWN_TENANT}/v1.0`, []],
  ] as const
) {
  Deno.test(`SignIn with a template and the tenant ${tenant} accepts users of [${accepted}]`, async () => {
    const issuerTemplate = "https://login.microsoftonline.com/{tenantid}/v2.0";
    const tids = {
      own: OWN_TENANT,
      other: "99999999-2222-3333-4444-555555555555",
    };
    const issuer = issuerTemplate.replace("{tenantid}", tenant);
    let id_token = "";
    const { client } = new Provider(
      {
        "/keys": async () => ({ keys: [await publicJwk("rs256")] }),
        "/token": () => ({
          access_token: ACCESS_TOKEN,
          token_type: "Bearer",
          id_token,
        }),
      },
      { issuer },
      { issuer },
    );
    const found: string[] = [];
    for (const [name, tid] of Object.entries(tids)) {
      const signIn = new SignIn(client, { issuerTemplate });
      const flow = await signIn.start({ ...START, scope: "openid" });
      const { nonce, state } = flow.toJSON();
      const iss = issuerTemplate.replace("{tenantid}", tid);
      id_token = await issueJwt({ ...idTokenClaims(nonce), iss, tid });
      const url = `${REDIRECT_URI}?code=${CODE}&state=${state}&iss=${issuer}`;
      await signIn.callback(url, flow).then(
        () => found.push(name),
        ({ code }) => assertEquals(code, "invalid_iss"),
      );
    }
    assertEquals(found, [...accepted]);
  });
}

Deno.test("callback accepts users of a server with many tenants, with the template of discover", async () => {
  const issuer = "https://login.microsoftonline.com/common/v2.0";
  const issuerTemplate = "https://login.microsoftonline.com/{tenantid}/v2.0";
  const tid = "9188040d-6c67-4c5b-b112-36a304b66dad";
  const origin = new URL(issuer).origin;
  const metadata = {
    issuer: issuerTemplate,
    authorization_endpoint: `${origin}/common/oauth2/v2.0/authorize`,
    token_endpoint: `${origin}/common/oauth2/v2.0/token`,
    jwks_uri: `${origin}/common/discovery/v2.0/keys`,
  };
  let claims = {};
  const fetch = async (url: string) => {
    if (url.endsWith("openid-configuration")) return Response.json(metadata);
    if (url === metadata.jwks_uri) {
      const key = await publicJwk("rs256", { issuer: issuerTemplate });
      return Response.json({ keys: [key] });
    }
    const id_token = await issueJwt({ ...idTokenClaims(), ...claims });
    return Response.json({
      access_token: ACCESS_TOKEN,
      token_type: "Bearer",
      id_token,
    });
  };
  const client = new Client(CLIENT_ID, CLIENT_SECRET, {
    ...await discover(issuer, { fetch, issuerTemplate }),
    clock: () => NOW * 1000,
    fetch,
  });
  for (
    const [options, iss, code] of [
      [{ issuerTemplate }, issuerTemplate.replace("{tenantid}", tid), "ok"],
      [{ issuerTemplate }, issuer, "invalid_iss"],
      [{ issuerTemplate }, issuerTemplate, "invalid_iss"],
      [{}, issuerTemplate.replace("{tenantid}", tid), "ok"],
    ] as const
  ) {
    const signIn = new SignIn(client, options);
    const flow = await signIn.start({ ...START, scope: "openid" });
    claims = { iss, tid, nonce: flow.toJSON().nonce };
    const { state } = flow.toJSON();
    const url = `${REDIRECT_URI}?code=${CODE}&state=${state}`;
    const found = await signIn.callback(url, flow)
      .then(() => "ok", (error) => error.code);
    assertEquals(found, code, iss);
  }
});

for (
  const [callback, isAccepted] of [
    ["/callback?PARAMS", true],
    ["?PARAMS", true],
    ["http://10.0.0.7:8080/callback?PARAMS", true],
    [new URL("http://10.0.0.7:8080/callback?PARAMS"), true],
    [new Request("http://10.0.0.7:8080/callback?PARAMS"), true],
    [new URLSearchParams("PARAMS"), true],
    ["https://app.example/callback/?PARAMS", false],
    ["https://app.example/callback/other?PARAMS", false],
    ["https://app.example/Callback?PARAMS", false],
    ["/other?PARAMS", false],
    [new URL("https://app.example/other?PARAMS"), false],
    [new Request("https://app.example/other?PARAMS"), false],
  ] as const
) {
  const shown = callback instanceof Request ? callback.url : callback;
  Deno.test(`callback ${isAccepted ? "accepts" : "refuses"} the ${callback.constructor.name} ${shown}`, async () => {
    const { provider, signIn, flow } = await begin();
    const { searchParams } = new URL(callbackUrl(flow));
    const fill = (text: string) =>
      text.replace("PARAMS=", "PARAMS")
        .replace("PARAMS", `${searchParams}`);
    const response = callback instanceof Request
      ? new Request(fill(callback.url))
      : callback instanceof URL
      ? new URL(fill(callback.href))
      : callback instanceof URLSearchParams
      ? searchParams
      : fill(callback);
    const call = signIn.callback(response, flow);
    if (isAccepted) {
      assertEquals((await call).token.token, ACCESS_TOKEN);
    } else {
      assertEquals(await codeOf(call), "invalid_redirect_uri");
      assertEquals(provider.paths, []);
      // The flow was not used up.
      await signIn.callback(callbackUrl(flow), flow);
    }
  });
}

Deno.test("callback refuses parameters without a question mark, and does not show them", async () => {
  const signIn = new SignIn(new Provider().client);
  const flow = await signIn.start(START);
  const text = new URL(callbackUrl(flow)).search.slice(1);
  const error = await assertRejects(
    () => signIn.callback(text, flow),
    ValidationError,
    'not "/callback" of the redirect_uri',
  );
  for (const secret of [CODE, flow.toJSON().state]) {
    assert(!show(error).includes(secret));
  }
});

for (const fields of [{}, { token_type: null }]) {
  Deno.test(`callback refuses a token response with ${JSON.stringify(fields)} for the token_type, with openid`, async () => {
    const { signIn, flow, url } = await startOpenId(publicKeys, fields);
    const code = await codeOf(signIn.callback(url, flow));
    assertEquals(code, "invalid_token_type");
  });
}

Deno.test("callback needs no keys for an error of the server", async () => {
  const { provider, signIn, flow } = await startOpenId(down);
  const url = callbackUrl(flow, { error: "access_denied" });
  const error = await assertRejects(
    () => signIn.callback(url, flow),
    OAuth2Error,
  );
  assertEquals(error.code, "access_denied");
  assertEquals(provider.paths, []);
});

Deno.test("callback shows no secret of the request in an error of the server", async () => {
  const signIn = new SignIn(new Provider().client);
  const flow = await signIn.start({ ...START, scope: "openid" });
  const { state, nonce, code_verifier } = flow.toJSON();
  const secrets = [state, nonce!, code_verifier!, CODE, CLIENT_SECRET];
  const echo = secrets.join(" and ");
  const url = callbackUrl(flow, {
    error: "access_denied",
    error_description: echo,
    error_uri: `https://x.example/?${encodeURIComponent(echo)}`,
  });
  const error = await assertRejects(
    () => signIn.callback(url, flow),
    OAuth2Error,
  );
  const shown = `${show(error)} ${error.description} ${error.uri}`;
  assert(shown.includes("access_denied"), shown);
  for (const secret of secrets) assert(!shown.includes(secret), shown);
});

Deno.test("callback refuses an error code of more than 200 characters", async () => {
  const signIn = new SignIn(new Provider().client);
  const flow = await signIn.start(START);
  const url = callbackUrl(flow, { error: "x".repeat(201) });
  assertEquals(await codeOf(signIn.callback(url, flow)), "invalid_request");
});

Deno.test("callback shows no HTML or control characters of an error", async () => {
  const signIn = new SignIn(new Provider().client);
  const flow = await signIn.start(START);
  const url = callbackUrl(flow, {
    error: "a\nb",
    error_description: `x\r\n\u001b[31m${"y".repeat(100_000)}`,
  });
  const { message } = await assertRejects(
    () => signIn.callback(url, flow),
    OAuth2Error,
  );
  // deno-lint-ignore no-control-regex -- the characters that must be absent
  assert(!/[\u0000-\u001f]/.test(message) && message.length < 3000);
});

Deno.test("callback throws the error of the token request, and shows no secret", async () => {
  const { client } = new Provider({
    "/token": () => Response.json({ error: "invalid_grant" }, { status: 400 }),
  }, { raiseErrors: false });
  const signIn = new SignIn(client);
  const flow = await signIn.start(START);
  const error = await assertRejects(
    () => signIn.callback(callbackUrl(flow), flow),
    OAuth2Error,
  );
  assertEquals([error.code, error.retryable], ["invalid_grant", false]);
  assert(!show(error).includes(CODE));
});

Deno.test("callback rejects with the reason of its signal", async () => {
  const provider = new Provider({ "/token": () => new Promise(() => {}) });
  const signIn = new SignIn(provider.client);
  const flow = await signIn.start(START);
  const controller = new AbortController();
  const call = signIn.callback(callbackUrl(flow), flow, {
    signal: controller.signal,
  });
  const rejected = assertRejects(() => call, Error, "enough");
  controller.abort(new Error("enough"));
  await rejected;
});

Deno.test("callback throws a ConnectionError if the keys cannot be fetched", async () => {
  const nonces: string[] = [];
  const { client } = new Provider({
    "/token": async () => ({
      access_token: ACCESS_TOKEN,
      token_type: "Bearer",
      id_token: await issueJwt(idTokenClaims(nonces[0])),
    }),
    "/keys": () => {
      throw new TypeError("fetch failed");
    },
  });
  const signIn = new SignIn(client);
  const flow = await signIn.start({ ...START, scope: "openid" });
  nonces.push(flow.toJSON().nonce!);
  await assertRejects(
    () => signIn.callback(callbackUrl(flow), flow),
    ConnectionError,
  );
});

Deno.test("callback fetches the keys once for many sign-ins", async () => {
  let nonce = "";
  const provider = new Provider({
    "/token": async () => ({
      access_token: ACCESS_TOKEN,
      token_type: "Bearer",
      id_token: await issueJwt(idTokenClaims(nonce)),
    }),
    "/keys": async () => ({ keys: [await publicJwk("rs256")] }),
  });
  const signIn = new SignIn(provider.client);
  for (let i = 0; i < 3; i++) {
    const flow = await signIn.start({ ...START, scope: "openid" });
    nonce = flow.toJSON().nonce!;
    await signIn.callback(callbackUrl(flow), flow);
  }
  assertEquals(provider.keyRequests, 1);
});

Deno.test("callback accepts HS256 without jwks_uri if it is listed", async () => {
  let nonce = "";
  const { client } = new Provider(
    {
      "/token": async () => ({
        access_token: ACCESS_TOKEN,
        token_type: "Bearer",
        id_token: await issueJwt(idTokenClaims(nonce), { key: "secret" }),
      }),
    },
    {},
    { jwks_uri: null },
  );
  const signIn = new SignIn(client, { algorithms: ["HS256"] });
  const flow = await signIn.start({ ...START, scope: "openid" });
  nonce = flow.toJSON().nonce!;
  const { claims } = await signIn.callback(callbackUrl(flow), flow);
  assertEquals(claims?.sub, "ana");
});

Deno.test("callback throws a ValidationError for any query without the state", async () => {
  const { provider, signIn, flow } = await begin();
  const name = fc.oneof(
    fc.constantFrom("state", "code", "iss", "error", "id_token", "response"),
    fc.string(),
  );
  const pairs = fc.array(fc.tuple(name, fc.string()));
  await fc.assert(fc.asyncProperty(pairs, async (pairs) => {
    const query = new URLSearchParams(pairs);
    const error = await signIn.callback(query, flow)
      .then(() => {}, (error) => error);
    assert(error instanceof ValidationError, String(error));
  }));
  const url = fc.string().map((text) => `/callback?${text}`);
  await fc.assert(fc.asyncProperty(url, async (url) => {
    const error = await signIn.callback(url, flow)
      .then(() => {}, (error) => error);
    assert(error instanceof ValidationError, String(error));
  }));
  assertEquals(provider.paths, []);
});

Deno.test("a sealed flow takes less than 1 kB of a cookie", async () => {
  const signIn = new SignIn(new Provider().client);
  const flow = await signIn.start({
    redirect_uri: `${REDIRECT_URI}/provider`,
    scope: "openid profile email offline_access https://api.example/notes",
    max_age: 3600,
    acr_values: "urn:mace:incommon:iap:silver",
  });
  const key = crypto.getRandomValues(new Uint8Array(32));
  const cookie = await seal(flow, key, { name: "login" });
  assert(cookie.length < 1000, `${cookie.length} characters`);
  assertEquals(await unseal(cookie, key, { name: "login" }), flow.toJSON());
  assertNotEquals(cookie, await seal(flow, key, { name: "login" }));
});
