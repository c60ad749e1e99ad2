/** Values of maxBodyBytes: a number from 0 on, or nothing is sent. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client } from "../../../oauth2/mod.ts";
import { CALLS, tokenOf } from "../calls.ts";
import { asked, clientTest, json, oauth2Error, SITE } from "../testing.ts";

const show = (value: unknown) =>
  typeof value === "number" ? String(value) : JSON.stringify(value);

for (const value of [NaN, -1, -Infinity, "1000", "", true, {}, []]) {
  const maxBodyBytes = value as number;
  Deno.test(`a client is not made with the maxBodyBytes ${show(value)}`, () => {
    const connectionOpts = { maxBodyBytes };
    const { message } = assertThrows(
      () => new Client("abc", "hush-hush", { site: SITE, connectionOpts }),
      TypeError,
    ) as Error;
    assert(message.includes("maxBodyBytes"), message);
  });
  clientTest(
    `no call is sent with the maxBodyBytes ${show(value)}`,
    [],
    async ({ client }) => {
      for (const call of Object.values(CALLS)) {
        const { message } = await assertRejects(
          () => call(client, { maxBodyBytes }),
          TypeError,
        ) as Error;
        assert(message.includes("maxBodyBytes"), message);
      }
    },
  );
}

for (const maxBodyBytes of [2, 1000, 2 ** 40, Infinity, undefined]) {
  clientTest(
    `a call is sent with the maxBodyBytes ${maxBodyBytes}`,
    [{ respond: json({}) }],
    ({ client }) => client.request("get", "/from", { maxBodyBytes }),
    { connectionOpts: { maxBodyBytes } },
  );
}

const answer = json({ access_token: "ape" });
clientTest(
  "maxBodyBytes of a call to the authorization server limits its answer, and is not sent",
  Array.from({ length: 3 }, () => asked(answer)),
  async ({ client, fetch }) => {
    for (
      const ask of [
        () => client.getToken({ maxBodyBytes: 10 }),
        () => client.clientCredentials.getToken({ maxBodyBytes: 10 }),
        () => tokenOf(client).refresh({ maxBodyBytes: 10 }),
      ]
    ) {
      const { message } = await oauth2Error(ask());
      assert(message.includes("longer than 10 bytes"), message);
    }
    for (const { body, url } of fetch.requests) {
      assertEquals([body.includes("ytes"), url.search], [false, ""]);
    }
  },
);

for (
  const [what, ask] of [
    [
      "post",
      (client: Client) => client.post("oauth/token", { maxBodyBytes: 10 }),
    ],
    [
      "revokeToken",
      (client: Client) =>
        client.revokeToken("m", undefined, { maxBodyBytes: 10 }),
    ],
  ] as const
) {
  clientTest(
    `maxBodyBytes of ${what} limits its answer, and is not sent`,
    [{ respond: answer }],
    async ({ client, fetch }) => {
      await oauth2Error(ask(client));
      assert(!fetch.requests[0]!.body.includes("ytes"));
    },
  );
}
