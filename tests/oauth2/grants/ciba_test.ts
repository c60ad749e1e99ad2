import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  BackchannelLogin,
  type BackchannelOptions,
  ExpiredError,
} from "../../../oauth2/grants/ciba.ts";
import type { CallParams } from "../../../oauth2/core/call_params.ts";
import { OAuth2Error } from "../../../oauth2/mod.ts";
import { createClient, loggerTo, NOW, SITE } from "../_client.ts";
import { json, onToken } from "../_exchanges.ts";
import { type Answer, fakeFetch } from "../_fake_fetch.ts";
import { print } from "../_print.ts";

const ENDPOINT = `${SITE}/bc`;
const STARTED = { auth_req_id: "hush-request", expires_in: 120, interval: 2 };
const PENDING = json({ error: "authorization_pending" }, 400);
const TOKEN = json({ access_token: "m" });

/** Starts a login whose token requests get these answers. */
async function start(
  answers: Answer[],
  started: unknown = STARTED,
  params: CallParams = { scope: "openid", login_hint: "ana" },
) {
  const waits: number[] = [];
  let now = NOW * 1000;
  const fetch = fakeFetch([
    {
      expect: { method: "POST", url: ENDPOINT },
      respond: json(started),
    },
    ...answers.map((respond) =>
      onToken(respond, {
        body: {
          form: {
            grant_type: "urn:openid:params:grant-type:ciba",
            auth_req_id: "hush-request",
          },
        },
      })
    ),
  ]);
  const client = createClient({
    fetch,
    clock: () => now,
    metadata: { issuer: SITE, backchannel_authentication_endpoint: ENDPOINT },
  });
  const options: BackchannelOptions = {
    wait: (milliseconds) => {
      waits.push(milliseconds / 1000);
      now += milliseconds;
      return Promise.resolve();
    },
  };
  const login = await BackchannelLogin.start(client, params, options);
  return { login, waits, fetch };
}

Deno.test("BackchannelLogin.getToken polls until the user has answered", async () => {
  const { login, waits, fetch } = await start([PENDING, TOKEN]);
  assertEquals(login.expiresAt, NOW + 120);
  assertEquals(login.interval, 2);
  assertEquals((await login.getToken()).token, "m");
  assertEquals(waits, [2, 2]);
  fetch.assertDone();
});

Deno.test("BackchannelLogin.getToken requests at once at a notification", async () => {
  const { login, waits } = await start([PENDING, TOKEN]);
  assert(login.matches("hush-request"));
  assert(!login.matches("another") && !login.matches(undefined));
  await login.getToken({}, 0);
  assertEquals(waits, [0, 2]);
});

Deno.test("BackchannelLogin.getToken ends at the expiry", async () => {
  const { login } = await start([PENDING], { ...STARTED, expires_in: 3 });
  await assertRejects(() => login.getToken(), ExpiredError);
});

Deno.test("BackchannelLogin.getToken ends at the refusal of the user", async () => {
  const { login } = await start([json({ error: "access_denied" }, 400)]);
  const { code } = await assertRejects(() => login.getToken(), OAuth2Error);
  assertEquals(code, "access_denied");
});

Deno.test("BackchannelLogin shows no id when it is printed", async () => {
  const { login } = await start([]);
  assert(!print(login).includes("hush-request"), print(login));
});

for (
  const params of [
    {},
    { login_hint: null },
    { login_hint: "a", id_token_hint: "b" },
    { login_hint: "a", request: "jwt" },
  ]
) {
  Deno.test(`BackchannelLogin.start refuses the hints ${JSON.stringify(params)}`, async () => {
    await assertRejects(
      () => start([], STARTED, { scope: "openid", ...params }),
      TypeError,
      "Cannot use the hints",
    );
  });
}

Deno.test("BackchannelLogin.start accepts a request object without a hint", async () => {
  await start([], STARTED, { request: "jwt" });
});

for (
  const started of [
    {},
    { ...STARTED, auth_req_id: "" },
    { ...STARTED, auth_req_id: 7 },
    { ...STARTED, expires_in: 0 },
    { ...STARTED, expires_in: "soon" },
    [],
  ]
) {
  Deno.test(`BackchannelLogin.start refuses ${JSON.stringify(started)}`, async () => {
    await assertRejects(
      () => start([], started),
      OAuth2Error,
      "Cannot use the backchannel authentication",
    );
  });
}

Deno.test("BackchannelLogin.start throws a TypeError without an endpoint", async () => {
  await assertRejects(
    () => BackchannelLogin.start(createClient(), { login_hint: "ana" }),
    TypeError,
    "backchannel_authentication_endpoint",
  );
});

Deno.test("BackchannelLogin shows no id in the debug log", async () => {
  const log: string[] = [];
  const fetch = fakeFetch([{ respond: json(STARTED) }, { respond: TOKEN }]);
  const client = createClient({ fetch, logger: loggerTo(log), debug: true });
  const login = await BackchannelLogin.start(client, {
    login_hint: "ana",
    client_notification_token: "hush-notification",
  }, { endpoint: "/bc", wait: () => Promise.resolve() });
  await login.getToken();
  const text = log.join("\n");
  assert(text.includes("auth_req_id"), text);
  assert(!text.includes("hush"), text);
});
