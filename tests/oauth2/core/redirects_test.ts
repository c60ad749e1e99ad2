/** Redirects that are followed, and secrets in their Location. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  AccessToken,
  discover,
  OAuth2Error,
  type RequestOptions,
  type TokenHash,
} from "../../../oauth2/mod.ts";
import { ENDPOINT_CALLS, tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  loggerTo,
  oauth2Error,
  SITE,
} from "../_client.ts";
import { MARK } from "../_echoing_server.ts";
import { onResource, onToken, redirect } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { print } from "../_print.ts";
import { SPELLINGS } from "../_spellings.ts";

const TOKEN = "monkey123monkey";

const FIELDS = { access_token: TOKEN };

for (
  const [status, method] of [
    [307, "POST"],
    [308, "POST"],
    [301, "PUT"],
    [302, "PATCH"],
  ] as const
) {
  clientTest(
    `follow refuses a ${status} of a ${method} whose body is a stream`,
    [onResource(redirect("/to", status), { method })],
    async ({ client }) => {
      const body = new Blob(["streamed"]).stream();
      const error = await oauth2Error(
        client.request(method, "/from", { body }),
      );
      assertEquals(error.status, status);
      assert(error.message.includes("stream"), error.message);
    },
  );
}

for (const status of [301, 302, 303]) {
  clientTest(
    `follow sends no body after a ${status} of a stream`,
    [
      onResource(redirect("/to", status), { method: "POST" }),
      {
        expect: { method: "GET", url: `${SITE}/to`, body: null },
        respond: { status: 204 },
      },
    ],
    async ({ client }) => {
      const body = new Blob(["streamed"]).stream();
      const { status } = await client.request("post", "/from", { body });
      assertEquals(status, 204);
    },
  );
}

clientTest(
  "follow follows a redirect of a server on loopback",
  [
    { respond: redirect("/to") },
    {
      expect: { url: "http://localhost:8080/to" },
      respond: { status: 204 },
    },
  ],
  ({ client }) => client.request("get", "/from"),
  { site: "http://localhost:8080" },
);

for (const user of ["ana", "ana:hush-hush", ":hush-hush"]) {
  clientTest(
    `follow ignores ${user}@ in a Location`,
    [
      onResource(redirect(`https://${user}@api.example.com/to`)),
      {
        expect: { headers: { authorization: `Bearer ${TOKEN}` } },
        respond: { status: 204 },
      },
    ],
    async ({ client }) => {
      const { url } = await tokenOf(client, FIELDS).get("/from");
      assertEquals(url, `${SITE}/to`);
    },
  );
}

for (
  const location of [
    `https://${TOKEN}.attacker.example/`,
    `${TOKEN}:x`,
    `http://${TOKEN}.example/`,
    `https://other.example/${TOKEN}`,
    `https://[${TOKEN}`,
  ]
) {
  for (const allowCrossOriginRedirects of [false, true]) {
    clientTest(
      `follow redacts the token in the refused ${location}, ${
        allowCrossOriginRedirects ? "with" : "without"
      } allowCrossOriginRedirects`,
      [onResource(redirect(location))],
      async ({ client, log }) => {
        const error = await oauth2Error(tokenOf(client, FIELDS).get("/from"));
        const shown = [print(error), ...log].join("\n");
        assert(!shown.includes(TOKEN), shown);
      },
      { allowCrossOriginRedirects, debug: true },
    );
  }
}

clientTest(
  "follow redacts the secrets of the first request in the log of the next",
  [
    onResource(redirect("/to?note=hush-hush+1&other=hush-hush+2"), {
      method: "POST",
    }),
    { respond: { status: 200, body: "note=hush-hush+1&other=hush-hush+2" } },
  ],
  async ({ client, log }) => {
    await client.request("post", "/from", {
      body: { password: "hush-hush 1" },
      headers: { "x-api-key": "hush-hush 2" },
    });
    assert(!log.join("\n").includes("hush-hush"), log.join("\n"));
  },
  { debug: true, secret: "another" },
);

for (
  const location of [
    "https://Monkey123Otter.other.example/to",
    "https://other.example/Monkey123Otter",
  ]
) {
  clientTest(
    `follow refuses ${location}, which contains a token in another letter case`,
    [onResource(redirect(location))],
    async ({ client }) => {
      const hash = { access_token: "Monkey123Otter" };
      const error = await oauth2Error(
        AccessToken.fromHash(client, hash).get("/from"),
      );
      assert(!/monkey123/i.test(print(error)), print(error));
    },
    { allowCrossOriginRedirects: true },
  );
}

for (
  const [location, origin] of [
    ["https://other.example/to?a=1", "https://other.example"],
    ["//other.example:8443/to", "https://other.example:8443"],
    ["http://api.example.com/to", "http:"],
  ] as const
) {
  clientTest(
    `follow refuses ${location} and names ${origin}`,
    [onResource(redirect(location))],
    async ({ client }) => {
      const { message } = await oauth2Error(
        tokenOf(client, FIELDS).get("/from"),
      );
      assert(message.includes(origin), message);
    },
  );
}

for (
  const [status, method, next] of [
    [301, "GET", "GET"],
    [302, "GET", "GET"],
    [303, "GET", "GET"],
    [307, "GET", "GET"],
    [308, "GET", "GET"],
    [301, "HEAD", "HEAD"],
    [302, "HEAD", "HEAD"],
    [303, "HEAD", "HEAD"],
    [307, "HEAD", "HEAD"],
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [301, "PUT", "PUT"],
    [301, "PATCH", "PATCH"],
    [301, "DELETE", "DELETE"],
    [302, "PUT", "PUT"],
    [302, "PATCH", "PATCH"],
    [302, "DELETE", "DELETE"],
    [303, "PUT", "GET"],
    [303, "PATCH", "GET"],
    [303, "DELETE", "GET"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
    [307, "PUT", "PUT"],
    [308, "DELETE", "DELETE"],
  ] as const
) {
  const hasBody = method !== "GET" && method !== "HEAD";
  const keepsBody = hasBody && next === method;
  const text = '{"a":1}';
  const type = { "content-type": "application/json", "content-language": "pt" };
  clientTest(
    `request sends a ${next} ${
      keepsBody ? "with the body" : "without a body"
    } after a ${status} to a ${method}`,
    [
      onResource(redirect("/to", status), {
        method,
        body: hasBody ? { text } : null,
      }),
      {
        expect: {
          method: next,
          url: `${SITE}/to`,
          headers: {
            authorization: "Bearer monkey",
            "content-type": keepsBody ? "application/json" : null,
            "content-language": keepsBody ? "pt" : null,
          },
          body: keepsBody ? { text } : null,
        },
        respond: { status: 204 },
      },
    ],
    async ({ client }) => {
      const token = tokenOf(client);
      const options = hasBody ? { body: text, headers: type } : {};
      const response = await token.request(method, "/from", options);
      assertEquals([response.status, response.url], [204, `${SITE}/to`]);
    },
  );
}

for (const status of [300, 304, 305, 306]) {
  clientTest(
    `request returns a ${status} with a Location`,
    [onResource(redirect("/to", status))],
    async ({ client }) => {
      assertEquals((await client.request("get", "/from")).status, status);
    },
  );
}

for (
  const location of [
    "",
    "ftp://api.example.com/",
    "javascript:alert(1)",
    "data:,x",
    "mailto:ana@example.com",
    "https://",
    "http://api.example.com/to",
    "//attacker.example/to",
    "/\\attacker.example/to",
    "https://api.example.com:8443/to",
    "https://ana@attacker.example/to",
  ]
) {
  // Neither option allows these origins and schemes.
  for (const allowInsecure of [false, true]) {
    clientTest(
      `request with allowInsecure ${allowInsecure} refuses the Location "${location}"`,
      [onResource(redirect(location))],
      async ({ client }) => {
        const error = await oauth2Error(tokenOf(client).get("/from"));
        assertEquals(error.status, 302);
      },
      { raiseErrors: false, allowInsecure },
    );
  }
}

const REDIRECTS = [301, 302, 303, 307, 308];
for (const [name, call] of Object.entries(ENDPOINT_CALLS)) {
  clientTest(
    `${name} follows no redirect`,
    REDIRECTS.map((status) => ({ respond: redirect("/to", status) })),
    async ({ client }) => {
      for (const expected of REDIRECTS) {
        // Revocation accepts any response.
        const { status } = await call(client, {})
          .catch((error) => error) as OAuth2Error;
        assertEquals(status, expected);
      }
    },
    { allowCrossOriginRedirects: true },
  );
}

Deno.test("discover follows no redirect", async () => {
  for (const status of REDIRECTS) {
    const respond = redirect("/to", status);
    const fetch = fakeFetch([{ respond }, { respond }]);
    assertEquals((await oauth2Error(discover(SITE, { fetch }))).status, status);
    fetch.assertDone();
  }
});

/** Creates the response of a browser to a redirect. */
function opaqueRedirect(): Response {
  return Object.defineProperties(new Response(null), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
  });
}

