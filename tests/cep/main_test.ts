/** The command line in a process whose surroundings fail it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { createInterface } from "node:readline";
import {
  cepCommand,
  type Child,
  endOf,
  kill,
  outputOf,
  start,
} from "../program.ts";
import { TempDirectory } from "./_fixtures.ts";
import { within } from "./_server.ts";

Deno.test("main answers on when nobody reads its log any more", async () => {
  using directory = new TempDirectory();
  const child = start(cepCommand(), {
    API_HOST: "127.0.0.1",
    API_PORT: "0",
    DB_PATH: directory.path,
    LOG_LEVEL: "debug",
  });
  const ended = endOf(child);
  try {
    const port = await within("the port", portOf(child));
    child.stdout.destroy();
    child.stderr.destroy();
    // Each of them is logged.
    for (let i = 0; i < 20; i++) {
      const response = await fetch(`http://127.0.0.1:${port}/healthcheck`);
      assertEquals((await response.json()).code, "database_not_ready");
    }
  } finally {
    kill(child, "SIGTERM");
  }
  assertEquals(await within("the end", ended), { code: 0, signal: null });
});

/** The port in the log. */
async function portOf(child: Child): Promise<number> {
  const lines = createInterface({ input: child.stdout });
  for (;;) {
    const [line] = await once(lines, "line");
    const { message, port } = JSON.parse(line);
    if (message === "Listening") return port;
  }
}

Deno.test("main refuses more than one argument and names it", async () => {
  const { code, stderr } = await outputOf(cepCommand("--version", "extra"));
  assertStringIncludes(stderr, `Cannot use the argument "extra"`);
  assertEquals(code, 2);
});
