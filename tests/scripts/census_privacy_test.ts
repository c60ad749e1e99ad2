/** Personal data of the CNEFE, which no release may contain. */
import { assert } from "@std/assert";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { seed } from "../../cep/import/seed.ts";
import { openStore } from "../../cep/store/mod.ts";
import { writeCensus } from "../../scripts/generate_cnefe.ts";
import { ESTABLISHMENT_MARK } from "../../scripts/generate_cnefe/addresses.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../cep/_logger.ts";

Deno.test("seed stores, reports and logs no establishment and no complement of the CNEFE", async () => {
  using folder = new TemporaryFolder();
  const cnefe = join(folder.path, "cnefe");
  const database = join(folder.path, "db");
  const options = { rows: 6000, streets: 2000, seed: 4, states: ["AC", "SE"] };
  writeCensus(cnefe, { ...options, alone: true });
  const files = readdirSync(cnefe).map((name) => join(cnefe, name));
  assert(textOf(files).includes(ESTABLISHMENT_MARK));
  const logger = new CapturingLogger();
  const progress: unknown[] = [];
  const store = await openStore({ path: database, logger });
  let report;
  try {
    report = await seed({
      store,
      cnefe,
      logger,
      onProgress: (it) => void progress.push(it),
      onCensusFile: (it) => void progress.push(it),
    });
  } finally {
    await store.close();
  }
  const written = textOf(filesBelow(database));
  // Names of streets are stored as they are, so that marks would be seen.
  assert(written.includes("Travessa"));
  const told = JSON.stringify([report, progress, logger]);
  for (const text of [written, told]) {
    for (const word of [ESTABLISHMENT_MARK, "APARTAMENTO", "MERCEARIA"]) {
      assert(!text.toUpperCase().includes(word), word);
    }
  }
});

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name)).filter((it) => statSync(it).isFile());
}

function textOf(files: readonly string[]): string {
  return files.map((path) => readFileSync(path, "latin1")).join("\n");
}
