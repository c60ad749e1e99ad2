/** What is left alone: objects of the caller, the process, its environment. */
import { assertEquals } from "@std/assert";
import { AccessToken, Client, config } from "../../../oauth2/mod.ts";
import { codeCommand, outputOf } from "../../program.ts";
import { fakeFetch } from "../fake_fetch.ts";
import { TELL_WHETHER_LOGGED, withClient } from "../own_process.ts";
import {
  asked,
  assertHidden,
  CALLBACK,
  CLAIMS,
  clientTest,
  freeze,
  json,
  JWT_KEY,
  SITE,
} from "../testing.ts";

Deno.test("no call changes what it is given", async () => {
  const options = freeze({
    site: SITE,
    redirectUri: CALLBACK,
    allowedOrigins: [SITE],
    tokenTypes: ["DPoP"],
    connectionOpts: { timeout: 1000, headers: { "X-A": "1" } },
  });
  const exchanges = Array.from({ length: 13 }, () => ({
    respond: json({ access_token: "ape", refresh_token: "new" }),
  }));
  const fetch = fakeFetch(exchanges);
  const client = new Client("abc", "def", { ...options, fetch });
  const params = freeze({
    resource: ["https://a.example", "https://b.example"],
    headers: { "X-B": "2" },
  });
  const tokenOptions = freeze(
    { mode: { get: "query" }, paramName: "p" } as const,
  );
  const hash = freeze({
    access_token: "monkey",
    refresh_token: "abaca",
    mode: { get: "query", post: "body" },
    nested: { a: 1 },
  });
  const request = freeze({
    params: { a: "1" },
    headers: { "X-B": "2" },
    body: { b: "2" },
  });
  client.authorizeUrl(freeze({ a: "1" }));
  client.authCode.authorizeUrl(freeze({ scope: "a" }));
  client.implicit.authorizeUrl(freeze({ scope: "a" }));
  await client.getToken(params, tokenOptions);
  await client.authCode.getToken("sushi", params, tokenOptions);
  await client.password.getToken("ana", "hunter2", params, tokenOptions);
  await client.clientCredentials.getToken(params, tokenOptions);
  await client.assertion.getToken(
    freeze({ ...CLAIMS }),
    freeze({ ...JWT_KEY, kid: "1" }),
    params,
    tokenOptions,
  );
  await client.revokeToken("m", "access_token", params);
  await client.request("post", "/from", request);
  const token = AccessToken.fromHash(client, hash);
  await token.post("/from", request);
  await AccessToken.fromHash(client, freeze({ access_token: "monkey" }))
    .post("/from", request);
  await token.request(
    "get",
    "/from",
    freeze({ params: { a: "1" }, headers: { "X-B": "2" } }),
  );
  await token.refresh(params, tokenOptions);
  await token.revoke(freeze({ token_type_hint: "access_token", a: "1" }));
  const headers = new Headers({ "X-B": "2" });
  await client.request("get", "/from", { headers });
  assertEquals([...headers], [["x-b", "2"]]);
  fetch.assertDone();
});

clientTest(
  "warnings go to the logger of the client and hold no values",
  [asked(json({ access_token: "monkey123", token: "rhesus456" }))],
  async ({ client, log }) => {
    config.silenceExtraTokensWarning = false;
    try {
      await client.getToken();
    } finally {
      config.silenceExtraTokensWarning = true;
    }
    assertEquals(log.length, 1);
    assertHidden(log.join());
  },
);

/** Runs a program in a process of its own. */
async function run(
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = codeCommand(withClient(program));
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
    `OAUTH_DEBUG ${value} logs ${logs === "true" ? "" : "nothing"}`.trim(),
    async () => {
      assertEquals(
        await run(TELL_WHETHER_LOGGED, { OAUTH_DEBUG: value }),
        logs,
      );
    },
  );
}

Deno.test("OAUTH_DEBUG gives way to the option debug", async () => {
  const program = `
    const client = new Client("abc", "def", { ...options, debug: false });
    await client.request("get", "/from");
    console.log(lines.length);
  `;
  assertEquals(await run(program, { OAUTH_DEBUG: "true" }), "0");
});

Deno.test("OAUTH_DEBUG is read when a client is made", async () => {
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

Deno.test("a request takes 30 seconds at most, unless it is told otherwise", async () => {
  const program = `
    // In this process time flies.
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (done) => setTimeout(done, 0);
    const never = () => new Promise(() => {});
    const client = new Client("abc", "def", { ...options, fetch: never });
    for (const call of [client.request("get", "/from"), client.getToken()]) {
      const error = await call.catch((error) => error);
      console.log(error.name, error.message.match(/in \\d+ ms/)[0]);
    }
  `;
  const line = "TimeoutError in 30000 ms";
  assertEquals(await run(program), `${line}\n${line}`);
});

Deno.test("expires_at without a zone is UTC wherever the process runs", async () => {
  const program = `
    const hash = { access_token: "m", expires_at: "2013-02-20T21:47:09" };
    const client = new Client("abc", "def", options);
    console.log(AccessToken.fromHash(client, hash).expiresAt);
  `;
  const env = { TZ: "America/Sao_Paulo" };
  assertEquals(await run(program, env), "1361396829");
});
