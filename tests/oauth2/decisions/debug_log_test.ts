/** Secrets in the debug log. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken } from "../../../oauth2/mod.ts";
import { clientTest, oauth2Error } from "../_client.ts";
import { FORM_HEADERS, json, onResource } from "../_exchanges.ts";
import { print } from "../_print.ts";
import { assertHidden } from "../_secrets.ts";

const HIDDEN_PARAMS = [
  "access_token",
  "refresh_token",
  "id_token",
  "token",
  "client_secret",
  "client_assertion",
  "assertion",
  "code",
  "code_verifier",
  "device_code",
  "subject_token",
  "actor_token",
  "username",
  "password",
  "new_password",
  "session_token",
  "api_key",
  "accessToken",
  "clientSecret",
  "codeVerifier",
  "auth[access_token]",
  "key",
  "api-key",
  "subscription_key",
  "subscriptionKey",
  "pin",
  "card_pin",
  "otp",
  "smsOtp",
  "jwt",
  "id_jwt",
  "passphrase",
  "keyPassphrase",
  "session",
  "x_sig",
  "signature",
  "passcode",
  "user_pwd",
  "totp",
  "mfa_code",
  "authCode",
];
for (const name of HIDDEN_PARAMS) {
  clientTest(
    `the debug log redacts ${name} in query, form and JSON of request and response`,
    [
      {
        respond: {
          status: 200,
          headers: FORM_HEADERS,
          body: `${encodeURIComponent(name)}=monkey123&state=ok`,
        },
      },
      {
        respond: json({
          [name]: 'monkey123"rhesus456',
          nested: [{ [name]: "private789", state: "ok" }],
        }),
      },
      { respond: json({ [name]: 12345678 }) },
      { respond: json({ [name]: ["monkey123", "rhesus456"] }) },
    ],
    async ({ client, log }) => {
      const params = { [name]: "monkey123", state: "ok" };
      await client.request("get", "/from", { params });
      await client.request("post", "/from", { body: params });
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ [name]: 'monkey123"rhesus456' });
      await client.request("post", "/from", { body, headers });
      await client.request("post", "/from", {
        body: JSON.stringify([{ [name]: { a: ["private789"] } }]),
        headers,
      });
      const text = log.join("\n");
      assertHidden(text);
      // A numeric code is an error code.
      assertEquals(text.includes("12345678"), name === "code", text);
      assert(text.includes("state=ok"), text);
    },
    { debug: true },
  );
}

const HIDDEN_HEADERS = [
  "Authorization",
  "Proxy-Authorization",
  "Cookie",
  "DPoP",
  "X-Api-Key",
  "Api-Key",
  "X-Auth-Token",
  "X-Auth-Key",
  "Ocp-Apim-Subscription-Key",
  "x-functions-key",
  "X-Pin",
  "X-OTP",
  "X-Amzn-Jwt",
  "X-Auth",
  "X-Session",
  "X-Hub-Signature",
  "X-Mfa-Code",
];
for (const name of HIDDEN_HEADERS) {
  clientTest(
    `the debug log redacts the header ${name}`,
    [onResource({
      status: 200,
      headers: { "set-cookie": "session=private789", "x-note": "otter" },
    })],
    async ({ client, log }) => {
      const headers = { [name]: "Scheme monkey123", "X-Note": "badger" };
      await client.request("get", "/from", { headers });
      const text = log.join("\n");
      assertHidden(text);
      assert(text.includes("otter") && text.includes("badger"), text);
    },
    { debug: true },
  );
}

for (const mode of ["query", "body", "header"]) {
  clientTest(
    `the debug log redacts the token in ${mode} mode with a paramName`,
    [{ respond: { status: 204 } }],
    async ({ client, log }) => {
      const hash = { access_token: "monkey123", param_name: "otter", mode };
      await AccessToken.fromHash(client, hash).post("/from", {
        body: { state: "ok" },
      });
      const text = log.join("\n");
      assertHidden(text);
      assert(text.includes("state=ok"), text);
    },
    { debug: true },
  );
}

clientTest(
  "the debug log replaces line breaks",
  [{ respond: { status: 200, body: "a\nb" } }],
  async ({ client, log }) => {
    await client.request("get", "/from", { params: { a: "b\r\nc" } });
    assertEquals(log.filter((line) => /[\r\n]/.test(line)), []);
  },
  { debug: true },
);

const SHOWN_PARAMS = [
  "keyboard",
  "monkey",
  "shipping",
  "opinion",
  "keys_total",
  "pinned",
  "state",
  "country_code",
  "status_code",
  "author",
];
for (const name of SHOWN_PARAMS) {
  clientTest(
    `the debug log shows the parameter ${name}`,
    [onResource({ status: 204 }, { query: { [name]: "otter" } })],
    async ({ client, log }) => {
      await client.request("get", "/from", { params: { [name]: "otter" } });
      assert(log[0]!.includes(`${name}=otter`), log[0]);
    },
    { debug: true },
  );
}

for (
  const [value, isShown] of [
    [4042, true],
    [0, true],
    ["monkey123", false],
    ["4042", false],
    [["monkey123"], false],
    [{ a: "monkey123" }, false],
  ] as const
) {
  clientTest(
    `the debug log ${isShown ? "shows" : "redacts"} the code ${
      JSON.stringify(value)
    } of a response`,
    [onResource(json({ code: value, message: "otter" }, 400))],
    async ({ client, log }) => {
      await oauth2Error(client.request("get", "/from"));
      assertEquals(log[1]!.includes(`"code":${value}`), isShown, log[1]);
      assert(log[1]!.includes("otter"), log[1]);
      assertHidden(log.join());
    },
    { debug: true },
  );
}

const MEBIBYTE = 1024 * 1024;
for (
  const [content, body, type] of [
    [
      "JSON",
      JSON.stringify({ a: "x".repeat(16 * MEBIBYTE), note: "private789" }),
      "application/json",
    ],
    ["deep JSON", "[".repeat(MEBIBYTE), "application/json"],
    [
      "a form",
      `note=private789&${"a=b&".repeat(4 * MEBIBYTE)}`,
      FORM_HEADERS["content-type"],
    ],
    ["text", "private789 ".repeat(MEBIBYTE), "text/plain"],
    ["one word", "x".repeat(16 * MEBIBYTE), "text/plain"],
    [
      "short JSON and spaces",
      JSON.stringify({ note: "private789" }).padEnd(64 * 1024 + 1),
      "application/json",
    ],
  ] as const
) {
  clientTest(
    `the debug log shows only the length of ${body.length} bytes of ${content}`,
    [onResource({ status: 200, headers: { "content-type": type }, body })],
    async ({ client, log }) => {
      await client.request("get", "/from");
      const [, line = ""] = log;
      assert(line.length < 2000, `${line.length}`);
      assert(line.includes("[FILTERED]"), line);
      assert(line.includes(String(body.length)), line);
      assertHidden(line);
    },
    { debug: true },
  );
}

clientTest(
  "the debug log shows only the length of a request body of 16 MiB",
  [onResource({ status: 204 }, { method: "POST" })],
  async ({ client, log }) => {
    const body = `password=monkey123&a=${"x".repeat(16 * MEBIBYTE)}`;
    await client.request("post", "/from", { body });
    assert(log[0]!.length < 2000, `${log[0]!.length}`);
    assert(log[0]!.includes(String(body.length)), log[0]);
    assertHidden(log.join());
  },
  { debug: true },
);

clientTest(
  "the debug log shows 64 KiB of JSON",
  [onResource({
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"note":"otter"}'.padEnd(64 * 1024),
  })],
  async ({ client, log }) => {
    await client.request("get", "/from");
    assert(log[1]!.includes('{"note":"otter"}'), log[1]);
  },
  { debug: true },
);

/** Parameters of a token request that no rule names, and their values. */
const UNKNOWN = {
  cpf: "123.456.789-09",
  login_hint: "ana@example.com",
  card_number: "4111111111111111",
  answer: "monkey123",
  flag: "yes",
};
const HARMLESS = {
  grant_type: "urn:example:grant",
  scope: "notes",
  resource: "https://api.example",
  audience: "notes-api",
  token_type_hint: "access_token",
};

