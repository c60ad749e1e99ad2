/** What is sent, and where to. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { AccessToken, type Client } from "../../../oauth2/mod.ts";
import {
  asked,
  CALLBACK,
  CLAIMS,
  clientTest,
  FORM,
  json,
  JWT_KEY,
  sentForm,
  visited,
} from "../testing.ts";

clientTest(
  "parameters that are undefined or null are left out",
  [
    sentForm({ d: "0", e: "false", f: "" }),
    visited({ status: 204 }, { query: { d: "0", e: "false", f: "" } }),
  ],
  async ({ client }) => {
    const params = { a: undefined, b: null, d: 0, e: false, f: "" };
    const { searchParams } = new URL(client.authorizeUrl(params));
    assertEquals([...searchParams.keys()].sort(), ["d", "e", "f"]);
    await client.getToken(params);
    await client.request("get", "/from", { params });
  },
);

const STREAM = () => new Blob(["streamed"]).stream();
for (
  const [name, body, headers, type, text] of [
    [
      "an object",
      () => ({ a: "1", b: null, c: 2 }),
      {},
      FORM["content-type"],
      "a=1&c=2",
    ],
    ["text", () => "<a/>", {}, "text/plain", "<a/>"],
    [
      "text with a type",
      () => "<a/>",
      { "Content-Type": "text/xml" },
      "text/xml",
      "<a/>",
    ],
    [
      "URLSearchParams",
      () => new URLSearchParams("a=1"),
      {},
      FORM["content-type"],
      "a=1",
    ],
    [
      "a Blob",
      () => new Blob(["hi"], { type: "image/png" }),
      {},
      "image/png",
      "hi",
    ],
    ["bytes", () => new Uint8Array([104, 105]), {}, null, "hi"],
    ["a stream", STREAM, {}, null, "streamed"],
    [
      "a stream with a type",
      STREAM,
      { "content-type": "text/csv" },
      "text/csv",
      "streamed",
    ],
  ] as const
) {
  clientTest(
    `request sends a body that is ${name}`,
    [visited({ status: 204 }, { method: "POST", body: { text } })],
    async ({ client, fetch }) => {
      await client.request("post", "/from", { body: body(), headers });
      const sent = fetch.requests[0]!.headers.get("content-type");
      assertEquals(sent?.split(";")[0] ?? null, type);
    },
  );
}

clientTest(
  "request sends a body that is FormData",
  [visited({ status: 204 }, { method: "POST" })],
  async ({ client, fetch }) => {
    const body = new FormData();
    body.set("photo", "otter");
    await client.request("post", "/from", { body });
    const [sent] = fetch.requests;
    const type = sent!.headers.get("content-type")!;
    assert(type.startsWith("multipart/form-data; boundary="), type);
    assert(sent!.body.includes('name="photo"'), sent!.body);
  },
);

for (const grant of ["authCode", "implicit"] as const) {
  clientTest(
    `${grant}.authorizeUrl prefers the redirect_uri of the call`,
    [],
    ({ client }) => {
      const url = client[grant].authorizeUrl({ redirect_uri: CALLBACK });
      const { searchParams } = new URL(url);
      assertEquals(searchParams.getAll("redirect_uri"), [CALLBACK]);
    },
    { redirectUri: "https://app.example/other" },
  );
}

clientTest(
  "authorizeUrl prefers the redirect_uri of the call",
  [],
  ({ client }) => {
    const url = client.authorizeUrl({ redirect_uri: CALLBACK });
    const { searchParams } = new URL(url);
    assertEquals(searchParams.getAll("redirect_uri"), [CALLBACK]);
  },
  { redirectUri: "https://app.example/other" },
);

clientTest(
  "authCode.getToken prefers the redirect_uri of the call",
  [sentForm({
    grant_type: "authorization_code",
    code: "sushi",
    redirect_uri: CALLBACK,
  })],
  ({ client }) => client.authCode.getToken("sushi", { redirect_uri: CALLBACK }),
  { redirectUri: "https://app.example/other" },
);

type Ask = (client: Client, params: { grant_type: string }) => Promise<unknown>;
const GRANTS: Record<string, Ask> = {
  "authorization_code": ({ authCode }, params) =>
    authCode.getToken("sushi", params),
  "password": ({ password }, params) =>
    password.getToken("ana", "hunter2", params),
  "client_credentials": ({ clientCredentials }, params) =>
    clientCredentials.getToken(params),
  "urn:ietf:params:oauth:grant-type:jwt-bearer": ({ assertion }, params) =>
    assertion.getToken(CLAIMS, JWT_KEY, params),
  "refresh_token": (client, params) =>
    AccessToken.fromHash(client, { access_token: "m", refresh_token: "r" })
      .refresh(params),
};
for (const [grant, ask] of Object.entries(GRANTS)) {
  clientTest(
    `grant_type ${grant} cannot be overridden`,
    [asked(json({ access_token: "m" }))],
    async ({ client, fetch }) => {
      await ask(client, { grant_type: "mine" });
      const fields = new URLSearchParams(fetch.requests[0]!.body);
      assertEquals(fields.getAll("grant_type"), [grant]);
    },
  );
}

for (
  const [site, allowInsecure, fine] of [
    ["http://localhost:8080", false, true],
    ["http://app.localhost", false, true],
    ["http://127.0.0.1:8080", false, true],
    ["http://127.1.2.3", false, true],
    ["http://[::1]:8080", false, true],
    ["http://example.com", true, true],
    ["http://example.com", false, false],
    ["http://localhost.example.com", false, false],
    ["http://127.0.0.1.example.com", false, false],
    ["http://0.0.0.0", false, false],
    ["http://10.0.0.1", false, false],
    ["http://[::2]", false, false],
    ["ftp://example.com", true, false],
  ] as const
) {
  const origin = new URL(site).origin;
  clientTest(
    `${site} is ${fine ? "used" : "refused"}${
      allowInsecure ? " with allowInsecure" : ""
    }`,
    fine
      ? [
        {
          expect: { method: "GET", url: `${origin}/from` },
          respond: { status: 204 },
        },
        {
          expect: { method: "POST", url: `${origin}/oauth/token` },
          respond: json({ access_token: "m" }),
        },
        {
          expect: { method: "POST", url: `${origin}/oauth/revoke` },
          respond: { status: 200 },
        },
      ]
      : [],
    async ({ client }) => {
      for (
        const call of [
          () => client.request("get", "/from"),
          () => client.getToken(),
          () => client.revokeToken("m"),
        ]
      ) {
        if (fine) await call();
        else await assertRejects(call, TypeError);
      }
    },
    { site, allowInsecure },
  );
}

for (
  const target of [
    "//attacker.example/x",
    "/\\attacker.example/x",
    "\\\\attacker.example/x",
    "\t//attacker.example/x",
    "/\t/attacker.example/x",
    " //attacker.example/x",
  ]
) {
  clientTest(
    `token.request refuses the target ${JSON.stringify(target)}`,
    [],
    async ({ client }) => {
      const token = AccessToken.fromHash(client, { access_token: "monkey" });
      await assertRejects(() => token.get(target), TypeError);
    },
  );
}

for (const method of ["get", "head"]) {
  clientTest(
    `mode body is refused with ${method.toUpperCase()}`,
    [],
    async ({ client }) => {
      const hash = { access_token: "monkey", mode: "body" };
      const token = AccessToken.fromHash(client, hash);
      await assertRejects(() => token.request(method, "/from"), TypeError);
    },
  );
}
