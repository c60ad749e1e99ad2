/** Public documents of the authorization server. */
import { assertEquals, assertRejects } from "@std/assert";
import { clientTest, oauth2Error, SITE } from "../_client.ts";
import { json, redirect } from "../_exchanges.ts";

const expect = {
  method: "GET",
  url: `${SITE}/keys`,
  headers: { authorization: null, accept: "application/json" },
  body: null,
};

clientTest(
  "get sends no client authentication",
  [{ expect, respond: json({ keys: [] }) }],
  async ({ client }) => {
    const { parsed } = await client.get(`${SITE}/keys`);
    assertEquals(parsed, { keys: [] });
  },
  { authScheme: "request_body" },
);

clientTest(
  "get does not follow a redirect",
  [{ expect, respond: redirect(`${SITE}/other`) }],
  async ({ client }) => {
    const error = await oauth2Error(client.get(`${SITE}/keys`));
    assertEquals(error.status, 302);
  },
);

clientTest(
  "get resolves with the error of the response with raiseErrors: false",
  [{ expect, respond: json({ error: "x" }, 404) }],
  async ({ client }) => {
    const { error } = await client.get("keys", { raiseErrors: false });
    assertEquals([error?.status, error?.code], [404, "x"]);
  },
);

const METADATA = { issuer: SITE, jwks_uri: "https://keys.example/set" };

clientTest(
  "get allows the origin of jwks_uri in addition to allowedOrigins",
  [{ expect: { url: "https://keys.example/set" }, respond: json({}) }],
  async ({ client }) => {
    await client.get("https://keys.example/set");
    await assertRejects(
      () => client.get("https://other.example/set"),
      TypeError,
      "not in allowedOrigins",
    );
  },
  { allowedOrigins: [SITE], metadata: METADATA },
);

clientTest("get refuses plain http", [], async ({ client }) => {
  await assertRejects(
    () => client.get("http://api.example.com/keys"),
    TypeError,
    "must be https",
  );
});

clientTest(
  "issuer returns the option, or the issuer of the metadata",
  [],
  ({ client }) => {
    assertEquals(client.issuer, SITE);
    assertEquals(client.metadata, METADATA);
  },
  { metadata: METADATA },
);
