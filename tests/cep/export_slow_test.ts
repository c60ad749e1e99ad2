/** `MODE=export`, in separate processes. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openStore } from "../../cep/store/mod.ts";
import { endOf, type Output } from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { cepCommand, type Environment, outputOf, start } from "../_program.ts";
import { CapturingLogger } from "./_logger.ts";
import { seedSample } from "./_seeding.ts";

/** Folder of a database of the sample. */
class SampleFolder extends TemporaryFolder {
  /** Imports the sample into a folder. */
  static async seed(): Promise<SampleFolder> {
    const folder = new SampleFolder("export");
    const { path } = folder;
    const store = await openStore({ path, logger: new CapturingLogger() });
    await seedSample(store);
    await store.close();
    return folder;
  }

  /** Runs an export of this database to its end. */
  export(settings: Environment = {}): Promise<Output> {
    return outputOf(cepCommand(), {
      MODE: "export",
      DB_PATH: this.path,
      ...settings,
    });
  }
}

for (
  const [format, lines] of [
    ["ndjson", 0],
    ["csv", 1],
  ] as const
) {
  Deno.test(`MODE=export writes all records as ${format}, and logs to standard error`, async () => {
    using data = await SampleFolder.seed();
    const { code, stdout, stderr } = await data.export({
      EXPORT_FORMAT: format,
      API_PORTS: "1",
    });
    assertEquals(code, 0, stderr);
    const rows = stdout.trimEnd().split("\n");
    const log = stderr.trimEnd().split("\n").map((line) => JSON.parse(line));
    const [warning, result] = log;
    assertEquals(warning.message, "Unknown setting, ignored");
    assertEquals(result.message, "Exported records");
    assertEquals(rows.length, result.records + lines);
    const ceps = rows.slice(lines).map((row) => /\d{8}/.exec(row)![0]);
    assertEquals(ceps, ceps.toSorted());
    assertEquals(ceps.includes("01310100"), true);
  });
}

Deno.test("MODE=export ends with exit code 0 and without a message if its reader closes the output", async () => {
  using data = await SampleFolder.seed();
  const child = start(cepCommand(), { MODE: "export", DB_PATH: data.path });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => stderr += text);
  const ended = endOf(child);
  for await (const line of createInterface(child.stdout)) {
    assertEquals(typeof JSON.parse(line).cep, "string");
    break;
  }
  child.stdout.destroy();
  assertEquals(await ended, { code: 0, signal: null });
  assertEquals(stderr, "");
});

for (const format of ["ndjson", "csv", "static", "release"]) {
  Deno.test(`MODE=export with EXPORT_FORMAT=${format} exits with code 1 if the database is empty`, async () => {
    using folder = new SampleFolder();
    const { path } = folder;
    const site = join(path, "no site");
    const { code, stdout, stderr } = await folder.export({
      EXPORT_FORMAT: format,
      EXPORT_PATH: site,
    });
    assertEquals([code, stdout], [1, ""]);
    const { error, DB_PATH } = JSON.parse(stderr);
    assertEquals(
      error,
      `Cannot export database "${path}": it is empty; import the DNE or ` +
        "the CNEFE with MODE=seed",
    );
    assertEquals(DB_PATH, path);
    assertEquals(existsSync(site), false);
  });
}

Deno.test("MODE=export with EXPORT_FORMAT=static writes only once what does not change", async () => {
  using data = await SampleFolder.seed();
  const settings = {
    EXPORT_FORMAT: "static",
    EXPORT_PATH: join(data.path, "site"),
  };
  const first = await data.export(settings);
  assertEquals([first.code, first.stdout], [0, ""], first.stderr);
  const { message, files, written, EXPORT_PATH } = JSON.parse(first.stderr);
  assertEquals(message, "Exported static site");
  assertEquals(EXPORT_PATH, settings.EXPORT_PATH);
  assertEquals(written, files);
  const second = JSON.parse((await data.export(settings)).stderr);
  assertEquals([second.files, second.written], [files, 0]);
});

Deno.test("MODE=export with EXPORT_FORMAT=release writes the release file and its manifest", async () => {
  using data = await SampleFolder.seed();
  const path = join(data.path, "releases");
  const { code, stdout, stderr } = await data.export({
    EXPORT_FORMAT: "release",
    EXPORT_PATH: path,
  });
  assertEquals([code, stdout], [0, ""], stderr);
  const { message, file, EXPORT_PATH } = JSON.parse(stderr);
  assertEquals([message, EXPORT_PATH], ["Exported release", path]);
  assertEquals(readdirSync(path).sort(), ["manifest.json", file]);
  assertEquals(
    readFileSync(join(path, file)),
    readFileSync(join(data.path, "cep.db")),
  );
});

Deno.test("MODE=export with EXPORT_FORMAT=release exits with code 1 if the primary cannot be reached", async () => {
  using data = await SampleFolder.seed();
  const releases = join(data.path, "releases");
  const { code, stderr } = await data.export({
    EXPORT_FORMAT: "release",
    EXPORT_PATH: releases,
    DB_URL: "http://127.0.0.1:1",
  });
  assertEquals(code, 1, stderr);
  assertStringIncludes(
    stderr,
    "Cannot reach the database server http://127.0.0.1:1",
  );
  assertEquals(existsSync(releases), false);
});
