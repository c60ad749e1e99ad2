import { assert, assertEquals, assertRejects } from "@std/assert";
import { discover } from "../../../oauth2/server/discover.ts";
import { TimeoutError } from "../../../oauth2/mod.ts";
import { oauth2Error } from "../_client.ts";
import { json } from "../_exchanges.ts";
import { type Answer, fakeFetch } from "../_fake_fetch.ts";
import { ISSUER, METADATA } from "../_metadata.ts";
import { print, printWithoutStack } from "../_print.ts";

const OPEN_ID = `${ISSUER}/.well-known/openid-configuration`;

/** Creates a fetch with the same answer at every location. */
const always = (respond: Answer, locations = 3) =>
  fakeFetch(Array.from({ length: locations }, () => ({ respond })));

Deno.test("discover returns the options of a client", async () => {
  const metadata = {
    ...METADATA,
    revocation_endpoint: "https://other.example/revoke?a=1",
    camelCase: { kept: true },
  };
  const fetch = fakeFetch([{
    expect: {
      method: "GET",
      url: OPEN_ID,
      headers: { accept: "application/json", "x-a": "1", authorization: null },
      body: null,
    },
    respond: json(metadata),
  }]);
  assertEquals(await discover(ISSUER, { fetch, headers: { "X-A": "1" } }), {
    issuer: ISSUER,
    site: ISSUER,
    authorizeUrl: `${ISSUER}/auth`,
    tokenUrl: `${ISSUER}/token`,
    revokeUrl: "https://other.example/revoke?a=1",
    authScheme: "basic_auth",
    metadata,
  });
  fetch.assertDone();
});

for (
  const [endpoint, change] of [
    ["authorization endpoint", { authorization_endpoint: undefined }],
    ["authorization endpoint (null)", { authorization_endpoint: null }],
    ["revocation endpoint", {}],
    ["revocation endpoint (null)", { revocation_endpoint: null }],
  ] as const
) {
  Deno.test(`discover returns null for a missing ${endpoint}`, async () => {
    const fetch = fakeFetch([{ respond: json({ ...METADATA, ...change }) }]);
    const { authorizeUrl, revokeUrl } = await discover(ISSUER, { fetch });
    const named = "authorization_endpoint" in change
      ? null
      : METADATA.authorization_endpoint;
    assertEquals<unknown>([authorizeUrl, revokeUrl], [named, null]);
  });
}

for (
  const [value, change] of [
    ["another issuer", { issuer: "https://attacker.example" }],
    ["an issuer with an additional slash", { issuer: `${ISSUER}/` }],
    ["an issuer in upper case", { issuer: ISSUER.toUpperCase() }],
    ["a missing issuer", { issuer: undefined }],
    ["an issuer that is a list", { issuer: [ISSUER] }],
    ["an http token_endpoint", { token_endpoint: "http://x.example/token" }],
    ["a relative token_endpoint", { token_endpoint: "/token" }],
    ["a missing token_endpoint", { token_endpoint: undefined }],
    ["token_endpoint null", { token_endpoint: null }],
    ["token_endpoint 5", { token_endpoint: 5 }],
    ["token_endpoint that is a list", { token_endpoint: [`${ISSUER}/token`] }],
    ["an http authorization_endpoint", {
      authorization_endpoint: "http://x.example/",
    }],
    ["a javascript: authorization_endpoint", {
      authorization_endpoint: "javascript:alert(1)",
    }],
    ["authorization_endpoint {}", { authorization_endpoint: {} }],
    ['authorization_endpoint ""', { authorization_endpoint: "" }],
    ["an ftp revocation_endpoint", { revocation_endpoint: "ftp://x.example/" }],
    ["revocation_endpoint false", { revocation_endpoint: false }],
    ...[
      "userinfo_endpoint",
      "introspection_endpoint",
      "end_session_endpoint",
      "pushed_authorization_request_endpoint",
      "device_authorization_endpoint",
      "registration_endpoint",
      "jwks_uri",
    ].map((name) => [`an http ${name}`, { [name]: "http://x.example/" }]),
    ["an http endpoint on loopback", {
      userinfo_endpoint: "http://localhost:8080/",
    }],
    ["an http alias for mutual TLS", {
      mtls_endpoint_aliases: { token_endpoint: "http://x.example/" },
    }],
    ...[
      "https://ana:hush@x.example/a",
      "https://ana@x.example/a",
      "https://:hush@x.example/a",
      "https://x.example/a#b",
      "https://x.example/a?b=c#d",
    ].flatMap((url) => [
      ...[
        "token_endpoint",
        "authorization_endpoint",
        "revocation_endpoint",
        "introspection_endpoint",
      ].map((name) => [`the ${name} ${url}`, { [name]: url }]),
      [`the alias ${url}`, { mtls_endpoint_aliases: { token_endpoint: url } }],
    ]),
  ] as [string, Record<string, unknown>][]
) {
  Deno.test(`discover refuses ${value}`, async () => {
    const document = { ...METADATA, ...change };
    for (const allowInsecure of [false, true]) {
      const fetch = always(json(document));
      const error = await oauth2Error(
        discover(ISSUER, { fetch, allowInsecure }),
      );
      assertEquals(error.status, 200);
      assert(error.message.startsWith("Cannot discover"), error.message);
      if (typeof document.issuer === "string" && document.issuer !== ISSUER) {
        assert(error.message.includes(`${document.issuer}`), error.message);
        assert(error.message.includes(ISSUER), error.message);
      }
      fetch.assertDone();
    }
  });
}

