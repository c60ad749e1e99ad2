/** The places at which discover looks for a document, and when it goes on to the next. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { discover } from "../../oauth2/discover.ts";
import { ConnectionError } from "../../oauth2/mod.ts";
import { type Answer, fakeFetch } from "./fake_fetch.ts";
import { json, oauth2Error, redirect } from "./testing.ts";

const ORIGIN = "https://x.example";
const ISSUER = `${ORIGIN}/main`;
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
};
const OPEN_ID = "/.well-known/openid-configuration";
const OAUTH = "/.well-known/oauth-authorization-server";
const PLACES = [
  `${ISSUER}${OPEN_ID}`,
  `${ORIGIN}${OAUTH}/main`,
  `${ORIGIN}${OPEN_ID}/main`,
];

for (
  const [issuer, places] of [
    [ISSUER, PLACES],
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
  for (const [i] of places.entries()) {
    Deno.test(`discover of ${issuer} finds a document at its place ${i + 1} of ${places.length}`, async () => {
      const document = {
        issuer,
        token_endpoint: `${new URL(issuer).origin}/token`,
      };
      const fetch = fakeFetch(
        places.slice(0, i + 1).map((url, at) => ({
          expect: { method: "GET", url, body: null },
          respond: at === i ? json(document) : { status: 404, body: "{" },
        })),
      );
      assertEquals((await discover(issuer, { fetch })).issuer, issuer);
      fetch.assertDone();
    });
  }
  Deno.test(`discover of ${issuer} looks at ${places.length} places and at none twice`, async () => {
    const fetch = fakeFetch(places.map((url) => ({
      expect: { url },
      respond: { status: 404 },
    })));
    assertEquals((await oauth2Error(discover(issuer, { fetch }))).status, 404);
    fetch.assertDone();
  });
}

const page: Answer = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: "<p>Sign in</p>",
};
const withEndpoint = (name: string, value: unknown) =>
  json({ ...METADATA, [name]: value });
/** Answers that are no usable document. */
const USELESS: Readonly<Record<string, Answer>> = {
  "a page": page,
  "an empty answer": { status: 200 },
  "a list": json([METADATA]),
  "a document cut short": { status: 200, body: '{"issuer":"' },
  "a document over 1 MiB": {
    status: 200,
    body: JSON.stringify(METADATA).padEnd(1024 * 1024 + 1),
  },
  "another issuer": json({ ...METADATA, issuer: `${ORIGIN}/other` }),
  "an http token_endpoint": withEndpoint("token_endpoint", "http://x.example/"),
  "no token_endpoint": withEndpoint("token_endpoint", undefined),
  "an http jwks_uri": withEndpoint("jwks_uri", "http://x.example/"),
  ...Object.fromEntries(
    [201, 204, 304, 400, 401, 403, 404, 405, 406, 410, 429].map((status) => [
      `status ${status}`,
      [204, 304].includes(status) ? { status } : json(METADATA, status),
    ]),
  ),
  "a redirect": redirect(`${ORIGIN}/elsewhere`),
};
for (const [what, respond] of Object.entries(USELESS)) {
  Deno.test(`discover goes on after ${what}`, async () => {
    const fetch = fakeFetch([
      { expect: { url: PLACES[0]! }, respond },
      { expect: { url: PLACES[1]! }, respond },
      { expect: { url: PLACES[2]! }, respond: json(METADATA) },
    ]);
    const found = await discover(ISSUER, { fetch });
    assertEquals(found.tokenUrl, METADATA.token_endpoint);
    fetch.assertDone();
  });
}

for (const status of [500, 502, 503, 504]) {
  for (const before of [0, 1, 2]) {
    Deno.test(`discover ends at a ${status} of the place ${before + 1}`, async () => {
      const fetch = fakeFetch([
        ...Array.from({ length: before }, () => ({ respond: page })),
        { respond: { status } },
      ]);
      const error = await oauth2Error(discover(ISSUER, { fetch }));
      assertEquals([error.status, error.retryable], [status, true]);
      fetch.assertDone();
    });
  }
}

for (
  const [what, respond, options] of [
    ["a lost connection", { fail: "ECONNRESET" }, {}],
    ["a timeout", { hang: true }, { timeout: 1 }],
  ] as const
) {
  Deno.test(`discover ends at ${what}`, async () => {
    const fetch = fakeFetch([{ respond: { status: 404 } }, { respond }]);
    await assertRejects(
      () => discover(ISSUER, { fetch, ...options }),
      ConnectionError,
    );
    fetch.assertDone();
  });
}

for (
  const [statuses, told] of [
    [[404, 403, 401], 401],
    [[200, 404, 404], 200],
    [[404, 200, 403], 200],
    [[404, 400, 200], 200],
    [[302, 302, 302], 302],
  ] as const
) {
  Deno.test(`discover tells of ${told} after useless answers ${statuses.join(", ")}`, async () => {
    const fetch = fakeFetch(statuses.map((status) => ({
      respond: status === 302 ? redirect("/to") : { status, body: "a" },
    })));
    assertEquals((await oauth2Error(discover(ISSUER, { fetch }))).status, told);
    fetch.assertDone();
  });
}

Deno.test("discover tells of the first document that it got, and not of what came later", async () => {
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
  Deno.test(`discover of ${issuer} asks its own host alone`, async () => {
    const fetch = fakeFetch(
      PLACES.map(() => ({ respond: { status: 404 } })),
    );
    assertEquals((await oauth2Error(discover(issuer, { fetch }))).status, 404);
    assertEquals(
      fetch.requests.map(({ url }) => url.origin),
      PLACES.map(() => new URL(issuer).origin),
    );
    fetch.assertDone();
  });
}

for (
  const [what, issuer] of [
    ["an object whose toString is a number", { toString: 1 }],
    ["an object whose toString is text", { toString: "a", valueOf: "b" }],
    ["a list of such an object", [{ toString: 1 }]],
    ["an object", {}],
    ["a number", 5],
    ["null", null],
  ] as const
) {
  const respond = json({ ...METADATA, issuer });
  Deno.test(`discover goes on after an issuer that is ${what}`, async () => {
    const fetch = fakeFetch([{ respond }, { respond: json(METADATA) }]);
    const found = await discover(ISSUER, { fetch });
    assertEquals(found.tokenUrl, METADATA.token_endpoint);
    fetch.assertDone();
  });
  Deno.test(`discover ends with an OAuth2Error after issuers that are ${what}`, async () => {
    const fetch = fakeFetch(PLACES.map(() => ({ respond })));
    const error = await oauth2Error(discover(ISSUER, { fetch }));
    assertEquals(error.status, 200);
    assert(error.message.includes(ISSUER), error.message);
    fetch.assertDone();
  });
}
