import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  OAuth2Error,
} from "../../../oauth2/mod.ts";
import { DeviceLogin, ExpiredError } from "../../../oauth2/grants/device.ts";
import { createClient, loggerTo, NOW, SITE } from "../_client.ts";
import { json, onToken } from "../_exchanges.ts";
import { type Answer, type Exchange, fakeFetch } from "../_fake_fetch.ts";
import { print } from "../_print.ts";

const ENDPOINT = `${SITE}/device`;
const CODES = {
  device_code: "hush-device-code",
  user_code: "WDJB-MJHT",
  verification_uri: "https://provider.example/activate",
  verification_uri_complete: "https://provider.example/activate?c=WDJB-MJHT",
  expires_in: 600,
  interval: 5,
};
const TOKEN = json({ access_token: "monkey123" });

const error = (code: string, status = 400) => json({ error: code }, status);

/** Client of a device, whose clock runs only while it waits. */
class Device {
  readonly waits: number[] = [];
  readonly fetch;
  readonly client: Client;
  #now = NOW * 1000;

  constructor(answers: Answer[], codes: unknown = CODES) {
    const tokenForm = {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: "hush-device-code",
      client_id: "cli",
    };
    this.fetch = fakeFetch([
      {
        expect: {
          method: "POST",
          url: ENDPOINT,
          body: { form: { client_id: "cli", scope: "a b" } },
        },
        respond: json(codes),
      },
      ...answers.map((respond): Exchange =>
        onToken(respond, { body: { form: tokenForm } })
      ),
    ]);
    this.client = createClient({
      id: "cli",
      secret: null,
      fetch: this.fetch,
      clock: () => this.#now,
      metadata: { issuer: SITE, device_authorization_endpoint: ENDPOINT },
    } as ClientOptions);
  }

  start(): Promise<DeviceLogin> {
    return DeviceLogin.start(this.client, { scope: ["a", "b"] }, {
      wait: (milliseconds) => {
        this.waits.push(milliseconds / 1000);
        this.#now += milliseconds;
        return Promise.resolve();
      },
    });
  }
}

const PENDING = error("authorization_pending");
const SLOW_DOWN = error("slow_down");
const LOST: Answer = { fail: "connection reset" };

for (
  const [name, answers, waits] of [
    ["an answer at once", [TOKEN], [5]],
    ["authorization_pending", [PENDING, PENDING, TOKEN], [5, 5, 5]],
    ["authorization_pending with status 428", [
      error("authorization_pending", 428),
      TOKEN,
    ], [5, 5]],
    ["slow_down, for good", [SLOW_DOWN, PENDING, SLOW_DOWN, TOKEN], [
      5,
      10,
      10,
      15,
    ]],
    ["slow_down with status 429", [error("slow_down", 429), TOKEN], [5, 10]],
    ["lost connections, doubled until an answer", [
      LOST,
      LOST,
      PENDING,
      TOKEN,
    ], [5, 10, 20, 5]],
    ["lost connections, at most a minute", [
      LOST,
      LOST,
      LOST,
      LOST,
      LOST,
      TOKEN,
    ], [5, 10, 20, 40, 60, 60]],
    ["temporary errors", [{ status: 502 }, TOKEN], [5, 10]],
    ["Retry-After", [
      { status: 503, headers: { "retry-after": "70" } },
      TOKEN,
    ], [5, 70]],
  ] as [string, Answer[], number[]][]
) {
  Deno.test(`DeviceLogin.getToken waits for ${name}`, async () => {
    const device = new Device(answers);
    const login = await device.start();
    assertEquals((await login.getToken()).token, "monkey123");
    assertEquals(device.waits, waits);
    device.fetch.assertDone();
  });
}

for (
  const [interval, waits] of [
    [undefined, 5],
    [null, 5],
    ["3", 3],
    [0, 0],
    [-1, 5],
    ["soon", 5],
    [{}, 5],
    [1e300, 600],
  ] as const
) {
  Deno.test(`DeviceLogin reads the interval ${JSON.stringify(interval)}`, async () => {
    const device = new Device([TOKEN], { ...CODES, interval });
    const login = await device.start();
    await login.getToken().catch((error) => {
      assertEquals(error.code, "expired_token");
    });
    assertEquals(device.waits, [waits]);
  });
}