clientTest(
  "request and getToken throw if a browser hides a redirect",
  [onResource(opaqueRedirect()), onToken(opaqueRedirect())],
  async ({ client }) => {
    for (const call of [client.request("get", "/from"), client.getToken()]) {
      const error = await oauth2Error(call);
      assertEquals(error.status, 0);
      assert(/redirect/.test(error.message), error.message);
    }
  },
);

const OTHER = "https://other.example";

const SECRET = "monkey123-monkey123";

const CROSS_ORIGIN = { allowCrossOriginRedirects: true };

for (const length of [0, 20_000]) {
  const padding = "a".repeat(length);
  clientTest(
    `token.get follows a cross-origin Location of ${length} characters without a secret`,
    [
      onResource(redirect(`${OTHER}/to?q=${padding}`)),
      {
        expect: { url: `${OTHER}/to`, query: { q: padding } },
        respond: { status: 204 },
      },
    ],
    ({ client }) => tokenOf(client, { access_token: SECRET }).get("/from"),
    CROSS_ORIGIN,
  );
}

clientTest(
  "token.get refuses a cross-origin Location with the token after 20,000 characters",
  [onResource(
    redirect(`${OTHER}/to?q=${"a".repeat(20_000)}&access_token=${SECRET}`),
    { query: { access_token: SECRET } },
  )],
  async ({ client }) => {
    const hash = { access_token: SECRET, mode: "query" };
    const sent = AccessToken.fromHash(client, hash).get("/from");
    const error = await oauth2Error(sent);
    assert(!print(error).includes(SECRET), print(error));
  },
  CROSS_ORIGIN,
);

