import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ConnectionError, OAuth2Error } from "../../../oauth2/mod.ts";
import {
  type ClientMetadata,
  register,
  Registration,
} from "../../../oauth2/server/registration.ts";
import { json } from "../_exchanges.ts";
import { type Exchange, fakeFetch } from "../_fake_fetch.ts";
import { assertHidden } from "../_secrets.ts";
import { print } from "../_print.ts";

const ENDPOINT = "https://provider.example/register";
const MANAGED = "https://provider.example/clients/7";
const ASKED = {
  redirect_uris: ["https://app.example/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  scope: "a b",
};
const REGISTERED = {
  client_id: "s6BhdRkqt3",
  client_secret: "hush-hush",
  client_secret_expires_at: 0,
  client_id_issued_at: 1_700_000_000,
  registration_access_token: "monkey123",
  registration_client_uri: MANAGED,
  token_endpoint_auth_method: "client_secret_basic",
  ...ASKED,
};

/** Registers a client, whose later requests get these answers. */
async function registered(
  fields: object = {},
  later: Exchange[] = [],
  asked: ClientMetadata = ASKED,
) {
  const fetch = fakeFetch([
    { respond: json({ ...REGISTERED, ...fields }, 201) },
    ...later,
  ]);
  const registration = await Registration.create(ENDPOINT, asked, { fetch });
  return { registration, fetch };
}

Deno.test("register sends the metadata as JSON, with the initial access token", async () => {
  const fetch = fakeFetch([{
    expect: {
      method: "POST",
      url: ENDPOINT,
      headers: {
        authorization: "Bearer monkey123",
        "content-type": "application/json",
      },
      body: { json: ASKED },
    },
    respond: json(REGISTERED, 201),
  }]);
  const found = { metadata: { registration_endpoint: ENDPOINT } };
  const registration = await register(found, ASKED, {
    fetch,
    initialAccessToken: "monkey123",
  });
  fetch.assertDone();
  assertEquals(registration.clientId, "s6BhdRkqt3");
  assertEquals(registration.clientSecret, "hush-hush");
  assertEquals(registration.secretExpiresAt, undefined);
  assertEquals(registration.authScheme, "basic_auth");
  assertEquals(registration.registrationUri, MANAGED);
  assertEquals(registration.differences, []);
  assertEquals(registration.metadata, {
    client_id: "s6BhdRkqt3",
    token_endpoint_auth_method: "client_secret_basic",
    ...ASKED,
  });
});

Deno.test("register throws a TypeError without an endpoint", async () => {
  await assertRejects(
    () => register({ metadata: {} }, ASKED),
    TypeError,
    "registration_endpoint",
  );
});

for (
  const endpoint of [
    "http://provider.example/register",
    "register",
    "https://user:pass@provider.example/register",
    "ftp://provider.example/register",
  ]
) {
  Deno.test(`Registration.create refuses the endpoint ${endpoint}`, async () => {
    await assertRejects(() => Registration.create(endpoint, ASKED), TypeError);
  });
}

for (
  const [name, body, status = 201] of [
    ["no client_id", { ...REGISTERED, client_id: undefined }],
    ["an empty client_id", { ...REGISTERED, client_id: "" }],
    ["a number as client_id", { ...REGISTERED, client_id: 7 }],
    ["a list as client_secret", { ...REGISTERED, client_secret: ["a"] }],
    ["a number as token", { ...REGISTERED, registration_access_token: 7 }],
    ["an object as URL", { ...REGISTERED, registration_client_uri: {} }],
    ["a list", []],
    ["text", "text"],
    ["an error with status 200", { error: "invalid_redirect_uri" }, 200],
    ["an error", { error: "invalid_client_metadata" }, 400],
    ["no body and status 404", "", 404],
    ["a redirect", "", 302],
  ] as [string, unknown, number?][]
) {
  Deno.test(`Registration.create refuses ${name}`, async () => {
    const fetch = fakeFetch([{ respond: json(body, status) }]);
    const error = await assertRejects(
      () =>
        Registration.create(ENDPOINT, ASKED, {
          fetch,
          initialAccessToken: "rhesus456",
        }),
      OAuth2Error,
    );
    assertHidden(print(error));
  });
}

Deno.test("Registration.create never repeats itself after a lost connection", async () => {
  const fetch = fakeFetch([{ respond: { fail: "connection reset" } }]);
  const error = await assertRejects(
    () => Registration.create(ENDPOINT, ASKED, { fetch }),
    ConnectionError,
  );
  assertEquals(error.retryable, false);
});

for (
  const [name, asked, fields, differences] of [
    ["another order", ASKED, {
      grant_types: ["refresh_token", "authorization_code"],
      scope: "b  a",
    }, []],
    ["a further redirect URI", ASKED, {
      redirect_uris: [...ASKED.redirect_uris, "https://evil.example"],
    }, ["redirect_uris"]],
    ["fewer scopes", ASKED, { scope: "a" }, ["scope"]],
    ["a missing member", { client_name: "App" }, {}, ["client_name"]],
    ["another method", { token_endpoint_auth_method: "none" }, {}, [
      "token_endpoint_auth_method",
    ]],
    ["equal keys", { jwks: { keys: [{ kty: "EC", x: "1" }] } }, {
      jwks: { keys: [{ x: "1", kty: "EC" }] },
    }, []],
    ["other keys", { jwks: { keys: [{ kty: "EC", x: "1" }] } }, {
      jwks: { keys: [{ x: "2", kty: "EC" }] },
    }, ["jwks"]],
    ["an undefined member", { client_name: undefined }, {}, []],
  ] as [string, ClientMetadata, object, string[]][]
) {
  Deno.test(`Registration.differences with ${name}`, async () => {
    const { registration } = await registered(fields, [], asked);
    assertEquals(registration.differences, differences);
  });
}

for (
  const [method, scheme] of [
    [undefined, "basic_auth"],
    ["none", "basic_auth"],
    ["client_secret_post", "request_body"],
    ["private_key_jwt", "private_key_jwt"],
    ["self_signed_tls_client_auth", "tls_client_auth"],
  ]
) {
  Deno.test(`Registration.authScheme of ${method}`, async () => {
    const { registration } = await registered({
      token_endpoint_auth_method: method,
    });
    assertEquals(registration.authScheme, scheme);
  });
}

for (const method of ["made_up", "", "toString", 7, ["none"], {}]) {
  Deno.test(`Registration.authScheme refuses ${JSON.stringify(method)}`, async () => {
    const { registration } = await registered({
      token_endpoint_auth_method: method,
    });
    assertThrows(() => registration.authScheme, TypeError, "is unknown");
  });
}

const AUTHORIZED = {
  url: MANAGED,
  headers: { authorization: "Bearer monkey123" },
};

Deno.test("Registration.read returns the registration with its new secrets", async () => {
  const { registration, fetch } = await registered({}, [{
    expect: { method: "GET", ...AUTHORIZED, body: null },
    respond: json({
      ...REGISTERED,
      client_secret: "private789",
      registration_access_token: undefined,
      scope: "a",
    }),
  }]);
  const read = await registration.read();
  fetch.assertDone();
  assertEquals(read.clientSecret, "private789");
  assertEquals(read.registrationUri, MANAGED);
  assertEquals(read.differences, ["scope"]);
});

for (
  const [place, uri, key] of [
    ["the origin of the endpoint", MANAGED, "hush"],
    ["another origin", "https://other.example/clients/7", null],
  ] as const
) {
  Deno.test(`Registration.read sends the headers of register on ${place}: ${key !== null}`, async () => {
    const fields = { ...REGISTERED, registration_client_uri: uri };
    const read = { expect: { url: uri, headers: { "x-gateway": key } } };
    const own = { expect: { url: uri, headers: { "x-gateway": "other" } } };
    const fetch = fakeFetch([
      { respond: json(fields, 201) },
      { ...read, respond: json(fields) },
      { ...read, respond: json(fields) },
      { ...own, respond: json(fields) },
    ]);
    const registration = await Registration.create(ENDPOINT, ASKED, {
      fetch,
      headers: { "x-gateway": "hush" },
    });
    await (await registration.read()).read();
    // Headers of the call itself are meant for this URL.
    await registration.read({ headers: { "x-gateway": "other" } });
    fetch.assertDone();
  });
}

Deno.test("Registration.fromHash sends its headers to the origin of the hash only", async () => {
  const moved = "https://other.example/clients/7";
  const fetch = fakeFetch([
    {
      expect: { url: MANAGED, headers: { "x-gateway": "hush" } },
      respond: json({ ...REGISTERED, registration_client_uri: moved }),
    },
    {
      expect: { url: moved, headers: { "x-gateway": null } },
      respond: json(REGISTERED),
    },
  ]);
  const headers = { "x-gateway": "hush" };
  const restored = Registration.fromHash(REGISTERED, { fetch, headers });
  await (await restored.read()).read();
  fetch.assertDone();
});

Deno.test("Registration.update sends the changed metadata", async () => {
  const changed = {
    redirect_uris: ["https://app.example/other"],
    grant_types: ASKED.grant_types,
    token_endpoint_auth_method: "client_secret_basic",
    client_id: "s6BhdRkqt3",
    client_secret: "hush-hush",
  };
  const { registration, fetch } = await registered({}, [
    {
      expect: { method: "PUT", ...AUTHORIZED, body: { json: changed } },
      respond: json({
        ...REGISTERED,
        ...changed,
        registration_access_token: "rhesus456",
      }),
    },
    {
      expect: {
        method: "DELETE",
        url: MANAGED,
        headers: { authorization: "Bearer rhesus456" },
      },
      respond: { status: 204 },
    },
  ]);
  const updated = await registration.update({
    redirect_uris: ["https://app.example/other"],
    scope: null,
  });
  assertEquals(updated.differences, []);
  await updated.delete();
  fetch.assertDone();
});

for (
  const [method, secret] of [
    ["client_secret_basic", "hush-hush"],
    [undefined, "hush-hush"],
    ["none", undefined],
  ]
) {
  Deno.test(`Registration.read without a client_secret, with the method ${method}`, async () => {
    const { registration } = await registered({}, [{
      respond: json({
        client_id: "s6BhdRkqt3",
        token_endpoint_auth_method: method,
      }),
    }]);
    assertEquals((await registration.read()).clientSecret, secret);
  });
}

Deno.test("Registration.read refuses the registration of another client", async () => {
  const { registration } = await registered({}, [{
    respond: json({ ...REGISTERED, client_id: "other" }),
  }]);
  await assertRejects(
    () => registration.read(),
    OAuth2Error,
    "its client_id differs",
  );
});

for (const call of ["read", "update", "delete"] as const) {
  Deno.test(`Registration.${call} throws the error of the server`, async () => {
    const { registration } = await registered({}, [{
      respond: json({ error: "invalid_token" }, 401),
    }]);
    const error = await assertRejects(
      () => registration[call]({}) as Promise<unknown>,
      OAuth2Error,
    );
    assertEquals(error.code, "invalid_token");
    assertHidden(print(error));
  });

  for (
    const fields of [
      { registration_access_token: null },
      { registration_client_uri: null },
      { registration_client_uri: "http://provider.example/clients/7" },
      { registration_client_uri: "/clients/7" },
    ]
  ) {
    Deno.test(`Registration.${call} sends nothing with ${JSON.stringify(fields)}`, async () => {
      const { registration, fetch } = await registered(fields);
      await assertRejects(
        () => registration[call]({}) as Promise<unknown>,
        TypeError,
      );
      fetch.assertDone();
    });
  }
}

Deno.test("Registration.fromHash restores the result of toHash", async () => {
  const { registration } = await registered();
  const hash = JSON.parse(JSON.stringify(registration.toHash()));
  const fetch = fakeFetch([{
    expect: { method: "DELETE", ...AUTHORIZED },
    respond: { status: 204 },
  }]);
  const restored = Registration.fromHash(hash, { fetch });
  assertEquals(restored.clientSecret, "hush-hush");
  await restored.delete();
  fetch.assertDone();
});

for (const hash of [{}, [], null, { client_id: 7 }, "text"]) {
  Deno.test(`Registration.fromHash refuses ${JSON.stringify(hash)}`, () => {
    assertThrows(
      () => Registration.fromHash(hash as Record<string, unknown>),
      TypeError,
      "Cannot read the registration",
    );
  });
}

Deno.test("Registration shows neither secret nor token when it is printed", async () => {
  const { registration } = await registered();
  const text = print(registration);
  assertHidden(text);
  assert(text.includes("s6BhdRkqt3"), text);
});
