/** Whatever is sent, answered and echoed: nothing that is shown holds a secret. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  AccessToken,
  type AuthScheme,
  Client,
  type ClientOptions,
  OAuth2Response,
  type RequestOptions,
  type TokenHash,
  type TokenMethod,
  type TokenOptions,
} from "../../oauth2/mod.ts";
import { print } from "./decisions/_decision.ts";

/** Stands in every secret and survives every encoding of text: it never shows. */
const MARK = "zq7k";
const SITE = "https://api.example.com";

const unit = fc.constantFrom(
  ..."aZ09-._~\"'\\%+&=#?/: ;,<>()!*@[]{}$\n\r\t",
  ...["é", "ß", "€", "日", "😀", "\u2028", "%41", "%zz", "\\u0041", "\\n"],
  ...["\ud800", "\udc00"],
);
/** What a header can carry; the rest must be refused without being shown. */
const headerUnit = fc.constantFrom(
  ..."aZ09-._~\"'\\%+&=#?/: ;,<>()!*@[]{}$éß",
);
const secretOf = (unit: fc.Arbitrary<string>) =>
  fc.tuple(
    fc.string({ unit, minLength: 2, maxLength: 14 }),
    fc.string({ unit, minLength: 2, maxLength: 14 }),
  ).map(([before, after]) => before + MARK + after);
const secret = fc.oneof(secretOf(headerUnit), secretOf(unit));

type Spell = (secret: string) => string;
const formEncode: Spell = (secret) =>
  String(new URLSearchParams({ "": secret })).slice(1);
const jsonEncode: Spell = (secret) => JSON.stringify(secret).slice(1, -1);
/** How a server, a log or an address may repeat what it got. */
const SPELLINGS: Record<string, Spell> = {
  "as it is": (secret) => secret,
  "form-encoded": formEncode,
  "form-encoded, %20 for spaces": (secret) =>
    formEncode(secret).replaceAll("+", "%20"),
  "%-encoded": encodeURIComponent,
  "as an address has it": encodeURI,
  "JSON-escaped": jsonEncode,
};

/** What a fake server knows when it answers. */
interface Asked {
  /** All secrets of the request, in some spelling. */
  readonly said: string;
  /** The same as a header can say it, quotes and all. */
  readonly header: string;
  readonly url: string;
  readonly sent: string;
  readonly signal: AbortSignal;
}

const UNQUOTABLE = /[^\x20-\x7e\xa0-\xff]|["\\]/;

type Respond = (asked: Asked) => Response | Promise<Response>;

const json = (value: unknown, status = 200): Response =>
  Response.json(value, { status });
const fail = (message: string, cause?: unknown): never => {
  throw new TypeError(message, { cause });
};
const endless = (first: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
    pull: (controller) => controller.enqueue(new Uint8Array(4096)),
  });

const ECHOES: Record<string, Respond> = {
  "an error in JSON": ({ said }) =>
    json({
      error: `refused ${said}`,
      error_description: `it was ${said}.`,
      error_uri: `https://docs.example/?about=${said}`,
    }, 400),
  "an error in JSON with 200": ({ said }) => json({ error: said, got: [said] }),
  "an error in a form": ({ said }) =>
    new Response(
      new URLSearchParams({ error: "x", error_description: said }),
      { status: 401 },
    ),
  "a challenge": ({ header }) =>
    new Response(null, {
      status: 401,
      headers: {
        "www-authenticate":
          `Bearer error="invalid_token", error_description="${header}"`,
      },
    }),
  "a redirect below the site": ({ header }) =>
    new Response(null, {
      status: 307,
      headers: { location: `/to?note=${header}` },
    }),
  "a redirect elsewhere": ({ header }) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://other.example/?x=${header}` },
    }),
  "a redirect to what is no address": ({ header }) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://[${header}` },
    }),
  "the request in JSON": ({ said, sent }) =>
    json({ data: sent, said, nested: { said: [{ said }] } }, 400),
  "the request in JSON with 200": ({ said }) => json({ said, n: { said } }),
  "the request in a form": ({ said, sent }) =>
    new Response(new URLSearchParams({ said, sent })),
  "the request as text": ({ said, sent }) =>
    new Response(`said ${said} sent ${sent}`, { status: 500 }),
  "what is no JSON": ({ said }) =>
    new Response(`{"said":"${said}`, {
      headers: { "content-type": "application/json" },
    }),
  "a page": ({ said, url }) =>
    new Response(`<p>${said} ${url}`, {
      status: 404,
      headers: { "content-type": "text/html" },
    }),
  "a body over the limit": ({ said }) => new Response(endless(said)),
  "a body that breaks off": ({ said }) =>
    new Response(
      new ReadableStream({ pull: (to) => to.error(new Error(said)) }),
    ),
  "a lost connection": ({ said }) => fail(`cannot send ${said}`),
  "a lost connection that tells the address": ({ url }) =>
    fail(`error sending request for url (${url})`),
  "a lost connection with causes": ({ said, url }) =>
    fail("fetch failed", new Error(url, { cause: new Error(said) })),
  "a lost connection whose cause is text": ({ said }) => fail("failed", said),
  "a lost connection whose cause is an object": ({ said, url }) =>
    fail("failed", { url, options: { body: said } }),
  "a lost connection whose error has details": ({ said, url }) => {
    throw Object.assign(new Error("failed"), { url, config: { data: said } });
  },
  "a lost connection of many causes": ({ said }) => {
    throw new AggregateError([new Error(said)], "all failed");
  },
  "a rejection that is no error": ({ said, url }) => {
    throw { url, said };
  },
  "no answer": ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
};

