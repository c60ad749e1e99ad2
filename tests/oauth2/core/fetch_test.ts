/** Requests of `token.fetch` and `client.open`. */
import {
  assert,
  assertEquals,
  assertObjectMatch,
  assertRejects,
} from "@std/assert";
import {
  ConnectionError,
  OAuth2Error,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, createClient, SITE } from "../_client.ts";
import { json, onResource, redirect } from "../_exchanges.ts";
import { print } from "../_print.ts";

const BEARER = { authorization: "Bearer monkey" };

for (
  const [kind, input] of [
    ["a path", "from"],
    ["a path from the root", "/from"],
    ["an absolute URL", `${SITE}/from`],
    ["a URL object", new URL(`${SITE}/from`)],
    ["a Request", new Request(`${SITE}/from`)],
  ] as const
) {
  clientTest(
    `fetch of ${kind} sends the token and returns the Response`,
    [onResource(json({ aB: 1 }), { headers: BEARER, body: null })],
    async ({ client }) => {
      const response = await tokenOf(client).fetch(input);
      assert(response instanceof Response);
      assertEquals(await response.json(), { aB: 1 });
    },
  );
}

clientTest(
  "fetch sends method, headers and body of its init",
  [onResource({ status: 204 }, {
    method: "POST",
    headers: { ...BEARER, "content-type": "application/json", "x-a": "1" },
    body: { text: '{"a":1}' },
  })],
  ({ client }) =>
    tokenOf(client).fetch("/from", {
      method: "post",
      headers: { "content-type": "application/json", "x-a": "1" },
      body: '{"a":1}',
    }),
);

clientTest(
  "fetch sends method, headers and body of a Request",
  [onResource({ status: 204 }, {
    method: "PUT",
    headers: { ...BEARER, "x-a": "1" },
    body: { text: "text" },
  })],
  ({ client }) =>
    tokenOf(client).fetch(
      new Request(`${SITE}/from`, {
        method: "PUT",
        headers: { "x-a": "1" },
        body: "text",
      }),
    ),
);

Deno.test("fetch returns a stream of any length and does not read ahead", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    cancel: () => void (isCancelled = true),
  }, { highWaterMark: 0 });
  const client = createClient({
    connectionOpts: { maxBodyBytes: 10 },
    fetch: () => Promise.resolve(new Response(body)),
  });
  const response = await tokenOf(client).fetch("/from");
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  assertEquals(value?.length, 1024 * 1024);
  await reader.cancel();
  assert(isCancelled);
});

clientTest(
  "fetch in query mode sends the token in the query and Cache-Control: no-store",
  [onResource({ status: 204 }, {
    query: { a: "1", access_token: "monkey" },
    headers: { authorization: null, "cache-control": "no-store" },
  })],
  ({ client }) => tokenOf(client, { mode: "query" }).fetch("/from?a=1"),
);

clientTest(
  "fetch reads a map of modes by its method",
  [
    onResource({ status: 204 }, { query: { access_token: "monkey" } }),
    onResource({ status: 204 }, { method: "POST", headers: BEARER }),
  ],
  async ({ client }) => {
    const token = tokenOf(client, { mode: { get: "query" } });
    await token.fetch("/from");
    await token.fetch("/from", { method: "POST" });
  },
);

clientTest(
  "fetch in body mode throws and sends nothing",
  [],
  async ({ client }) => {
    const token = tokenOf(client, { mode: "body" });
    const init = { method: "POST", body: new URLSearchParams("a=1") };
    await assertRejects(() => token.fetch("/from", init), TypeError);
  },
);

for (
  const target of [
    "//attacker.example/x",
    "/\\attacker.example/x",
    "http://api.example.com/from",
    "ftp://api.example.com/from",
    "data:,x",
    new URL("http://api.example.com/from"),
    new Request("http://api.example.com/from"),
    "https://other.example/from",
    new Request("https://other.example/from"),
  ]
) {
  const url = target instanceof Request ? target.url : target;
  clientTest(
    `fetch refuses ${url} (${target.constructor.name}) and sends nothing`,
    [],
    async ({ client }) => {
      await assertRejects(() => tokenOf(client).fetch(target), TypeError);
    },
    { allowedOrigins: [SITE] },
  );
}

clientTest(
  "fetch with an empty token throws and sends nothing",
  [],
  async ({ client }) => {
    const token = tokenOf(client, { access_token: "" });
    await assertRejects(() => token.fetch("/from"), TypeError);
  },
);

clientTest(
  "fetch follows redirects of the same origin",
  [
    onResource(redirect("/to"), { method: "POST" }),
    { expect: { method: "GET", headers: BEARER }, respond: { status: 204 } },
  ],
  async ({ client }) => {
    const init = { method: "POST", body: "a" };
    const response = await tokenOf(client).fetch("/from", init);
    assertEquals([response.status, response.url], [204, `${SITE}/to`]);
  },
);

