/** Logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { Client } from "../../../oauth2/mod.ts";
import {
  BackChannelLogout,
  type BackChannelLogoutOptions,
  type EndedSessions,
  MemoryReplays,
  ValidationError,
} from "../../../oauth2/oidc/mod.ts";
import { NOW } from "../_client.ts";
import {
  CLIENT_ID,
  idTokenClaims,
  issueJwt,
  ISSUER,
  type JwtPlan,
  Provider,
  publicJwk,
} from "../_openid_provider.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const CLAIMS = {
  iss: ISSUER,
  aud: CLIENT_ID,
  iat: NOW,
  exp: NOW + 120,
  jti: "l1",
  events: { [EVENT]: {} },
  sub: "ana",
  sid: "s1",
};
const ENDPOINT = "https://app.example/backchannel-logout";

/** Issues a logout token; null removes a claim or member. */
function issue(
  { claims = {}, header = {}, ...plan }: JwtPlan = {},
): Promise<string> {
  return issueJwt(CLAIMS, {
    ...plan,
    claims,
    header: { typ: "logout+jwt", ...header },
  });
}

/** Logout endpoint, and what it did. */
class World {
  readonly ended: EndedSessions[] = [];
  readonly errors: unknown[] = [];
  readonly provider = new Provider({
    "/keys": async () => ({ keys: [await publicJwk("rs256")] }),
  });
  readonly logout: BackChannelLogout;

  constructor(options: Partial<BackChannelLogoutOptions> = {}) {
    this.logout = new BackChannelLogout(this.provider.client, {
      endSessions: (ended) => void this.ended.push(ended),
      onError: (error) => void this.errors.push(error),
      ...options,
    });
  }

  /** Sends a form, and returns status and body of the answer. */
  async send(
    body: string | URLSearchParams,
    init: RequestInit = {},
  ): Promise<[status: number, body: string]> {
    const response = await this.logout.handle(
      new Request(ENDPOINT, { method: "POST", body, ...init }),
    );
    assertEquals(response.headers.get("cache-control"), "no-store");
    return [response.status, await response.text()];
  }
}

const form = (logout_token: string) => new URLSearchParams({ logout_token });

for (
  const [name, claims] of [
    ["sub and sid", {}],
    ["sub", { sid: null }],
    ["sid", { sub: null }],
  ] as const
) {
  Deno.test(`BackChannelLogout ends the sessions of a token with ${name}`, async () => {
    const world = new World();
    assertEquals(await world.send(form(await issue({ claims }))), [200, ""]);
    const { iss, sub, sid } = { ...CLAIMS, ...claims };
    assertEquals(world.ended, [
      { iss, sub: sub ?? undefined, sid: sid ?? undefined },
    ]);
    assertEquals(world.errors, []);
  });
}

Deno.test("BackChannelLogout.end returns the claims", async () => {
  const claims = await new World().logout.end(await issue());
  assertEquals({ ...claims }, CLAIMS);
});

for (
  const [name, plan] of [
    ["no typ", { header: { typ: null } }],
    ["the typ JWT", { header: { typ: "JWT" } }],
    ["a media type", { header: { typ: "application/logout+jwt" } }],
    ["several audiences", { claims: { aud: ["other", CLIENT_ID] } }],
    ["a clock that is ahead", { claims: { iat: NOW + 10 } }],
    ["another event, too", {
      claims: { events: { [EVENT]: {}, "https://example.com": {} } },
    }],
  ] as [string, JwtPlan][]
) {
  Deno.test(`BackChannelLogout accepts a token with ${name}`, async () => {
    const world = new World();
    await world.logout.end(await issue(plan));
    assertEquals(world.ended.length, 1);
  });
}

