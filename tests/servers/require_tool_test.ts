import { assertRejects } from "@std/assert";
import { requireTool } from "./_require_tool.ts";

const [major, minor] = Deno.version.deno.split(".");

for (const version of ["1", `${major}.${minor}`, Deno.version.deno]) {
  Deno.test(`requireTool accepts Deno for version ${version}`, async () => {
    await requireTool(Deno.execPath(), version, "Deno");
  });
}

for (const version of ["1000", `${major}.1000`, `${Deno.version.deno}.1`]) {
  Deno.test(`requireTool refuses Deno for version ${version}`, async () => {
    await assertRejects(
      () => requireTool(Deno.execPath(), version, "Deno"),
      Error,
      `it is ${Deno.version.deno}; install Deno ${version} or newer`,
    );
  });
}

Deno.test("requireTool reports the package of a missing program", async () => {
  await assertRejects(
    () => requireTool("no-such-program", "3.10", "Some"),
    Error,
    'Cannot use "no-such-program": it is missing; install Some 3.10 or newer',
  );
});
