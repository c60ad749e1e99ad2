/** What a client looks at without the permissions that only Deno has. */
import { assertEquals } from "@std/assert";
import { TELL_WHETHER_LOGGED, withClient } from "./own_process.ts";

/** Runs a program with these permissions only. */
async function run(
  program: string,
  permissions: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  // Not by `node:child_process`, which Deno lets pass its own permissions on.
  const deno = new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, "-"],
    env: { ...env, NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = deno.stdin.getWriter();
  await writer.write(new TextEncoder().encode(withClient(program)));
  await writer.close();
  const { code, stdout, stderr } = await deno.output();
  const decoder = new TextDecoder();
  assertEquals(code, 0, decoder.decode(stderr));
  return decoder.decode(stdout).trim();
}

for (
  const [permissions, logs] of [
    [["--allow-env"], "true"],
    [["--allow-env=OAUTH_DEBUG"], "true"],
    [[], "false"],
    [["--deny-env"], "false"],
  ] as const
) {
  Deno.test(
    `OAUTH_DEBUG true with ${permissions[0] ?? "no permission"} ${
      logs === "true" ? "logs" : "logs nothing and asks nobody"
    }`,
    async () => {
      const env = { OAUTH_DEBUG: "true" };
      assertEquals(await run(TELL_WHETHER_LOGGED, permissions, env), logs);
    },
  );
}

for (const permissions of [[], ["--deny-env"]]) {
  Deno.test(
    `OAUTH_DEBUG is not looked at with ${permissions[0] ?? "no permission"}`,
    async () => {
      // Looking would make Deno ask the person at a terminal.
      const program = `
        let looked = false;
        const process = { get env() { looked = true; return {}; } };
        Object.defineProperty(globalThis, "process", { value: process });
        new Client("abc", "def", options);
        console.log(looked);
      `;
      assertEquals(await run(program, permissions), "false");
    },
  );
}
