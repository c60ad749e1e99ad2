/** Refreshes of one token: one request for all that ask at once, and the scope that holds. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { AccessToken, Client, TimeoutError } from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import {
  asked,
  clientTest,
  json,
  oauth2Error,
  sentForm,
  SITE,
  visited,
} from "../testing.ts";

const REFRESH = { grant_type: "refresh_token", refresh_token: "abaca" };
const ROTATED = { access_token: "ape", refresh_token: "banana" };

/** A client whose token requests wait until they are answered or aborted. */
function waiting() {
  const signals: AbortSignal[] = [];
  const answers: ((response: Response) => void)[] = [];
  const client = new Client("abc", "hush-hush", {
    site: SITE,
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
    /** The signal of each request that was sent. */
    signals,
    answer: () => answers.at(-1)!(Response.json(ROTATED)),
  };
}
/** Lets everything happen that needs no time. */
const settle = () => new Promise((done) => setTimeout(done, 0));

for (const count of [2, 5]) {
  clientTest(
    `refresh called ${count} times at once sends the refresh token once, and all get one new token`,
    [sentForm(REFRESH, json(ROTATED))],
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

clientTest(
  "refresh called later while one is in flight shares its request",
  [sentForm(REFRESH, json(ROTATED))],
  async ({ client }) => {
    const token = tokenOf(client);
    const first = token.refresh();
    await Promise.resolve();
    await Promise.resolve();
    assertStrictEquals(await token.refresh(), await first);
  },
);

clientTest(
  "refresh called at once goes by the parameters and options of the first call",
  [
    sentForm({ ...REFRESH, scope: "read" }, json({ access_token: "ape" })),
    visited({ status: 204 }, { query: { p: "ape" } }),
  ],
  async ({ client }) => {
    const token = tokenOf(client);
    const [first, second] = await Promise.all([
      token.refresh({ scope: "read" }, { mode: "query", paramName: "p" }),
      token.refresh({ scope: "write" }, { mode: "header" }),
    ]);
    assertStrictEquals(first, second);
    await second.get("/from");
  },
);

clientTest(
  "refresh sends again after the one in flight has settled",
  [
    sentForm(REFRESH, json(ROTATED)),
    sentForm(REFRESH, json({ error: "invalid_grant" }, 400)),
    sentForm(REFRESH, json(ROTATED)),
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
  "refresh of two tokens with one refresh token is two requests",
  [sentForm(REFRESH, json(ROTATED)), sentForm(REFRESH, json(ROTATED))],
  async ({ client }) => {
    const [a, b] = await Promise.all([
      tokenOf(client).refresh(),
      tokenOf(client).refresh(),
    ]);
    assert(a !== b);
  },
);

Deno.test("refresh with a signal ends the wait of its caller alone", async () => {
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

Deno.test("refresh is aborted when all of its callers have gone", async () => {
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

Deno.test("refresh after an abort of all sends a request of its own", async () => {
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

Deno.test("refresh with a signal that is aborted already joins none and sends nothing", async () => {
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

Deno.test("refresh called at once ends for all with the timeout of the first", async () => {
  const { token, signals } = waiting();
  const outcomes = await Promise.all(
    [token.refresh({ timeout: 1 }), token.refresh()]
      .map((wait) => wait.catch((error) => error)),
  );
  for (const outcome of outcomes) assert(outcome instanceof TimeoutError);
  assertEquals(signals.length, 1);
});

for (
  const [what, old, requested, answered, scope] of [
    ["of the answer", "read write", undefined, "read", "read"],
    ["of the answer, not of the request", "a b", "a", "b", "b"],
    ["that was requested", "read write", "read", undefined, "read"],
    ["that was requested as a list", "a b c", ["a", "b"], undefined, "a b"],
    ["of the old token", "read write", undefined, undefined, "read write"],
    ["of the answer, the old having none", undefined, undefined, "a", "a"],
    ["of none", undefined, undefined, undefined, undefined],
  ] as const
) {
  clientTest(
    `refresh gives a token with the scope ${what}`,
    [asked(json({ access_token: "ape", scope: answered }))],
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

clientTest(
  "refresh keeps no other field of the old token",
  [asked(json({ access_token: "ape" }))],
  async ({ client }) => {
    const token = tokenOf(client, { scope: "read", id_token: "old", a: 1 });
    assertEquals((await token.refresh()).params, { scope: "read" });
  },
);

clientTest(
  "refresh without raiseErrors gives an empty token without a scope of its own",
  [asked(json({ error: "invalid_grant" }, 400))],
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
  "refresh gives a token of the class that it is called on, or one that extends it",
  [
    asked(json({ access_token: "ape", expires_in: 600 })),
    asked(json({ access_token: "ape" })),
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
    const options = { site: SITE, accessTokenClass: Badge, fetch };
    const badges = new Client("abc", "hush-hush", options);
    const token = AccessToken.fromHash(badges, { refresh_token: "old" });
    assert((await token.refresh()) instanceof Badge);
  },
);

for (const isAwaited of [false, true]) {
  Deno.test(
    `refresh called by the fetch of a refresh joins it${
      isAwaited ? " after a while" : ", also synchronously"
    }`,
    async () => {
      let sent = 0;
      let inner: Promise<AccessToken> | undefined;
      const client = new Client("abc", "hush-hush", {
        site: SITE,
        fetch: async () => {
          sent++;
          if (isAwaited) await settle();
          // Without end, where each call sends its own request.
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

Deno.test("refresh called by the fetch of a refresh fails as it does", async () => {
  let inner: Promise<unknown> | undefined;
  let sent = 0;
  const client = new Client("abc", "hush-hush", {
    site: SITE,
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

Deno.test("refresh that throws before anything is sent leaves none to join", async () => {
  const client = new Client("abc", "hush-hush", {
    site: SITE,
    fetch: () => Promise.resolve(Response.json(ROTATED)),
  });
  const token = tokenOf(client);
  const wrong = { timeout: -1 };
  await assertRejects(() => token.refresh(wrong), TypeError);
  assertEquals((await token.refresh()).token, "ape");
});

clientTest(
  "refresh twice at once gives one token, of the class that it is called on too",
  [asked(json({ access_token: "ape" }))],
  async ({ client }) => {
    const badge = Badge.fromHash(client, { refresh_token: "old" });
    const [one, other] = await Promise.all([badge.refresh(), badge.refresh()]);
    assertStrictEquals(one, other);
  },
);

clientTest(
  "refresh gives a token with the scopes that were requested when it was called",
  [asked(json({ access_token: "ape" }))],
  async ({ client }) => {
    const scope = ["read"];
    const asked = tokenOf(client).refresh({ scope });
    scope.push("write");
    assertEquals((await asked).params.scope, "read");
  },
);
