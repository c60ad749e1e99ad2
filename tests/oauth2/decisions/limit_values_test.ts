/** Values of `timeout` and `maxBodyBytes`: numbers, 0 or more. */
import { assertRejects, assertThrows } from "@std/assert";
import { inspect } from "node:util";
import { discover } from "../../../oauth2/mod.ts";
import { CALLS } from "../_calls.ts";
import { clientTest, createClient, SITE } from "../_client.ts";
import { json } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";

for (const name of ["timeout", "maxBodyBytes"] as const) {
  for (const value of [NaN, -1, -Infinity, "1000", "", true, {}, []]) {
    const limits = { [name]: value as number };
    const shown = `${name} ${inspect(value)}`;

    Deno.test(`Client refuses the ${shown}`, () => {
      assertThrows(
        () => createClient({ connectionOpts: limits }),
        TypeError,
        name,
      );
    });

    clientTest(
      `calls refuse the ${shown} and send nothing`,
      [],
      async ({ client }) => {
        for (const call of Object.values(CALLS)) {
          await assertRejects(() => call(client, limits), TypeError, name);
        }
      },
    );

    if (name === "timeout") {
      Deno.test(`discover refuses the ${shown} and sends nothing`, async () => {
        const fetch = fakeFetch([]);
        await assertRejects(
          () => discover(SITE, { fetch, ...limits }),
          TypeError,
          name,
        );
        fetch.assertDone();
      });
    }
  }
}

for (
  const limits of [
    ...[0, 60_000, 2 ** 40, Infinity, undefined]
      .map((timeout) => ({ timeout })),
    ...[2, 1000, 2 ** 40, Infinity, undefined]
      .map((maxBodyBytes) => ({ maxBodyBytes })),
  ]
) {
  clientTest(
    `Client and request accept ${inspect(limits)}`,
    [{ respond: json({}) }],
    ({ client }) => client.request("get", "/from", limits),
    { connectionOpts: limits },
  );
}
