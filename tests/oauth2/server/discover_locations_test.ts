/** Locations of the metadata that discover tries, in order. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { discover } from "../../../oauth2/server/discover.ts";
import { ConnectionError } from "../../../oauth2/mod.ts";
import { oauth2Error } from "../_client.ts";
import { json, redirect } from "../_exchanges.ts";
import { type Answer, fakeFetch } from "../_fake_fetch.ts";
import { ISSUER, METADATA } from "../_metadata.ts";

const ORIGIN = new URL(ISSUER).origin;
const OPEN_ID = "/.well-known/openid-configuration";
const OAUTH = "/.well-known/oauth-authorization-server";
const LOCATIONS = [
  `${ISSUER}${OPEN_ID}`,
  `${ORIGIN}${OAUTH}/main`,
  `${ORIGIN}${OPEN_ID}/main`,
];

for (
  const [issuer, locations] of [
    [ISSUER, LOCATIONS],
    [ORIGIN, [`${ORIGIN}${OPEN_ID}`, `${ORIGIN}${OAUTH}`]],
    [`${ORIGIN}/`, [`${ORIGIN}${OPEN_ID}`, `${ORIGIN}${OAUTH}`]],
    [`${ORIGIN}/a/b/`, [
      `${ORIGIN}/a/b${OPEN_ID}`,
      `${ORIGIN}${OAUTH}/a/b`,
      `${ORIGIN}${OPEN_ID}/a/b`,
    ]],
    [`${ORIGIN}/realms/ana@x.example`, [
      `${ORIGIN}/realms/ana@x.example${OPEN_ID}`,
      `${ORIGIN}${OAUTH}/realms/ana@x.example`,
      `${ORIGIN}${OPEN_ID}/realms/ana@x.example`,
    ]],
    ["http://localhost:8080/", [
      `http://localhost:8080${OPEN_ID}`,
      `http://localhost:8080${OAUTH}`,
    ]],
  ] as const
) {
  for (const [i] of locations.entries()) {
    Deno.test(`discover of ${issuer} reads the metadata at location ${i + 1} of ${locations.length}`, async () => {
      const document = {
        issuer,
        token_endpoint: `${new URL(issuer).origin}/token`,
      };
      const fetch = fakeFetch(
        locations.slice(0, i + 1).map((url, at) => ({
          expect: { method: "GET", url, body: null },
          respond: at === i ? json(document) : { status: 404, body: "{" },
        })),
      );
      assertEquals((await discover(issuer, { fetch })).issuer, issuer);
      fetch.assertDone();
    });
  }
  Deno.test(`discover of ${issuer} tries ${locations.length} locations, each once`, async () => {
    const fetch = fakeFetch(locations.map((url) => ({
      expect: { url },
      respond: { status: 404 },
    })));
    assertEquals((await oauth2Error(discover(issuer, { fetch }))).status, 404);
    fetch.assertDone();
  });
}

const PAGE: Answer = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: "<p>Sign in</p>",
};
const withEndpoint = (name: string, value: unknown) =>
  json({ ...METADATA, [name]: value });
/** Answers without valid metadata. */
const INVALID: Readonly<Record<string, Answer>> = {
  "a page": PAGE,
  "an empty body": { status: 200 },
  "a list": json([METADATA]),
  "truncated JSON": { status: 200, body: '{"issuer":"' },
  "a body over 1 MiB": {
    status: 200,
    body: JSON.stringify(METADATA).padEnd(1024 * 1024 + 1),
  },
  "another issuer": json({ ...METADATA, issuer: `${ORIGIN}/other` }),
  "an http token_endpoint": withEndpoint("token_endpoint", "http://x.example/"),
  "a missing token_endpoint": withEndpoint("token_endpoint", undefined),
  "an http jwks_uri": withEndpoint("jwks_uri", "http://x.example/"),
  ...Object.fromEntries(
    [201, 204, 304, 400, 401, 403, 404, 405, 406, 410, 429].map((status) => [
      `status ${status}`,
      [204, 304].includes(status) ? { status } : json(METADATA, status),
    ]),
  ),
  "a redirect": redirect(`${ORIGIN}/elsewhere`),
};
for (const [answer, respond] of Object.entries(INVALID)) {
  Deno.test(`discover tries the next location after ${answer}`, async () => {
    const fetch = fakeFetch([
      { expect: { url: LOCATIONS[0]! }, respond },
      { expect: { url: LOCATIONS[1]! }, respond },
      { expect: { url: LOCATIONS[2]! }, respond: json(METADATA) },
    ]);
    const found = await discover(ISSUER, { fetch });
    assertEquals(found.tokenUrl, METADATA.token_endpoint);
    fetch.assertDone();
  });
}

