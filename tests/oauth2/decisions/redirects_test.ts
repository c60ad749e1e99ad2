/** Redirects that are followed, and the requests that they cause. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken, type OAuth2Error } from "../../../oauth2/mod.ts";
import { discover } from "../../../oauth2/server/discover.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, oauth2Error, SITE } from "../_client.ts";
import { onResource, onToken, redirect } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";

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

clientTest(
  "request keeps the query of a Location and does not add params to it",
  [
    onResource(redirect("/to?a=2&b=x%20y"), { query: { a: "1", c: "3" } }),
    {
      expect: {
        method: "GET",
        url: `${SITE}/to`,
        query: { a: "2", b: "x y" },
      },
      respond: { status: 204 },
    },
  ],
  ({ client }) => client.request("get", "/from", { params: { a: 1, c: 3 } }),
);

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
  clientTest(
    `request refuses the Location "${location}"`,
    [onResource(redirect(location))],
    async ({ client }) => {
      const token = tokenOf(client);
      const error = await oauth2Error(token.get("/from"));
      assertEquals(error.status, 302);
    },
    { raiseErrors: false },
  );
}

for (
  const location of [
    "http://api.example.com/to",
    "http://localhost/to",
    "ftp://api.example.com/to",
    "javascript:alert(1)",
    "data:,x",
    "",
  ]
) {
  clientTest(
    `request with allowInsecure refuses the Location "${location}"`,
    [onResource(redirect(location))],
    async ({ client }) => {
      await oauth2Error(client.request("get", "/from"));
    },
    { allowInsecure: true, allowCrossOriginRedirects: true },
  );
}

const CREDENTIALS = {
  Authorization: "Bearer monkey",
  Cookie: "session=1",
  DPoP: "proof",
  "X-Api-Key": "key",
  "X-Marker": "mark",
  Accept: "text/csv",
  "Accept-Language": "pt",
  "User-Agent": "otter",
};
for (const place of ["client", "call"]) {
  const permission = { allowCrossOriginRedirects: true };
  clientTest(
    `request sends no credentials to another origin that the ${place} allows`,
    [
      onResource(redirect("https://other.example/to?q=1"), {
        query: { api_key: "key", access_token: "monkey" },
      }),
      {
        expect: {
          method: "GET",
          url: "https://other.example/to",
          query: { q: "1" },
          headers: {
            authorization: null,
            cookie: null,
            dpop: null,
            "x-api-key": null,
            "x-marker": null,
            "x-default": null,
            accept: "text/csv",
            "accept-language": "pt",
            "user-agent": "otter",
          },
          body: null,
        },
        respond: { status: 204 },
      },
    ],
    async ({ client }) => {
      const hash = { access_token: "monkey", mode: "query" };
      await AccessToken.fromHash(client, hash).get("/from", {
        params: { api_key: "key" },
        headers: CREDENTIALS,
        ...(place === "call" ? permission : {}),
      });
    },
    {
      connectionOpts: { headers: { "X-Default": "1" } },
      ...(place === "client" ? permission : {}),
    },
  );
}

clientTest(
  "request sends no credentials after a redirect back from another origin",
  [
    onResource(redirect("https://other.example/to")),
    {
      expect: { method: "GET", url: "https://other.example/to" },
      respond: redirect(`${SITE}/back`),
    },
    {
      expect: {
        method: "GET",
        url: `${SITE}/back`,
        headers: { authorization: null },
      },
      respond: { status: 204 },
    },
  ],
  ({ client }) => tokenOf(client).get("/from"),
  { allowCrossOriginRedirects: true },
);

for (
  const [status, method] of [
    [301, "PUT"],
    [302, "PATCH"],
    [302, "DELETE"],
    [307, "POST"],
    [308, "PUT"],
  ] as const
) {
  clientTest(
    `request refuses a cross-origin ${status} to a ${method} with a body`,
    [onResource(redirect("https://other.example/to", status), { method })],
    async ({ client }) => {
      const sent = client.request(method, "/from", { body: { a: 1 } });
      assertEquals((await oauth2Error(sent)).status, status);
    },
    { allowCrossOriginRedirects: true },
  );
}

for (const status of [301, 302, 303, 307, 308]) {
  clientTest(
    `getToken throws on a ${status}`,
    [onToken(redirect("/to", status))],
    async ({ client }) => {
      assertEquals((await oauth2Error(client.getToken())).status, status);
    },
    { allowCrossOriginRedirects: true },
  );
  clientTest(
    `revokeToken does not follow a ${status}`,
    [{
      expect: { method: "POST", url: `${SITE}/oauth/revoke` },
      respond: redirect("/to", status),
    }],
    async ({ client }) => {
      const outcome = await client.revokeToken("m")
        .catch((error) => error as OAuth2Error);
      assertEquals(outcome.status, status);
    },
    { allowCrossOriginRedirects: true },
  );
}

for (const status of [301, 302, 303, 307, 308]) {
  Deno.test(`discover does not follow a ${status}`, async () => {
    const respond = redirect("/to", status);
    const fetch = fakeFetch([{ respond }, { respond }]);
    assertEquals((await oauth2Error(discover(SITE, { fetch }))).status, status);
    fetch.assertDone();
  });
}

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
