/** `MODE=seed` and `MODE=update`, in separate processes. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FILES } from "../../cep/import/dne/layout.ts";
import { update } from "../../cep/import/update/update.ts";
import type { Address, Store } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import type { Environment } from "../_program.ts";
import { SAMPLE, SAMPLE_DELTA } from "../_sample.ts";
import { deltaLine, writeDelta } from "./_delta.ts";
import { writeDirectory } from "./_directory.ts";
import {
  HALTED,
  haltingCommand,
  HOLDER,
  type Step,
} from "./_halting_import.ts";
import { CapturingLogger } from "./_logger.ts";
import { Process } from "./_process.ts";
import { seedFiles, seedSample } from "./_seeding.ts";
import { contentOf, OpenedStore } from "./_stores.ts";

/** An import by each mode: what it finds, its files, and what it leaves. */
const MODES = {
  seed: {
    prepare: seedFiles,
    raw: SAMPLE,
    records: () => recordsOf(seedSample),
  },
  update: {
    prepare: seedSample,
    raw: SAMPLE_DELTA,
    records: () => recordsOf(seedSample, applyDelta),
  },
} as const;

type Mode = keyof typeof MODES;

function applyDelta(store: Store) {
  const logger = new CapturingLogger();
  return update({ store, directory: SAMPLE_DELTA, logger });
}

/** Returns the records that imports leave. */
async function recordsOf(
  ...imports: readonly ((store: Store) => Promise<unknown>)[]
): Promise<readonly Address[]> {
  await using opened = await OpenedStore.inMemory();
  for (const importInto of imports) await importInto(opened.store);
  return (await contentOf(opened.store)).records;
}

/** Database, and imports into it by processes. */
class Scene implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly #imports: Process[] = [];
  readonly database: string = join(this.#folder.path, "data");
  readonly raw: string = join(this.#folder.path, "raw");

  private constructor(readonly mode: Mode) {}

  static async make(mode: Mode): Promise<Scene> {
    const scene = new Scene(mode);
    await using opened = await OpenedStore.open({ path: scene.database });
    await MODES[mode].prepare(opened.store);
    return scene;
  }

  /** Release and records of the database. */
  async content(): ReturnType<typeof contentOf> {
    await using opened = await OpenedStore.open({ path: this.database });
    return await contentOf(opened.store);
  }

  /** Starts an import. */
  start(env: Environment = {}): Process {
    const started = Process.main({
      MODE: this.mode,
      DB_PATH: this.database,
      DB_RAW_PATH: MODES[this.mode].raw,
      ...env,
    });
    this.#imports.push(started);
    return started;
  }

  /** Starts an import, and waits until it halts. */
  async halt(step: Step): Promise<Process> {
    const { database, mode } = this;
    const { raw } = MODES[mode];
    const isUpdate = mode === "update";
    const halting = Process.start(
      haltingCommand({ database, raw, isUpdate, step }),
    );
    this.#imports.push(halting);
    await halting.logged(HALTED);
    return halting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const it of this.#imports) await it[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

for (const mode of Object.keys(MODES) as Mode[]) {
  Deno.test(`MODE=${mode} refuses to run while another import does, and reports its name`, async () => {
    await using scene = await Scene.make(mode);
    const before = await scene.content();
    const first = await scene.halt("before it publishes");
    const second = scene.start();
    assertEquals((await second.end()).code, 1);
    assertEquals(
      second.lines.at(-1)?.error,
      `Cannot import: another import is running (${HOLDER})`,
    );
    assertEquals(await scene.content(), before);
    first.write("go on");
    assertEquals((await first.end()).code, 0);
    const { records } = await scene.content();
    assertEquals(records, await MODES[mode].records());
  });
}

Deno.test("MODE=seed exits with code 0 and logs a summary of each file and of the import", async () => {
  await using scene = await Scene.make("seed");
  const seeding = scene.start();
  assertEquals((await seeding.end()).code, 0);
  const [last, ...summaries] = seeding.lines.toReversed();
  assertEquals(
    summaries.map(({ file }) => file),
    FILES.map(({ name }) => name).toReversed(),
  );
  for (
    const { message, level, lines, stored, duplicates, rejected } of summaries
  ) {
    assertEquals([message, level], ["Imported file", "INFO"]);
    assertEquals(stored, lines);
    assertEquals([duplicates, rejected], [0, 0]);
  }
  assertEquals(last?.message, "Imported DNE");
  const { release, records } = await scene.content();
  assertEquals(release?.totalCeps, last?.ceps);
  assertEquals(records, await MODES.seed.records());
  // Name of the import, which the error of a second one contains.
  const lock = new DatabaseSync(join(scene.database, "seed.lock"));
  const name = lock.prepare("SELECT name FROM holder").get()?.name;
  lock.close();
  assertMatch(
    String(name),
    new RegExp(`^process ${seeding.pid} on .+, since \\d{4}-.+Z$`),
  );
});

Deno.test("MODE=update exits with code 0, logs a summary, and does nothing the second time", async () => {
  await using scene = await Scene.make("update");
  const first = scene.start();
  assertEquals((await first.end()).code, 0);
  const last = first.lines.at(-1);
  assertEquals([last?.message, last?.level], ["Updated DNE", "INFO"]);
  const { release, records } = await scene.content();
  assertEquals(records, await MODES.update.records());
  assertEquals(release?.totalCeps, last?.ceps);
  const before = statSync(join(scene.database, "cep.db"), { bigint: true });
  const second = scene.start();
  assertEquals((await second.end()).code, 0);
  assertStringIncludes(String(second.lines.at(-1)?.message), "Nothing to do");
  const after = statSync(join(scene.database, "cep.db"), { bigint: true });
  assertEquals([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

Deno.test("MODE=seed exits with code 3, lists every missing file, and leaves the release", async () => {
  await using scene = await Scene.make("seed");
  const before = await scene.content();
  const missing = ["LOG_BAIRRO.TXT", "LOG_LOGRADOURO_RR.TXT", "LOG_CPC.TXT"];
  writeDirectory(
    scene.raw,
    Object.fromEntries(missing.map((name) => [name, null])),
  );
  const seeding = scene.start({ DB_RAW_PATH: scene.raw });
  assertEquals((await seeding.end()).code, 3);
  assertEquals(
    seeding.lines.map(({ level, error }) => [level, error]),
    [[
      "ERROR",
      `Cannot import the DNE from "${scene.raw}": ` +
      missing.map((name) => `${name} is missing`).join("; "),
    ]],
  );
  assertEquals(await scene.content(), before);
});

Deno.test("MODE=update exits with code 3 if the delta is refused, and leaves the release", async () => {
  await using scene = await Scene.make("update");
  const before = await scene.content();
  writeDelta(scene.raw, {
    "DELTA_LOG_CPC.TXT": [1, 2].map((i) =>
      deltaLine("LOG_CPC", "UPD", { CPC_NU: `${9990 + i}` })
    ),
  });
  const updating = scene.start({ DB_RAW_PATH: scene.raw });
  assertEquals((await updating.end()).code, 3);
  const error = String(updating.lines.at(-1)?.error);
  assert(error.startsWith("Cannot update: "), error);
  assertEquals(await scene.content(), before);
});
