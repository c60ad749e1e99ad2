/** Secrets that neither the debug log, printed values nor errors show. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken, type Fetch } from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, createClient, loggerTo, oauth2Error } from "../_client.ts";
import { json, onResource, onToken, redirect } from "../_exchanges.ts";
import type { Answer } from "../_fake_fetch.ts";
import { print } from "../_print.ts";
import { assertHidden } from "../_secrets.ts";

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

const LEAKY = {
  access_token: "monkey123",
  refresh_token: "rhesus456",
  note: "private789",
};

clientTest(
  "print shows no secret of client, token and response",
  [
    onToken(json(LEAKY)),
    onResource({
      status: 200,
      headers: { "set-cookie": "session=private789" },
      body: "private789",
    }),
  ],
  async ({ client }) => {
    const token = await client.getToken();
    const response = await token.get("/from");
    for (const value of [client, client.authCode, response, token.response]) {
      assertHidden(print(value));
    }
    const printed = print(token);
    for (const secret of ["hush-hush", "monkey123", "rhesus456"]) {
      assert(!printed.includes(secret), printed);
    }
    assert(printed.includes("[FILTERED]"), printed);
  },
);

for (
  const [answer, respond] of [
    ["an OAuth error", json({ error: "x", ...LEAKY }, 400)],
    [
      "an error whose description repeats secrets",
      json({
        error: "invalid_token",
        error_description: "rhesus456 of hush-hush is expired",
      }, 401),
    ],
    ["an error page", { status: 500, body: "<p>private789</p>" }],
    ["a response without a token", json({ ...LEAKY, access_token: null })],
    ["a refused token_type", json({ ...LEAKY, token_type: "mac" })],
    ["invalid JSON", {
      status: 200,
      headers: { "content-type": "application/json" },
      body: "{private789",
    }],
    ["a redirect", redirect("https://x.example/?access_token=monkey123")],
    ["a failed connection", { fail: "cannot send rhesus456 with hush-hush" }],
  ] as [string, Answer][]
) {
  clientTest(
    `refresh and get after ${answer} show no secret`,
    [
      onToken(respond),
      onResource(respond, { query: { client_secret: "hush-hush" } }),
    ],
    async ({ client }) => {
      const hash = { access_token: "monkey123", refresh_token: "rhesus456" };
      const token = AccessToken.fromHash(client, hash);
      for (
        const call of [
          () => token.refresh({ api_secret: "hush-hush" }),
          () =>
            token.get("/from", {
              params: { client_secret: "hush-hush" },
              headers: { "x-refresh-token": "rhesus456" },
            }),
        ]
      ) {
        const outcome = await call().catch((error) => error);
        if (outcome instanceof Error) assertHidden(outcome.message);
        assertHidden(print(outcome));
      }
    },
  );
}

const TOKEN = "monkey123";

/** Changes of `init`, whose headers are a plain object. */
const CHANGES: Readonly<Record<string, (init: RequestInit) => void>> = {
  "deletes the Authorization": (init) => {
    delete (init.headers as Record<string, string>).authorization;
  },
  "replaces the Authorization": (init) => {
    (init.headers as Record<string, string>).authorization = "Bearer other";
  },
  "deletes all headers": (init) => {
    const headers = init.headers as Record<string, string>;
    for (const name of Object.keys(headers)) delete headers[name];
  },
  "deletes headers and body from init": (init) => {
    delete init.headers;
    delete init.body;
  },
};

/** Creates a client whose fetch changes `init`, and records headers and log. */
function recording(
  change: (init: RequestInit) => void,
  ...answers: Response[]
) {
  const log: string[] = [];
  const given: Headers[] = [];
  const fetch: Fetch = (_, init) => {
    given.push(new Headers(init.headers));
    change(init);
    return Promise.resolve(answers.shift() ?? new Response());
  };
  const client = createClient({ fetch, debug: true, logger: loggerTo(log) });
  return { client, log, given };
}

for (const [effect, change] of Object.entries(CHANGES)) {
  Deno.test(`errors redact the token with a fetch that ${effect}`, async () => {
    const { client, log } = recording(
      change,
      Response.json(
        { error: "invalid_token", error_description: `${TOKEN} has expired` },
        { status: 401 },
      ),
    );
    const token = tokenOf(client, { access_token: TOKEN });
    const error = await oauth2Error(token.get("/from"));
    assertEquals(error.description, "[FILTERED] has expired");
    const shown = [print(error), ...log].join("\n");
    assert(!shown.includes(TOKEN), shown);
  });

  Deno.test(`errors redact headers and body with a fetch that ${effect}`, async () => {
    const { client, log } = recording(
      change,
      new Response("bad private789, bad rhesus456", { status: 400 }),
    );
    const error = await oauth2Error(client.request("post", "/from", {
      headers: { authorization: "Basic private789", "x-api-key": "private789" },
      body: { password: "rhesus456" },
    }));
    const shown = [print(error), ...log].join("\n");
    assert(!/private789|rhesus456/.test(shown), shown);
  });

  Deno.test(`errors redact the credentials of the client with a fetch that ${effect}`, async () => {
    const credentials = btoa("abc:hush-hush");
    const { client, log } = recording(
      change,
      Response.json({
        error: "invalid_client",
        error_description: `bad ${credentials}`,
      }, { status: 401 }),
    );
    const error = await oauth2Error(client.getToken());
    assertEquals(error.description, "bad [FILTERED]");
    const shown = [print(error), ...log].join("\n");
    assert(!shown.includes(credentials), shown);
  });

  for (const name of ["get", "fetch"] as const) {
    Deno.test(`token.${name} sends the token after a redirect with a fetch that ${effect}`, async () => {
      const { client, given } = recording(
        change,
        new Response(null, { status: 302, headers: { location: "/to" } }),
        new Response(null, { status: 307, headers: { location: "/then" } }),
      );
      await tokenOf(client, { access_token: TOKEN })[name](
        "/from",
      );
      assertEquals(
        given.map((headers) => headers.get("authorization")),
        Array(3).fill(`Bearer ${TOKEN}`),
      );
    });
  }

  Deno.test(`getToken sends the same headers again with a fetch that ${effect}`, async () => {
    const { client, given } = recording(
      change,
      Response.json({ access_token: "ape" }),
      Response.json({ access_token: "ape" }),
    );
    await client.getToken();
    await client.getToken();
    const [first, second] = given.map((headers) => Object.fromEntries(headers));
    assertEquals(second, first);
  });
}
