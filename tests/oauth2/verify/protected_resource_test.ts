import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConnectionError, OAuth2Error } from "../../../oauth2/mod.ts";
import {
  discoverResource,
  metadataUrlOf,
  type ResourceOptions,
} from "../../../oauth2/verify/protected_resource.ts";
import { json } from "../_exchanges.ts";
import { type Exchange, fakeFetch } from "../_fake_fetch.ts";

const ORIGIN = "https://api.example";
const WELL_KNOWN = `${ORIGIN}/.well-known/oauth-protected-resource`;

/** Runs `discoverResource` with these answers, by URL. */
async function discover(
  resource: string,
  answers: [url: string, Exchange["respond"]][],
  options: ResourceOptions = {},
) {
  const fetch = fakeFetch(answers.map(([text, respond]) => {
    const { origin, pathname, searchParams } = new URL(text);
    const query = Object.fromEntries(searchParams);
    return {
      expect: { method: "GET", url: origin + pathname, query, body: null },
      respond,
    };
  }));
  try {
    return await discoverResource(resource, { fetch, ...options });
  } finally {
    fetch.assertDone();
  }
}

for (
  const [resource, url] of [
    [ORIGIN, WELL_KNOWN],
    [`${ORIGIN}/`, WELL_KNOWN],
    [`${ORIGIN}/notes`, `${WELL_KNOWN}/notes`],
    [`${ORIGIN}/notes/`, `${WELL_KNOWN}/notes/`],
    [`${ORIGIN}//other.example/a`, `${WELL_KNOWN}//other.example/a`],
    [`${ORIGIN}/a%2Fb/c`, `${WELL_KNOWN}/a%2Fb/c`],
    [`${ORIGIN}/notes?tenant=1`, `${WELL_KNOWN}/notes?tenant=1`],
    [`${ORIGIN}?tenant=1`, `${WELL_KNOWN}?tenant=1`],
    [
      "http://localhost:8000/mcp",
      "http://localhost:8000/.well-known/oauth-protected-resource/mcp",
    ],
  ] as const
) {
  Deno.test(`discoverResource finds the metadata of ${resource}`, async () => {
    const metadata = {
      resource,
      authorization_servers: ["https://a.example"],
      camelCase: 1,
    };
    assertEquals(await discover(resource, [[url, json(metadata)]]), metadata);
  });
}

Deno.test("discoverResource uses the URL of a challenge", async () => {
  const resource = `${ORIGIN}/notes`;
  const header =
    `Basic realm="a", DPoP error="invalid_token", resource_metadata="${ORIGIN}/meta"`;
  for (
    const challenge of [
      header,
      new Headers({ "www-authenticate": header }),
      new Response(null, {
        status: 401,
        headers: { "www-authenticate": header },
      }),
    ]
  ) {
    await discover(resource, [[`${ORIGIN}/meta`, json({ resource })]], {
      challenge,
    });
  }
});

for (const challenge of [null, undefined, "", "Bearer", 'Basic realm="x"']) {
  Deno.test(`discoverResource uses the well-known URL with the challenge ${challenge}`, async () => {
    await discover(ORIGIN, [[WELL_KNOWN, json({ resource: ORIGIN })]], {
      challenge,
    });
  });
}

for (
  const url of [
    "https://evil.example/meta",
    "http://api.example/meta",
    "http://169.254.169.254/latest",
    "https://api.example:8443/meta",
    "https://api.example@evil.example/",
    "https://user@api.example/",
    "//api.example/meta",
    "/meta",
    "file:///etc/passwd",
    "",
  ]
) {
  Deno.test(`discoverResource refuses the resource_metadata "${url}"`, async () => {
    await assertRejects(
      () =>
        discover(ORIGIN, [], {
          challenge: `Bearer resource_metadata="${url}"`,
        }),
      TypeError,
      "resource_metadata must be",
    );
  });
}

for (
  const resource of [
    "api.example",
    "",
    "http://api.example",
    "ftp://api.example",
    `${ORIGIN}/#a`,
    `${ORIGIN}/#`,
    "https://user:pass@api.example",
  ]
) {
  Deno.test(`discoverResource refuses the resource "${resource}"`, async () => {
    await assertRejects(() => discover(resource, []), TypeError);
  });
}

