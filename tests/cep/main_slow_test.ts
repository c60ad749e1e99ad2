/** Command line, in separate processes. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import origin from "../../cep/build.json" with { type: "json" };
import manifest from "../../cep/deno.json" with { type: "json" };
import { SCHEMA_VERSION } from "../../cep/release/schema.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { SAMPLE } from "../_sample.ts";
import { writeDirectory } from "./_directory.ts";
import { Process, run } from "./_process.ts";
import { alter } from "./store/_release.ts";

for (const option of ["-h", "--help"]) {
  Deno.test(`main ${option} prints the help without reading settings`, async () => {
    const { code, lines, stderr } = await run({ API_PORT: "abc" }, option);
    assertEquals(code, 0);
    assertEquals(stderr, "");
    const text = lines.map(({ message }) => `${message}\n`).join("");
    assert(text.includes("--port, API_PORT"), text);
  });
}

for (const option of ["-v", "--version"]) {
  Deno.test(`main ${option} prints version, commit and repository`, async () => {
    const { code, lines } = await run({}, option);
    assertEquals(code, 0);
    const { commit, repo } = origin;
    assertEquals(lines.map(({ message }) => message), [
      `cep ${manifest.version} (commit ${commit}, ${repo})`,
    ]);
  });
}

Deno.test("main refuses an unknown flag with the nearest one", async () => {
  const { code, lines, stderr } = await run({}, "--prot=80");
  assertEquals(code, 2);
  assertEquals(lines, []);
  assertEquals(stderr, "Cannot use the flag --prot: did you mean --port?\n");
});

Deno.test("main runs a command with flags, which win over the environment", async () => {
  using directory = new TemporaryFolder();
  const data = join(directory.path, "data");
  const env = { MODE: "listen", DB_PATH: join(directory.path, "other") };
  const seeded = await run(env, "seed", "--dne", SAMPLE, "--db", data);
  assertEquals(seeded.code, 0);
  assertEquals(existsSync(env.DB_PATH), false);
  const exported = await run({ DB_PATH: data }, "export");
  assertEquals(exported.code, 0);
  assert(exported.lines.some((it) => "cep" in it && it["cep"] === "01310100"));
});

Deno.test("main lists every invalid setting before opening the database", async () => {
  using directory = new TemporaryFolder();
  const data = join(directory.path, "data");
  const { code, lines, stderr } = await run({
    API_PORT: "abc",
    MODE: "foo",
    API_GZIP_COMPRESSION_LEVEL: "12",
    DB_PATH: data,
  });
  assertEquals(code, 2);
  assertEquals(lines, []);
  assertEquals(
    stderr,
    `Cannot use the settings:
  MODE="foo": must be one of listen, seed, update, upgrade, export, match, compare
  API_PORT="abc": must be a whole number from 0 to 65535
  API_GZIP_COMPRESSION_LEVEL="12": must be a whole number from 1 to 9
`,
  );
  assertEquals(existsSync(data), false);
});

Deno.test("main writes the log as text for LOG_FORMAT=text", async () => {
  using directory = new TemporaryFolder();
  const { code, lines } = await run({
    MODE: "seed",
    LOG_FORMAT: "text",
    DB_PATH: join(directory.path, "data"),
    DB_RAW_PATH: join(directory.path, "nowhere"),
  });
  assertEquals(code, 1);
  assertMatch(
    lines[0]?.message ?? "",
    /^\S+Z ERROR Stopped by an error error=".*it does not exist" DB_RAW_PATH=".*nowhere"$/,
  );
});

Deno.test("main exits with code 1 and reports the port if it is in use", async () => {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const { code, lines, stderr } = await run({
    DB_PATH: ":memory:",
    API_PORT: `${port}`,
  });
  await new Promise((resolve) => listener.close(resolve));
  assertEquals(code, 1);
  assertEquals(stderr, "");
  const [line] = lines.filter(({ level }) => level === "ERROR");
  assertMatch(`${line?.error}`, /in use/i);
  assertStringIncludes(`${line?.error}`, `${port}`);
});

Deno.test("main exits with code 1 and reports a file that is not a database", async () => {
  using directory = new TemporaryFolder();
  const file = join(directory.path, "cep.db");
  writeFileSync(file, "This is not a database.\n".repeat(1000));
  for (const MODE of ["listen", "seed"]) {
    const { code, lines, stderr } = await run({
      MODE,
      DB_PATH: directory.path,
      DB_RAW_PATH: SAMPLE,
    });
    assertEquals(code, 1);
    assertEquals(stderr, "");
    const [line] = lines.filter(({ level }) => level === "ERROR");
    assertStringIncludes(`${line?.error}`, `"${file}"`);
    assertStringIncludes(`${line?.error}`, "not a database");
  }
});

Deno.test("main keeps serving after its output is closed", async () => {
  await using server = Process.main({
    DB_PATH: ":memory:",
    LOG_LEVEL: "debug",
  });
  const port = await server.port();
  server.closeOutput();
  // Every request is logged.
  for (let i = 0; i < 20; i++) {
    const response = await fetch(`http://127.0.0.1:${port}/healthcheck`);
    assertEquals((await response.json()).code, "database_not_ready");
  }
  server.kill("SIGTERM");
  const { code, signal } = await server.end();
  assertEquals([code, signal], [0, null]);
});

Deno.test("main warns about unknown settings and continues", async () => {
  using folder = new TemporaryFolder();
  const { code, lines } = await run({
    MODE: "seed",
    API_CACHE_RECORDS: "50000",
    API_PORTS: "9090",
    DB_HOST: "db.example",
    DB_PATH: folder.path,
    DB_RAW_PATH: join(folder.path, "nowhere"),
  });
  const warnings = lines.filter(({ level }) => level === "WARN");
  assertEquals(
    warnings.map(({ message, setting, did_you_mean }) => [
      message,
      setting,
      did_you_mean,
    ]),
    [
      [
        "Setting no longer has an effect and can be removed",
        "API_CACHE_RECORDS",
        undefined,
      ],
      ["Unknown setting, ignored", "API_PORTS", "API_PORT"],
      ["Unknown setting, ignored", "DB_HOST", undefined],
    ],
  );
  assertEquals(code, 1);
});

Deno.test("main reports DB_RAW_PATH as an absolute path if it does not exist", async () => {
  using folder = new TemporaryFolder();
  const { code, lines } = await run({
    MODE: "seed",
    DB_PATH: folder.path,
    DB_RAW_PATH: "./nowhere",
  });
  const { message, error, ...settings } = lines.at(-1)!;
  const path = join(ROOT, "nowhere");
  assertEquals(message, "Stopped by an error");
  assertStringIncludes(`${error}`, `"${path}"`);
  assertEquals(settings["DB_RAW_PATH"], path);
  assertEquals(settings["DB_PATH"], undefined);
  assertEquals(code, 1);
});

Deno.test("main reports DB_PATH as an absolute path if the database cannot be opened", async () => {
  using folder = new TemporaryFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  const { code, lines } = await run({
    DB_PATH: join(folder.path, "a", "..", "file"),
  });
  const { message, ...settings } = lines.at(-1)!;
  assertEquals(message, "Stopped by an error");
  assertEquals(settings["DB_PATH"], file);
  assertEquals(code, 1);
});

Deno.test("main logs the command of an import if the database is empty", async () => {
  using folder = new TemporaryFolder();
  const data = join(folder.path, "it's data");
  await using server = Process.main({
    DB_PATH: data,
    DB_RAW_PATH: folder.path,
  });
  const { DB_PATH, command, commandWithoutDne } = await server.line(
    "of level WARN",
    ({ level }) => level === "WARN",
  );
  assertEquals(DB_PATH, data);
  assertEquals(
    command,
    `MODE=seed DB_PATH='${folder.path}/it'\\''s data' ` +
      `DB_RAW_PATH='${folder.path}' cep`,
  );
  assertEquals(
    commandWithoutDne,
    `MODE=seed DB_PATH='${folder.path}/it'\\''s data' ` +
      "CNEFE_PATH='./cnefe' cep",
  );
});

Deno.test("main answers with 503 until an older release is upgraded, and logs the command", async () => {
  using folder = new TemporaryFolder();
  const data = join(folder.path, "São João");
  await run({ MODE: "seed", DB_PATH: data, DB_RAW_PATH: SAMPLE });
  alter(join(data, "cep.db"), `PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
  await using server = Process.main({ DB_PATH: data });
  const { command } = await server.line(
    "of level ERROR",
    ({ level }) => level === "ERROR",
  );
  assertEquals(command, `MODE=upgrade DB_PATH='${data}' cep`);
  const url = `http://127.0.0.1:${await server.port()}/cep/01310100`;
  const before = await fetch(url);
  assertEquals((await before.json()).code, "database_not_ready");
  const { code, lines } = await run({ DB_PATH: data }, "upgrade");
  assertEquals([code, lines.at(-1)?.message], [0, "Upgraded the release"]);
  await server.line(
    "of the release",
    ({ message }) => message === "Opened a new release",
  );
  const after = await fetch(url);
  assertEquals((await after.json()).logradouro, "Avenida Paulista");
  server.kill("SIGTERM");
  assertEquals((await server.end()).code, 0);
});

Deno.test("main logs the path of the database after an import", async () => {
  using folder = new TemporaryFolder();
  const data = join(folder.path, "data");
  writeDirectory(join(folder.path, "dne"));
  const { code, lines } = await run({
    MODE: "seed",
    DB_PATH: data,
    DB_RAW_PATH: join(folder.path, "dne"),
  });
  const { message, DB_PATH } = lines.at(-1)!;
  assertEquals([message, DB_PATH], ["Imported DNE", data]);
  assertEquals(code, 0);
});