Deno.test("DeviceLogin.getToken grows an interval of 0 after lost connections", async () => {
  const device = new Device([LOST, LOST, TOKEN], { ...CODES, interval: 0 });
  await (await device.start()).getToken();
  assertEquals(device.waits, [0, 1, 2]);
});

Deno.test("DeviceLogin.getToken polls once a second with an interval of 0", async () => {
  const device = new Device([PENDING, PENDING, SLOW_DOWN, TOKEN], {
    ...CODES,
    interval: 0,
  });
  await (await device.start()).getToken();
  assertEquals(device.waits, [0, 1, 1, 6]);
});

Deno.test("DeviceLogin.getToken ends at the expiry", async () => {
  const device = new Device([PENDING, PENDING], { ...CODES, expires_in: 14 });
  const login = await device.start();
  assertEquals(login.expiresAt, NOW + 14);
  const error = await assertRejects(() => login.getToken(), ExpiredError);
  assertEquals(error.code, "expired_token");
  assertEquals(device.waits, [5, 5, 4]);
  device.fetch.assertDone();
  await assertRejects(() => login.getToken(), ExpiredError);
});

Deno.test("DeviceLogin.getToken reports expired_token of the server the same way", async () => {
  const device = new Device([error("expired_token")]);
  const login = await device.start();
  const { cause } = await assertRejects(() => login.getToken(), ExpiredError);
  assert(cause instanceof OAuth2Error);
});

for (const code of ["access_denied", "invalid_grant", "unauthorized_client"]) {
  Deno.test(`DeviceLogin.getToken ends at ${code}`, async () => {
    const device = new Device([PENDING, error(code)]);
    const login = await device.start();
    const { code: actual } = await assertRejects(
      () => login.getToken(),
      OAuth2Error,
    );
    assertEquals(actual, code);
    device.fetch.assertDone();
  });
}

Deno.test("DeviceLogin.getToken ends at a certificate error", async () => {
  const device = new Device([{ fail: "invalid peer certificate" }]);
  const login = await device.start();
  await assertRejects(() => login.getToken(), ConnectionError);
});

Deno.test("DeviceLogin.getToken ends at a response without a token", async () => {
  const device = new Device([json({})]);
  const login = await device.start();
  await assertRejects(() => login.getToken(), OAuth2Error, "Cannot find");
});

Deno.test("DeviceLogin.getToken shares the requests of concurrent calls", async () => {
  const device = new Device([PENDING, TOKEN]);
  const login = await device.start();
  const tokens = await Promise.all([login.getToken(), login.getToken()]);
  assert(tokens[0] === tokens[1]);
  device.fetch.assertDone();
});

Deno.test("DeviceLogin.getToken shares no request with a call with other parameters", async () => {
  const client = createClient({
    fetch: (url, { body }) => {
      const resource = new URLSearchParams(String(body)).get("resource");
      return Promise.resolve(
        Response.json(url === ENDPOINT ? CODES : { access_token: resource }),
      );
    },
  });
  const login = await DeviceLogin.start(client, {}, {
    endpoint: ENDPOINT,
    wait: () => Promise.resolve(),
  });
  const resources = ["https://a.example", "https://b.example"];
  const tokens = await Promise.all(
    resources.map((resource) => login.getToken({ resource })),
  );
  assertEquals(tokens.map(({ token }) => token), resources);
});

Deno.test("DeviceLogin.getToken goes on for a caller while another one aborts", async () => {
  const device = new Device([PENDING, TOKEN]);
  const login = await device.start();
  const controller = new AbortController();
  const reason = new Error("enough");
  const aborted = login.getToken({ signal: controller.signal });
  const other = login.getToken();
  controller.abort(reason);
  assertEquals(await aborted.catch((error) => error), reason);
  assertEquals((await other).token, "monkey123");
  device.fetch.assertDone();
});

Deno.test("DeviceLogin.getToken rejects with the reason of its signal", async () => {
  const { client } = new Device([]);
  const login = await DeviceLogin.start(client, { scope: "a b" });
  const controller = new AbortController();
  const reason = new Error("enough");
  // The default timer.
  const call = login.getToken({ signal: controller.signal });
  controller.abort(reason);
  assertEquals(await call.catch((error) => error), reason);
});

