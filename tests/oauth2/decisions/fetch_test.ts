/** token.fetch: the raw response, by the rules for where a token may go. */
import {
  assert,
  assertEquals,
  assertObjectMatch,
  assertRejects,
} from "@std/assert";
import {
  AccessToken,
  Client,
  ConnectionError,
  OAuth2Error,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import { print } from "../print.ts";
import { clientTest, json, redirect, SITE, visited } from "../testing.ts";

const BEARER = { authorization: "Bearer monkey" };

for (
  const [what, input] of [
    ["a path", "from"],
    ["a path from the root", "/from"],
    ["an address", `${SITE}/from`],
    ["a URL", new URL(`${SITE}/from`)],
    ["a Request", new Request(`${SITE}/from`)],
  ] as const
) {
  clientTest(
    `fetch of ${what} carries the token and gives the raw response`,
    [visited(json({ aB: 1 }), { headers: BEARER, body: null })],
    async ({ client }) => {
      const response = await tokenOf(client).fetch(input);
      assert(response instanceof Response);
      assertEquals(await response.json(), { aB: 1 });
    },
  );
}

clientTest(
  "fetch sends method, headers and body of its init as they are",
  [visited({ status: 204 }, {
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
  [visited({ status: 204 }, {
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

for (const status of [200, 204, 304, 400, 401, 404, 500, 503]) {
  clientTest(
    `fetch gives a ${status} and throws nothing`,
    [visited({ status })],
    async ({ client }) => {
      assertEquals((await tokenOf(client).fetch("/from")).status, status);
    },
  );
}

Deno.test("fetch gives a stream before its end, and reads no more than is asked for", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    cancel: () => void (isCancelled = true),
  }, { highWaterMark: 0 });
  const client = new Client("abc", "hush-hush", {
    site: SITE,
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
  "fetch in query mode puts the token into the query and asks for no-store",
  [visited({ status: 204 }, {
    query: { a: "1", access_token: "monkey" },
    headers: { authorization: null, "cache-control": "no-store" },
  })],
  ({ client }) => tokenOf(client, { mode: "query" }).fetch("/from?a=1"),
);

clientTest(
  "fetch goes by the method in a map of modes",
  [
    visited({ status: 204 }, { query: { access_token: "monkey" } }),
    visited({ status: 204 }, { method: "POST", headers: BEARER }),
  ],
  async ({ client }) => {
    const token = tokenOf(client, { mode: { get: "query" } });
    await token.fetch("/from");
    await token.fetch("/from", { method: "POST" });
  },
);

clientTest(
  "fetch in body mode is refused, and nothing is sent",
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
  const address = target instanceof Request ? target.url : target;
  clientTest(
    `fetch refuses the target ${address}, and sends nothing`,
    [],
    async ({ client }) => {
      await assertRejects(() => tokenOf(client).fetch(target), TypeError);
    },
    { allowedOrigins: [SITE] },
  );
}

clientTest(
  "fetch with an empty token is refused, and nothing is sent",
  [],
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { refresh_token: "abaca" });
    await assertRejects(() => token.fetch("/from"), TypeError);
  },
);

clientTest(
  "fetch follows redirects of the same origin",
  [
    visited(redirect("/to"), { method: "POST" }),
    { expect: { method: "GET", headers: BEARER }, respond: { status: 204 } },
  ],
  async ({ client }) => {
    const init = { method: "POST", body: "a" };
    const response = await tokenOf(client).fetch("/from", init);
    assertEquals([response.status, response.url], [204, `${SITE}/to`]);
  },
);

clientTest(
  "fetch refuses a redirect to another origin",
  [visited(redirect("https://other.example/to"))],
  async ({ client }) => {
    await assertRejects(() => tokenOf(client).fetch("/from"), OAuth2Error);
  },
);

clientTest(
  "fetch takes no credential to another origin, with leave",
  [
    visited(redirect("https://other.example/to")),
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
  "fetch gives the redirect where maxRedirects is 0",
  [visited(redirect("/to"))],
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
  "fetch without a connection is a ConnectionError in which no secret shows",
  [visited({ fail: "cannot send monkey123" })],
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
  "fetch without headers in time is a TimeoutError",
  [visited({ hang: true })],
  async ({ client }) => {
    await assertRejects(() => tokenOf(client).fetch("/from"), TimeoutError);
  },
  { connectionOpts: { timeout: 1 } },
);

Deno.test("fetch lets a body take longer than the timeout", async () => {
  const isLate = Promise.withResolvers<void>();
  const body = new ReadableStream({
    pull: async (controller) => {
      await isLate.promise;
      controller.enqueue(new TextEncoder().encode("late"));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const client = new Client("abc", "hush-hush", {
    site: SITE,
    connectionOpts: { timeout: 1 },
    fetch: () => Promise.resolve(new Response(body)),
  });
  const response = await tokenOf(client).fetch("/from");
  const read = response.text();
  // A timer that is set later ends later than one of the same length.
  await new Promise((done) => setTimeout(done, 2));
  isLate.resolve();
  assertEquals(await read, "late");
});

Deno.test("fetch ends with the signal of its init and of a Request, with their reason", async () => {
  const reason = new Error("enough");
  const client = new Client("abc", "hush-hush", {
    site: SITE,
    fetch: () => new Promise<Response>(() => {}),
  });
  for (
    const ask of [
      (signal: AbortSignal) => tokenOf(client).fetch("/from", { signal }),
      (signal: AbortSignal) =>
        tokenOf(client).fetch(new Request(`${SITE}/from`, { signal })),
    ]
  ) {
    const controller = new AbortController();
    const asked = ask(controller.signal).catch((error) => error);
    controller.abort(reason);
    assert(await asked === reason);
  }
});

Deno.test("fetch passes an abort on to a body that is being read", async () => {
  let signal: AbortSignal | null | undefined;
  const client = new Client("abc", "hush-hush", {
    site: SITE,
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

clientTest(
  "fetch goes to the site of the moment of calling",
  [visited({ status: 204 })],
  async ({ client }) => {
    const sent = tokenOf(client).fetch("/from");
    client.site = "https://attacker.example";
    await sent;
  },
);

/** A client whose fetch keeps what it was given. */
function keeping(...answers: Response[]) {
  const inits: RequestInit[] = [];
  const client = new Client("abc", "hush-hush", {
    site: SITE,
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
Deno.test("fetch passes the other members of its init on, also after a redirect", async () => {
  const own = { dispatcher: { of: "the runtime" } };
  const { token, inits } = keeping(redirected());
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

Deno.test("fetch without other members in its init passes none on", async () => {
  const { token, inits } = keeping();
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
    Deno.test(`fetch with redirect manual gives the ${status} to ${location}`, async () => {
      const headers = { location };
      const answer = new Response(null, { status, headers });
      const { token, inits } = keeping(answer);
      const response = await token.fetch("/from", { redirect: "manual" });
      assertEquals([response.status, inits.length], [status, 1]);
      assertEquals(response.headers.get("location"), location);
    });
    Deno.test(`fetch with redirect error rejects at the ${status} to ${location}`, async () => {
      const headers = { location };
      const answer = new Response(null, { status, headers });
      const { token, inits } = keeping(answer);
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
    Deno.test(`fetch with redirect ${redirect} gives a ${status}`, async () => {
      const { token } = keeping(new Response(null, { status }));
      assertEquals((await token.fetch("/from", { redirect })).status, status);
    });
  }
}

Deno.test("fetch with redirect follow is as without, and refuses another origin", async () => {
  const { token, inits } = keeping(
    redirected(),
    new Response(),
    redirected("https://other.example/to"),
  );
  const init = { redirect: "follow" } as const;
  assertEquals((await token.fetch("/from", init)).status, 200);
  await assertRejects(() => token.fetch("/from", init), OAuth2Error);
  assertEquals(inits.length, 3);
});

/** A Request as another library or realm makes it: of the same shape, of another class. */
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
  "fetch takes a Request of another class by its shape",
  [
    visited({ status: 204 }, { headers: BEARER, body: null }),
    visited({ status: 204 }, {
      method: "PUT",
      headers: { ...BEARER, "x-a": "1" },
      body: { text: "text" },
    }),
    visited({ status: 204 }, {
      method: "POST",
      headers: { ...BEARER, "x-a": null, "x-b": "2" },
      body: { text: "other" },
    }),
    visited({ status: 204 }, { headers: { ...BEARER, "x-a": "1" } }),
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

clientTest(
  "fetch refuses a Request of another class for another origin or for http",
  [],
  async ({ client }) => {
    const token = tokenOf(client);
    for (
      const url of ["https://other.example/from", "http://api.example.com/from"]
    ) await assertRejects(() => token.fetch(foreign(url)), TypeError);
  },
  { allowedOrigins: [SITE] },
);

for (
  const [what, target] of [
    ["undefined", undefined],
    ["null", null],
    ["a number", 5],
    ["a boolean", true],
    ["a bigint", 5n],
    ["a symbol", Symbol("/from")],
    ["a function", () => "/from"],
    ["a list", ["/from"]],
    ["an object without url", {}],
    ["an object that is text", { toString: () => "/from" }],
    ["a Response", new Response()],
  ] as [string, unknown][]
) {
  clientTest(
    `fetch refuses ${what} for a target, and sends nothing`,
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

for (const nothing of [undefined, null, {}, "text"]) {
  Deno.test(`fetch by a function that gives ${JSON.stringify(nothing)} is a ConnectionError`, async () => {
    const client = new Client("abc", "hush-hush", {
      site: SITE,
      fetch: () => Promise.resolve(nothing as unknown as Response),
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
  "fetch follows no redirect of a Request that asks for none",
  [visited(redirect("/to"))],
  async ({ client }) => {
    const request = new Request(`${SITE}/from`, { redirect: "manual" });
    assertEquals((await tokenOf(client).fetch(request)).status, 302);
  },
);

Deno.test("fetch of a Request ends with the signal of connectionOpts too", async () => {
  const controller = new AbortController();
  const client = new Client("abc", "hush-hush", {
    site: SITE,
    connectionOpts: { signal: controller.signal },
    fetch: () => {
      controller.abort("enough");
      return new Promise(() => {});
    },
  });
  const asked = tokenOf(client).fetch(new Request(`${SITE}/from`));
  assertEquals(await asked.catch((error) => error), "enough");
});

clientTest(
  "open takes no method, headers and body from its init, where no rule holds for them",
  [visited({ status: 204 }, {
    method: "POST",
    headers: { "x-a": null },
    body: null,
  })],
  async ({ client }) => {
    const init = { method: "PUT", headers: { "x-a": "1" }, body: "hush-hush" };
    await client.open("post", "/from", {}, init as object);
  },
);
