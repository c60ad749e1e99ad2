/** Expiry of a token, for any value from a server. */
import { assert, assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { AccessToken } from "../../../oauth2/mod.ts";
import { clientTest, NOW } from "../_client.ts";
import { json, onToken } from "../_exchanges.ts";

for (
  const value of [
    "1h",
    "soon",
    "",
    "Infinity",
    "NaN",
    "1,5",
    "0x10",
    "1e3",
    NaN,
    Infinity,
    -Infinity,
    true,
    false,
    {},
    [],
    [600],
  ]
) {
  clientTest(
    `fromHash ignores expires_in ${inspect(value)} with a warning`,
    [],
    ({ client, log }) => {
      const hash = { access_token: "monkey", expires_in: value };
      const token = AccessToken.fromHash(client, hash);
      assertEquals([token.expiresIn, token.expiresAt], [undefined, undefined]);
      assertEquals([token.expires(), token.expired()], [false, false]);
      assertEquals(log.length, 1, log.join("\n"));
      assert(log[0]!.includes("expires_in"), log[0]);
    },
  );
}

for (const value of [undefined, null]) {
  clientTest(
    `fromHash ignores expires_in ${value} without a warning`,
    [],
    ({ client, log }) => {
      const hash = { access_token: "monkey", expires_in: value };
      const token = AccessToken.fromHash(client, hash);
      assertEquals([token.expires(), token.expired()], [false, false]);
      assertEquals(log, []);
    },
  );
}

for (
  const value of [-1, -0.5, -3600, "-1", "-1.5", " -60 "]
) {
  clientTest(
    `a token with expires_in ${inspect(value)} has expired`,
    [onToken(json({ access_token: "ape", expires_in: value }))],
    async ({ client, log }) => {
      const hash = { access_token: "monkey", expires_in: value };
      for (
        const token of [
          AccessToken.fromHash(client, hash),
          await client.getToken(),
        ]
      ) {
        assertEquals([token.expires(), token.expired()], [true, true]);
        assert(token.expiresAt! <= NOW, String(token.expiresAt));
        const copy = AccessToken.fromHash(client, token.toHash());
        assertEquals([copy.expired(), copy.expiresAt], [true, token.expiresAt]);
      }
      assertEquals(log, []);
    },
  );
}

for (const value of [0, "0", "0.0", -0]) {
  clientTest(
    `a token with expires_in ${inspect(value)} never expires`,
    [],
    ({ client, log }) => {
      const hash = { access_token: "monkey", expires_in: value };
      const token = AccessToken.fromHash(client, hash);
      assertEquals([token.expires(), token.expired()], [false, false]);
      assertEquals(log, []);
    },
  );
}

clientTest(
  "warnings of an invalid expiry do not show its value",
  [onToken(json({ access_token: "ape", expires_in: "hush-hush" }))],
  async ({ client, log }) => {
    await client.getToken();
    AccessToken.fromHash(client, {
      access_token: "monkey",
      expires_at: "hush-hush",
    });
    assertEquals(log.length, 2);
    assert(log[1]!.includes("expires_at"), log[1]);
    assert(!log.join().includes("hush"), log.join());
  },
);

clientTest(
  "an empty token has expired regardless of its expiry",
  [
    onToken(json({ error: "invalid_grant" }, 400)),
    onToken(json({ error: "invalid_grant" }, 400)),
  ],
  async ({ client }) => {
    const empty = await client.getToken();
    assertEquals([empty.token, empty.expired()], ["", true]);
    const later = await client.getToken({}, { expires_in: 600 });
    assertEquals([later.token, later.expired()], ["", true]);
    const hash = { refresh_token: "abaca", expires_in: 600 };
    assertEquals(AccessToken.fromHash(client, hash).expired(), true);
    assertEquals(new AccessToken(client, "").expired(), true);
  },
  { raiseErrors: false },
);

for (
  const [value, seconds] of [
    ["soon", undefined],
    ["", undefined],
    [NaN, undefined],
    [true, undefined],
    [{}, undefined],
    [null, undefined],
    [1361396829, 1361396829],
    ["2013-02-20T21:47:09", 1361396829],
    ["2013-02-20T21:47:09.000Z", 1361396829],
    ["2013-02-20T23:47:09+02:00", 1361396829],
  ] as const
) {
  clientTest(
    `fromHash reads expires_at ${inspect(value)} as ${seconds}`,
    [],
    (world) => {
      const hash = { access_token: "monkey", expires_at: value };
      const token = AccessToken.fromHash(world.client, hash);
      assertEquals(token.expiresAt, seconds);
      assertEquals(token.expires(), seconds !== undefined);
      const isWarned = seconds === undefined && value !== null;
      assertEquals(world.log.length, isWarned ? 1 : 0);
    },
  );
}

clientTest(
  "expires_latency without an expiry has no effect",
  [],
  ({ client }) => {
    const hash = { access_token: "monkey", expires_latency: 10 };
    const token = AccessToken.fromHash(client, hash);
    assertEquals([token.expiresAt, token.expired()], [undefined, false]);
  },
);