for (
  const [name, body] of [
    ["no resource", {}],
    ["a resource that is not text", { resource: [ORIGIN] }],
    ["a slash at the end", { resource: `${ORIGIN}/` }],
    ["another case", { resource: "https://API.example" }],
    ["another origin", { resource: "https://evil.example" }],
    ["a shorter URL", { resource: ORIGIN.slice(0, -1) }],
    ["servers that are no list", {
      resource: ORIGIN,
      authorization_servers: "https://a.example",
    }],
    ["a server that is no URL", {
      resource: ORIGIN,
      authorization_servers: ["a.example"],
    }],
    ["a list", []],
    ["text", "text"],
  ] as const
) {
  Deno.test(`discoverResource refuses a document with ${name}`, async () => {
    await assertRejects(
      () => discover(ORIGIN, [[WELL_KNOWN, json(body)]]),
      OAuth2Error,
      "Cannot discover the resource at",
    );
  });
}

for (
  const [parent, child, isAccepted] of [
    [ORIGIN, `${ORIGIN}/notes`, true],
    [`${ORIGIN}/`, `${ORIGIN}/notes`, true],
    [`${ORIGIN}/notes`, `${ORIGIN}/notes/7?a=b`, true],
    [`${ORIGIN}/notes/`, `${ORIGIN}/notes`, true],
    [`${ORIGIN}/note`, `${ORIGIN}/notes`, false],
    [`${ORIGIN}/notes/7`, `${ORIGIN}/notes`, false],
    ["https://api.example.evil.example", `${ORIGIN}/notes`, false],
    [`${ORIGIN}/?a=b`, `${ORIGIN}/notes`, false],
    ["nonsense", `${ORIGIN}/notes`, false],
  ] as const
) {
  Deno.test(`discoverResource with allowParent ${isAccepted ? "accepts" : "refuses"} "${parent}" for "${child}"`, async () => {
    const call = discover(
      child,
      [[WELL_KNOWN, json({ resource: parent })]],
      {
        allowParent: true,
        challenge: `Bearer resource_metadata="${WELL_KNOWN}"`,
      },
    );
    if (isAccepted) await call;
    else await assertRejects(() => call, OAuth2Error);
  });
}

Deno.test("discoverResource with allowParent goes on to the well-known URL of the origin", async () => {
  const metadata = await discover(`${ORIGIN}/mcp`, [
    [`${WELL_KNOWN}/mcp`, { status: 404 }],
    [WELL_KNOWN, json({ resource: ORIGIN })],
  ], { allowParent: true });
  assertEquals(metadata.resource, ORIGIN);
});

for (const status of [301, 401, 404, 503]) {
  Deno.test(`discoverResource refuses the status ${status}`, async () => {
    const headers = { location: "https://evil.example" };
    const error = await assertRejects(
      () => discover(ORIGIN, [[WELL_KNOWN, { status, headers }]]),
      OAuth2Error,
    );
    assertEquals(error.status, status);
    assertStringIncludes(error.message, `got status ${status}`);
  });
}

Deno.test("discoverResource refuses a document of more than 1 MiB", async () => {
  const body = JSON.stringify({ resource: ORIGIN, a: "a".repeat(2 ** 20) });
  await assertRejects(
    () => discover(ORIGIN, [[WELL_KNOWN, { status: 200, body }]]),
    OAuth2Error,
    "longer than",
  );
});

Deno.test("discoverResource reports a lost connection", async () => {
  await assertRejects(
    () => discover(ORIGIN, [[WELL_KNOWN, { fail: "connection refused" }]]),
    ConnectionError,
  );
});

Deno.test("metadataUrlOf reads the first challenge that names a URL", () => {
  const header =
    'Bearer scope="a", DPoP resource_metadata="https://a.example", Bearer resource_metadata="https://b.example"';
  assertEquals(metadataUrlOf(header), "https://a.example");
});
