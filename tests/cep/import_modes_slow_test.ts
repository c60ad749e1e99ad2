/**
 * Imports in separate processes that are killed, refused or out of disk space.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FILES } from "../../cep/import/dne/layout.ts";
import type { Address, Store } from "../../cep/store/mod.ts";
import type { Command } from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { cepCommand, type Environment } from "../_program.ts";
import { SAMPLE } from "../_sample.ts";
import { writeDirectory } from "./_directory.ts";
import {
  HALTED,
  haltingCommand,
  type HaltingImport,
  HOLDER,
} from "./_halting_import.ts";
import { type LogLine, Process } from "./_process.ts";
import { seedFiles, seedSample } from "./_seeding.ts";
import { contentOf, OpenedStore } from "./_stores.ts";

/** Returns the release and the records, with checked texts. */
async function checkedContentOf(store: Store) {
  const content = await contentOf(store);
  assertEquals(content.records.length, content.release?.totalCeps);
  for (const record of content.records) {
    const body = await store.findJson(record.cep);
    assertEquals(body?.json, JSON.stringify(record));
  }
  return content;
}

let sample: Promise<readonly Address[]> | undefined;

/** Returns the records of the sample. */
function recordsOfSample(): Promise<readonly Address[]> {
  return sample ??= (async () => {
    await using opened = await OpenedStore.inMemory();
    await seedSample(opened.store);
    return (await checkedContentOf(opened.store)).records;
  })();
}

/** Database of the small DNE, and imports into it. */
class Scene implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly #imports: Process[] = [];
  readonly database: string = join(this.#folder.path, "data");
  readonly raw: string = join(this.#folder.path, "dne");

  static async make(): Promise<Scene> {
    const scene = new Scene();
    await scene.#withStore(seedFiles);
    return scene;
  }

  async #withStore<T>(action: (store: Store) => Promise<T>): Promise<T> {
    await using opened = await OpenedStore.open({ path: this.database });
    return await action(opened.store);
  }

  /** Release and records of the database. */
  content(): ReturnType<typeof contentOf> {
    return this.#withStore(checkedContentOf);
  }

  /** Returns the sorted names of the files of the database. */
  names(): string[] {
    return readdirSync(this.database).sort();
  }

  /** Starts `MODE=seed`. */
  seed(env: Environment = {}, prefix: readonly string[] = []): Process {
    const [program, ...args] = [...prefix, ...cepCommand()];
    return this.#start([program!, ...args], {
      MODE: "seed",
      DB_PATH: this.database,
      DB_RAW_PATH: this.raw,
      ...env,
    });
  }

  /** Starts an import of the sample, and waits until it halts. */
  async halt(options: Pick<HaltingImport, "step" | "likeWindows">) {
    const { database } = this;
    const halting = this.#start(
      haltingCommand({ database, raw: SAMPLE, ...options }),
    );
    await halting.logged(HALTED);
    return halting;
  }

  #start(command: Command, env?: Environment): Process {
    const started = Process.start(command, env);
    this.#imports.push(started);
    return started;
  }

  /** Checks that the next import succeeds and removes the leftovers. */
  async importNext(): Promise<void> {
    await this.#withStore(async (store) => {
      await seedSample(store);
      const { records } = await checkedContentOf(store);
      assertEquals(records, await recordsOfSample());
    });
    const [file, lock, ...more] = this.names();
    assertMatch(file!, /^cep(-\d+)?\.db$/);
    assertEquals([lock, more], ["seed.lock", []]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const it of this.#imports) await it[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Waits for the end of an import, and returns its exit code and its log. */
async function finish(
  seeding: Process,
): Promise<{ code: number | null; log: readonly LogLine[] }> {
  const { code } = await seeding.end();
  return { code, log: seeding.lines };
}

Deno.test("MODE=seed exits with code 0 and logs a summary of each file and of the import", async () => {
  await using scene = await Scene.make();
  const seeding = scene.seed({ DB_RAW_PATH: SAMPLE });
  const { code, log } = await finish(seeding);
  assertEquals(code, 0);
  const summaries = log.slice(0, -1);
  assertEquals(
    summaries.map(({ file }) => file),
    FILES.map(({ name }) => name),
  );
  for (
    const { message, level, lines, stored, duplicates, rejected } of summaries
  ) {
    assertEquals([message, level], ["Imported file", "INFO"]);
    assertEquals(stored, lines);
    assertEquals([duplicates, rejected], [0, 0]);
  }
  const last = log.at(-1);
  assertEquals(last?.message, "Imported DNE");
  const { release, records } = await scene.content();
  assertEquals(release?.totalCeps, last?.ceps);
  assertEquals(records, await recordsOfSample());
  // Name of the import, which the error of a second one contains.
  const lock = new DatabaseSync(join(scene.database, "seed.lock"));
  const name = lock.prepare("SELECT name FROM holder").get()?.name;
  lock.close();
  assertMatch(
    String(name),
    new RegExp(`^process ${seeding.pid} on .+, since \\d{4}-.+Z$`),
  );
});

Deno.test("MODE=seed refuses an import while another process imports, and reports its name", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  const first = await scene.halt({ step: "after a thousand entries" });
  const { code, log } = await finish(scene.seed({ DB_RAW_PATH: SAMPLE }));
  assertEquals(code, 1);
  assertEquals(
    log.map(({ error }) => error),
    [`Cannot import: another import is running (${HOLDER})`],
  );
  assertEquals(await scene.content(), before);
  first.write("go on");
  assertEquals((await first.end()).code, 0);
  assertEquals((await scene.content()).records, await recordsOfSample());
});

Deno.test("MODE=seed exits with code 3 and lists every missing file", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  const missing = ["LOG_BAIRRO.TXT", "LOG_LOGRADOURO_RR.TXT", "LOG_CPC.TXT"];
  writeDirectory(
    scene.raw,
    Object.fromEntries(missing.map((name) => [name, null])),
  );
  const { code, log } = await finish(scene.seed());
  assertEquals(code, 3);
  assertEquals(log.length, 1);
  assertEquals(log[0]?.level, "ERROR");
  assertEquals(
    log[0]?.error,
    `Cannot import the DNE from "${scene.raw}": ` +
      missing.map((name) => `${name} is missing`).join("; "),
  );
  assertEquals(await scene.content(), before);
});