for (
  const [kind, body] of [
    ["a list", "[]"],
    ["a string", '"text"'],
    ["null", "null"],
    ["a page", "<p>"],
    ["empty", ""],
    [
      "an issuer in __proto__",
      JSON.stringify({ x: METADATA })
        .replace('"x"', '"__proto__"'),
    ],
    ["longer than 1 MiB", JSON.stringify(METADATA).padEnd(1024 * 1024 + 1)],
  ] as const
) {
  Deno.test(`discover refuses a document that is ${kind}`, async () => {
    const fetch = always({ status: 200, body });
    const error = await oauth2Error(discover(ISSUER, { fetch }));
    assertEquals(error.status, 200);
    fetch.assertDone();
  });
}

for (
  const [methods, scheme] of [
    [undefined, "basic_auth"],
    [null, "basic_auth"],
    [[], "basic_auth"],
    [["none"], "basic_auth"],
    [["client_secret_post", "client_secret_basic"], "basic_auth"],
    [["none", "client_secret_post"], "request_body"],
    [["client_secret_jwt", "private_key_jwt"], "private_key_jwt"],
    [["client_secret_jwt"], "client_secret_jwt"],
    [["tls_client_auth", "client_secret_jwt"], "client_secret_jwt"],
    [["client_secret_jwt", "client_secret_post"], "request_body"],
    [["tls_client_auth"], "tls_client_auth"],
    [["self_signed_tls_client_auth"], "tls_client_auth"],
    [["private_key_jwt", "tls_client_auth"], "private_key_jwt"],
    [["client_secret_post_x"], "basic_auth"],
    [5, "basic_auth"],
    [{}, "basic_auth"],
    [true, "basic_auth"],
    ["my_private_key_jwt_method", "basic_auth"],
  ] as const
) {
  Deno.test(`discover selects ${scheme} from ${JSON.stringify(methods)}`, async () => {
    const respond = json({
      ...METADATA,
      token_endpoint_auth_methods_supported: methods,
    });
    const fetch = fakeFetch([{ respond }]);
    assertEquals((await discover(ISSUER, { fetch })).authScheme, scheme);
  });
}

