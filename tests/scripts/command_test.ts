import { assert, assertEquals, assertRejects } from "@std/assert";
import process from "node:process";
import { run } from "../../scripts/command.ts";

Deno.test("run gives what a program prints", async () => {
  const args = ["eval", "console.log('out'); console.error('err');"];
  assertEquals(await run(process.execPath, args), "out\n");
});

Deno.test("run tells everything that a program printed before it failed", async () => {
  const code = "console.log('out'); console.error('err'); Deno.exit(3);";
  const error = await assertRejects(
    () => run(process.execPath, ["eval", code]),
    Error,
    "status 3",
  );
  for (const text of ["out\n", "err\n"]) assert(error.message.includes(text));
});

Deno.test({
  name: "run names a program that is missing",
  ignore: process.platform === "win32", // its shell says so, in its language
  async fn() {
    await assertRejects(
      () => run("no-such-program", ["--version"]),
      Error,
      'Cannot run no-such-program --version: is "no-such-program" installed?',
    );
  },
});

Deno.test("run ends a program by a signal", async () => {
  const controller = new AbortController();
  const args = ["eval", "await new Promise(() => setInterval(() => {}, 1e6))"];
  const ran = run(process.execPath, args, { signal: controller.signal });
  controller.abort(new RangeError("no more"));
  await assertRejects(() => ran, RangeError, "no more");
});

Deno.test("run starts nothing once its signal is aborted", async () => {
  const signal = AbortSignal.abort(new RangeError("no more"));
  await assertRejects(
    () => run("no-such-program", [], { signal }),
    RangeError,
    "no more",
  );
});
