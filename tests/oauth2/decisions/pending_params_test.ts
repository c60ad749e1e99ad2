/** Parameters that are promises: the call may end before they settle. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client, type Fetch, TimeoutError } from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import { SITE } from "../testing.ts";

/** Calls with parameters. */
const ASKS: Readonly<
  Record<
    string,
    (client: Client, params: Record<string, unknown>) => Promise<unknown>
  >
> = {
  getToken: (client, params) => client.getToken(params),
  "clientCredentials.getToken": (client, params) =>
    client.clientCredentials.getToken(params),
  post: (client, params) => client.post("introspect", params),
  revokeToken: (client, params) => client.revokeToken("m", undefined, params),
  "token.refresh": (client, params) => tokenOf(client).refresh(params),
};
/** Lets everything happen that needs no time. */
const settle = () => new Promise((done) => setTimeout(done, 0));

/** A client, and how often it sent a request. */
function counting() {
  let count = 0;
  const fetch: Fetch = () => {
    count++;
    return Promise.resolve(Response.json({ access_token: "ape" }));
  };
  return { sent: () => count, options: { site: SITE, fetch } };
}

for (const [name, ask] of Object.entries(ASKS)) {
  for (const end of ["stays open", "is resolved later", "is rejected later"]) {
    Deno.test(`${name} ends with its timeout where a parameter ${end}, and sends nothing`, async () => {
      const { sent, options } = counting();
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const client = new Client("abc", "hush-hush", options);
      await assertRejects(
        () => ask(client, { grant_type: "x", assertion: promise, timeout: 1 }),
        TimeoutError,
        "in 1 ms",
      );
      if (end === "is resolved later") resolve("a.b.c");
      if (end === "is rejected later") reject(new Error("late"));
      // A failure that is not handled is reported by then.
      await settle();
      assertEquals(sent(), 0);
    });

    Deno.test(`${name} ends with its signal where a parameter ${end}, and sends nothing`, async () => {
      const { sent, options } = counting();
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const client = new Client("abc", "hush-hush", options);
      const reason = new Error("enough");
      const controller = new AbortController();
      const { signal } = controller;
      const asked = ask(client, { assertion: promise, signal })
        .catch((error) => error);
      await settle();
      controller.abort(reason);
      assert(await asked === reason);
      if (end === "is resolved later") resolve("a.b.c");
      if (end === "is rejected later") reject(new Error("late"));
      await settle();
      assertEquals(sent(), 0);
    });
  }

  Deno.test(`${name} ends with the limits of connectionOpts where a parameter stays open`, async () => {
    const { sent, options } = counting();
    const params = { assertion: new Promise(() => {}) };
    const late = new Client("abc", "hush-hush", {
      ...options,
      connectionOpts: { timeout: 1 },
    });
    await assertRejects(() => ask(late, params), TimeoutError);
    const controller = new AbortController();
    const early = new Client("abc", "hush-hush", {
      ...options,
      connectionOpts: { signal: controller.signal },
    });
    const asked = ask(early, params).catch((error) => error);
    controller.abort("enough");
    assertEquals([await asked, sent()], ["enough", 0]);
  });

  Deno.test(`${name} rejects as a parameter does, and sends nothing`, async () => {
    const { sent, options } = counting();
    const client = new Client("abc", "hush-hush", options);
    const reason = new Error("no signature");
    const params = { assertion: Promise.reject(reason) };
    const error = await ask(client, params).catch((error) => error);
    assert(error === reason);
    assertEquals(sent(), 0);
  });

  Deno.test(`${name} sends a parameter that comes in time`, async () => {
    const { sent, options } = counting();
    const client = new Client("abc", "hush-hush", options);
    await ask(client, { assertion: Promise.resolve("a.b.c"), timeout: 60_000 });
    assertEquals(sent(), 1);
  });
}
