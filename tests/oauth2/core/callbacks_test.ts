/** Errors of callbacks: extractors, parsers, classes, modes and loggers. */
import { assert, assertEquals } from "@std/assert";
import {
  AccessToken,
  type HashClass,
  OAuth2Error,
  OAuth2Response,
} from "../../../oauth2/mod.ts";
import { CALLS, tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  oauth2Error,
  type Setting,
} from "../_client.ts";
import { FORM_HEADERS, json, onResource, onToken } from "../_exchanges.ts";

const failure = new Error("failed");

const fail = (): never => {
  throw failure;
};

class FailingToken extends AccessToken {
  static override fromHash(): never {
    return fail();
  }
}

const failingLoad: HashClass<Map<string, unknown>> = {
  load: fail,
  dump: Object.fromEntries,
};

const failingDump: HashClass<Map<string, unknown>> = {
  load: (fields) => new Map(Object.entries(fields)),
  dump: fail,
};

OAuth2Response.registerParser("failing", ["application/x-failing"], fail);

const TOKEN = json({ access_token: "ape" });

const UNPARSABLE = {
  status: 200,
  headers: { "content-type": "application/x-failing" },
  body: "access_token=ape",
};

/** Callbacks that fail, as options of the client or of the call. */
const CALLBACKS: readonly (readonly [
  callback: string,
  options: Setting,
  call: Record<string, unknown>,
  respond: typeof UNPARSABLE | ReturnType<typeof json>,
])[] = [
  ["extractAccessToken", { extractAccessToken: fail }, {}, TOKEN],
  ["a parser in parse", {}, { parse: fail }, TOKEN],
  ["a parser in parse with an empty body", {}, { parse: fail }, {
    status: 200,
    headers: {},
    body: "",
  }],
  ["a registered parser by name", {}, { parse: "failing" }, TOKEN],
  ["a registered parser by media type", {}, {}, UNPARSABLE],
  ["snakyHashClass.load", {}, { snakyHashClass: failingLoad }, TOKEN],
  ["snakyHashClass.dump", {}, { snakyHashClass: failingDump }, TOKEN],
  ["accessTokenClass", { accessTokenClass: FailingToken }, {}, TOKEN],
];

for (const [callback, options, call, respond] of CALLBACKS) {
  for (const raiseErrors of [true, false]) {
    clientTest(
      `token calls with raiseErrors ${raiseErrors} throw the error of ${callback}`,
      [onToken(respond), onToken(respond), onToken(respond)],
      async ({ client }) => {
        for (
          const request of [
            () => client.getToken(call),
            () => client.password.getToken("ana", "hunter2", call),
            () => tokenOf(client).refresh(call),
          ]
        ) {
          const error = await request().catch((error: unknown) => error);
          assert(error === failure, String(error));
        }
      },
      { ...options, raiseErrors },
    );
  }
}

for (const [callback, options, call, respond] of CALLBACKS) {
  // The class also creates the empty token.
  if (options.accessTokenClass) continue;
  const refused = { ...respond as typeof UNPARSABLE, status: 400 };
  clientTest(
    `getToken throws the OAuth2Error of a 400 instead of the error of ${callback}`,
    [onToken(refused), onToken(refused)],
    async ({ client }) => {
      const error = await client.getToken(call).catch((error) => error);
      assert(error instanceof OAuth2Error, String(error));
      assertEquals(error.status, 400);
      const silent = { ...call, raiseErrors: false };
      const { token, response } = await client.getToken(silent);
      assertEquals([token, response?.error?.status], ["", 400]);
    },
    options,
  );
}

clientTest(
  "parseError is the error of the parser, and parsed is the text",
  [
    onResource({ status: 200, body: "text" }),
    onResource({ status: 200, headers: FORM_HEADERS, body: "a=1" }),
    onResource(UNPARSABLE),
  ],
  async ({ client }) => {
    for (
      const [options, parsed] of [
        [{ parse: fail }, "text"],
        [{ snakyHashClass: failingLoad }, "a=1"],
        [{}, UNPARSABLE.body],
      ] as const
    ) {
      const response = await client.request("get", "/from", options);
      assertEquals(response.parsed, parsed);
      assert(response.parseError === failure);
    }
  },
);

Deno.test("token.get throws the error of a mode and sends nothing", async () => {
  let sent = 0;
  const client = createClient({
    fetch: () => {
      sent++;
      return Promise.resolve(new Response());
    },
  });
  const token = tokenOf(client, { mode: fail });
  const error = await token.get("/from").catch((error) => error);
  assertEquals([error === failure, sent], [true, 0]);
});

const FAILING_LOGGER = { debug: fail, warn: fail };

for (const [name, call] of Object.entries(CALLS)) {
  clientTest(
    `${name} ignores errors of the logger`,
    [{ respond: json({ access_token: "ape", token: "b", expires_in: "1h" }) }],
    ({ client }) => call(client),
    { logger: FAILING_LOGGER, debug: true },
  );
  clientTest(
    `${name} throws the error of the server instead of that of the logger`,
    [{ respond: json({ error: "invalid_request" }, 400) }],
    async ({ client }) => {
      const { code } = await oauth2Error(call(client));
      assertEquals(code, "invalid_request");
    },
    { logger: FAILING_LOGGER, debug: true },
  );
}

clientTest(
  "AccessToken ignores errors of the logger",
  [],
  ({ client }) => {
    const hash = { access_token: "ape", token: "b", expires_in: "1h" };
    assertEquals(AccessToken.fromHash(client, hash).token, "ape");
    assertEquals(new AccessToken(client, "").token, "");
    const options = { tokenName: "other" };
    assertEquals(AccessToken.fromHash(client, {}, options).token, "");
  },
  {
    logger: FAILING_LOGGER,
    raiseErrors: false,
    config: {
      silenceExtraTokensWarning: false,
      silenceNoTokensWarning: false,
    },
  },
);
