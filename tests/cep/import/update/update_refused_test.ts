/** Deltas that are refused, and their versions. */
import { assertEquals, assertRejects } from "@std/assert";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DirectoryError, SeedError } from "../../../../cep/import/errors.ts";
import { DatabaseError } from "../../../../cep/store/mod.ts";
import {
  update,
  type UpdateOptions,
} from "../../../../cep/import/update/update.ts";
import { updateFiles } from "../../_delta.ts";
import { CEPS, type Files } from "../../_directory.ts";
import { cepsOf, contentOf, OpenedStore } from "../../_stores.ts";
import { Scene, street, STREETS } from "./_updated.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";
import { SAMPLE, SAMPLE_DELTA } from "../../../_sample.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { seedSample } from "../../_seeding.ts";
import { alter } from "../../store/_release.ts";

const REFUSED: readonly [
  name: string,
  files: Files,
  options: Partial<UpdateOptions>,
  message: string,
][] = [
  [
    "of lines that cannot be used",
    { [STREETS]: ["?", "?"] },
    {},
    "2 of 2 lines were rejected or update a row that the release lacks " +
    "(SEED_MAX_REJECTED_PERCENT allows 1%)",
  ],
  [
    "of one such line, if none is allowed",
    { [STREETS]: ["?", street("UPD")] },
    { maxRejectedPercent: 0 },
    "1 of 2 lines were rejected",
  ],
  [
    "for another release",
    { [STREETS]: ["7", "8"].map((LOG_NU) => street("UPD", { LOG_NU })) },
    {},
    "2 of 2 lines were rejected or update a row that the release lacks",
  ],
  [
    "of dangling references",
    {
      [STREETS]: ["7", "8"].map((LOG_NU) =>
        street("INS", { LOG_NU, LOC_NU: "99" })
      ),
    },
    {},
    "2 of 2 lines refer to an unknown locality, neighbourhood or " +
    "municipality (SEED_MAX_DANGLING_PERCENT allows 1%)",
  ],
  [
    "that deletes the places of present entries",
    { "DELTA_LOG_BAIRRO.TXT": ["1@SP@1@Centro@Centro@DEL"] },
    {},
    "LOG_LOGRADOURO_SP.TXT: 1 of 2 lines refer to an unknown",
  ],
  [
    "that deletes too many CEPs",
    { [STREETS]: [street("DEL")] },
    {},
    "LOG_LOGRADOURO_SP.TXT has 1 CEPs, the current release 2 " +
    "(SEED_MAX_SHRINK_PERCENT allows 5% fewer)",
  ],
  [
    "that is older than the release",
    { [STREETS]: [] },
    { dneVersion: "2501" },
    "the delta is of version 2501, the release of 25011 (UPDATE_FORCE=true " +
    "applies it all the same)",
  ],
  [
    "with a line without an end",
    { [STREETS]: new Uint8Array(70_000).fill(65) },
    {},
    `Cannot update from ${STREETS}: Cannot read a line of more than 65536`,
  ],
];

for (const [name, files, options, message] of REFUSED) {
  Deno.test(`update refuses a delta ${name}, and leaves the release`, async () => {
    await using scene = await Scene.open();
    const before = await contentOf(scene.store);
    await assertRejects(
      () => scene.update(files, options),
      SeedError,
      message,
    );
    assertEquals(await contentOf(scene.store), before);
    assertEquals(scene.folder.names(), ["cep.db", "seed.lock"]);
  });
}

Deno.test("update applies an older delta if forced, and keeps the version", async () => {
  await using scene = await Scene.open();
  const delta = { [STREETS]: [street("UPD", { LOG_NO: "Nova" })] };
  const options = { dneVersion: "24122", force: true };
  const { dneVersion, changed } = await scene.update(delta, options);
  assertEquals([dneVersion, changed], ["25011", true]);
});

Deno.test("update warns about an unknown version, and keeps that of the release", async () => {
  await using scene = await Scene.open();
  const delta = { [STREETS]: [street("UPD", { LOG_NO: "Nova" })] };
  const { dneVersion } = await scene.update(delta, { dneVersion: "" });
  assertEquals(dneVersion, "25011");
  assertEquals(scene.log.at("warn"), [
    { delta: "unknown", release: "25011" },
  ]);
});

Deno.test("update advances the version although the delta is empty", async () => {
  await using scene = await Scene.open();
  const { changed } = await scene.update({ [STREETS]: [] });
  assertEquals(changed, true);
  assertEquals((await scene.store.release())?.dneVersion, "25012");
  assertEquals(await cepsOf(scene.store), CEPS);
});

Deno.test("update rejects an empty database", async () => {
  await using opened = await OpenedStore.inMemory();
  await assertRejects(
    () => updateFiles(opened.store, { [STREETS]: [] }),
    DatabaseError,
    "the database has no release that can be read; import the DNE with " +
      "MODE=seed",
  );
});

const UNREADABLE: readonly [name: string, files: Files, message: string][] = [
  ["without a delta", {}, "it contains no delta file (DELTA_LOG_*.TXT)"],
  [
    "with the complete DNE",
    { "LOG_CPC.TXT": [] },
    "it contains the complete DNE, not delta files",
  ],
  [
    "with UTF-8",
    { [STREETS]: new TextEncoder().encode("São João") },
    `${STREETS} is not ISO-8859-1: it is UTF-8`,
  ],
  [
    "with two names of a file",
    { "DELTA_LOG_FAIXA_BAI.TXT": [], "delta_log_faixa_bairro.txt": [] },
    "it contains the same file with two names: DELTA_LOG_FAIXA_BAIRRO.TXT, " +
    "DELTA_LOG_FAIXA_BAI.TXT",
  ],
];

for (const [name, files, message] of UNREADABLE) {
  Deno.test(`update rejects a folder ${name}`, async () => {
    await using scene = await Scene.open();
    await assertRejects(() => scene.update(files), DirectoryError, message);
    assertEquals(await cepsOf(scene.store), CEPS);
  });
}

const NO_RELEASE = "Cannot update: the database has no release that can be " +
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
  ["is empty", (path) => truncateSync(path), NO_RELEASE],
  [
    "is cut in half",
    (path) => truncateSync(path, statSync(path).size / 2),
    NO_RELEASE,
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
      message === NO_RELEASE ? DatabaseError : SeedError,
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
