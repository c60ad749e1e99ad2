import { assert, assertEquals, assertRejects } from "@std/assert";
import process from "node:process";
import { type Child, run } from "../../scripts/process.ts";

Deno.test("run returns the standard output of a program", async () => {
  const args = ["eval", "console.log('out'); console.error('err');"];
  assertEquals(await run([process.execPath, ...args]), "out\n");
});

Deno.test("run rejects with the output of a program that fails", async () => {
  const code = "console.log('out'); console.error('err'); Deno.exit(3);";
  const error = await assertRejects(
    () => run([process.execPath, "eval", code]),
    Error,
    "exit code 3",
  );
  for (const text of ["out\n", "err\n"]) assert(error.message.includes(text));
});

Deno.test({
  name: "run reports a missing program",
  ignore: process.platform === "win32", // its shell reports it in the language of the system
  async fn() {
    await assertRejects(
      () => run(["no-such-program", "--version"]),
      Error,
      'Cannot run no-such-program --version: is "no-such-program" installed?',
    );
  },
});

Deno.test("run kills the program if its signal is aborted", async () => {
  const controller = new AbortController();
  const args = ["eval", "await new Promise(() => setInterval(() => {}, 1e6))"];
  const ran = run([process.execPath, ...args], { signal: controller.signal });
  controller.abort(new RangeError("no more"));
  await assertRejects(() => ran, RangeError, "no more");
});

Deno.test("run does not start a program if its signal is already aborted", async () => {
  const signal = AbortSignal.abort(new RangeError("no more"));
  await assertRejects(
    () => run(["no-such-program"], { signal }),
    RangeError,
    "no more",
  );
});

Deno.test("run calls onStart with the process", async () => {
  let pid: number | undefined;
  const printPid = [process.execPath, "eval", "console.log(Deno.pid)"] as const;
  const onStart = (child: Child) => pid = child.pid;
  assertEquals(await run(printPid, { onStart }), `${pid}\n`);
});
