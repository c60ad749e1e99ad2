/** Errors of code that the caller brings along: extractors, parsers, classes. */
import { assert, assertEquals } from "@std/assert";
import {
  AccessToken,
  Client,
  type HashClass,
  type Logger,
  OAuth2Error,
  OAuth2Response,
} from "../../../oauth2/mod.ts";
import { CALLS, tokenOf } from "../calls.ts";
import {
  asked,
  clientTest,
  FORM,
  json,
  oauth2Error,
  type Setting,
  SITE,
  visited,
} from "../testing.ts";

class Mistake extends Error {}
const mistake = new Mistake("of the caller's own");
const fail = (): never => {
  throw mistake;
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

const good = json({ access_token: "ape" });
const ofFailingType = {
  status: 200,
  headers: { "content-type": "application/x-failing" },
  body: "access_token=ape",
};

/** Code of the caller's that fails: as options of the client or of the call. */
const MISTAKES: readonly (readonly [
  what: string,
  options: Setting,
  call: Record<string, unknown>,
  respond: typeof ofFailingType | ReturnType<typeof json>,
])[] = [
  ["extractAccessToken", { extractAccessToken: fail }, {}, good],
  ["a parser in parse", {}, { parse: fail }, good],
  ["a parser in parse, for an empty body", {}, { parse: fail }, {
    status: 200,
    headers: {},
    body: "",
  }],
  ["a registered parser that is named", {}, { parse: "failing" }, good],
  ["a registered parser by its type", {}, {}, ofFailingType],
  ["snakyHashClass.load", {}, { snakyHashClass: failingLoad }, good],
  ["snakyHashClass.dump", {}, { snakyHashClass: failingDump }, good],
  ["the token class", { accessTokenClass: FailingToken }, {}, good],
];
for (const [what, options, call, respond] of MISTAKES) {
  for (const raiseErrors of [true, false]) {
    clientTest(
      `an error of ${what} reaches the caller of a token call, raiseErrors ${raiseErrors}`,
      [asked(respond), asked(respond), asked(respond)],
      async ({ client }) => {
        for (
          const ask of [
            () => client.getToken(call),
            () => client.password.getToken("ana", "hunter2", call),
            () => tokenOf(client).refresh(call),
          ]
        ) {
          const error = await ask().catch((error: unknown) => error);
          assert(error === mistake, String(error));
        }
      },
      { ...options, raiseErrors },
    );
  }
}

for (const [what, options, call, respond] of MISTAKES) {
  // Such a class is asked for the empty token too.
  if (options.accessTokenClass) continue;
  const refusal = { ...respond as typeof ofFailingType, status: 400 };
  clientTest(
    `an error of ${what} gives way to the status 400 of the answer`,
    [asked(refusal), asked(refusal)],
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
  "an error of a parser is the parseError of a response, whose parsed is the text",
  [
    visited({ status: 200, body: "text" }),
    visited({ status: 200, headers: FORM, body: "a=1" }),
    visited(ofFailingType),
  ],
  async ({ client }) => {
    for (
      const [options, parsed] of [
        [{ parse: fail }, "text"],
        [{ snakyHashClass: failingLoad }, "a=1"],
        [{}, ofFailingType.body],
      ] as const
    ) {
      const response = await client.request("get", "/from", options);
      assertEquals(response.parsed, parsed);
      assert(response.parseError === mistake);
    }
  },
);

clientTest(
  "JSON of the server's that cannot be parsed stays an error of the answer",
  [asked({
    status: 200,
    headers: { "content-type": "application/json" },
    body: "{",
  })],
  async ({ client }) => {
    const error = await client.getToken().catch((error) => error);
    assert(error instanceof OAuth2Error, String(error));
  },
);

clientTest(
  "an extractAccessToken that finds nothing leaves no token",
  [asked(good)],
  async ({ client }) => {
    const error = await client.getToken().catch((error) => error);
    assert(error instanceof OAuth2Error, String(error));
  },
  { extractAccessToken: () => undefined },
);

Deno.test("an error of a mode of the caller's reaches the caller, and nothing is sent", async () => {
  let sent = 0;
  const client = new Client("abc", "hush-hush", {
    site: SITE,
    fetch: () => {
      sent++;
      return Promise.resolve(new Response());
    },
  });
  const hash = { access_token: "monkey" };
  const token = AccessToken.fromHash(client, hash, { mode: fail });
  const error = await token.get("/from").catch((error) => error);
  assertEquals([error === mistake, sent], [true, 0]);
});

/** Loggers that fail. */
const LOGGERS: Readonly<Record<string, Logger>> = {
  "debug throws": { debug: fail, warn: () => {} },
  "warn throws": { debug: () => {}, warn: fail },
  "both throw": { debug: fail, warn: fail },
};
for (const [what, logger] of Object.entries(LOGGERS)) {
  for (const [name, call] of Object.entries(CALLS)) {
    clientTest(
      `${name} goes well with a logger whose ${what}`,
      [{
        // Two tokens and an unreadable time, each of which is warned of.
        respond: json({ access_token: "ape", token: "b", expires_in: "1h" }),
      }],
      ({ client }) => call(client),
      { logger, debug: true },
    );
    clientTest(
      `${name} fails with the error of the server with a logger whose ${what}`,
      [{ respond: json({ error: "invalid_request" }, 400) }],
      async ({ client }) => {
        const { code } = await oauth2Error(call(client));
        assertEquals(code, "invalid_request");
      },
      { logger, debug: true },
    );
  }
  clientTest(
    `a token is made with a logger whose ${what}`,
    [],
    ({ client }) => {
      const hash = { access_token: "ape", token: "b", expires_in: "1h" };
      assertEquals(AccessToken.fromHash(client, hash).token, "ape");
      assertEquals(new AccessToken(client, "").token, "");
      const options = { tokenName: "other" };
      assertEquals(AccessToken.fromHash(client, {}, options).token, "");
    },
    { logger, raiseErrors: false },
  );
}