clientTest(
  "fetch with allowCrossOriginRedirects sends no credentials to another origin",
  [
    onResource(redirect("https://other.example/to")),
    {
      expect: {
        url: "https://other.example/to",
        headers: { authorization: null, "x-api-key": null },
      },
      respond: { status: 204 },
    },
  ],
  ({ client }) =>
    tokenOf(client).fetch("/from", { headers: { "x-api-key": "key" } }),
  { allowCrossOriginRedirects: true },
);

clientTest(
  "fetch with maxRedirects 0 returns the redirect",
  [onResource(redirect("/to"))],
  async ({ client }) => {
    const response = await tokenOf(client).fetch("/from");
    assertEquals([response.status, response.headers.get("location")], [
      302,
      "/to",
    ]);
  },
  { maxRedirects: 0 },
);

clientTest(
  "fetch rejects with a redacted ConnectionError without a connection",
  [onResource({ fail: "cannot send monkey123" })],
  async ({ client }) => {
    const token = tokenOf(client, { access_token: "monkey123" });
    const error = await assertRejects(
      () => token.fetch("/from"),
      ConnectionError,
    ) as ConnectionError;
    assert(!print(error).includes("monkey123"), print(error));
    assertEquals(error.retryable, true);
  },
);

clientTest(
  "fetch rejects with a TimeoutError if no headers arrive in time",
  [onResource({ hang: true })],
  async ({ client }) => {
    await assertRejects(() => tokenOf(client).fetch("/from"), TimeoutError);
  },
  { connectionOpts: { timeout: 1 } },
);

