/** Parameters and bodies that are sent, and URLs that are accepted. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { tokenOf } from "../_calls.ts";
import { clientTest } from "../_client.ts";
import { FORM_HEADERS, json, onResource, onTokenForm } from "../_exchanges.ts";

clientTest(
  "undefined and null parameters are omitted",
  [
    onTokenForm({ d: "0", e: "false", f: "" }),
    onResource({ status: 204 }, { query: { d: "0", e: "false", f: "" } }),
  ],
  async ({ client }) => {
    const params = { a: undefined, b: null, d: 0, e: false, f: "" };
    const { searchParams } = new URL(client.authorizeUrl(params));
    assertEquals([...searchParams.keys()].sort(), ["d", "e", "f"]);
    await client.getToken(params);
    await client.request("get", "/from", { params });
  },
);

const streamOf = () => new Blob(["streamed"]).stream();
for (
  const [kind, body, headers, type, text] of [
    [
      "an object",
      () => ({ a: "1", b: null, c: 2 }),
      {},
      FORM_HEADERS["content-type"],
      "a=1&c=2",
    ],
    ["text", () => "<a/>", {}, "text/plain", "<a/>"],
    [
      "text with a content type",
      () => "<a/>",
      { "Content-Type": "text/xml" },
      "text/xml",
      "<a/>",
    ],
    [
      "URLSearchParams",
      () => new URLSearchParams("a=1"),
      {},
      FORM_HEADERS["content-type"],
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
    ["a stream", streamOf, {}, null, "streamed"],
    [
      "a stream with a content type",
      streamOf,
      { "content-type": "text/csv" },
      "text/csv",
      "streamed",
    ],
  ] as const
) {
  clientTest(
    `request sends a body that is ${kind}`,
    [onResource({ status: 204 }, { method: "POST", body: { text } })],
    async ({ client, fetch }) => {
      await client.request("post", "/from", { body: body(), headers });
      const sent = fetch.requests[0]!.headers.get("content-type");
      assertEquals(sent?.split(";")[0] ?? null, type);
    },
  );
}

clientTest(
  "request sends a body that is FormData",
  [onResource({ status: 204 }, { method: "POST" })],
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

const CALLBACK = "https://app.example/callback";
for (const grant of [undefined, "authCode", "implicit"] as const) {
  clientTest(
    `${
      grant ? `${grant}.` : ""
    }authorizeUrl prefers the redirect_uri of the call`,
    [],
    ({ client }) => {
      const owner = grant ? client[grant] : client;
      const url = owner.authorizeUrl({ redirect_uri: CALLBACK });
      const { searchParams } = new URL(url);
      assertEquals(searchParams.getAll("redirect_uri"), [CALLBACK]);
    },
    { redirectUri: "https://app.example/other" },
  );
}

clientTest(
  "authCode.getToken prefers the redirect_uri of the call",
  [onTokenForm({
    grant_type: "authorization_code",
    code: "sushi",
    redirect_uri: CALLBACK,
  })],
  ({ client }) => client.authCode.getToken("sushi", { redirect_uri: CALLBACK }),
  { redirectUri: "https://app.example/other" },
);

for (
  const [site, allowInsecure, isAccepted] of [
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
    `calls ${isAccepted ? "accept" : "refuse"} the site ${site}${
      allowInsecure ? " with allowInsecure" : ""
    }`,
    isAccepted
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
        if (isAccepted) await call();
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
    `token.get refuses the target ${JSON.stringify(target)} and sends nothing`,
    [],
    async ({ client }) => {
      const token = tokenOf(client);
      await assertRejects(() => token.get(target), TypeError);
    },
  );
}

for (const method of ["get", "head"]) {
  clientTest(
    `token.request in body mode refuses ${method.toUpperCase()}`,
    [],
    async ({ client }) => {
      const token = tokenOf(client, { mode: "body" });
      await assertRejects(() => token.request(method, "/from"), TypeError);
    },
  );
}