/** Runs a call against a server, and finds all that it shows. */
async function show(
  respond: Respond,
  spell: Spell,
  secrets: readonly string[],
  options: ClientOptions,
  act: (client: Client) => Promise<unknown>,
  clientSecret = "",
): Promise<{ text: string; credentials: string[] }> {
  const lines: string[] = [];
  const credentials: string[] = [];
  const write = (line: unknown) => void lines.push(String(line));
  const client = new Client("ação:%+", clientSecret, {
    site: SITE,
    logger: { debug: write, warn: write },
    debug: true,
    ...options,
    connectionOpts: { maxBodyBytes: 4096, timeout: 1 },
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      const signed = /^Basic (.*)/.exec(headers.get("authorization") ?? "")
        ?.[1];
      if (signed) credentials.push(signed);
      const sent = String(init.body ?? "");
      // Nothing but JSON carries a lone surrogate, and a header only bytes.
      const whole = secrets.map((secret) => secret.toWellFormed());
      const said = [...whole.map(spell), ...credentials].join(" and ");
      const header = whole
        .map((secret) =>
          UNQUOTABLE.test(spell(secret))
            ? encodeURIComponent(secret)
            : spell(secret)
        )
        .concat(credentials, "so").join(" and ");
      return await respond({ said, header, url, sent, signal: init.signal! });
    },
  });
  const outcome = await act(client)
    .catch((error): unknown => error) as { response?: unknown } | undefined;
  const response = outcome instanceof OAuth2Response
    ? outcome
    : outcome?.response as OAuth2Response | undefined;
  const error = response?.error;
  const text = [
    ...lines,
    print(client),
    print(client.authCode),
    print(outcome),
    print(response),
    print(error),
    print([client, { outcome, response, error }]),
  ].join("\n");
  return { text, credentials };
}

/** The lines that hold a secret, or a part of one. */
function leaks(
  { text, credentials }: { text: string; credentials: string[] },
): string[] {
  return text.split("\n").filter((line) =>
    line.toLowerCase().includes(MARK) ||
    credentials.some((value) => line.includes(value))
  );
}

interface Secrets {
  readonly own: string;
  readonly grant: string;
  readonly proof: string;
}

const BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
type Call = (
  client: Client,
  secrets: Secrets,
  params: Record<string, unknown>,
  options: TokenHash & TokenOptions,
) => Promise<unknown>;
/** Calls, and what each sends besides what authenticates the client. */
const CALLS: Record<string, [sent: (keyof Secrets)[], call: Call]> = {
  "authCode.getToken": [
    ["grant", "proof"],
    (client, { grant, proof }, params, options) =>
      client.authCode.getToken(
        grant,
        { ...params, code_verifier: proof },
        options,
      ),
  ],
  "password.getToken": [
    ["grant", "proof"],
    (client, { grant, proof }, params, options) =>
      client.password.getToken(proof, grant, params, options),
  ],
  "clientCredentials.getToken": [
    [],
    (client, _, params, options) =>
      client.clientCredentials.getToken(params, options),
  ],
  "assertion.getToken": [
    [],
    (client, { grant }, params, options) =>
      client.assertion.getToken(
        { iss: "otter" },
        { algorithm: "HS256", key: grant.padEnd(64, "x") },
        params,
        options,
      ),
  ],
  "getToken with an assertion": [
    ["grant"],
    (client, { grant }, params, options) =>
      client.getToken(
        { ...params, grant_type: BEARER, assertion: grant },
        options,
      ),
  ],
  "getToken with tokens to exchange": [["grant", "proof"], (
    client,
    { grant, proof },
    params,
    options,
  ) =>
    client.getToken({
      ...params,
      grant_type: EXCHANGE,
      subject_token: grant,
      actor_token: proof,
    }, options)],
  "getToken with a device code": [
    ["grant", "proof"],
    (client, { grant, proof }, params, options) =>
      client.getToken({
        ...params,
        grant_type: DEVICE,
        device_code: grant,
        user_code: proof,
      }, options),
  ],
  "token.refresh": [
    ["grant"],
    (client, { grant, proof }, params, options) =>
      AccessToken.fromHash(client, {
        access_token: proof,
        refresh_token: grant,
      })
        .refresh(params, options),
  ],
  "token.revoke": [
    ["grant"],
    (client, { grant, proof }, params) =>
      AccessToken.fromHash(client, {
        access_token: proof,
        refresh_token: grant,
      })
        .revoke({ ...params, token_type_hint: "refresh_token" }),
  ],
  "revokeToken": [
    ["grant"],
    (client, { grant }, params) => client.revokeToken(grant, undefined, params),
  ],
};