Deno.test("fetch does not limit the time of a body", async () => {
  const end = Promise.withResolvers<void>();
  const body = new ReadableStream({
    pull: async (controller) => {
      await end.promise;
      controller.enqueue(new TextEncoder().encode("late"));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const client = createClient({
    connectionOpts: { timeout: 1 },
    fetch: () => Promise.resolve(new Response(body)),
  });
  const response = await tokenOf(client).fetch("/from");
  const read = response.text();
  // Ends after a timer of 1 ms that was set before.
  await new Promise((done) => setTimeout(done, 2));
  end.resolve();
  assertEquals(await read, "late");
});

Deno.test("fetch rejects with the reason of the signal of its init or Request", async () => {
  const reason = new Error("enough");
  const client = createClient({
    fetch: () => new Promise<Response>(() => {}),
  });
  for (
    const call of [
      (signal: AbortSignal) => tokenOf(client).fetch("/from", { signal }),
      (signal: AbortSignal) =>
        tokenOf(client).fetch(new Request(`${SITE}/from`, { signal })),
    ]
  ) {
    const controller = new AbortController();
    const outcome = call(controller.signal).catch((error) => error);
    controller.abort(reason);
    assert(await outcome === reason);
  }
});

Deno.test("fetch aborts a body that is being read", async () => {
  let signal: AbortSignal | null | undefined;
  const client = createClient({
    fetch: (_, init) => {
      signal = init.signal;
      return Promise.resolve(new Response("text"));
    },
  });
  const controller = new AbortController();
  await tokenOf(client).fetch("/from", { signal: controller.signal });
  controller.abort("enough");
  assertEquals([signal?.aborted, signal?.reason], [true, "enough"]);
});

/** Creates a token whose client records the init of each request. */
function recording(...answers: Response[]) {
  const inits: RequestInit[] = [];
  const client = createClient({
    fetch: (_, init) => {
      inits.push(init);
      return Promise.resolve(answers.shift() ?? new Response());
    },
  });
  return { token: tokenOf(client), inits };
}

const redirected = (location = "/to") =>
  new Response(null, { status: 302, headers: { location } });

const MEMBERS: RequestInit = {
  cache: "no-cache",
  credentials: "include",
  integrity: "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  keepalive: true,
  mode: "cors",
  priority: "high",
  referrer: "",
  referrerPolicy: "no-referrer",
};

Deno.test("fetch passes other members of its init to every request", async () => {
  const own = { dispatcher: { custom: true } };
  const { token, inits } = recording(redirected());
  await token.fetch("/from", { ...MEMBERS, ...own } as RequestInit);
  assertEquals(inits.length, 2);
  for (const init of inits) {
    assertObjectMatch(init as Record<string, unknown>, { ...MEMBERS, ...own });
    assertEquals([init.method, init.redirect], ["GET", "manual"]);
    assertEquals(
      new Headers(init.headers).get("authorization"),
      "Bearer monkey",
    );
    assert(init.signal);
  }
});

Deno.test("fetch passes only method, headers, signal and redirect by default", async () => {
  const { token, inits } = recording();
  await token.fetch("/from");
  const names = ["method", "headers", "signal", "redirect"];
  assertEquals(
    Object.entries(inits[0]!)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name).toSorted(),
    names.toSorted(),
  );
});

for (const status of [301, 302, 303, 307, 308]) {
  for (const location of ["/to", "https://other.example/to"]) {
    Deno.test(`fetch with redirect manual returns the ${status} to ${location}`, async () => {
      const headers = { location };
      const answer = new Response(null, { status, headers });
      const { token, inits } = recording(answer);
      const response = await token.fetch("/from", { redirect: "manual" });
      assertEquals([response.status, inits.length], [status, 1]);
      assertEquals(response.headers.get("location"), location);
    });
    Deno.test(`fetch with redirect error rejects after the ${status} to ${location}`, async () => {
      const headers = { location };
      const answer = new Response(null, { status, headers });
      const { token, inits } = recording(answer);
      const error = await assertRejects(
        () => token.fetch("/from", { redirect: "error" }),
        OAuth2Error,
      ) as OAuth2Error;
      assertEquals([error.status, inits.length], [status, 1]);
    });
  }
}

for (const redirect of ["manual", "error", "follow"] as const) {
  for (const status of [200, 304, 404]) {
    Deno.test(`fetch with redirect ${redirect} returns a ${status}`, async () => {
      const { token } = recording(new Response(null, { status }));
      assertEquals((await token.fetch("/from", { redirect })).status, status);
    });
  }
}

/** Request of another realm: the same members, another class. */
class ForeignRequest {
  #request: Request;
  constructor(url: string, init: RequestInit = {}) {
    this.#request = new Request(url, init);
  }
  get url() {
    return this.#request.url;
  }
  get method() {
    return this.#request.method;
  }
  get headers() {
    return this.#request.headers;
  }
  get body() {
    return this.#request.body;
  }
  get signal() {
    return this.#request.signal;
  }
}

const foreign = (url: string, init?: RequestInit) =>
  new ForeignRequest(url, init) as unknown as Request;

clientTest(
  "fetch accepts a Request of another class",
  [
    onResource({ status: 204 }, { headers: BEARER, body: null }),
    onResource({ status: 204 }, {
      method: "PUT",
      headers: { ...BEARER, "x-a": "1" },
      body: { text: "text" },
    }),
    onResource({ status: 204 }, {
      method: "POST",
      headers: { ...BEARER, "x-a": null, "x-b": "2" },
      body: { text: "other" },
    }),
    onResource({ status: 204 }, { headers: { ...BEARER, "x-a": "1" } }),
  ],
  async ({ client }) => {
    const token = tokenOf(client);
    const full = () =>
      foreign(`${SITE}/from`, {
        method: "PUT",
        headers: { "x-a": "1" },
        body: "text",
      });
    await token.fetch(foreign(`${SITE}/from`));
    await token.fetch(full());
    await token.fetch(full(), {
      method: "POST",
      headers: { "x-b": "2" },
      body: "other",
    });
    const { url, method, headers, body } = foreign(`${SITE}/from`, {
      headers: { "x-a": "1" },
    });
    await token.fetch({ url, method, headers, body } as Request);
  },
);

for (
  const [kind, target] of [
    ["undefined", undefined],
    ["null", null],
    ["a number", 5],
    ["a boolean", true],
    ["a bigint", 5n],
    ["a symbol", Symbol("/from")],
    ["a function", () => "/from"],
    ["a list", ["/from"]],
    ["an object without url", {}],
    ["an object with toString", { toString: () => "/from" }],
    ["a Response", new Response()],
  ] as [string, unknown][]
) {
  clientTest(
    `fetch refuses ${kind} as its target and sends nothing`,
    [],
    async ({ client }) => {
      await assertRejects(
        () => tokenOf(client).fetch(target as string),
        TypeError,
        "Cannot ",
      );
    },
  );
}

for (const result of [undefined, null, {}, "text"]) {
  Deno.test(`fetch rejects with a ConnectionError if the fetch option returns ${JSON.stringify(result)}`, async () => {
    const client = createClient({
      fetch: () => Promise.resolve(result as unknown as Response),
    });
    const error = await assertRejects(
      () => tokenOf(client).fetch("/from"),
      ConnectionError,
    ) as ConnectionError;
    assertEquals(error.retryable, false);
    await assertRejects(() => client.open("get", "/from"), ConnectionError);
  });
}

clientTest(
  "fetch obeys the redirect of a Request",
  [onResource(redirect("/to"))],
  async ({ client }) => {
    const request = new Request(`${SITE}/from`, { redirect: "manual" });
    assertEquals((await tokenOf(client).fetch(request)).status, 302);
  },
);

Deno.test("fetch of a Request obeys the signal of connectionOpts", async () => {
  const controller = new AbortController();
  const client = createClient({
    connectionOpts: { signal: controller.signal },
    fetch: () => {
      controller.abort("enough");
      return new Promise(() => {});
    },
  });
  const outcome = tokenOf(client).fetch(new Request(`${SITE}/from`));
  assertEquals(await outcome.catch((error) => error), "enough");
});

clientTest(
  "open ignores method, headers and body of its init",
  [onResource({ status: 204 }, {
    method: "POST",
    headers: { "x-a": null },
    body: null,
  })],
  async ({ client }) => {
    const init = { method: "PUT", headers: { "x-a": "1" }, body: "hush-hush" };
    await client.open("post", "/from", {}, init as object);
  },
);