/** Places of a secret in the first request, which is a POST. */
const PLACES: Readonly<Record<string, RequestOptions>> = {
  "a form": { body: { password: SECRET } },
  "JSON": {
    body: { user: { password: SECRET } },
    headers: { "content-type": "application/json" },
  },
  "text": { body: `password=${SECRET}` },
  "URLSearchParams": { body: new URLSearchParams({ password: SECRET }) },
  "a header": { headers: { "x-api-key": SECRET } },
  "the query": { params: { client_secret: SECRET } },
  "the option secrets": { body: "<a/>", secrets: [SECRET] },
};

for (const [place, options] of Object.entries(PLACES)) {
  clientTest(
    `request refuses a cross-origin Location with the secret of ${place}, also later in a chain`,
    [
      onResource(redirect(`/a?note=${SECRET}`, 303), {
        method: "POST",
        query: options.params ? { client_secret: SECRET } : {},
      }),
      { expect: { method: "GET" }, respond: redirect("/b") },
      { respond: redirect(`${OTHER}/c?note=${SECRET}`) },
    ],
    async ({ client, log }) => {
      const error = await oauth2Error(client.request("post", "/from", options));
      const shown = [...log, print(error)].join("\n");
      assert(!shown.includes(SECRET), shown);
    },
    { ...CROSS_ORIGIN, debug: true },
  );
}

for (
  const [name, value, sent] of [
    ["X-Door", "monkey123", "monkey123"],
    ["X-Door", "Scheme monkey123", "monkey123"],
    ["X-Door", "Scheme monkey123", "Scheme%20monkey123"],
    ["X-Door", "monkey/123", "monkey%2F123"],
    ["X-Door", "monkey/123", "monkey%252F123"],
    ["X-Door", "monkey123", "%6donkey123"],
    ["X-Auth", "monk", "monk"],
    ["X-Api-Key", "TOKENvalue123", "%54OKENvalue123"],
    ["X-Api-Key", "TOKENvalue123", "%2554OKENvalue123"],
    ["If-None-Match", '"monkey123"', "%22monkey123%22"],
  ] as const
) {
  clientTest(
    `request with ${name}: ${value} refuses a cross-origin Location with ${sent}`,
    [onResource(redirect(`${OTHER}/to?a=${sent}`))],
    async ({ client }) => {
      const headers = { [name]: value };
      const error = await oauth2Error(
        client.request("get", "/from", { headers }),
      );
      assert(
        error.message.includes("its Location contains a secret"),
        error.message,
      );
      assert(!/onkey|OKEN/.test(print(error)), print(error));
    },
    CROSS_ORIGIN,
  );
}

for (
  const [name, value] of [
    ["Accept", "text/plain"],
    ["User-Agent", "otter-client"],
    ["Referer", "https://app.example/page"],
    ["X-Version", "1.2.3"],
    ["X-Stage", "prod"],
  ] as const
) {
  clientTest(
    `request with ${name}: ${value} follows a cross-origin Location with this value`,
    [
      onResource(redirect(`${OTHER}/a%20b?a=${encodeURIComponent(value)}`)),
      {
        expect: { url: `${OTHER}/a%20b`, query: { a: value } },
        respond: { status: 204 },
      },
    ],
    ({ client }) =>
      client.request("get", "/from", { headers: { [name]: value } }),
    CROSS_ORIGIN,
  );
}

