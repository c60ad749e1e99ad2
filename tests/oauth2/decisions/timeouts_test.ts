/** Values of timeout: a number from 0 on, or nothing is sent. */
import { assert, assertRejects, assertThrows } from "@std/assert";
import { Client, discover } from "../../../oauth2/mod.ts";
import { CALLS } from "../calls.ts";
import { fakeFetch } from "../fake_fetch.ts";
import { clientTest, json, SITE } from "../testing.ts";

const show = (value: unknown) =>
  typeof value === "number" ? String(value) : JSON.stringify(value);

for (const value of [NaN, -1, -Infinity, "1000", "", true, {}, []]) {
  const timeout = value as number;
  Deno.test(`a client is not made with the timeout ${show(value)}`, () => {
    const connectionOpts = { timeout };
    const { message } = assertThrows(
      () => new Client("abc", "hush-hush", { site: SITE, connectionOpts }),
      TypeError,
    ) as Error;
    assert(message.includes("timeout"), message);
  });
  clientTest(
    `no call is sent with the timeout ${show(value)}`,
    [],
    async ({ client }) => {
      for (const call of Object.values(CALLS)) {
        const { message } = await assertRejects(
          () => call(client, { timeout }),
          TypeError,
        ) as Error;
        assert(message.includes("timeout"), message);
      }
    },
  );
  Deno.test(`discover is not sent with the timeout ${show(value)}`, async () => {
    const fetch = fakeFetch([]);
    await assertRejects(() => discover(SITE, { fetch, timeout }), TypeError);
    fetch.assertDone();
  });
}

for (const timeout of [0, 60_000, 2 ** 40, Infinity, undefined]) {
  clientTest(
    `a call is sent with the timeout ${timeout}`,
    [{ respond: json({}) }],
    ({ client }) => client.request("get", "/from", { timeout }),
    { connectionOpts: { timeout } },
  );
}
