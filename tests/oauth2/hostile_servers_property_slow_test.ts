/** Arbitrary responses of servers to the calls of the subpaths. */
import { assert } from "@std/assert";
import fc from "fast-check";
import { BackchannelLogin } from "../../oauth2/grants/ciba.ts";
import { DeviceLogin, ExpiredError } from "../../oauth2/grants/device.ts";
import { exchangeToken } from "../../oauth2/grants/exchange.ts";
import { introspect } from "../../oauth2/server/introspection.ts";
import { connectMcp } from "../../oauth2/mcp/mcp.ts";
import { ConnectionError, OAuth2Error } from "../../oauth2/mod.ts";
import { ValidationError } from "../../oauth2/oidc/mod.ts";
import { discoverResource } from "../../oauth2/verify/protected_resource.ts";
import { Registration } from "../../oauth2/server/registration.ts";
import { stepUpParams } from "../../oauth2/verify/step_up.ts";
import { withQuirks } from "../../oauth2/providers/quirks.ts";
import { createClient, NOW } from "./_client.ts";

const SECRET = "hush-hush";

/** Texts that are likely to be taken for something else. */
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e999",
    "https://provider.example/a",
    "http://[::1]:1/",
    "javascript:1",
    "Bearer",
    "N_A",
    "__proto__",
    SECRET,
  ),
);
const values: fc.Arbitrary<unknown> = fc.oneof(
  { withCrossShrink: true },
  texts,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(texts, { maxLength: 3 }),
  fc.object({ maxDepth: 2 }),
);
const NAMES = ("active scope client_id exp iat aud iss token_introspection " +
  "access_token issued_token_type token_type expires_in error " +
  "error_description device_code user_code verification_uri " +
  "verification_uri_complete interval auth_req_id client_secret " +
  "registration_access_token registration_client_uri resource " +
  "authorization_servers scopes_supported issuer token_endpoint data __proto__")
  .split(" ");
const objects = fc.dictionary(fc.constantFrom(...NAMES), values);
const bodies = fc.oneof(
  objects.map((object) => JSON.stringify(object)),
  fc.json(),
  fc.string(),
);
const answers = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 204, 302, 400, 401, 429, 500),
  type: fc.constantFrom(
    "application/json",
    "text/plain",
    "text/html",
    "application/x-www-form-urlencoded",
    "application/token-introspection+jwt",
    "",
  ),
  body: bodies,
});
type Answer = typeof answers extends fc.Arbitrary<infer T> ? T : never;

/** Creates a `fetch` that answers so, and then with an error. */
function answering(list: readonly Answer[]) {
  const left = [...list];
  return () => {
    const { status, type, body } = left.shift() ??
      { status: 400, type: "", body: '{"error":"invalid_grant"}' };
    return Promise.resolve(
      new Response(status === 204 ? null : body, {
        status,
        headers: type === "" ? {} : { "content-type": type },
      }),
    );
  };
}

const CALLS: Record<
  string,
  (fetch: () => Promise<Response>) => Promise<unknown>
> = {
  async DeviceLogin(fetch) {
    let now = NOW * 1000;
    const client = createClient({ fetch, clock: () => now });
    const login = await DeviceLogin.start(client, {}, {
      endpoint: "/device",
      wait: (milliseconds) => {
        assert(milliseconds >= 0 && milliseconds < 2 ** 31);
        now += milliseconds;
        return Promise.resolve();
      },
    });
    assert(/^https?:/i.test(login.verificationUri));
    assert(!/\p{Cc}/u.test(login.userCode));
    return await login.getToken();
  },
  async BackchannelLogin(fetch) {
    let now = NOW * 1000;
    const client = createClient({ fetch, clock: () => now });
    const login = await BackchannelLogin.start(client, { login_hint: "a" }, {
      endpoint: "/bc",
      wait: (milliseconds) => {
        now += milliseconds;
        return Promise.resolve();
      },
    });
    return await login.getToken();
  },
  async introspect(fetch) {
    const token = await introspect(createClient({ fetch }), "t", {}, {
      endpoint: "/introspect",
    });
    assert(typeof token.active === "boolean");
  },
  async exchangeToken(fetch) {
    const issued = await exchangeToken(createClient({ fetch }), {
      subject_token: "t",
    });
    assert(typeof issued.value === "string" && issued.value !== "");
    assert(typeof issued.issuedTokenType === "string");
  },
  async Registration(fetch) {
    const registration = await Registration.create(
      "https://provider.example/register",
      { scope: "a" },
      { fetch },
    );
    assert(typeof registration.clientId === "string");
    JSON.stringify(registration);
    assert(Array.isArray(registration.differences));
    await registration.read();
  },
  async discoverResource(fetch) {
    const url = "https://provider.example/a";
    const { resource } = await discoverResource(url, { fetch });
    assert(resource === url);
  },
  connectMcp: (fetch) =>
    connectMcp("https://provider.example/a", {
      redirectUri: "http://127.0.0.1/",
      fetch,
    }),
  async withQuirks(fetch) {
    const client = createClient(withQuirks({
      textResponses: true,
      error: { code: "data.code", description: "error" },
      tokenPath: "data",
      responseScopes: "list",
      fieldNames: { interval: "expires_in" },
    }, { site: "https://provider.example", fetch }));
    const { token } = await client.clientCredentials.getToken();
    assert(typeof token === "string" && token !== "");
  },
};

/** Calls before there is a client, and so without its secret. */
const WITHOUT_SECRET = ["Registration", "discoverResource", "connectMcp"];

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`${name} fails with an error of its own, without secrets, for any response`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { maxLength: 4 }), async (list) => {
        try {
          await call(answering(list));
        } catch (error) {
          const isOwn = error instanceof OAuth2Error ||
            error instanceof ConnectionError ||
            error instanceof ValidationError ||
            error instanceof ExpiredError ||
            error instanceof TypeError && error.message.startsWith("Cannot ");
          assert(isOwn, String(error));
          const isSent = !WITHOUT_SECRET.includes(name);
          assert(!isSent || !String(error).includes(SECRET), String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
}

Deno.test("stepUpParams never throws", () => {
  fc.assert(fc.property(
    fc.oneof(
      fc.string(),
      fc.string().map((text) =>
        `Bearer error="insufficient_user_authentication", max_age="${text}"`
      ),
    ),
    (header) => {
      const { max_age = 0 } = stepUpParams(header) ?? {};
      assert(Number.isSafeInteger(max_age) && max_age >= 0);
    },
  ));
});