for (const tokenMethod of ["post", "get", "post_with_query_string"] as const) {
  for (const type of [undefined, "application/json"]) {
    if (type && tokenMethod !== "post") continue;
    clientTest(
      `the debug log of a token request by ${tokenMethod} as ${
        type ?? "a form"
      } shows harmless parameters only`,
      [{ respond: json({ access_token: "monkey", answer: "monkey123" }) }],
      async ({ client, log }) => {
        await client.getToken({
          ...HARMLESS,
          ...UNKNOWN,
          tokenMethod,
          headers: type === undefined ? {} : { "content-type": type },
        });
        const request = decodeURIComponent(log[0]!);
        for (const [name, value] of Object.entries(HARMLESS)) {
          assert(request.includes(name), `${name} is shown`);
          assert(request.includes(value), `${value} is shown`);
        }
        for (const [name, value] of Object.entries(UNKNOWN)) {
          assert(request.includes(name), `${name} is shown`);
          assert(!request.includes(value), `${value} is hidden`);
        }
        // Nor in the answer.
        assert(!log[1]!.includes("monkey123"), log[1]);
      },
      { debug: true },
    );
  }
}

clientTest(
  "the debug log of a request to a resource shows its parameters",
  [onResource(json({}), { query: { answer: "monkey123" } })],
  async ({ client, log }) => {
    await client.request("get", "/from", { params: { answer: "monkey123" } });
    assert(log[0]!.includes("answer=monkey123"), log[0]);
  },
  { debug: true },
);

clientTest(
  "the message of an error hides the parameters of its token request",
  [{
    respond: json({
      error: "invalid_request",
      error_description: "4111111111111111 is no card for notes",
    }, 400),
  }],
  async ({ client }) => {
    const error = await oauth2Error(
      client.getToken({ ...HARMLESS, ...UNKNOWN }),
    );
    assert(error.message.includes("is no card for notes"), error.message);
    assert(!print(error).includes("4111111111111111"), print(error));
  },
);
