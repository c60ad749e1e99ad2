import { assertEquals } from "@std/assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findDne } from "../../../cep/modes/find_dne.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../_logger.ts";

const cnefePaths = ["/srv/cnefe"];

Deno.test("findDne returns DB_RAW_PATH although it does not exist", async () => {
  using folder = new TemporaryFolder();
  const logger = new CapturingLogger();
  const config = { rawPath: "/nowhere", cnefePaths };
  assertEquals(await findDne(config, folder.path, logger), "/nowhere");
  assertEquals(logger.at("info"), []);
});

Deno.test("findDne returns the default folder if it exists", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "dne");
  mkdirSync(path);
  writeFileSync(join(path, "LOG_LOCALIDADE.TXT"), "");
  const logger = new CapturingLogger();
  assertEquals(
    await findDne({ rawPath: "", cnefePaths }, folder.path, logger),
    path,
  );
  assertEquals(logger.at("info"), []);
});

Deno.test("findDne takes an empty default folder for a missing one", async () => {
  using folder = new TemporaryFolder();
  mkdirSync(join(folder.path, "dne"));
  const logger = new CapturingLogger();
  assertEquals(
    await findDne({ rawPath: "", cnefePaths }, folder.path, logger),
    undefined,
  );
  assertEquals(logger.at("info").length, 1);
});

Deno.test("findDne logs that the CNEFE is imported alone", async () => {
  using folder = new TemporaryFolder();
  const logger = new CapturingLogger();
  assertEquals(
    await findDne({ rawPath: "", cnefePaths }, folder.path, logger),
    undefined,
  );
  assertEquals(logger.entries, [{
    level: "info",
    message:
      "Importing CNEFE alone: DB_RAW_PATH is not set, and its default is missing or empty",
    properties: { CNEFE_PATH: "/srv/cnefe", default: join(folder.path, "dne") },
  }]);
});
