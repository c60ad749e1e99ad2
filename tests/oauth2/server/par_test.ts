import { assertEquals, assertRejects } from "@std/assert";
import { type AuthorizationParams, OAuth2Error } from "../../../oauth2/mod.ts";
import { pushAuthorization } from "../../../oauth2/server/par.ts";
import { ValidationError } from "../../../oauth2/core/validation_error.ts";
import { clientTest, createClient, NOW, SITE } from "../_client.ts";

const ISSUER = "https://issuer.example";
const SETTING = {
  redirectUri: "https://app.example/cb",
  metadata: {
    issuer: ISSUER,
    pushed_authorization_request_endpoint: `${ISSUER}/par`,
  },
};
const PUSHED = {
  status: 201,
  headers: { "content-type": "application/json" },
  body: '{"request_uri":"urn:x:a b","expires_in":60}',
};

clientTest(
  "pushAuthorization pushes the parameters with client authentication",
  [{
    expect: {
      method: "POST",
      url: `${ISSUER}/par`,
      headers: { authorization: "Basic YWJjOmh1c2gtaHVzaA==", "x-a": "b" },
      body: {
        form: {
          response_type: "code",
          redirect_uri: "https://app.example/cb",
          scope: "a b",
          resource: ["https://x.example", "https://y.example"],
          client_id: "abc",
        },
      },
    },
    respond: PUSHED,
  }],
  async ({ client }) => {
    const pushed = await pushAuthorization(client, {
      scope: ["a", "b"],
      resource: ["https://x.example", "https://y.example"],
      state: undefined,
    }, { headers: { "x-a": "b" } });
    assertEquals(pushed, {
      url: `${SITE}/oauth/authorize?client_id=abc&request_uri=urn%3Ax%3Aa%20b`,
      request_uri: "urn:x:a b",
      expiresAt: NOW + 60,
    });
  },
  SETTING,
);

clientTest("pushAuthorization sends nothing beside a request object", [{
  expect: { body: { form: { request: "a.b.c", client_id: "abc" } } },
  respond: PUSHED,
}], async ({ client }) => {
  await pushAuthorization(client, { request: "a.b.c", scope: "a", state: "s" });
}, SETTING);

clientTest("pushAuthorization keeps the query of the authorization endpoint", [{
  respond: PUSHED,
}], async ({ client }) => {
  const { url } = await pushAuthorization(client, {});
  assertEquals(
    url,
    "https://issuer.example/a?client_id=abc&request_uri=urn%3Ax%3Aa%20b&tenant=1",
  );
}, { ...SETTING, authorizeUrl: `${ISSUER}/a?tenant=1` });

const ANSWERS: [string, string][] = [
  ["no request_uri", "{}"],
  ["an empty request_uri", '{"request_uri":""}'],
  ["a request_uri that is a list", '{"request_uri":["urn:x"]}'],
  ["a list", "[]"],
  ["text", "ok"],
  ["null", "null"],
];

for (const [name, body] of ANSWERS) {
  clientTest(`pushAuthorization refuses a response with ${name}`, [{
    respond: { ...PUSHED, body },
  }], async ({ client }) => {
    await assertRejects(
      () => pushAuthorization(client, {}),
      ValidationError,
      "no request_uri",
    );
  }, SETTING);
}

for (const lifetime of ["0", "-1", '"x"', "null", "1e999"]) {
  clientTest(`pushAuthorization leaves the expiry unknown with ${lifetime}`, [{
    respond: {
      ...PUSHED,
      body: `{"request_uri":"urn:x","expires_in":${lifetime}}`,
    },
  }], async ({ client }) => {
    const { expiresAt } = await pushAuthorization(client, {});
    assertEquals(expiresAt, undefined);
  }, SETTING);
}

clientTest(
  "pushAuthorization throws the error of the server, also with raiseErrors false",
  [{
    respond: {
      status: 400,
      headers: { "content-type": "application/json" },
      body: '{"error":"invalid_request"}',
    },
  }],
  async ({ client }) => {
    const error = await assertRejects(
      () => pushAuthorization(client, {}),
      OAuth2Error,
    );
    assertEquals(error.code, "invalid_request");
  },
  { ...SETTING, raiseErrors: false },
);

const REFUSED: [string, object, object, string][] = [
  ["a request_uri", {}, { request_uri: "urn:x" }, "request_uri belongs"],
  ["a verifier", {}, { code_verifier: "x" }, "code_verifier belongs"],
  ["a secret", {}, { client_secret: "x" }, "client_secret belongs"],
  ["a misspelled parameter", {}, { redirectUri: "x" }, "it is spelled"],
  ["no id", { id: null }, {}, "the client has no id"],
  ["no endpoint", { metadata: { issuer: ISSUER } }, {}, "the metadata has no"],
  ["no metadata", { metadata: undefined }, {}, "the metadata has no"],
];

for (const [name, setting, params, message] of REFUSED) {
  Deno.test(`pushAuthorization sends nothing with ${name}`, async () => {
    const client = createClient({
      ...SETTING,
      ...setting,
      fetch: () => Promise.reject(new Error("sent")),
    });
    await assertRejects(
      () => pushAuthorization(client, params as AuthorizationParams),
      TypeError,
      message,
    );
  });
}
