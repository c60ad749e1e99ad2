import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demoSettings } from "../../scripts/demo.ts";
import { ROOT } from "../../scripts/root.ts";
import { TempDirectory } from "../cep/_fixtures.ts";
import { kill, outputOf, start } from "../program.ts";

const DEMO = [
  Deno.execPath(),
  "run",
  "-A",
  fileURLToPath(new URL("../../scripts/demo.ts", import.meta.url)),
] as const;

Deno.test("demo ends with status 2 and names a setting that cannot be used", async () => {
  assertEquals(await outputOf(DEMO, { API_PORT: "abc" }), {
    code: 2,
    signal: null,
    stdout: "",
    stderr: 'Cannot use the settings:\n  API_PORT="abc": ' +
      "must be a whole number from 0 to 65535\n",
  });
});

Deno.test("demo imports the sample into the database given and says that it is one", async () => {
  using directory = new TempDirectory();
  const child = start(DEMO, {
    API_HOST: "127.0.0.1",
    API_PORT: "0",
    DB_PATH: directory.path,
  });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    output += text;
    if (output.includes("Listening")) kill(child, "SIGTERM");
  }
  assertStringIncludes(output, `DB_PATH="${directory.path}"`);
  assertStringIncludes(output, "The data is a generated sample");
});

Deno.test("demoSettings keeps to a folder that is not the default one", () => {
  const { DB_PATH, DB_RAW_PATH } = demoSettings({ DB_PATH: " " });
  assertEquals(DB_PATH, join(ROOT, "data", "demo"));
  assertEquals(DB_RAW_PATH, join(ROOT, "samples", "dne"));
});

Deno.test("demoSettings prefers what the environment has", () => {
  const env = { DB_PATH: "/srv/cep", LOG_FORMAT: "json", API_PORT: "80" };
  assertEquals(demoSettings(env), {
    ...env,
    DB_RAW_PATH: join(ROOT, "samples", "dne"),
  });
});