clientTest(
  "request follows a Location with a secret to the same origin",
  [
    onResource(redirect("/to?a=monkey123")),
    {
      expect: { url: `${SITE}/to`, query: { a: "monkey123" } },
      respond: { status: 204 },
    },
  ],
  ({ client }) =>
    client.request("get", "/from", { headers: { "x-door": "monkey123" } }),
  CROSS_ORIGIN,
);

for (const value of [12345678, { a: ["12345678"] }]) {
  clientTest(
    `request refuses a cross-origin Location with the secret ${
      JSON.stringify(value)
    }`,
    [onResource(redirect(`${OTHER}/to?a=12345678`), { method: "POST" })],
    async ({ client }) => {
      const headers = { "content-type": "application/json" };
      const body = { pin: value };
      await oauth2Error(client.request("post", "/from", { headers, body }));
    },
    CROSS_ORIGIN,
  );
}

/** Texts with the mark, without dots: a URL removes `..` from its path. */
const secret = fc.string({
  unit: fc.constantFrom(..."aZ09-_~+/= é"),
  minLength: 2,
  maxLength: 12,
}).map((text) => `${text}${MARK}${text}`);

const padding = fc.nat({ max: 3000 }).map((length) => "p".repeat(length));

/** Requests that contain a secret. */
const carrier = fc.constantFrom<
  (secret: string, q: string) => {
    options: RequestOptions;
    hash?: TokenHash;
  }
>(
  (api_secret, q) => ({ options: { params: { q, api_secret } } }),
  (secret, q) => ({
    options: { params: { q }, headers: { "x-api-key": secret } },
  }),
  (password, q) => ({ options: { body: { q, password } } }),
  (password, q) => ({
    options: {
      body: { q, a: [{ password }] },
      headers: { "content-type": "application/json" },
    },
  }),
  (secret, q) => ({ options: { body: `${q}${secret}`, secrets: [secret] } }),
  (access_token, q) => ({
    options: { params: { q } },
    hash: { access_token, mode: "query" },
  }),
  (access_token, q) => ({
    options: { body: { q } },
    hash: { access_token, mode: "body" },
  }),
  (access_token, q) => ({ options: { params: { q } }, hash: { access_token } }),
);

/** Locations that repeat a text. */
const echo = fc.constantFrom<(text: string, padding: string) => string>(
  (text, padding) => `/${padding}?note=${text}`,
  (text, padding) => `/?q=${padding}&note=${text}&r=${padding}`,
  (text, padding) => `/${padding}/${text}/${padding}`,
  (text, padding) => `/?${text}=${padding}`,
  (text, padding) => `/#${padding}${text}`,
);

const hops = fc.array(
  fc.record({
    status: fc.constantFrom(301, 302, 303, 307, 308),
    isCrossOrigin: fc.boolean(),
    repeats: fc.boolean(),
    echo,
    padding,
  }),
  { minLength: 1, maxLength: 4 },
);

Deno.test("token.request sends no secret to another origin and shows none", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        secret,
        padding,
        carrier,
        hops,
        verb: fc.constantFrom("post", "put", "patch", "delete"),
        spell: fc.constantFrom(
          ...[
            "unchanged",
            "form-encoded",
            "encoded by encodeURIComponent",
            "percent-encoded in lower case",
            "percent-encoded except letters and digits",
          ].map((encoding) => SPELLINGS[encoding]!),
        ),
      }),
      async ({ secret, padding, carrier, hops, verb, spell }) => {
        const lines: string[] = [];
        const crossOrigin: string[] = [];
        const left = [...hops];
        const client = createClient({
          ...CROSS_ORIGIN,
          debug: true,
          logger: loggerTo(lines),
          fetch: (url, { headers, body }) => {
            if (new URL(url).origin !== SITE) {
              const sent = [...new Headers(headers)].join();
              crossOrigin.push([url, sent, String(body ?? "")].join(" "));
            }
            const hop = left.shift();
            if (!hop) return Promise.resolve(new Response());
            const encoded = encodeURI(spell(secret)).replaceAll("%25", "%");
            const location = (hop.isCrossOrigin ? OTHER : "") +
              (hop.repeats ? hop.echo(encoded, hop.padding) : "/to");
            const { status } = hop;
            return Promise.resolve(
              new Response(null, { status, headers: { location } }),
            );
          },
        });
        const { options, hash } = carrier(secret, padding);
        const outcome = await tokenOf(client, hash)
          .request(verb, "/from", options)
          .catch((error: unknown) => error);
        if (outcome instanceof TypeError) throw outcome;
        const shown = [
          ...lines,
          print(outcome),
          outcome instanceof OAuth2Error ? outcome.message : "",
        ].join("\n");
        assert(!crossOrigin.join("\n").includes(MARK), crossOrigin.join("\n"));
        assert(!shown.includes(MARK), shown);
      },
    ),
    { seed: 10, numRuns: 500 },
  );
});
