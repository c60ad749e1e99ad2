/** The command line, in processes of its own. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  cepCommand,
  type Child,
  endOf,
  kill,
  outputOf,
  start,
} from "../program.ts";
import { TempDirectory, writeDirectory } from "./_fixtures.ts";
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

for (const [short, long] of [["-h", "--help"], ["-v", "--version"]] as const) {
  Deno.test(`main takes ${short} for ${long}`, async () => {
    const output = await outputOf(cepCommand(short));
    assertEquals(output.code, 0);
    assertEquals(output, await outputOf(cepCommand(long)));
  });
}

Deno.test("main --help has no marks of Markdown and no value left out", async () => {
  const { stdout } = await outputOf(cepCommand("--help"));
  assertStringIncludes(stdout, "expose /metrics: one of true, false, 1, 0,");
  assertStringIncludes(stdout, "or unix for a Unix socket (default: none)");
  assertEquals(stdout.includes("`"), false);
});

Deno.test("main warns of settings that it does not know and goes on", async () => {
  using directory = new TempDirectory();
  const { code, stdout } = await outputOf(cepCommand(), {
    MODE: "seed",
    API_CACHE_RECORDS: "50000",
    API_PORTS: "9090",
    DB_HOST: "db.example",
    DB_PATH: directory.path,
    DB_RAW_PATH: join(directory.path, "nowhere"),
  });
  const warnings = parseLines(stdout).filter(({ level }) => level === "WARN");
  assertEquals(
    warnings.map(({ message, setting, did_you_mean }) => [
      message,
      setting,
      did_you_mean,
    ]),
    [
      [
        "Setting has no effect any more and can be removed",
        "API_CACHE_RECORDS",
        undefined,
      ],
      ["Unknown setting, ignored", "API_PORTS", "API_PORT"],
      ["Unknown setting, ignored", "DB_HOST", undefined],
    ],
  );
  assertEquals(code, 1);
});

Deno.test("main names DB_RAW_PATH and its absolute path when there is no such folder", async () => {
  using directory = new TempDirectory();
  const { code, stdout } = await outputOf(cepCommand(), {
    MODE: "seed",
    DB_PATH: directory.path,
    DB_RAW_PATH: "./nowhere",
  });
  const { message, error, ...settings } = parseLines(stdout).at(-1)!;
  const path = fileURLToPath(new URL("../../nowhere", import.meta.url));
  assertEquals(message, "Stopped by an error");
  assertStringIncludes(`${error}`, `"${path}"`);
  assertEquals(settings["DB_RAW_PATH"], path);
  assertEquals(settings["DB_PATH"], undefined);
  assertEquals(code, 1);
});

Deno.test("main names DB_PATH and its absolute path when the database cannot be opened", async () => {
  using directory = new TempDirectory();
  const file = join(directory.path, "file");
  writeFileSync(file, "");
  const { code, stdout } = await outputOf(cepCommand(), {
    DB_PATH: join(directory.path, "a", "..", "file"),
  });
  const { message, ...settings } = parseLines(stdout).at(-1)!;
  assertEquals(message, "Stopped by an error");
  assertEquals(settings["DB_PATH"], file);
  assertEquals(code, 1);
});

Deno.test("main tells how to import when the database is empty", async () => {
  using directory = new TempDirectory();
  const data = join(directory.path, "it's data");
  const child = start(cepCommand(), {
    API_HOST: "127.0.0.1",
    API_PORT: "0",
    DB_PATH: data,
    DB_RAW_PATH: directory.path,
  });
  const ended = endOf(child);
  try {
    const [line] = await within(
      "the warning",
      once(createInterface({ input: child.stdout }), "line"),
    );
    const { level, DB_PATH, command } = JSON.parse(line);
    assertEquals([level, DB_PATH], ["WARN", data]);
    assertEquals(
      command,
      `MODE=seed DB_PATH='${directory.path}/it'\\''s data' ` +
        `DB_RAW_PATH='${directory.path}' cep`,
    );
  } finally {
    kill(child, "SIGTERM");
    await within("the end", ended);
  }
});

Deno.test("main tells where the database is once a directory is imported", async () => {
  using directory = new TempDirectory();
  const data = join(directory.path, "data");
  writeDirectory(join(directory.path, "dne"));
  const { code, stdout } = await outputOf(cepCommand(), {
    MODE: "seed",
    DB_PATH: data,
    DB_RAW_PATH: join(directory.path, "dne"),
  });
  const { message, DB_PATH } = parseLines(stdout).at(-1)!;
  assertEquals([message, DB_PATH], ["Imported directory", data]);
  assertEquals(code, 0);
});

function parseLines(text: string): Record<string, unknown>[] {
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