for (
  const issuer of [
    "",
    "x.example",
    "/main",
    "http://x.example",
    "ftp://x.example",
    "https://x.example?a=hush",
    "https://x.example?",
    "https://x.example#hush",
    "https://ana:hush@x.example",
    "https://:hush@x.example",
    "https://ana:hush@x.example/a@b",
    "javascript:hush",
  ]
) {
  Deno.test(`discover refuses the issuer "${issuer}" and sends nothing`, async () => {
    const fetch = fakeFetch([]);
    const error = await assertRejects(
      () => discover(issuer, { fetch }),
      TypeError,
    );
    assert(!printWithoutStack(error).includes("hush"));
    fetch.assertDone();
  });
}

Deno.test("discover with allowInsecure accepts plain http and returns the option", async () => {
  const issuer = "http://x.example";
  const metadata = { issuer, token_endpoint: `${issuer}/token` };
  const fetch = fakeFetch([{ respond: json(metadata) }]);
  assertEquals<unknown>(
    await discover(issuer, { fetch, allowInsecure: true }),
    {
      issuer,
      site: issuer,
      authorizeUrl: null,
      tokenUrl: `${issuer}/token`,
      revokeUrl: null,
      authScheme: "basic_auth",
      allowInsecure: true,
      metadata,
    },
  );
});

for (
  const [issuer, endpoint, allowInsecure, isAccepted] of [
    ["http://localhost", "http://localhost/a", false, true],
    ["http://localhost", "http://127.0.0.1/a", false, true],
    ["http://localhost", "https://x.example/a", false, true],
    ["http://localhost", "http://x.example/a", false, false],
    ["http://localhost", "http://x.example/a", true, true],
    ["http://x.example", "http://y.example/a", true, true],
    ["http://x.example", "ftp://y.example/a", true, false],
  ] as const
) {
  Deno.test(
    `discover of ${issuer} ${
      isAccepted ? "accepts" : "refuses"
    } the endpoint ${endpoint}${allowInsecure ? " with allowInsecure" : ""}`,
    async () => {
      for (const name of ["token_endpoint", "jwks_uri"]) {
        const token_endpoint = `${issuer}/token`;
        const document = { issuer, token_endpoint, [name]: endpoint };
        const fetch = always(json(document), isAccepted ? 1 : 2);
        const found = discover(issuer, { fetch, allowInsecure });
        if (isAccepted) assertEquals((await found).metadata[name], endpoint);
        else assertEquals((await oauth2Error(found)).status, 200);
        fetch.assertDone();
      }
    },
  );
}

Deno.test("discover reads text/plain with a byte order mark", async () => {
  const body = `\uFEFF${JSON.stringify(METADATA)}`;
  const headers = { "content-type": "text/plain" };
  const fetch = fakeFetch([{ respond: { status: 200, headers, body } }]);
  assertEquals((await discover(ISSUER, { fetch })).issuer, ISSUER);
});

Deno.test("discover rejects with the reason of the signal, and with a TimeoutError", async () => {
  const reason = new Error("enough");
  const hang = { respond: { hang: true } } as const;
  const aborted = await discover(ISSUER, {
    fetch: fakeFetch([]),
    signal: AbortSignal.abort(reason),
  }).catch((error) => error);
  assert(aborted === reason);
  await assertRejects(
    () => discover(ISSUER, { fetch: fakeFetch([hang]), timeout: 1 }),
    TimeoutError,
    "timeout of 1 ms exceeded",
  );
});

for (
  const [answer, respond] of [
    [
      "an error",
      json({ error: "hush-hush", error_description: "hush-hush" }, 401),
    ],
    ["other metadata", json({ error: "hush-hush", issuer: "hush-hush" })],
    ["a failed connection", { fail: "cannot send hush-hush" }],
  ] as const
) {
  Deno.test(`discover shows none of its credentials after ${answer}`, async () => {
    const headers = { Authorization: "Bearer hush-hush" };
    const fetch = always(respond);
    const error = await discover(ISSUER, { fetch, headers })
      .catch((error) => error);
    assert(error instanceof Error);
    assert(!print(error).includes("hush-hush"), print(error));
  });
}

