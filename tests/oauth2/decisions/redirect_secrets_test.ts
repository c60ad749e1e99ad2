/** Redirects whose Location repeats a secret of the request, at whatever length and hop. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  AccessToken,
  Client,
  OAuth2Error,
  type RequestOptions,
  type TokenHash,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import { print } from "../print.ts";
import { SPELLINGS } from "../spellings.ts";
import {
  clientTest,
  oauth2Error,
  redirect,
  SITE,
  visited,
} from "../testing.ts";

const OTHER = "https://other.example";
const SECRET = "monkey123-monkey123";
const LEAVE = { allowCrossOriginRedirects: true };

for (const length of [0, 900, 999, 1000, 1001, 5000, 20_000]) {
  const padding = "a".repeat(length);
  clientTest(
    `get in query mode refuses a cross-origin Location with the token after ${length} characters`,
    [visited(redirect(`${OTHER}/to?q=${padding}&access_token=${SECRET}`), {
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
    LEAVE,
  );
  clientTest(
    `request follows a cross-origin Location of ${length} characters without a secret`,
    [
      visited(redirect(`${OTHER}/to?q=${padding}`)),
      {
        expect: { url: `${OTHER}/to`, query: { q: padding } },
        respond: { status: 204 },
      },
    ],
    ({ client }) => tokenOf(client, { access_token: SECRET }).get("/from"),
    LEAVE,
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
  "values given as secret": { body: "<a/>", secrets: [SECRET] },
};
for (const [place, options] of Object.entries(PLACES)) {
  for (const status of [301, 302, 303]) {
    clientTest(
      `request keeps the secret of ${place} out of the log after a ${status}`,
      [
        visited(redirect(`/a?note=${SECRET}`, status), {
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
      `request takes the secret of ${place} to no other origin after a ${status}`,
      [
        visited(redirect("/a", status), {
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
      { ...LEAVE, debug: true },
    );
  }
}

for (
  const [name, value, told] of [
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
    `request refuses a cross-origin Location with ${told}, which the header ${name} told`,
    [visited(redirect(`${OTHER}/to?a=${told}`))],
    async ({ client }) => {
      const headers = { [name]: value };
      const error = await oauth2Error(
        client.request("get", "/from", { headers }),
      );
      assert(error.message.includes("would take a secret"), error.message);
      assert(!/onkey|OKEN/.test(print(error)), print(error));
    },
    LEAVE,
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
    `request follows a cross-origin Location with ${value}, the harmless ${name}`,
    [
      visited(redirect(`${OTHER}/a%20b?a=${encodeURIComponent(value)}`)),
      {
        expect: { url: `${OTHER}/a%20b`, query: { a: value } },
        respond: { status: 204 },
      },
    ],
    ({ client }) =>
      client.request("get", "/from", { headers: { [name]: value } }),
    LEAVE,
  );
}

clientTest(
  "request follows a Location with the value of a header to its own origin",
  [
    visited(redirect("/to?a=monkey123")),
    {
      expect: { url: `${SITE}/to`, query: { a: "monkey123" } },
      respond: { status: 204 },
    },
  ],
  ({ client }) =>
    client.request("get", "/from", { headers: { "x-door": "monkey123" } }),
  LEAVE,
);

for (const value of [12345678, { a: ["12345678"] }]) {
  clientTest(
    `request takes the secret ${JSON.stringify(value)} to no other origin`,
    [visited(redirect(`${OTHER}/to?a=12345678`), { method: "POST" })],
    async ({ client }) => {
      const headers = { "content-type": "application/json" };
      const body = { pin: value };
      await oauth2Error(client.request("post", "/from", { headers, body }));
    },
    LEAVE,
  );
}

for (const status of [302, 307]) {
  clientTest(
    `an error of the resource after a ${status} does not repeat the secret of the first body`,
    [
      visited(redirect("/to", status), { method: "POST" }),
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

/** Letters that no encoding changes, so that the secret is found in any. No dots: they mean folders in a path. */
const MARK = "zq7k";
const secret = fc.string({
  unit: fc.constantFrom(..."aZ09-_~+/= é"),
  minLength: 2,
  maxLength: 12,
}).map((text) => `${text}${MARK}${text}`);
const padding = fc.nat({ max: 3000 }).map((length) => "p".repeat(length));

/** Places of a secret in a request; the token is another unless it is the secret. */
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

/** Places of the Location at which a server may repeat a text. */
const echo = fc.constantFrom<(said: string, padding: string) => string>(
  (said, padding) => `/${padding}?note=${said}`,
  (said, padding) => `/?q=${padding}&note=${said}&r=${padding}`,
  (said, padding) => `/${padding}/${said}/${padding}`,
  (said, padding) => `/?${said}=${padding}`,
  (said, padding) => `/#${padding}${said}`,
);

const hops = fc.array(
  fc.record({
    status: fc.constantFrom(301, 302, 303, 307, 308),
    isCrossing: fc.boolean(),
    says: fc.boolean(),
    echo,
    padding,
  }),
  { minLength: 1, maxLength: 4 },
);

Deno.test("token.request sends no secret to another origin and shows none, wherever a Location repeats it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        secret,
        padding,
        carrier,
        hops,
        verb: fc.constantFrom("post", "put", "patch", "delete"),
        spelling: fc.constantFrom(
          "as it is",
          "form-encoded",
          "by encodeURIComponent",
          "%-encoded in small letters",
          "all %-encoded but letters and digits",
        ),
      }),
      async ({ secret, padding, carrier, hops, verb, spelling }) => {
        const lines: string[] = [];
        const write = (line: string) => void lines.push(line);
        const abroad: string[] = [];
        const left = [...hops];
        const client = new Client("abc", "hush-hush", {
          site: SITE,
          ...LEAVE,
          debug: true,
          logger: { debug: write, warn: write },
          fetch: (url, { headers, body }) => {
            if (new URL(url).origin !== SITE) {
              const sent = [...new Headers(headers)].join();
              abroad.push([url, sent, String(body ?? "")].join(" "));
            }
            const hop = left.shift();
            if (!hop) return Promise.resolve(new Response());
            const said = encodeURI(SPELLINGS[spelling]!(secret))
              .replaceAll("%25", "%");
            const location = (hop.isCrossing ? OTHER : "") +
              (hop.says ? hop.echo(said, hop.padding) : "/to");
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
        assert(!abroad.join("\n").includes(MARK), abroad.join("\n"));
        assert(!shown.includes(MARK), shown);
      },
    ),
    { seed: 10, numRuns: 500 },
  );
});