const INVALID: [string, JwtPlan, string][] = [
  ["the alg none", { header: { alg: "none" } }, "unsupported_alg"],
  ["HS256", { key: "secret" }, "unsupported_alg"],
  ["another key", { key: "rs256-2" }, "unknown_key"],
  ["a changed signature", { tamper: "signature" }, "invalid_signature"],
  ["changed claims", { tamper: "claims" }, "invalid_signature"],
  ["the typ at+jwt", { header: { typ: "at+jwt" } }, "invalid_typ"],
  ["the typ dpop+jwt", { header: { typ: "dpop+jwt" } }, "invalid_typ"],
  ["no iss", { claims: { iss: null } }, "invalid_iss"],
  ["another iss", { claims: { iss: `${ISSUER}/other` } }, "invalid_iss"],
  ["no aud", { claims: { aud: null } }, "invalid_aud"],
  ["another aud", { claims: { aud: "other" } }, "invalid_aud"],
  ["a list of other aud", { claims: { aud: ["a", "b"] } }, "invalid_aud"],
  ["an aud that is no text, too", {
    claims: { aud: [CLIENT_ID, 7] },
  }, "invalid_aud"],
  ["no iat", { claims: { iat: null } }, "invalid_iat"],
  ["a future iat", { claims: { iat: NOW + 11 } }, "invalid_iat"],
  ["no exp", { claims: { exp: null } }, "invalid_exp"],
  ["an exp that is text", { claims: { exp: `${NOW + 9}` } }, "invalid_exp"],
  ["a past exp", { claims: { exp: NOW - 10 } }, "expired"],
  ["no jti", { claims: { jti: null } }, "invalid_jti"],
  ["an empty jti", { claims: { jti: "" } }, "invalid_jti"],
  ["a jti that is a number", { claims: { jti: 7 } }, "invalid_jti"],
  ["no sub and no sid", { claims: { sub: null, sid: null } }, "invalid_sub"],
  ["an empty sub", { claims: { sub: "" } }, "invalid_sub"],
  ["a sub that is a list", { claims: { sub: ["ana"] } }, "invalid_sub"],
  ["an empty sid", { claims: { sid: "" } }, "invalid_sid"],
  ["a sid that is a number", { claims: { sid: 7 } }, "invalid_sid"],
  ["no events", { claims: { events: null } }, "invalid_events"],
  ["a list of events", { claims: { events: [EVENT] } }, "invalid_events"],
  ["another event", { claims: { events: { a: {} } } }, "invalid_events"],
  ["an event that is true", {
    claims: { events: { [EVENT]: true } },
  }, "invalid_events"],
  ["an event that is a list", {
    claims: { events: { [EVENT]: [] } },
  }, "invalid_events"],
  ["a nonce", { claims: { nonce: "n" } }, "invalid_nonce"],
  ["an empty nonce", { claims: { nonce: "" } }, "invalid_nonce"],
];

for (const [name, plan, code] of INVALID) {
  Deno.test(`BackChannelLogout refuses a token with ${name}`, async () => {
    const world = new World();
    const [status, body] = await world.send(form(await issue(plan)));
    assertEquals(status, 400);
    const { error, error_description } = JSON.parse(body);
    assertEquals(error, "invalid_request");
    assert(error_description.startsWith("Cannot "), error_description);
    const [failure] = world.errors;
    assertInstanceOf(failure, ValidationError);
    assertEquals((failure as ValidationError).code, code);
    assertEquals(world.ended, []);
  });
}

Deno.test("BackChannelLogout refuses an ID token", async () => {
  const world = new World();
  for (const nonce of [undefined, "n"]) {
    const idToken = await issueJwt({ ...idTokenClaims(nonce), jti: "j" });
    await assertRejects(() => world.logout.end(idToken), ValidationError);
  }
  assertEquals(world.ended, []);
});

Deno.test("BackChannelLogout accepts only the types of its options", async () => {
  const { logout } = new World({ types: ["logout+jwt"] });
  await logout.end(await issue());
  const error = await assertRejects(
    async () => await logout.end(await issue({ header: { typ: "JWT" } })),
    ValidationError,
  );
  assertEquals(error.code, "invalid_typ");
});

Deno.test("BackChannelLogout refuses a token that was used, in each process with the store", async () => {
  const replays = new MemoryReplays({ clock: () => NOW * 1000 });
  const [one, two] = [new World({ replays }), new World({ replays })];
  const token = await issue();
  assertEquals((await one.send(form(token)))[0], 200);
  for (const world of [one, two]) {
    const [status, body] = await world.send(form(token));
    assertEquals(status, 400);
    assert(body.includes("it was used before"), body);
  }
  assertEquals([one.ended.length, two.ended.length], [1, 0]);
  const next = await issue({ claims: { jti: "l2" } });
  assertEquals((await two.send(form(next)))[0], 200);
});

