/** Arguments that calls do not change, and settings of the process. */
import { assertEquals } from "@std/assert";
import { AccessToken, Client } from "../../../oauth2/mod.ts";
import { codeCommand, outputOf } from "../../_program.ts";
import { clientTest, SITE } from "../_client.ts";
import { clientProgram, PRINT_WHETHER_LOGGED } from "../_client_program.ts";
import { json, onToken } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { CLAIMS, HS256_KEY } from "../_jwt.ts";
import { assertHidden } from "../_secrets.ts";

/** Freezes a value and all that it contains. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

Deno.test("calls do not change their arguments", async () => {
  const options = deepFreeze({
    site: SITE,
    redirectUri: "https://app.example/callback",
    allowedOrigins: [SITE],
    tokenTypes: ["bot"],
    connectionOpts: { timeout: 1000, headers: { "X-A": "1" } },
  });
  const exchanges = Array.from({ length: 13 }, () => ({
    respond: json({ access_token: "ape", refresh_token: "new" }),
  }));
  const fetch = fakeFetch(exchanges);
  const client = new Client("abc", "def", { ...options, fetch });
  const params = deepFreeze({
    resource: ["https://a.example", "https://b.example"],
    headers: { "X-B": "2" },
  });
  const tokenOptions = deepFreeze(
    { mode: { get: "query" }, paramName: "p" } as const,
  );
  const hash = deepFreeze({
    access_token: "monkey",
    refresh_token: "abaca",
    mode: { get: "query", post: "body" },
    nested: { a: 1 },
  });
  const request = deepFreeze({
    params: { a: "1" },
    headers: { "X-B": "2" },
    body: { b: "2" },
  });
  client.authorizeUrl(deepFreeze({ a: "1" }));
  client.authCode.authorizeUrl(deepFreeze({ scope: "a" }));
  client.implicit.authorizeUrl(deepFreeze({ scope: "a" }));
  await client.getToken(params, tokenOptions);
  await client.authCode.getToken("sushi", params, tokenOptions);
  await client.password.getToken("ana", "hunter2", params, tokenOptions);
  await client.clientCredentials.getToken(params, tokenOptions);
  await client.assertion.getToken(
    deepFreeze({ ...CLAIMS }),
    deepFreeze({ ...HS256_KEY, kid: "1" }),
    params,
    tokenOptions,
  );
  await client.revokeToken("m", "access_token", params);
  await client.request("post", "/from", request);
  const token = AccessToken.fromHash(client, hash);
  await token.post("/from", request);
  await AccessToken.fromHash(client, deepFreeze({ access_token: "monkey" }))
    .post("/from", request);
  await token.request(
    "get",
    "/from",
    deepFreeze({ params: { a: "1" }, headers: { "X-B": "2" } }),
  );
  await token.refresh(params, tokenOptions);
  await token.revoke(deepFreeze({ token_type_hint: "access_token", a: "1" }));
  const headers = new Headers({ "X-B": "2" });
  await client.request("get", "/from", { headers });
  assertEquals([...headers], [["x-b", "2"]]);
  fetch.assertDone();
});

clientTest(
  "warnings are logged without values",
  [onToken(json({ access_token: "monkey123", token: "rhesus456" }))],
  async ({ client, log }) => {
    await client.getToken();
    assertEquals(log.length, 1);
    assertHidden(log.join());
  },
  { config: { silenceExtraTokensWarning: false } },
);

/** Runs a program in a process of its own. */
async function run(
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = codeCommand(clientProgram(program));
  const { code, stdout, stderr } = await outputOf(command, env);
  assertEquals(code, 0, stderr);
  return stdout.trim();
}

for (
  const [value, logs] of [
    ["true", "true"],
    ["TRUE", "true"],
    ["false", "false"],
    ["1", "false"],
  ] as const
) {
  Deno.test(
    `OAUTH_DEBUG=${value} enables ${logs === "true" ? "the" : "no"} debug log`,
    async () => {
      assertEquals(
        await run(PRINT_WHETHER_LOGGED, { OAUTH_DEBUG: value }),
        logs,
      );
    },
  );
}

Deno.test("debug false overrides OAUTH_DEBUG", async () => {
  const program = `
    const client = new Client("abc", "def", { ...options, debug: false });
    await client.request("get", "/from");
    console.log(lines.length);
  `;
  assertEquals(await run(program, { OAUTH_DEBUG: "true" }), "0");
});

Deno.test("OAUTH_DEBUG is read by the constructor of Client", async () => {
  const program = `
    import process from "node:process";
    const before = new Client("abc", "def", options);
    process.env.OAUTH_DEBUG = "true";
    const after = new Client("abc", "def", options);
    await before.request("get", "/from");
    console.log(lines.length > 0);
    await after.request("get", "/from");
    console.log(lines.length > 0);
  `;
  assertEquals(await run(program, { OAUTH_DEBUG: "" }), "false\ntrue");
});

Deno.test("request and getToken have a timeout of 30 seconds by default", async () => {
  const program = `
    // Timers end at once in this process.
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (done) => setTimeout(done, 0);
    const never = () => new Promise(() => {});
    const client = new Client("abc", "def", { ...options, fetch: never });
    for (const call of [client.request("get", "/from"), client.getToken()]) {
      const error = await call.catch((error) => error);
      console.log(error.name, error.message.match(/\\d+ ms/)[0]);
    }
  `;
  const line = "TimeoutError 30000 ms";
  assertEquals(await run(program), `${line}\n${line}`);
});

Deno.test("expires_at without a time zone is in UTC in every time zone", async () => {
  const program = `
    const hash = { access_token: "m", expires_at: "2013-02-20T21:47:09" };
    const client = new Client("abc", "def", options);
    console.log(AccessToken.fromHash(client, hash).expiresAt);
  `;
  const env = { TZ: "America/Sao_Paulo" };
  assertEquals(await run(program, env), "1361396829");
});
