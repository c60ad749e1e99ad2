import { assert, assertEquals, assertRejects } from "@std/assert";
import { existsSync } from "node:fs";
import { endOf, kill, start } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { findPort, serve } from "./_serve.ts";

/** Server that responds with the folder that it runs in. */
function answering() {
  const port = findPort();
  const code = `Deno.serve({ hostname: "127.0.0.1", port: ${port} }, () =>
    new Response(new ReadableStream({
      start: (it) => it.enqueue(new TextEncoder().encode(Deno.cwd())),
    })));`;
  const command = [Deno.execPath(), "eval", code] as const;
  return { command, url: `http://127.0.0.1:${port}/` };
}

Deno.test("serve stops the server and removes its folder on disposal", async () => {
  await using stack = new AsyncDisposableStack();
  const server = answering();
  await serve({ ...server, stack });
  const { body } = await fetch(server.url);
  const reader = body!.getReader();
  const folder = new TextDecoder().decode((await reader.read()).value);
  assert(existsSync(folder));
  await stack.disposeAsync();
  await assertRejects(() => reader.read());
  assertEquals(existsSync(folder), false);
});

Deno.test("serve stops the server if its own process is killed", async () => {
  const server = answering();
  const code = `import { serve } from "${import.meta.resolve("./_serve.ts")}";
    const stack = new AsyncDisposableStack();
    await serve({ ...${JSON.stringify(server)}, stack });
    console.log("ready");`;
  const child = start([Deno.execPath(), "eval", code], { cwd: ROOT });
  const end = endOf(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const response = await fetch(server.url);
  kill(child, "SIGKILL");
  await end;
  await assertRejects(() => response.text());
});

Deno.test("serve reports the end of a server and its output", async () => {
  await using stack = new AsyncDisposableStack();
  const code = 'console.log("out"); console.error("err"); Deno.exit(3);';
  const command = [Deno.execPath(), "eval", code] as const;
  const { url } = answering();
  const error = await assertRejects(
    () => serve({ command, url, stack }),
    Error,
    "exit code 3",
  );
  for (const text of ["out\n", "err\n"]) assert(error.message.includes(text));
});
