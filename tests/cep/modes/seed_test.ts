import { assertEquals } from "@std/assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findDne, warnOfMissing } from "../../../cep/modes/seed.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../_logger.ts";

for (
  const { name, rawPath = "", files, found } of [
    {
      name: "returns DB_RAW_PATH although it does not exist",
      rawPath: "/nowhere",
      found: "/nowhere",
    },
    {
      name: "returns the default folder if it has files",
      files: ["LOG_LOCALIDADE.TXT"],
      found: "dne",
    },
    { name: "logs that the CNEFE is imported alone without a folder" },
    {
      name: "logs that the CNEFE is imported alone for an empty folder",
      files: [],
    },
  ]
) {
  Deno.test(`findDne ${name}`, async () => {
    using folder = new TemporaryFolder();
    const path = join(folder.path, "dne");
    if (files) mkdirSync(path);
    for (const file of files ?? []) writeFileSync(join(path, file), "");
    const logger = new CapturingLogger();
    const config = { rawPath, cnefePaths: ["/srv/cnefe"] };
    assertEquals(
      await findDne(config, folder.path, logger),
      found === "dne" ? path : found,
    );
    assertEquals(
      logger.at("info"),
      found === undefined ? [{ CNEFE_PATH: "/srv/cnefe", default: path }] : [],
    );
  });
}

const READ = {
  file: "35_SP.csv",
  rows: 100,
  missingColumns: [],
  warnings: {},
} as const;

for (
  const [name, report, messages] of [
    ["nothing", {}, []],
    [
      "a missing column",
      { missingColumns: ["LATITUDE"] },
      ["File of CNEFE lacks columns"],
    ],
    [
      "a few unusable coordinates",
      { warnings: { coordinates: { count: 9, lines: [2] } } },
      [],
    ],
    [
      "many unusable coordinates",
      { warnings: { coordinates: { count: 10, lines: [2] } } },
      ["File of CNEFE has rows with unusable coordinates"],
    ],
  ] as const
) {
  Deno.test(`warnOfMissing warns ${messages.length} times of ${name}`, () => {
    const logger = new CapturingLogger();
    warnOfMissing({ ...READ, ...report }, logger);
    const warned = logger.entries.map(({ level, message }) => [level, message]);
    assertEquals(warned, messages.map((it) => ["warn", it]));
  });
}
