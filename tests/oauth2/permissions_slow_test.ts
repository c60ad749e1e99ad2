/** Access of a client to the environment, by the permissions of Deno. */
import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { outputOf } from "../_program.ts";
import { clientProgram, PRINT_WHETHER_LOGGED } from "./_client_program.ts";
import process from "node:process";

/** Runs a program with these permissions only, and returns what it printed. */
async function run(
  code: string,
  permissions: readonly string[],
): Promise<string> {
  using folder = new TemporaryFolder("oauth2-permissions");
  const path = `${folder.path}/program.ts`;
  await writeFile(path, clientProgram(code));
  const ended = await outputOf([
    process.execPath,
    ...["run", "--no-check"],
    // Without a permission flag, Deno starts itself with all permissions.
    ...["--allow-read", ...permissions],
    path,
  ], { OAUTH_DEBUG: "true" });
  assertEquals(ended.code, 0, ended.stderr);
  return ended.stdout.trim();
}

for (const permission of ["--allow-env", "--allow-env=OAUTH_DEBUG"]) {
  Deno.test(`OAUTH_DEBUG=true with ${permission} enables the debug log`, async () => {
    assertEquals(await run(PRINT_WHETHER_LOGGED, [permission]), "true");
  });
}

for (const permissions of [[], ["--deny-env"]]) {
  const which = permissions[0] ?? "no permission for it";

  Deno.test(`OAUTH_DEBUG=true with ${which} enables no debug log`, async () => {
    assertEquals(await run(PRINT_WHETHER_LOGGED, permissions), "false");
  });

  // At a terminal, Deno prompts for the permission when it is read.
  Deno.test(`Client with ${which} does not read the environment`, async () => {
    const code = `
      let isRead = false;
      const process = { get env() { isRead = true; return {}; } };
      Object.defineProperty(globalThis, "process", { value: process });
      new Client("abc", "def", options);
      console.log(isRead);
    `;
    assertEquals(await run(code, permissions), "false");
  });
}
