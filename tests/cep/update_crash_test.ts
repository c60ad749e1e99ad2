/**
 * Updates in separate processes that are killed, refused or out of disk space.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { update } from "../../cep/import/update/update.ts";
import type { Address, Store } from "../../cep/store/mod.ts";
import type { Command } from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { cepCommand, type Environment } from "../_program.ts";
import { SAMPLE_DELTA } from "../_sample.ts";
import { deltaLine, writeDelta } from "./_delta.ts";
import {
  HALTED,
  haltingCommand,
  HOLDER,
  type Step,
} from "./_halting_import.ts";
import { CapturingLogger } from "./_logger.ts";
import { type LogLine, Process } from "./_process.ts";
import { seedSample } from "./_seeding.ts";
import { contentOf, OpenedStore } from "./_stores.ts";

function applyDelta(store: Store) {
  const logger = new CapturingLogger();
  return update({ store, directory: SAMPLE_DELTA, logger });
}

let next: Promise<readonly Address[]> | undefined;

/** Returns the records of the sample with its delta. */
function recordsAfterDelta(): Promise<readonly Address[]> {
  return next ??= (async () => {
    await using opened = await OpenedStore.inMemory();
    await seedSample(opened.store);
    await applyDelta(opened.store);
    return (await contentOf(opened.store)).records;
  })();
}

/** Database of the sample, and updates of it. */
class Scene implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly #updates: Process[] = [];
  readonly database: string = join(this.#folder.path, "data");
  readonly delta: string = join(this.#folder.path, "delta");

  static async make(): Promise<Scene> {
    const scene = new Scene();
    await scene.#withStore(seedSample);
    return scene;
  }

  async #withStore<T>(action: (store: Store) => Promise<T>): Promise<T> {
    await using opened = await OpenedStore.open({ path: this.database });
    return await action(opened.store);
  }

  content(): ReturnType<typeof contentOf> {
    return this.#withStore(contentOf);
  }

  names(): string[] {
    return readdirSync(this.database).sort();
  }

  /** Starts `MODE=update`. */
  update(env: Environment = {}, prefix: readonly string[] = []): Process {
    const [program, ...args] = [...prefix, ...cepCommand()];
    return this.#start([program!, ...args], {
      MODE: "update",
      DB_PATH: this.database,
      DB_RAW_PATH: SAMPLE_DELTA,
      ...env,
    });
  }

  /** Starts an update, and waits until it halts. */
  async halt(step: Step): Promise<Process> {
    const halting = this.#start(haltingCommand({
      database: this.database,
      raw: SAMPLE_DELTA,
      isUpdate: true,
      step,
    }));
    await halting.logged(HALTED);
    return halting;
  }

  #start(command: Command, env?: Environment): Process {
    const started = Process.start(command, env);
    this.#updates.push(started);
    return started;
  }

  /** Checks that the next update succeeds and removes the leftovers. */
  async updateNext(): Promise<void> {
    await this.#withStore(applyDelta);
    const { records } = await this.content();
    assertEquals(records, await recordsAfterDelta());
    assertEquals(this.names(), ["cep.db", "seed.lock"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const it of this.#updates) await it[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Waits for the end of an update, and returns its exit code and its log. */
async function finish(
  updating: Process,
): Promise<{ code: number | null; log: readonly LogLine[] }> {
  const { code } = await updating.end();
  return { code, log: updating.lines };
}

Deno.test("MODE=update exits with code 0, logs a summary, and does nothing the second time", async () => {
  await using scene = await Scene.make();
  const first = await finish(scene.update());
  assertEquals(first.code, 0);
  const last = first.log.at(-1);
  assertEquals([last?.message, last?.level], ["Updated DNE", "INFO"]);
  const { release, records } = await scene.content();
  assertEquals(records, await recordsAfterDelta());
  assertEquals(release?.totalCeps, last?.ceps);
  const before = statSync(join(scene.database, "cep.db"), { bigint: true });
  const second = await finish(scene.update());
  assertEquals(second.code, 0);
  assertStringIncludes(String(second.log.at(-1)?.message), "Nothing to do");
  const after = statSync(join(scene.database, "cep.db"), { bigint: true });
  assertEquals([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

Deno.test("MODE=update exits with code 1 during an update, and names it", async () => {
  await using scene = await Scene.make();
  await scene.halt("before it publishes");
  const { code, log } = await finish(scene.update());
  assertEquals(code, 1);
  assertEquals(
    log.at(-1)?.error,
    `Cannot import: another import is running (${HOLDER})`,
  );
});

Deno.test("MODE=update exits with code 3 if the delta is refused, and leaves the release", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  writeDelta(scene.delta, {
    "DELTA_LOG_CPC.TXT": [1, 2].map((i) =>
      deltaLine("LOG_CPC", "UPD", { CPC_NU: `${9990 + i}` })
    ),
  });
  const { code, log } = await finish(
    scene.update({ DB_RAW_PATH: scene.delta }),
  );
  assertEquals(code, 3);
  assert(String(log.at(-1)?.error).startsWith("Cannot update: "));
  assertEquals(await scene.content(), before);
});
