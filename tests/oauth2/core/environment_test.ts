/** Settings of the process. */
import { assertEquals } from "@std/assert";
import { codeCommand, outputOf } from "../../_program.ts";
import { clientProgram, PRINT_WHETHER_LOGGED } from "../_client_program.ts";

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
