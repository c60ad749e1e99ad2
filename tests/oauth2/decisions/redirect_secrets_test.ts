/** Redirects whose Location repeats a secret of the request. */
import { assert, assertEquals } from "@std/assert";
import {
  AccessToken,
  OAuth2Error,
  type RequestOptions,
  type TokenHash,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  loggerTo,
  oauth2Error,
  SITE,
} from "../_client.ts";
import { MARK } from "../_echoing_server.ts";
import { onResource, redirect } from "../_exchanges.ts";
import { print } from "../_print.ts";
import { SPELLINGS } from "../_spellings.ts";
import fc from "fast-check";

const OTHER = "https://other.example";
const SECRET = "monkey123-monkey123";
const CROSS_ORIGIN = { allowCrossOriginRedirects: true };

for (const length of [0, 900, 999, 1000, 1001, 5000, 20_000]) {
  const padding = "a".repeat(length);
  clientTest(
    `token.get refuses a cross-origin Location with the token after ${length} characters`,
    [onResource(redirect(`${OTHER}/to?q=${padding}&access_token=${SECRET}`), {
      query: { q: padding, access_token: SECRET },
    })],
    async ({ client }) => {
      const hash = { access_token: SECRET, mode: "query" };
      const sent = AccessToken.fromHash(client, hash)
        .get("/from", { params: { q: padding } });
      const error = await oauth2Error(sent);
      assertEquals(error.status, 302);
      assert(!print(error).includes(SECRET), print(error));
    },
    CROSS_ORIGIN,
  );
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
  for (const status of [301, 302, 303]) {
    clientTest(
      `request redacts the secret of ${place} in the log after a ${status}`,
      [
        onResource(redirect(`/a?note=${SECRET}`, status), {
          method: "POST",
          query: options.params ? { client_secret: SECRET } : {},
        }),
        { expect: { method: "GET" }, respond: redirect("/b") },
        { respond: { status: 400, body: `note=${SECRET}` } },
      ],
      async ({ client, log }) => {
        const error = await oauth2Error(
          client.request("post", "/from", options),
        );
        const shown = [...log, print(error)].join("\n");
        assert(!shown.includes(SECRET), shown);
      },
      { debug: true },
    );
    clientTest(
      `request after a ${status} refuses a cross-origin Location with the secret of ${place}`,
      [
        onResource(redirect("/a", status), {
          method: "POST",
          query: options.params ? { client_secret: SECRET } : {},
        }),
        { expect: { method: "GET" }, respond: redirect("/b") },
        { respond: redirect(`${OTHER}/c?note=${SECRET}`) },
      ],
      async ({ client, log }) => {
        const error = await oauth2Error(
          client.request("post", "/from", options),
        );
        const shown = [...log, print(error)].join("\n");
        assert(!shown.includes(SECRET), shown);
      },
      { ...CROSS_ORIGIN, debug: true },
    );
  }
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
    ["Accept-Encoding", "identity"],
    ["User-Agent", "otter-client"],
    ["Cache-Control", "no-cache"],
    ["Range", "bytes=0-1023"],
    ["Origin", "https://app.example"],
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

for (const status of [302, 307]) {
  clientTest(
    `OAuth2Error after a ${status} redacts the secret of the first body`,
    [
      onResource(redirect("/to", status), { method: "POST" }),
      {
        respond: {
          status: 400,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            error: "invalid_request",
            error_description: `bad password ${SECRET}`,
          }),
        },
      },
    ],
    async ({ client }) => {
      const body = { password: SECRET };
      const error = await oauth2Error(
        client.request("post", "/from", { body }),
      );
      assertEquals(error.description, "bad password [FILTERED]");
      assert(!print(error).includes(SECRET), print(error));
    },
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