const setting = fc.record({
  authScheme: fc.constantFrom<AuthScheme>(
    "basic_auth",
    "request_body",
    "tls_client_auth",
    "private_key_jwt",
  ),
  basicAuthEncoding: fc.constantFrom<"form" | "raw">("form", "raw"),
  tokenMethod: fc.constantFrom<TokenMethod>(
    "post",
    "get",
    "post_with_query_string",
  ),
  raiseErrors: fc.boolean(),
});
const contentType = fc.constantFrom(undefined, "application/json");
const secrets = fc.record({ own: secret, grant: secret, proof: secret });
const spelling = fc.constantFrom(...Object.keys(SPELLINGS));

/** One call of each kind, however it is made, and what it is answered. */
function paramsOf(
  { authScheme, tokenMethod }: ClientOptions,
  { proof }: Secrets,
  contentType: string | undefined,
): Record<string, unknown> {
  return {
    tokenMethod,
    headers: contentType && { "content-type": contentType },
    ...(authScheme === "private_key_jwt" && {
      client_assertion: proof,
      client_assertion_type:
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }),
  };
}

for (const [name, respond] of Object.entries(ECHOES)) {
  Deno.test(`token calls show no secret when answered ${name}`, async () => {
    const call = fc.constantFrom(...Object.keys(CALLS));
    await fc.assert(
      fc.asyncProperty(
        call,
        setting,
        secrets,
        contentType,
        spelling,
        async (call, setting, secrets, contentType, spelling) => {
          const [sent, act] = CALLS[call]!;
          const params = paramsOf(setting, secrets, contentType);
          const names = params.client_assertion ? [...sent, "proof"] : sent;
          const shown = await show(
            respond,
            SPELLINGS[spelling]!,
            ["own", ...names].map((name) => secrets[name as keyof Secrets]),
            setting,
            (client) => act(client, secrets, params, {}),
            secrets.own,
          );
          assertEquals(leaks(shown), []);
        },
      ),
      { seed: 11, numRuns: 200 },
    );
  });
}

/** An answer with tokens, by the ways in which servers give them. */
function issue(
  format: string,
  tokenName: string,
  nested: boolean,
  { own, grant, proof }: Secrets,
): Response {
  const fields = {
    [tokenName]: own,
    refresh_token: grant,
    id_token: proof,
    expires_in: "600",
  };
  const answer = nested ? { data: fields } : fields;
  switch (format) {
    case "form":
      return new Response(new URLSearchParams(fields));
    case "text":
      return new Response(String(new URLSearchParams(fields)));
    case "untyped":
      return new Response(new TextEncoder().encode(JSON.stringify(answer)));
    default:
      return Response.json(answer);
  }
}

Deno.test("token calls show no secret of the tokens that they get", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("json", "form", "text", "untyped"),
      fc.constantFrom("access_token", "accessToken", "banana_face"),
      fc.boolean(),
      fc.constantFrom(
        ...Object.keys(CALLS).filter((name) => !/revoke/.test(name)),
      ),
      secrets,
      setting,
      async (format, tokenName, nested, call, issued, setting) => {
        const extractAccessToken = nested && format !== "form"
          ? (fields: Record<string, unknown>) =>
            (fields.data ?? fields) as Record<string, unknown>
          : undefined;
        const shown = await show(
          () => issue(format, tokenName, nested, issued),
          SPELLINGS["as it is"]!,
          [],
          { ...setting, extractAccessToken },
          (client) =>
            CALLS[call]![1](
              client,
              { own: "own-secret", grant: "granted", proof: "proof" },
              paramsOf(setting, issued, undefined),
              { tokenName },
            ),
          "own-secret",
        );
        assertEquals(leaks(shown), []);
      },
    ),
    { seed: 12, numRuns: 400 },
  );
});

