import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { demoSettings } from "../../scripts/demo.ts";
import { kill } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { outputOf, start } from "../_program.ts";

const DEMO = [
  ...[Deno.execPath(), "run", "-A"],
  join(ROOT, "scripts", "demo.ts"),
] as const;

Deno.test("demo exits with code 2 and reports an invalid setting", async () => {
  assertEquals(await outputOf(DEMO, { API_PORT: "abc" }), {
    code: 2,
    signal: null,
    stdout: "",
    stderr: 'Cannot use the settings:\n  API_PORT="abc": ' +
      "must be a whole number from 0 to 65535\n",
  });
});

Deno.test("demo exits with code 2 and reports an unknown flag", async () => {
  const { code, stderr } = await outputOf([...DEMO, "--ports", "1"], {});
  assertEquals([code, stderr], [
    2,
    "Cannot use the flag --ports: did you mean --port?\n",
  ]);
});

Deno.test("demo imports the sample into DB_PATH and reports that it is a sample", async () => {
  using directory = new TemporaryFolder();
  const child = start([...DEMO, "--port", "0"], {
    API_HOST: "127.0.0.1",
    DB_PATH: directory.path,
  });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    output += text;
    if (output.includes("Listening")) kill(child, "SIGTERM");
  }
  assertStringIncludes(output, `DB_PATH="${directory.path}"`);
  assertStringIncludes(output, "The data is a generated sample");
  assertStringIncludes(output, "CNEFE");
});

Deno.test("demoSettings defaults to a database that is not ./data", () => {
  const { DB_PATH, DB_RAW_PATH } = demoSettings({ DB_PATH: " " });
  assertEquals(DB_PATH, join(ROOT, "data", "demo"));
  assertEquals(DB_RAW_PATH, join(ROOT, "samples", "dne"));
});

for (const name of ["DB_RAW_PATH", "CNEFE_PATH"]) {
  Deno.test(`demoSettings adds no sample to the data at ${name}`, () => {
    const { DB_RAW_PATH, CNEFE_PATH } = demoSettings({ [name]: "/srv/data" });
    assertEquals([DB_RAW_PATH, CNEFE_PATH].filter((it) => it !== undefined), [
      "/srv/data",
    ]);
  });
}

Deno.test("demoSettings keeps the environment variables that are set", () => {
  const env = { DB_PATH: "/srv/cep", LOG_FORMAT: "json", API_PORT: "80" };
  assertEquals(demoSettings(env), {
    ...env,
    DB_RAW_PATH: join(ROOT, "samples", "dne"),
    CNEFE_PATH: join(ROOT, "samples", "cnefe"),
  });
});
