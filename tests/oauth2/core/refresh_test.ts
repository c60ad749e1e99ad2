/** Refreshes of a token: shared requests, and the scope of the new token. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { AccessToken, TimeoutError } from "../../../oauth2/mod.ts";
import { grantedDetails } from "../../../oauth2/server/authorization_details.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, createClient, oauth2Error } from "../_client.ts";
import { json, onToken, onTokenForm } from "../_exchanges.ts";
import { settle } from "../_settle.ts";

const REFRESH = { grant_type: "refresh_token", refresh_token: "abaca" };

const ROTATED = { access_token: "ape", refresh_token: "banana" };

/** Creates a token whose refreshes wait until they are answered or aborted. */
function waiting() {
  const signals: AbortSignal[] = [];
  const answers: ((response: Response) => void)[] = [];
  const client = createClient({
    fetch: (_, { signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      signals.push(signal!);
      signal!.addEventListener("abort", () => reject(signal!.reason));
      answers.push(resolve);
      return promise;
    },
  });
  return {
    token: tokenOf(client),
    /** Signals of the requests. */
    signals,
    answer: () => answers.at(-1)!(Response.json(ROTATED)),
  };
}

for (const count of [2, 5]) {
  clientTest(
    `refresh called ${count} times sends one request and returns one token`,
    [onTokenForm(REFRESH, json(ROTATED))],
    async ({ client }) => {
      const token = tokenOf(client);
      const fresh = await Promise.all(
        Array.from({ length: count }, () => token.refresh()),
      );
      for (const one of fresh) assertStrictEquals(one, fresh[0]!);
      assertEquals(fresh[0]!.token, "ape");
      assertEquals(token.refreshToken, "abaca");
    },
  );
}

const RESOURCE = "https://a.example";

for (
  const [name, first, second, isShared] of [
    ["equal parameters in another order", { a: "1", b: "2" }, {
      b: "2",
      a: "1",
    }, true],
    ["undefined for a parameter", { a: "1" }, { a: "1", b: undefined }, true],
    ["another timeout", { timeout: 1000 }, {}, true],
    ["equal lists", { scope: ["a", "b"] }, { scope: ["a", "b"] }, true],
    ["equal URLs", { resource: RESOURCE }, { resource: RESOURCE }, true],
    ["another resource", { resource: RESOURCE }, { resource: "x:y" }, false],
    ["a resource", {}, { resource: RESOURCE }, false],
    ["another scope", { scope: "a" }, { scope: "b" }, false],
    ["other headers", { headers: { a: "1" } }, { headers: { a: "2" } }, false],
    ["a number", { a: 1 }, { a: "1" }, false],
  ] as const
) {
  Deno.test(`refresh ${isShared ? "shares" : "does not share"} a request with a call with ${name}`, async () => {
    const bodies: URLSearchParams[] = [];
    const client = createClient({
      fetch: (_, { body }) => {
        bodies.push(new URLSearchParams(String(body)));
        const access_token = `token-${bodies.length}`;
        return Promise.resolve(Response.json({ access_token }));
      },
    });
    const token = tokenOf(client);
    const tokens = await Promise.all([
      token.refresh(first),
      token.refresh(second),
    ]);
    assertEquals(tokens[0] === tokens[1], isShared);
    assertEquals(bodies.length, isShared ? 1 : 2);
  });
}

clientTest(
  "refresh shares no request with a call with other options",
  [
    onToken(json({ access_token: "ape" })),
    onToken(json({ access_token: "bear" })),
  ],
  async ({ client }) => {
    const token = tokenOf(client);
    const [first, second] = await Promise.all([
      token.refresh({}, { mode: "query", paramName: "p" }),
      token.refresh({}, { mode: "header" }),
    ]);
    assertEquals([first!.options.mode, second!.options.mode], [
      "query",
      "header",
    ]);
  },
);

clientTest(
  "refresh sends a new request after the last has settled",
  [
    onTokenForm(REFRESH, json(ROTATED)),
    onTokenForm(REFRESH, json({ error: "invalid_grant" }, 400)),
    onTokenForm(REFRESH, json(ROTATED)),
  ],
  async ({ client }) => {
    const token = tokenOf(client);
    const first = await token.refresh();
    const errors = await Promise.all(
      [token.refresh(), token.refresh()].map(oauth2Error),
    );
    assertEquals(errors.map(({ code }) => code), [
      "invalid_grant",
      "invalid_grant",
    ]);
    assert(await token.refresh() !== first);
  },
);

clientTest(
  "refresh of two tokens with one refresh token sends two requests",
  [onTokenForm(REFRESH, json(ROTATED)), onTokenForm(REFRESH, json(ROTATED))],
  async ({ client }) => {
    const [a, b] = await Promise.all([
      tokenOf(client).refresh(),
      tokenOf(client).refresh(),
    ]);
    assert(a !== b);
  },
);

Deno.test("refresh with a signal rejects only for its caller", async () => {
  const { token, signals, answer } = waiting();
  const reason = new Error("enough");
  const controller = new AbortController();
  const first = token.refresh({ signal: controller.signal })
    .catch((error) => error);
  const second = token.refresh();
  controller.abort(reason);
  assert(await first === reason);
  await settle();
  assertEquals(signals.map(({ aborted }) => aborted), [false]);
  answer();
  assertEquals((await second).token, "ape");
});

Deno.test("refresh aborts the request after all callers have aborted", async () => {
  const { token, signals } = waiting();
  const controllers = [new AbortController(), new AbortController()];
  const waits = controllers.map(({ signal }) =>
    token.refresh({ signal }).catch((error) => error)
  );
  await settle();
  controllers.forEach((controller, i) => controller.abort(`enough ${i}`));
  assertEquals(await Promise.all(waits), ["enough 0", "enough 1"]);
  await settle();
  assertEquals(signals.map(({ aborted }) => aborted), [true]);
});

Deno.test("refresh sends a new request after an aborted one", async () => {
  const { token, signals, answer } = waiting();
  const controller = new AbortController();
  const first = token.refresh({ signal: controller.signal })
    .catch((error) => error);
  await settle();
  controller.abort("enough");
  assertEquals(await first, "enough");
  const second = token.refresh();
  await settle();
  assertEquals(signals.map(({ aborted }) => aborted), [true, false]);
  answer();
  assertEquals((await second).token, "ape");
});

Deno.test("refresh with an aborted signal rejects and sends nothing", async () => {
  const { token, signals, answer } = waiting();
  const signal = AbortSignal.abort("enough");
  const alone = token.refresh({ signal }).catch((error) => error);
  assertEquals(await alone, "enough");
  await settle();
  assertEquals(signals.length, 0);
  const first = token.refresh();
  assertEquals(
    await token.refresh({ signal }).catch((error) => error),
    "enough",
  );
  await settle();
  assertEquals(signals.map(({ aborted }) => aborted), [false]);
  answer();
  assertEquals((await first).token, "ape");
});

Deno.test("refresh rejects for all callers after the timeout of the first", async () => {
  const { token, signals } = waiting();
  const outcomes = await Promise.all(
    [token.refresh({ timeout: 1 }), token.refresh()]
      .map((wait) => wait.catch((error) => error)),
  );
  for (const outcome of outcomes) assert(outcome instanceof TimeoutError);
  assertEquals(signals.length, 1);
});

for (
  const [source, old, requested, answered, scope] of [
    ["of the response", "read write", undefined, "read", "read"],
    ["of the response instead of the request", "a b", "a", "b", "b"],
    ["of the request", "read write", "read", undefined, "read"],
    ["of the request, given as a list", "a b c", ["a", "b"], undefined, "a b"],
    ["of the old token", "read write", undefined, undefined, "read write"],
    ["of the response, without an old one", undefined, undefined, "a", "a"],
    ["undefined, without any", undefined, undefined, undefined, undefined],
  ] as const
) {
  clientTest(
    `refresh returns a token with the scope ${source}`,
    [onToken(json({ access_token: "ape", scope: answered }))],
    async ({ client }) => {
      const token = tokenOf(client, old === undefined ? {} : { scope: old });
      const fresh = await token.refresh(
        requested === undefined ? {} : { scope: requested },
      );
      assertEquals(fresh.params.scope, scope);
      assertEquals(AccessToken.fromHash(client, fresh.toHash()).params, {
        ...scope !== undefined && { scope },
      });
    },
  );
}

const DETAILS = [{ type: "payment", actions: ["initiate"] }];

const OTHER_DETAILS = [{ type: "account" }];

for (
  const [source, requested, answered, details] of [
    ["of the response", undefined, OTHER_DETAILS, OTHER_DETAILS],
    ["of the request", JSON.stringify(OTHER_DETAILS), undefined, OTHER_DETAILS],
    ["of the old token", undefined, undefined, DETAILS],
  ] as const
) {
  clientTest(
    `refresh returns a token with the authorization details ${source}`,
    [onToken(json({
      access_token: "ape",
      ...answered && { authorization_details: answered },
    }))],
    async ({ client }) => {
      const token = tokenOf(client, { authorization_details: DETAILS });
      const fresh = await token.refresh({ authorization_details: requested });
      assertEquals(grantedDetails(fresh), details as unknown);
      assert(fresh.params.authorization_details !== DETAILS);
    },
  );
}

clientTest(
  "refresh drops other fields of the old token",
  [onToken(json({ access_token: "ape" }))],
  async ({ client }) => {
    const token = tokenOf(client, { scope: "read", id_token: "old", a: 1 });
    assertEquals((await token.refresh()).params, { scope: "read" });
  },
);

clientTest(
  "refresh without raiseErrors returns an empty token without a scope",
  [onToken(json({ error: "invalid_grant" }, 400))],
  async ({ client }) => {
    const fresh = await tokenOf(client, { scope: "read" }).refresh();
    assertEquals([fresh.token, fresh.response?.error?.code], [
      "",
      "invalid_grant",
    ]);
  },
  { raiseErrors: false },
);

class Badge extends AccessToken {}

clientTest(
  "refresh returns a token of its own class or a subclass",
  [
    onToken(json({ access_token: "ape", expires_in: 600 })),
    onToken(json({ access_token: "ape" })),
  ],
  async ({ client, fetch }) => {
    const badge = Badge.fromHash(client, { refresh_token: "old", scope: "a" });
    const fresh: Badge = await badge.refresh();
    assert(fresh instanceof Badge);
    assertEquals([fresh.token, fresh.expiresIn, fresh.params], [
      "ape",
      600,
      { scope: "a" },
    ]);
    const badges = createClient({ accessTokenClass: Badge, fetch });
    const token = AccessToken.fromHash(badges, { refresh_token: "old" });
    assert((await token.refresh()) instanceof Badge);
  },
);

for (const isAwaited of [false, true]) {
  Deno.test(
    `refresh called ${
      isAwaited ? "later " : ""
    }by the fetch of a refresh shares its request`,
    async () => {
      let sent = 0;
      let inner: Promise<AccessToken> | undefined;
      const client = createClient({
        fetch: async () => {
          sent++;
          if (isAwaited) await settle();
          // Would recurse without end if it sent another request.
          if (sent === 1) inner = token.refresh();
          return Response.json(ROTATED);
        },
      });
      const token = tokenOf(client);
      const fresh = await token.refresh();
      assertStrictEquals(await inner, fresh);
      assertEquals([fresh.token, sent], ["ape", 1]);
    },
  );
}

Deno.test("refresh called by the fetch of a refresh rejects with its error", async () => {
  let inner: Promise<unknown> | undefined;
  let sent = 0;
  const client = createClient({
    fetch: () => {
      sent++;
      if (sent === 1) inner = token.refresh().catch((error) => error);
      return Promise.resolve(
        Response.json({ error: "invalid_grant" }, { status: 400 }),
      );
    },
  });
  const token = tokenOf(client);
  const error = await oauth2Error(token.refresh());
  assertStrictEquals(await inner, error);
  assertEquals(sent, 1);
});

Deno.test("refresh sends a new request after invalid arguments", async () => {
  const client = createClient({
    fetch: () => Promise.resolve(Response.json(ROTATED)),
  });
  const token = tokenOf(client);
  const wrong = { timeout: -1 };
  await assertRejects(() => token.refresh(wrong), TypeError);
  assertEquals((await token.refresh()).token, "ape");
});