/** Where a request to a resource carries a secret of the caller's. */
const CARRIERS: Record<
  string,
  (name: string, secret: string) => RequestOptions
> = {
  "a parameter": (name, secret) => ({ params: { [name]: secret } }),
  "a header": (name, secret) => ({
    // Deno takes a header with a carriage return for an empty one.
    headers: {
      [`x-${name.replace(/\W/g, "-")}`]: secret.replaceAll("\r", "\n"),
    },
  }),
  "an object": (name, secret) => ({ body: { [name]: secret, a: 1 } }),
  "an object sent as JSON": (name, secret) => ({
    body: { [name]: secret, a: 1 },
    headers: { "content-type": "application/json" },
  }),
  "nested JSON": (name, secret) => ({
    body: { users: [{ a: { [name]: secret } }] },
    headers: { "content-type": "application/json" },
  }),
  "a list in JSON": (name, secret) => ({
    body: JSON.stringify({ [name]: ["first", secret] }),
    headers: { "content-type": "application/json" },
  }),
  "text that is a form": (name, secret) => ({
    body: String(new URLSearchParams({ a: "1", [name]: secret })),
  }),
  "text that is a form with a bare name": (name, secret) => ({
    body: `flag&${new URLSearchParams({ [name]: secret })}&`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  "text that is JSON": (name, secret) => ({
    body: JSON.stringify({ a: 1, [name]: secret }),
    headers: { "content-type": "application/json" },
  }),
  "URLSearchParams": (name, secret) => ({
    body: new URLSearchParams({ "": "x", [name]: secret }),
  }),
  "FormData": (name, secret) => {
    const body = new FormData();
    body.set(name, secret);
    return { body };
  },
  "text that is told to be secret": (_, secret) => ({
    body: `<a>${secret}</a>`,
    secrets: [secret],
  }),
  "a parameter that is told to be secret": (_, secret) => ({
    params: { note: secret },
    secrets: [secret],
  }),
};

const tokenOptions = fc.record({
  mode: fc.constantFrom<NonNullable<TokenOptions["mode"]>>(
    "header",
    "query",
    "body",
    () => "query",
    { post: "query", put: "body" },
  ),
  headerFormat: fc.constantFrom("Bearer %s", 'Token token="%s"', "%s", "%s x"),
  paramName: fc.constantFrom(
    "access_token",
    "auth",
    "a[b]",
    "señal",
    "__proto__",
  ),
});

for (const [carrier, carry] of Object.entries(CARRIERS)) {
  Deno.test(`token.request shows no secret of ${carrier}`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ECHOES)),
        spelling,
        secrets,
        tokenOptions,
        fc.constantFrom("password", "apiKey", "new_secret", "token"),
        fc.constantFrom("post", "put"),
        fc.record({
          raiseErrors: fc.boolean(),
          allowCrossOriginRedirects: fc.boolean(),
          maxRedirects: fc.constantFrom(0, 2),
        }),
        async (echo, spelling, secrets, options, name, verb, setting) => {
          const { own, grant, proof } = secrets;
          const shown = await show(
            ECHOES[echo]!,
            SPELLINGS[spelling]!,
            [own, grant, proof],
            setting,
            (client) => {
              const hash = { access_token: grant };
              return AccessToken.fromHash(client, hash, options)
                .request(verb, "/from", carry(name, proof));
            },
            own,
          );
          assertEquals(leaks(shown), []);
        },
      ),
      { seed: 13, numRuns: 300 },
    );
  });
}

Deno.test("request shows no secret that stands in the path and is told to be one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(ECHOES)),
      spelling,
      secret,
      fc.constantFrom(encodeURIComponent, encodeURI),
      async (echo, spelling, secret, encode) => {
        const path = `/bot${encode(secret.toWellFormed())}/me`;
        const shown = await show(
          ECHOES[echo]!,
          SPELLINGS[spelling]!,
          [secret],
          {},
          (client) => client.request("get", path, { secrets: [secret] }),
        );
        assertEquals(leaks(shown), []);
      },
    ),
    { seed: 14, numRuns: 300 },
  );
});