for (const status of [500, 502, 503, 504]) {
  for (const before of [0, 1, 2]) {
    Deno.test(`discover rejects after status ${status} at location ${before + 1}`, async () => {
      const fetch = fakeFetch([
        ...Array.from({ length: before }, () => ({ respond: PAGE })),
        { respond: { status } },
      ]);
      const error = await oauth2Error(discover(ISSUER, { fetch }));
      assertEquals([error.status, error.retryable], [status, true]);
      fetch.assertDone();
    });
  }
}

for (
  const [answer, respond, options] of [
    ["a failed connection", { fail: "ECONNRESET" }, {}],
    ["a timeout", { hang: true }, { timeout: 1 }],
  ] as const
) {
  Deno.test(`discover rejects after ${answer}`, async () => {
    const fetch = fakeFetch([{ respond: { status: 404 } }, { respond }]);
    await assertRejects(
      () => discover(ISSUER, { fetch, ...options }),
      ConnectionError,
    );
    fetch.assertDone();
  });
}

for (
  const [statuses, status] of [
    [[404, 403, 401], 401],
    [[200, 404, 404], 200],
    [[404, 200, 403], 200],
    [[404, 400, 200], 200],
    [[302, 302, 302], 302],
  ] as const
) {
  Deno.test(`discover rejects with status ${status} after statuses ${statuses.join(", ")} without metadata`, async () => {
    const fetch = fakeFetch(statuses.map((status) => ({
      respond: status === 302 ? redirect("/to") : { status, body: "a" },
    })));
    const error = await oauth2Error(discover(ISSUER, { fetch }));
    assertEquals(error.status, status);
    fetch.assertDone();
  });
}

Deno.test("discover rejects with the error of the first metadata", async () => {
  const fetch = fakeFetch([
    { respond: json({ ...METADATA, issuer: `${ORIGIN}/first` }) },
    { respond: json({ ...METADATA, issuer: `${ORIGIN}/second` }) },
    { respond: { status: 404 } },
  ]);
  const { message } = await oauth2Error(discover(ISSUER, { fetch }));
  assert(message.includes(`${ORIGIN}/first`), message);
  assert(message.includes(ISSUER), message);
  assert(!message.includes("second"), message);
});

for (
  const issuer of [
    "https://login.example//evil.example/t",
    "https://login.example//evil.example",
    "https://login.example///evil.example/t",
    "https://login.example/\\evil.example",
    "https://login.example/\\evil.example/t",
    "https://login.example\\\\evil.example/t",
    "https://login.example//ana@evil.example:8443/t",
    "http://localhost:8080//evil.example/t",
  ]
) {
  Deno.test(`discover of ${issuer} sends requests to its own host only`, async () => {
    const fetch = fakeFetch(
      LOCATIONS.map(() => ({ respond: { status: 404 } })),
    );
    assertEquals((await oauth2Error(discover(issuer, { fetch }))).status, 404);
    assertEquals(
      fetch.requests.map(({ url }) => url.origin),
      LOCATIONS.map(() => new URL(issuer).origin),
    );
    fetch.assertDone();
  });
}

for (
  const [kind, issuer] of [
    ["an object whose toString is a number", { toString: 1 }],
    ["an object whose toString is a string", { toString: "a", valueOf: "b" }],
    ["a list of such an object", [{ toString: 1 }]],
    ["an object", {}],
    ["a number", 5],
    ["null", null],
  ] as const
) {
  const respond = json({ ...METADATA, issuer });
  Deno.test(`discover tries the next location after an issuer that is ${kind}`, async () => {
    const fetch = fakeFetch([{ respond }, { respond: json(METADATA) }]);
    const found = await discover(ISSUER, { fetch });
    assertEquals(found.tokenUrl, METADATA.token_endpoint);
    fetch.assertDone();
  });
  Deno.test(`discover rejects with an OAuth2Error after issuers that are ${kind}`, async () => {
    const fetch = fakeFetch(LOCATIONS.map(() => ({ respond })));
    const error = await oauth2Error(discover(ISSUER, { fetch }));
    assertEquals(error.status, 200);
    assert(error.message.includes(ISSUER), error.message);
    fetch.assertDone();
  });
}
