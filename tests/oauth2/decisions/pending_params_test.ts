/** Parameters that are promises. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Fetch, TimeoutError } from "../../../oauth2/mod.ts";
import { ENDPOINT_CALLS } from "../_calls.ts";
import { createClient, type Setting } from "../_client.ts";
import { settle } from "../_settle.ts";

/** Calls that sign nothing: a signature may outlast the test of a timeout. */
const { "assertion.getToken": _, ...CALLS } = ENDPOINT_CALLS;

/** Creates a client that counts its requests. */
function counting(options: Setting = {}) {
  let count = 0;
  const fetch: Fetch = () => {
    count++;
    return Promise.resolve(Response.json({ access_token: "ape" }));
  };
  return { client: createClient({ ...options, fetch }), sent: () => count };
}

for (const [name, call] of Object.entries(CALLS)) {
  for (
    const end of ["never settles", "resolves later", "rejects later"] as const
  ) {
    /** Settles the parameter after the call. */
    const settleLate = async (proof: PromiseWithResolvers<string>) => {
      if (end === "resolves later") proof.resolve("a.b.c");
      if (end === "rejects later") proof.reject(new Error("late"));
      await settle();
    };

    Deno.test(`${name} with a parameter that ${end} rejects after the timeout and sends nothing`, async () => {
      const { client, sent } = counting();
      const proof = Promise.withResolvers<string>();
      await assertRejects(
        () => call(client, { proof: proof.promise, timeout: 1 }),
        TimeoutError,
        "timeout of 1 ms exceeded",
      );
      await settleLate(proof);
      assertEquals(sent(), 0);
    });

    Deno.test(`${name} with a parameter that ${end} rejects with the reason of the signal and sends nothing`, async () => {
      const { client, sent } = counting();
      const proof = Promise.withResolvers<string>();
      const reason = new Error("enough");
      const controller = new AbortController();
      const { signal } = controller;
      const outcome = call(client, { proof: proof.promise, signal })
        .catch((error) => error);
      await settle();
      controller.abort(reason);
      assert(await outcome === reason);
      await settleLate(proof);
      assertEquals(sent(), 0);
    });
  }

  Deno.test(`${name} with a parameter that never settles obeys timeout and signal of connectionOpts`, async () => {
    const params = { proof: new Promise(() => {}) };
    const late = counting({ connectionOpts: { timeout: 1 } });
    await assertRejects(() => call(late.client, params), TimeoutError);
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = counting({ connectionOpts: { signal } });
    const outcome = call(aborted.client, params).catch((error) => error);
    controller.abort("enough");
    assertEquals(await outcome, "enough");
    assertEquals([late.sent(), aborted.sent()], [0, 0]);
  });

  Deno.test(`${name} rejects with the error of a parameter and sends nothing`, async () => {
    const { client, sent } = counting();
    const reason = new Error("no signature");
    const proof = Promise.reject(reason);
    const error = await call(client, { proof }).catch((error) => error);
    assert(error === reason);
    assertEquals(sent(), 0);
  });

  Deno.test(`${name} sends a parameter that resolves in time`, async () => {
    const { client, sent } = counting();
    await call(client, { proof: Promise.resolve("a.b.c"), timeout: 60_000 });
    assertEquals(sent(), 1);
  });
}