for (const issuer of ["HTTPS://p.example", "hTTpS://p.example/t"]) {
  for (const name of ["token_endpoint", "revocation_endpoint", "jwks_uri"]) {
    Deno.test(`discover of ${issuer} refuses an http ${name} on loopback`, async () => {
      const token_endpoint = "https://p.example/token";
      const document = { issuer, token_endpoint, [name]: "http://localhost/t" };
      for (const allowInsecure of [false, true]) {
        const fetch = always(
          json(document),
          new URL(issuer).pathname === "/" ? 2 : 3,
        );
        const error = await oauth2Error(
          discover(issuer, { fetch, allowInsecure }),
        );
        assert(error.message.includes(name), error.message);
        fetch.assertDone();
      }
    });
  }
  Deno.test(`discover of ${issuer} accepts https endpoints`, async () => {
    const token_endpoint = "https://p.example/token";
    const fetch = always(json({ issuer, token_endpoint }), 1);
    const found = await discover(issuer, { fetch });
    assertEquals([found.issuer, found.tokenUrl], [issuer, token_endpoint]);
  });
}

Deno.test("discover shows no credentials of a refused endpoint", async () => {
  const fetch = always(json({
    ...METADATA,
    token_endpoint: "https://ana:hush-hush@x.example/a",
  }));
  const error = await oauth2Error(discover(ISSUER, { fetch }));
  assert(error.message.includes("token_endpoint"), error.message);
  assert(!print(error).includes("hush-hush"), print(error));
});

/** Shape of the documents of Microsoft for users of several tenants. */
const MICROSOFT = "https://login.microsoftonline.com";
const TEMPLATE = `${MICROSOFT}/{tenantid}/v2.0`;
const TENANTS = {
  issuer: TEMPLATE,
  authorization_endpoint: `${MICROSOFT}/common/oauth2/v2.0/authorize`,
  token_endpoint: `${MICROSOFT}/common/oauth2/v2.0/token`,
  jwks_uri: `${MICROSOFT}/common/discovery/v2.0/keys`,
  token_endpoint_auth_methods_supported: [
    "client_secret_post",
    "private_key_jwt",
    "client_secret_basic",
  ],
};

for (const tenants of ["common", "organizations", "consumers"]) {
  Deno.test(`discover accepts the template of Microsoft for ${tenants}`, async () => {
    const issuer = `${MICROSOFT}/${tenants}/v2.0`;
    const fetch = fakeFetch([{
      expect: { url: `${issuer}/.well-known/openid-configuration` },
      respond: json(TENANTS),
    }]);
    const found = await discover(issuer, { fetch, issuerTemplate: TEMPLATE });
    fetch.assertDone();
    assertEquals(found.issuer, issuer);
    assertEquals(found.tokenUrl, TENANTS.token_endpoint);
    assertEquals(found.metadata, TENANTS);
    assertEquals(found.issuerTemplate, TEMPLATE);
  });
}

for (
  const [value, issuer, issuerTemplate] of [
    ["without the option", TEMPLATE, undefined],
    ["of another path", `${MICROSOFT}/{tenantid}`, TEMPLATE],
    ["of another server", "https://x.example/{tenantid}/v2.0", TEMPLATE],
    ["of one tenant", `${MICROSOFT}/common/v2.0`, TEMPLATE],
  ] as const
) {
  Deno.test(`discover refuses an issuer template ${value}`, async () => {
    const fetch = always(json({ ...TENANTS, issuer }));
    const options = { fetch, issuerTemplate };
    const error = await oauth2Error(
      discover(`${MICROSOFT}/common/v2.0`, options),
    );
    assert(error.message.includes("the document has the issuer"));
  });
}

for (
  const issuerTemplate of [
    "",
    `${MICROSOFT}/organizations/v2.0`,
    "https://x.example/{tenantid}/v2.0",
    "{tenantid}",
  ]
) {
  Deno.test(`discover refuses the option issuerTemplate "${issuerTemplate}"`, async () => {
    const fetch = fakeFetch([]);
    await assertRejects(
      () => discover(`${MICROSOFT}/common/v2.0`, { fetch, issuerTemplate }),
      TypeError,
      "issuerTemplate must contain {tenantid}",
    );
  });
}