Deno.test("BackChannelLogout remembers a token until it has expired", async () => {
  const keys: number[] = [];
  const { logout } = new World({
    replays: { add: (_, expiresAt) => keys.push(expiresAt) > 0 },
  });
  await logout.end(await issue());
  assertEquals(keys, [CLAIMS.exp + 10 + 1]);
});

Deno.test("BackChannelLogout answers 400 if the sessions could not be ended, and takes the token again", async () => {
  let isDown = true;
  const world = new World({
    endSessions: () => {
      if (isDown) throw new Error("redis://user:pass@10.0.0.7 is down");
    },
  });
  const token = await issue();
  const [status, body] = await world.send(form(token));
  assertEquals([status, JSON.parse(body).error_description], [
    400,
    "Cannot end the sessions",
  ]);
  assertEquals(String(world.errors[0]).includes("is down"), true);
  isDown = false;
  assertEquals(await world.send(form(token)), [200, ""]);
});

Deno.test("BackChannelLogout answers 400 if the keys cannot be loaded, and takes the token again", async () => {
  const world = new World();
  const { answers } = world.provider;
  const load = answers["/keys"]!;
  answers["/keys"] = () => new Response(null, { status: 503 });
  const token = await issue();
  assertEquals((await world.send(form(token)))[0], 400);
  answers["/keys"] = load;
  world.provider.now += 2;
  assertEquals(await world.send(form(token)), [200, ""]);
});

for (
  const [name, body, init] of [
    ["no token", "a=b", {}],
    ["two tokens", "logout_token=a&logout_token=b", {}],
    ["an empty body", "", {}],
    ["JSON", "{}", { headers: { "content-type": "application/json" } }],
    ["a huge form", `a=${"b".repeat(70_000)}`, {}],
    ["PUT", "logout_token=a", { method: "PUT" }],
  ] as [string, string, RequestInit][]
) {
  Deno.test(`BackChannelLogout refuses a request with ${name}`, async () => {
    const world = new World();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const [status] = await world.send(body, { headers, ...init });
    assertEquals(status, 400);
    assertEquals((world.errors[0] as ValidationError).code, "invalid_request");
    assertEquals(world.provider.paths, []);
  });
}

Deno.test("BackChannelLogout refuses GET", async () => {
  const response = await new World().logout.handle(
    new Request(`${ENDPOINT}?logout_token=a`),
  );
  assertEquals(response.status, 400);
});

Deno.test("BackChannelLogout answers 400 to any token, and never rejects", async () => {
  const world = new World({ onError: undefined });
  await fc.assert(fc.asyncProperty(
    fc.oneof(
      fc.string(),
      fc.array(fc.json().map((json) => btoa(encodeURI(json))), {
        minLength: 3,
        maxLength: 5,
      }).map((parts) => parts.join(".")),
    ),
    async (token) => assertEquals((await world.send(form(token)))[0], 400),
  ));
  assertEquals(world.ended, []);
});

for (
  const onError of [
    () => {
      throw new Error("the log is full");
    },
    () => Promise.reject(new Error("the log is full")),
  ]
) {
  Deno.test(`BackChannelLogout answers although onError ${onError}`, async () => {
    const world = new World({ onError });
    assertEquals((await world.send(form("a")))[0], 400);
  });
}

for (
  const [name, create, message] of [
    [
      "a client without issuer",
      () => new BackChannelLogout(new Client("abc", "s"), { endSessions() {} }),
      "no id or no issuer",
    ],
    [
      "no endSessions",
      () => new World({ endSessions: undefined! }),
      "must be a",
    ],
    ["the algorithm none", () => new World({ algorithms: ["none"] }), '"none"'],
  ] as [string, () => unknown, string][]
) {
  Deno.test(`BackChannelLogout cannot be created with ${name}`, () => {
    assertThrows(create, TypeError, message);
  });
}