for (
  const [name, codes] of [
    ["no device_code", { device_code: undefined }],
    ["an empty device_code", { device_code: "" }],
    ["a number as device_code", { device_code: 7 }],
    ["no user_code", { user_code: undefined }],
    ["a blank user_code", { user_code: " " }],
    ["an escape sequence in user_code", { user_code: "\x1b[2J" }],
    ["a reversal of direction in user_code", { user_code: "A\u202EB" }],
    ["a huge user_code", { user_code: "A".repeat(1e5) }],
    ["no verification_uri", { verification_uri: undefined }],
    ["a path as verification_uri", { verification_uri: "/activate" }],
    ["a script as verification_uri", { verification_uri: "javascript:a()" }],
    ["a file as verification_uri", { verification_uri: "file:///etc/passwd" }],
    ["spaces in verification_uri", {
      verification_uri: "https://a.example/ && rm",
    }],
    ["a user in verification_uri", {
      verification_uri: "https://good.example@evil.example/",
    }],
    ["an empty user in verification_uri", {
      verification_uri: "https://@evil.example/",
    }],
    ["a user in verification_uri_complete", {
      verification_uri_complete: "https://good.example:a@provider.example/",
    }],
    ["a script as verification_uri_complete", {
      verification_uri_complete: "javascript:a()",
    }],
    ["no expires_in", { expires_in: undefined }],
    ["expires_in 0", { expires_in: 0 }],
    ["expires_in -1", { expires_in: -1 }],
    ["text as expires_in", { expires_in: "soon" }],
  ] as const
) {
  Deno.test(`DeviceLogin.start refuses ${name}`, async () => {
    const device = new Device([], { ...CODES, ...codes });
    const error = await assertRejects(
      () => device.start(),
      OAuth2Error,
      "Cannot use the device authorization",
    );
    assert(!print(error).includes("hush-device-code"));
  });
}

for (
  const [complete, isKept] of [
    ["https://provider.example/other?c=WDJB-MJHT", true],
    ["https://provider.example:443/@activate?c=a@b", true],
    ["https://evil.example/activate?c=WDJB-MJHT", false],
    ["https://provider.example:8443/activate?c=WDJB-MJHT", false],
    ["http://provider.example/activate?c=WDJB-MJHT", false],
    [null, false],
  ] as const
) {
  Deno.test(`DeviceLogin.verificationUriComplete of ${complete}`, async () => {
    const login = await new Device([], {
      ...CODES,
      verification_uri_complete: complete,
    }).start();
    const expected = isKept ? complete : undefined;
    assertEquals(login.verificationUriComplete, expected);
  });
}

Deno.test("DeviceLogin.start shows no text of a malformed response", async () => {
  const device = new Device([], {
    error_description: "hush-device-code",
    error_uri: "https://hush-device-code.example",
  });
  const error = await assertRejects(() => device.start(), OAuth2Error);
  assert(!print(error).includes("hush-device-code"), print(error));
});

for (const body of [[], "", null, 7]) {
  Deno.test(`DeviceLogin.start refuses the body ${JSON.stringify(body)}`, async () => {
    await assertRejects(() => new Device([], body).start(), OAuth2Error);
  });
}

Deno.test("DeviceLogin.start throws a TypeError without an endpoint", async () => {
  await assertRejects(
    () => DeviceLogin.start(createClient()),
    TypeError,
    "device_authorization_endpoint",
  );
});

Deno.test("DeviceLogin.start throws the error of the server with raiseErrors: false", async () => {
  const fetch = fakeFetch([{ respond: error("invalid_scope") }]);
  const client = createClient({ fetch, raiseErrors: false });
  const { code } = await assertRejects(
    () => DeviceLogin.start(client, {}, { endpoint: "/device" }),
    OAuth2Error,
  );
  assertEquals(code, "invalid_scope");
});

Deno.test("DeviceLogin shows no code when it is printed", async () => {
  const login = await new Device([]).start();
  const text = print(login);
  assert(text.includes("https://provider.example/activate"), text);
  assert(!/hush-device-code|WDJB/.test(text), text);
});

Deno.test("DeviceLogin shows no code in the debug log", async () => {
  const log: string[] = [];
  const fetch = fakeFetch([{ respond: json(CODES) }, { respond: TOKEN }]);
  const client = createClient({ fetch, logger: loggerTo(log), debug: true });
  const login = await DeviceLogin.start(client, {}, {
    endpoint: "/device",
    wait: () => Promise.resolve(),
  });
  await login.getToken();
  const text = log.join("\n");
  assert(text.includes("verification_uri"), text);
  assert(!/hush-device-code|WDJB|monkey123/.test(text), text);
});
