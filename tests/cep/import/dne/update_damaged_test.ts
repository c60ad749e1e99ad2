/** Updates of a release that is damaged, or from a folder without a delta. */
import { assertEquals, assertRejects } from "@std/assert";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { update } from "../../../../cep/import/update/update.ts";
import { DirectoryError, SeedError } from "../../../../cep/import/errors.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";
import { SAMPLE, SAMPLE_DELTA } from "../../../_sample.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { seedSample } from "../../_seeding.ts";
import { OpenedStore } from "../../_stores.ts";
import { alter } from "../../store/_release.ts";

const UNREADABLE = "Cannot update: the database has no release that can be " +
  "read; import the DNE with MODE=seed";

/** Returns the error of an update of a release with damage. */
function damaged(reason: string): string {
  return `Cannot update: the current release is damaged (${reason}`;
}

/** Overwrites the start of a page of neighbourhoods. */
function damagePage(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare(
    "SELECT rootpage FROM sqlite_master WHERE name = 'bairro'",
  ).get();
  const { page_size: size } = database.prepare("PRAGMA page_size").get()!;
  database.close();
  const bytes = readFileSync(path);
  const start = (Number(found!["rootpage"]) - 1) * Number(size);
  bytes.fill(0xFF, start, start + 8);
  writeFileSync(path, bytes);
}

const CASES: [
  name: string,
  damage: (path: string) => void,
  message: string,
][] = [
  ["is empty", (path) => truncateSync(path), UNREADABLE],
  [
    "is cut in half",
    (path) => truncateSync(path, statSync(path).size / 2),
    UNREADABLE,
  ],
  [
    "lacks a CEP",
    (path) =>
      alter(path, "DELETE FROM cep WHERE cep = (SELECT max(cep) FROM cep)"),
    damaged("it has "),
  ],
  ["has a damaged page", damagePage, damaged("")],
];
for (
  const table of ["cep", "localidade", "bairro", "duplicado", "historico"]
) {
  CASES.push([
    `lacks the table ${table}`,
    (path) => alter(path, `DROP TABLE ${table}`),
    damaged(`no such table: ${table}`),
  ]);
}

for (const [name, damage, message] of CASES) {
  Deno.test(`update reports a release that ${name}, and leaves it`, async () => {
    using folder = new ReleaseFolder();
    await folder.prepare("sample", seedSample);
    damage(folder.file);
    const before = readFileSync(folder.file);
    await using opened = await OpenedStore.open({ path: folder.path });
    const { store } = opened;
    const logger = new CapturingLogger();
    await assertRejects(
      () => update({ store, directory: SAMPLE_DELTA, logger }),
      SeedError,
      message,
    );
    assertEquals(readFileSync(folder.file).equals(before), true);
    assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  });
}

const FOLDERS: readonly [name: string, path: string, problem: string][] = [
  [
    "the complete DNE",
    SAMPLE,
    "it contains the complete DNE, not delta files (DELTA_LOG_*.TXT); " +
    "import it with MODE=seed",
  ],
  ["a path that does not exist", `${SAMPLE}-missing`, "it does not exist"],
];

for (const [name, directory, problem] of FOLDERS) {
  Deno.test(`update refuses ${name} as an update, not as an import`, async () => {
    await using opened = await OpenedStore.inMemory({});
    const { store } = opened;
    await assertRejects(
      () => update({ store, directory, logger: new CapturingLogger() }),
      DirectoryError,
      `Cannot update from "${directory}": ${problem}`,
    );
  });
}

Deno.test("update refuses an empty folder as an update, not as an import", async () => {
  using folder = new TemporaryFolder();
  await using opened = await OpenedStore.inMemory({});
  const { store } = opened;
  await assertRejects(
    () =>
      update({ store, directory: folder.path, logger: new CapturingLogger() }),
    DirectoryError,
    `Cannot update from "${folder.path}": it contains no delta file`,
  );
});
